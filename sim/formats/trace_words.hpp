#pragma once

#include <cstddef>

#include "workload/task_graph.hpp"

namespace sim::formats
{

[[nodiscard]] inline const char* word(workload::CollectiveKind kind)
{
    constexpr const char* kWords[] = {"all_reduce", "all_gather", "reduce_scatter",
                                      "all_to_all", "broadcast",  "send_recv"};
    return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace sim::formats
