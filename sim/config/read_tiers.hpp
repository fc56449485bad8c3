#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/map_reader.hpp"
#include "spec/tiers.hpp"

namespace sim::config
{

/// `bandwidth` and `latency`; nothing when the section is absent.
[[nodiscard]] std::optional<spec::HostLinkSpec> read_host_link(MapReader reader);
/// Which socket each thing hangs on: as listed at `name`, or shared out evenly.
[[nodiscard]] std::vector<int> read_sockets(MapReader& reader, const std::string& name, int things,
                                            int sockets);

/// The sections `dram`, `storage` and `pool` of a host; nothing when absent. Not validated.
[[nodiscard]] std::optional<spec::HostDramSpec> read_host_dram(MapReader reader);
[[nodiscard]] std::optional<spec::HostCpuSpec> read_host_cpu(MapReader reader);
[[nodiscard]] std::optional<spec::StorageSpec> read_host_storage(MapReader reader, int sockets);
[[nodiscard]] std::optional<spec::FileSystemSpec> read_files(MapReader reader);
[[nodiscard]] std::optional<spec::PoolSpec> read_pool(MapReader reader);

}  // namespace sim::config
