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

constexpr std::array<std::string_view, 8> kKeywords{"DATA",
                                                    "MODEL",
                                                    "MICRO",
                                                    "HYBRID_TRANSFORMER",
                                                    "HYBRID_DLRM",
                                                    "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                    "HYBRID_CUSTOMIZED",
                                                    "HYBRID_DATA_MODEL"};

/// Rank 0's group in each scope, by LayerScope; the other ranks' repeat. Tensor groups are
/// neighbours; an expert group takes the same place of as many neighbouring tensor groups, and
/// expert_data what is left over.
std::vector<TraceLattice> scopes(const LayerTable& table, std::uint32_t gpus)
{
    const auto tensor = static_cast<std::uint32_t>(table.tensor);
    const auto expert = static_cast<std::uint32_t>(table.expert);
    const auto data = gpus / tensor;
    return {
        {1, gpus}, {1, tensor}, {tensor, data}, {tensor, expert}, {tensor * expert, data / expert}};
}

/// Writes the step of rank 0.
class Step
{
public:
    Step(TraceBuilder& builder, const LayerTable& table) : builder_{builder}, table_{table} {}

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
        last_ = builder_.add(0, node, after_last());
    }

    std::uint32_t communicate(const Layer& layer, const LayerCollective& collective)
    {
        TraceNode node;
        node.label = builder_.label(layer.name);
        node.kind = TraceKind::collective;
        node.collective = collective.kind;
        node.size = collective.bytes;
        node.group = static_cast<std::uint32_t>(collective.scope);
        return builder_.add(0, node, after_last());
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
        builder_.add(0, update, {collective});
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
    const LayerTable& table_;
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
    // All ranks do the same: one is written, and stands for all.
    TraceBuilder builder{"text workload " + table.keyword, 1};
    const auto lattices = scopes(table, gpus);
    for (const auto& lattice : lattices) {
        builder.group(lattice.count == gpus ? "all" : "part", members(lattice, 0));
    }
    Step{builder, table}.write();
    auto trace = builder.take();
    if (gpus > 1) {
        trace.copies = gpus;
        trace.lattices = lattices;
    }
    return trace;
}

}  // namespace sim::formats
