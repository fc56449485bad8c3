#include "formats/layer_workload.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/layer_table.hpp"
#include "formats/trace_builder.hpp"

namespace sim::formats
{

namespace
{

constexpr double kNanosecond = 1e-9;
constexpr std::uint32_t kUpdateLane = 1;
constexpr std::size_t kScopes = 5;

constexpr std::array<std::string_view, 8> kKeywords{"DATA",
                                                    "MODEL",
                                                    "MICRO",
                                                    "HYBRID_TRANSFORMER",
                                                    "HYBRID_DLRM",
                                                    "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                    "HYBRID_CUSTOMIZED",
                                                    "HYBRID_DATA_MODEL"};

/// Ranks r, r + stride, ... `count` of them.
std::vector<std::uint32_t> every(std::uint32_t first, std::uint32_t stride, std::uint32_t count)
{
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < count; ++i) {
        ranks.push_back(first + i * stride);
    }
    return ranks;
}

/// Every rank's group in each scope. Tensor groups are neighbours; an expert group takes the same
/// place of as many neighbouring tensor groups, and expert_data what is left over.
class Groups
{
public:
    Groups(TraceBuilder& builder, const LayerTable& table) : of_rank_(builder.ranks())
    {
        const auto all = builder.ranks();
        const auto tensor = static_cast<std::uint32_t>(table.tensor);
        const auto expert = static_cast<std::uint32_t>(table.expert);
        const auto data = all / tensor;
        fill(builder, LayerScope::everybody, {1, all});
        fill(builder, LayerScope::tensor, {1, tensor});
        fill(builder, LayerScope::data, {tensor, data});
        fill(builder, LayerScope::expert, {tensor, expert});
        fill(builder, LayerScope::expert_data, {tensor * expert, data / expert});
    }

    [[nodiscard]] std::uint32_t of(std::uint32_t rank, LayerScope scope) const
    {
        return of_rank_[rank][static_cast<std::size_t>(scope)];
    }

private:
    struct Lattice {
        std::uint32_t stride;
        std::uint32_t count;
    };
    void fill(TraceBuilder& builder, LayerScope scope, Lattice lattice)
    {
        const auto block = lattice.stride * lattice.count;
        for (std::uint32_t base = 0; base < builder.ranks(); base += block) {
            for (std::uint32_t offset = 0; offset < lattice.stride; ++offset) {
                const auto ranks = every(base + offset, lattice.stride, lattice.count);
                const auto group = builder.group(
                    fmt::format("{}", builder.ranks() == lattice.count ? "all" : "part"), ranks);
                for (const auto rank : ranks) {
                    of_rank_[rank][static_cast<std::size_t>(scope)] = group;
                }
            }
        }
    }

    std::vector<std::array<std::uint32_t, kScopes>> of_rank_;
};

/// Writes the step of one rank.
class Step
{
public:
    Step(TraceBuilder& builder, const Groups& groups, const LayerTable& table, std::uint32_t rank)
        : builder_{builder}, groups_{groups}, table_{table}, rank_{rank}
    {
    }

    void write()
    {
        for (const auto& layer : table_.layers) {
            blocking(layer, Pass::forward);
        }
        for (auto i = static_cast<std::int64_t>(table_.layers.size()) - 1; i >= 0; --i) {
            if (table_.recomputes.contains(i)) {
                repeat_forward(i);
            }
            const auto& layer = table_.layers[static_cast<std::size_t>(i)];
            weight_gradient(layer);
            blocking(layer, Pass::input_gradient);
        }
    }

private:
    [[nodiscard]] std::vector<std::uint32_t> after_last() const
    {
        return last_ ? std::vector{*last_} : std::vector<std::uint32_t>{};
    }

    void compute(const Layer& layer, const LayerPass& pass)
    {
        TraceNode node;
        node.label = builder_.label(layer.name);
        node.seconds = static_cast<double>(pass.nanoseconds) * kNanosecond;
        last_ = builder_.add(rank_, node, after_last());
    }

    std::uint32_t communicate(const Layer& layer, const LayerCollective& collective)
    {
        TraceNode node;
        node.label = builder_.label(layer.name);
        node.kind = TraceKind::collective;
        node.collective = collective.kind;
        node.size = collective.bytes;
        node.group = groups_.of(rank_, collective.scope);
        return builder_.add(rank_, node, after_last());
    }

    /// What follows waits for the collective.
    void blocking(const Layer& layer, Pass which)
    {
        const auto& pass = layer.pass(which);
        compute(layer, pass);
        if (pass.collective) {
            last_ = communicate(layer, *pass.collective);
        }
    }

    /// Goes on beside its collective; the update follows that.
    void weight_gradient(const Layer& layer)
    {
        const auto& pass = layer.pass(Pass::weight_gradient);
        compute(layer, pass);
        if (!pass.collective) {
            return;
        }
        const auto collective = communicate(layer, *pass.collective);
        TraceNode update;
        update.label = builder_.label("update");
        update.lane = kUpdateLane;
        update.seconds = static_cast<double>(layer.update_nanoseconds) * kNanosecond;
        builder_.add(rank_, update, {collective});
    }

    /// From the last layer whose input was kept to this one.
    void repeat_forward(std::int64_t layer)
    {
        const auto after = table_.checkpoints.upper_bound(layer);
        const auto from = after == table_.checkpoints.begin() ? 0 : *std::prev(after);
        for (auto i = from; i <= layer; ++i) {
            blocking(table_.layers[static_cast<std::size_t>(i)], Pass::forward);
        }
    }

    TraceBuilder& builder_;
    const Groups& groups_;
    const LayerTable& table_;
    std::uint32_t rank_;
    std::optional<std::uint32_t> last_;
};

void check_gpus(const LayerTable& table, std::uint32_t gpus, const TextLine& line,
                TextComplaints& complaints)
{
    if (table.gpus && *table.gpus != gpus) {
        complaints.add(
            line, fmt::format("is a job of {} GPUs, but the cluster has {}", *table.gpus, gpus));
    }
    if (table.tensor > gpus || gpus % (table.tensor * table.expert) != 0) {
        complaints.add(line,
                       fmt::format("model_parallel_NPU_group {} x ep {} does not divide {} GPUs",
                                   table.tensor, table.expert, gpus));
    }
}

}  // namespace

bool is_layer_workload(const std::string& content)
{
    const auto end = content.find_first_of(" \t\r\n");
    const auto first = std::string_view{content}.substr(0, end);
    for (const auto keyword : kKeywords) {
        if (first == keyword) {
            return true;
        }
    }
    return false;
}

Trace read_layer_workload(const std::string& name, const std::string& content, std::uint32_t gpus)
{
    TextComplaints complaints{name};
    const auto lines = split_lines(content);
    const auto table = read_layer_table(lines, complaints);
    complaints.throw_if_any();
    check_gpus(table, gpus, lines.front(), complaints);
    complaints.throw_if_any();
    TraceBuilder builder{"text workload " + table.keyword, gpus};
    const Groups groups{builder, table};
    for (std::uint32_t rank = 0; rank < gpus; ++rank) {
        Step{builder, groups, table, rank}.write();
    }
    return builder.take();
}

}  // namespace sim::formats
