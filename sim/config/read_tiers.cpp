#include "config/read_tiers.hpp"

#include "config/read_memory.hpp"
#include "config/read_storage.hpp"
#include "config/vocabulary.hpp"
#include "spec/node.hpp"

namespace sim::config
{

namespace
{

/// More than any node has; a larger number is a mistake that `validate` names.
constexpr int kMostThings = 4096;

const Vocabulary<spec::Pages>& pages_words()
{
    static const Vocabulary<spec::Pages> table{{"local", spec::Pages::local},
                                               {"interleaved", spec::Pages::interleaved}};
    return table;
}

}  // namespace

std::optional<spec::HostLinkSpec> read_host_link(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::HostLinkSpec link;
    link.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("62 GB/s"));
    link.latency = reader.required("latency", quantity<Time>("150 ns"));
    reader.finish();
    return link;
}

/// Sockets share GPUs or NICs in order, unless each is named.
std::vector<int> read_sockets(MapReader& reader, const std::string& name, int things, int sockets)
{
    if (auto chosen = reader.optional_list(name, count("0"))) {
        return *chosen;
    }
    std::vector<int> of;
    if (!reader.written(name) && things > 0 && things <= kMostThings) {
        of = spec::spread_evenly(things, sockets);
        reader.record_default(name, of, "spread evenly");
    }
    return of;
}

std::optional<spec::HostDramSpec> read_host_dram(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::HostDramSpec dram;
    dram.module = read_dram(reader.section("module", "{ extends: ../memory/ddr5-4800.yaml }"));
    dram.modules = reader.required("modules", count("8"));
    dram.read_factor = reader.required("read_factor", real_number("0.95"));
    dram.capacity = reader.required("capacity", quantity<Bytes>("1 TiB"));
    dram.pages = reader.defaulted("pages", choice(pages_words()), "local");
    reader.finish();
    return dram;
}

std::optional<spec::HostCpuSpec> read_host_cpu(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::HostCpuSpec cpu;
    cpu.cores = reader.required("cores", count("56"));
    cpu.core_bandwidth = reader.required("core_bandwidth", quantity<Bandwidth>("8 GB/s"));
    reader.finish();
    return cpu;
}

std::optional<spec::StorageSpec> read_host_storage(MapReader reader, int sockets)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::StorageSpec storage;
    storage.drive = read_ssd(reader.section("drive", "{ extends: ../ssd/drive.yaml }"));
    storage.count = reader.required("count", count("8"));
    storage.socket_of_drive = read_sockets(reader, "socket_of_drive", storage.count, sockets);
    if (const auto nics = reader.optional_list("nic_of_drive", count("0"))) {
        storage.nic_of_drive = *nics;
    }
    storage.queue_depth = reader.optional("queue_depth", count("32"));
    reader.finish();
    return storage;
}

std::optional<spec::PoolSpec> read_pool(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::PoolSpec pool;
    pool.link = read_host_link(reader.section("link", "{ bandwidth: 64 GB/s, latency: 200 ns }"))
                    .value_or(spec::HostLinkSpec{});
    pool.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("200 GB/s"));
    pool.capacity = reader.required("capacity", quantity<Bytes>("4 TiB"));
    pool.nodes = reader.defaulted("nodes", count("4"), "0");
    reader.finish();
    return pool;
}

std::optional<spec::FileSystemSpec> read_files(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::FileSystemSpec files;
    files.read = reader.required("read", quantity<Bandwidth>("500 GB/s"));
    files.write = reader.required("write", quantity<Bandwidth>("250 GB/s"));
    files.latency = reader.required("latency", quantity<Time>("500 us"));
    files.capacity = reader.required("capacity", quantity<Bytes>("10 PB"));
    reader.finish();
    return files;
}

}  // namespace sim::config
