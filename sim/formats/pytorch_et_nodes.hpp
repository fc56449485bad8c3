#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/byte_source.hpp"
#include "formats/pytorch_et_operation.hpp"

namespace sim::formats
{

/// What a record_param_comms says.
struct EtMessage {
    std::string collective;  ///< "allreduce", "wait", ...
    std::int64_t sequence = -1;
    std::string group;
    std::uint32_t rank = 0;  ///< in the group
    std::int64_t first_rank = -1;
    std::int64_t rank_stride = -1;
    std::int64_t group_size = -1;
};

struct EtNode {
    std::uint64_t id = 0;
    std::uint64_t parent = 0;
    EtOperator what;
    std::optional<EtMessage> message{};
};

/// The nodes of an execution trace of PyTorch, schema 1.0.1 to 1.1.1, by ascending id. Throws
/// InputError.
[[nodiscard]] std::vector<EtNode> read_et_nodes(const std::string& name, ByteSource& bytes);

}  // namespace sim::formats
