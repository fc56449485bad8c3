#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "replay/graph_writer.hpp"

namespace sim::replay::test
{

/// One communicator over `members`, each the only rank of its program: a recorded kernel of its
/// own length (none at 0), the collective, and half a second of work that needs it.
struct OneCollective {
    workload::Collective collective;
    std::vector<std::uint32_t> members;
    std::vector<double> before{};  ///< by position; missing ones are 0
};

inline workload::TaskGraph graph_of(const OneCollective& one)
{
    workload::TaskGraph graph;
    std::vector<ProgramId> programs(one.members.size());
    for (std::size_t position = 0; position < one.members.size(); ++position) {
        ProgramWriter writer{graph, {"compute", "data"}};
        ProgramWriter::Dependences needs;
        if (position < one.before.size() && one.before[position] > 0) {
            needs = {on(writer.recorded(0, "before", one.before[position]))};
        }
        const auto done = writer.collective(1, one.collective, "collective", needs);
        writer.recorded(0, "use", 0.5, {on(done)});
        programs[one.members[position]] = writer.done();
    }
    add_ranks(graph, programs, 1);
    add_communicator(graph, Purpose::data, one.members, {0});
    return graph;
}

inline std::vector<std::uint32_t> first_ranks(std::uint32_t count)
{
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace sim::replay::test
