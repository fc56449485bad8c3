#include "formats/trace_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "formats/trace_order.hpp"
#include "formats/trace_program.hpp"

namespace sim::formats
{

namespace
{

/// Equal programs are one.
class Programs
{
public:
    explicit Programs(workload::TaskGraph& graph) : graph_{graph} {}

    ProgramId add(workload::Program program)
    {
        auto& same = by_shape_[shape(program)];
        for (const auto index : same) {
            if (graph_.programs[index] == program) {
                return ProgramId{index};
            }
        }
        same.push_back(graph_.programs.size());
        graph_.programs.push_back(std::move(program));
        return ProgramId{graph_.programs.size() - 1};
    }

private:
    using Shape = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

    static Shape shape(const workload::Program& program)
    {
        std::size_t tasks = 0;
        for (const auto& stream : program.streams) {
            tasks += stream.tasks.size();
        }
        return {program.streams.size(), tasks, program.kernels.size(), program.collectives.size()};
    }

    workload::TaskGraph& graph_;
    std::map<Shape, std::vector<std::size_t>> by_shape_;
};

/// Those that any rank talks in, and every rank's slots: `slots` has the numbers of the order.
void add_communicators(workload::TaskGraph& graph, const TraceOrder& order,
                       std::vector<std::vector<std::uint32_t>>& slots)
{
    std::vector<std::uint32_t> number(order.communicators.size(), workload::kNoCommunicator);
    for (auto& mine : slots) {
        for (auto& slot : mine) {
            if (number[slot] == workload::kNoCommunicator) {
                number[slot] = static_cast<std::uint32_t>(graph.communicators.size());
                auto& made = graph.communicators.emplace_back();
                for (const auto rank : order.communicators[slot].ranks) {
                    made.members.emplace_back(rank);
                }
            }
            slot = number[slot];
        }
        mine.resize(graph.slots_per_rank, workload::kNoCommunicator);
        graph.slots.insert(graph.slots.end(), mine.begin(), mine.end());
    }
}

/// Every copy's groups, made when their first member comes.
void add_communicators_of_copies(workload::TaskGraph& graph, const Trace& trace,
                                 const std::vector<std::uint32_t>& slots)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made;  // group, first member
    for (std::uint32_t rank = 0; rank < trace.copies; ++rank) {
        for (const auto group : slots) {
            const auto ranks = members(trace.lattices[group], rank);
            const auto [found, fresh] =
                made.emplace(std::pair{group, ranks.front()},
                             static_cast<std::uint32_t>(graph.communicators.size()));
            if (fresh) {
                auto& communicator = graph.communicators.emplace_back();
                for (const auto member : ranks) {
                    communicator.members.emplace_back(member);
                }
            }
            graph.slots.push_back(found->second);
        }
    }
}

workload::TaskGraph graph_of_copies(const Trace& trace, const TraceOrder& order)
{
    workload::TaskGraph graph;
    graph.labels = trace.labels;
    graph.labels.emplace_back("end");
    auto made = rank_program(trace, order, 0);
    graph.programs.push_back(std::move(made.program));
    graph.program_of_rank.assign(trace.copies, ProgramId{std::size_t{0}});
    graph.slots_per_rank = static_cast<std::uint32_t>(made.slots.size());
    add_communicators_of_copies(graph, trace, made.slots);
    return graph;
}

}  // namespace

workload::TaskGraph trace_graph(const Trace& trace)
{
    const auto order = order_trace(trace);
    if (trace.copies > 1) {
        return graph_of_copies(trace, order);
    }
    workload::TaskGraph graph;
    graph.labels = trace.labels;
    graph.labels.emplace_back("end");
    Programs programs{graph};
    std::vector<std::vector<std::uint32_t>> slots;
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
        auto made = rank_program(trace, order, rank);
        graph.program_of_rank.push_back(programs.add(std::move(made.program)));
        graph.slots_per_rank =
            std::max(graph.slots_per_rank, static_cast<std::uint32_t>(made.slots.size()));
        slots.push_back(std::move(made.slots));
    }
    add_communicators(graph, order, slots);
    return graph;
}

}  // namespace sim::formats
