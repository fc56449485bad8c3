#include "formats/trace_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace sim::formats
{

namespace
{

using workload::Dependence;

constexpr std::uint32_t kMostStreams = 1U << 15U;

class Writer
{
public:
    Writer(const Trace& trace, const TraceOrder& order, std::uint32_t rank)
        : trace_{trace}, order_{order}, rank_{rank}, recorded_{trace.ranks[rank]}
    {
        written_.resize(recorded_.nodes.size());
        program_.streams.push_back({"compute", {}});
    }

    RankProgram write()
    {
        post_receives();
        for (const auto node : order_.starts[rank_]) {
            if (node_of(node).kind != TraceKind::receive) {
                append(node);
            } else {
                add_waits(written_[node], node);
            }
        }
        end();
        return {std::move(program_), std::move(slots_)};
    }

private:
    [[nodiscard]] const TraceNode& node_of(std::uint32_t node) const
    {
        return recorded_.nodes[node];
    }

    std::uint32_t add_stream(std::string name)
    {
        if (program_.streams.size() >= kMostStreams) {
            Diagnostic diagnostic;
            diagnostic.key = fmt::format("rank {}", rank_);
            diagnostic.message =
                fmt::format("talks to others in more than {} groups, peers and tags", kMostStreams);
            throw InputError{{diagnostic}};
        }
        program_.streams.push_back({std::move(name), {}});
        return static_cast<std::uint32_t>(program_.streams.size() - 1);
    }

    /// The stream a key stands for, added when it is new.
    std::uint32_t stream_of(std::int64_t key, const char* name)
    {
        const auto found = streams_.find(key);
        if (found != streams_.end()) {
            return found->second;
        }
        const auto stream = add_stream(name);
        streams_.emplace(key, stream);
        return stream;
    }

    /// A lane is a stream, the GPU's the first; what a group or a pair does is another.
    std::uint32_t choose_stream(std::uint32_t node)
    {
        constexpr std::int64_t kFirstCommunicator = std::int64_t{1} << 32U;
        const auto& each = node_of(node);
        if (each.kind == TraceKind::compute) {
            return each.lane == 0 ? 0 : stream_of(each.lane, "compute beside");
        }
        return stream_of(kFirstCommunicator + order_.meetings[rank_][node].communicator,
                         "communication");
    }

    std::uint32_t kernel_of(const TraceNode& node)
    {
        const std::tuple key{node.label, node.seconds, node.flops,
                             node.bytes, node.host,    node.copies};
        const auto [found, fresh] =
            kernels_.emplace(key, static_cast<std::uint32_t>(program_.kernels.size()));
        if (fresh) {
            workload::Kernel kernel;
            kernel.label = node.label;
            kernel.of_host = node.host;
            kernel.exposes_communication = node.host || node.copies;
            if (node.seconds > 0 || (node.flops == 0 && node.bytes == 0)) {
                kernel.recorded_seconds = node.seconds;
            } else {
                kernel.operation.kind = spec::OperationKind::counted;
                kernel.operation.flops = Flops::of(node.flops);
                kernel.operation.bytes = node.bytes;
            }
            program_.kernels.push_back(kernel);
        }
        return found->second;
    }

    std::uint32_t slot_of(std::uint32_t communicator)
    {
        const auto [found, fresh] =
            slot_of_.emplace(communicator, static_cast<std::uint32_t>(slots_.size()));
        if (fresh) {
            slots_.push_back(communicator);
        }
        return found->second;
    }

    std::uint32_t collective_of(std::uint32_t node)
    {
        const auto& each = node_of(node);
        const bool whole = each.kind == TraceKind::collective;
        const auto slot = slot_of(order_.meetings[rank_][node].communicator);
        const auto kind = whole ? each.collective : workload::CollectiveKind::send_recv;
        const auto recorded =
            trace_.keeps_transfers ? std::optional{each.seconds} : std::optional<double>{};
        const std::tuple key{kind, each.size, slot, each.label, recorded};
        const auto [found, fresh] =
            collectives_.emplace(key, static_cast<std::uint32_t>(program_.collectives.size()));
        if (fresh) {
            program_.collectives.push_back(
                {kind, Bytes::of(each.size), slot, each.label, recorded});
        }
        return found->second;
    }

    /// A message comes when it is sent, so its receiver is there from the start; whoever waits for
    /// the receive also waits for what that waited for.
    void post_receives()
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> receives;
        for (std::uint32_t node = 0; node < recorded_.nodes.size(); ++node) {
            if (node_of(node).kind == TraceKind::receive) {
                const auto& meeting = order_.meetings[rank_][node];
                receives.emplace(std::pair{meeting.communicator, meeting.sequence}, node);
            }
        }
        for (const auto& [meeting, node] : receives) {
            append_task(node, {});
        }
    }

    void append(std::uint32_t node)
    {
        std::vector<Dependence> waits;
        add_waits(waits, node);
        append_task(node, waits);
    }

    void add_waits(std::vector<Dependence>& waits, std::uint32_t node)
    {
        const auto& each = node_of(node);
        for (std::uint32_t i = 0; i < each.dependences; ++i) {
            for (const auto& on : written_[recorded_.dependences[each.first_dependence + i]]) {
                add(waits, on);
            }
        }
    }

    void append_task(std::uint32_t node, const std::vector<Dependence>& waits)
    {
        const auto& each = node_of(node);
        const bool computes = each.kind == TraceKind::compute;
        const auto stream = choose_stream(node);
        workload::Task task;
        task.kind = computes ? workload::TaskKind::kernel : workload::TaskKind::collective;
        task.payload = computes ? kernel_of(each) : collective_of(node);
        task.first_dependence = static_cast<std::uint32_t>(program_.dependences.size());
        for (const auto& on : waits) {
            if (on.stream.index() != stream) {  // else it comes before this one anyway
                program_.dependences.push_back(on);
                ++task.dependences;
            }
        }
        auto& tasks = program_.streams[stream].tasks;
        if (tasks.empty() && stream != 0) {
            after_end_.push_back(program_.dependences.size());
            program_.dependences.push_back({StreamId{std::size_t{0}}, 0, 1});
            ++task.dependences;
        }
        written_[node] = {{StreamId{stream}, static_cast<std::uint32_t>(tasks.size()), 0}};
        tasks.push_back(task);
    }

    /// Of dependences on one stream the latest says all.
    static void add(std::vector<Dependence>& waits, const Dependence& on)
    {
        for (auto& known : waits) {
            if (known.stream == on.stream) {
                known.position = std::max(known.position, on.position);
                return;
            }
        }
        waits.push_back(on);
    }

    /// The step ends when all has ended, and nothing of a next one begins before.
    void end()
    {
        for (const auto index : after_end_) {
            program_.dependences[index].position =
                static_cast<std::uint32_t>(program_.streams[0].tasks.size());
        }
        workload::Kernel kernel;
        kernel.label = static_cast<std::uint32_t>(trace_.labels.size());
        kernel.recorded_seconds = 0;
        program_.kernels.push_back(kernel);
        workload::Task task;
        task.payload = static_cast<std::uint32_t>(program_.kernels.size() - 1);
        task.first_dependence = static_cast<std::uint32_t>(program_.dependences.size());
        for (std::uint32_t stream = 1; stream < program_.streams.size(); ++stream) {
            const auto count = program_.streams[stream].tasks.size();
            program_.dependences.push_back(
                {StreamId{stream}, static_cast<std::uint32_t>(count - 1), 0});
            ++task.dependences;
        }
        program_.streams[0].tasks.push_back(task);
    }

    const Trace& trace_;
    const TraceOrder& order_;
    std::uint32_t rank_;
    const TraceRank& recorded_;
    workload::Program program_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::size_t> after_end_;            ///< dependences on the end of the step before
    std::vector<std::vector<Dependence>> written_;  ///< by node: what has ended when it has
    std::map<std::int64_t, std::uint32_t> streams_;
    std::map<std::uint32_t, std::uint32_t> slot_of_;
    std::map<std::tuple<std::uint32_t, double, double, double, bool, bool>, std::uint32_t> kernels_;
    using CollectiveKey = std::tuple<workload::CollectiveKind, std::int64_t, std::uint32_t,
                                     std::uint32_t, std::optional<double>>;
    std::map<CollectiveKey, std::uint32_t> collectives_;
};

}  // namespace

RankProgram rank_program(const Trace& trace, const TraceOrder& order, std::uint32_t rank)
{
    return Writer{trace, order, rank}.write();
}

}  // namespace sim::formats
