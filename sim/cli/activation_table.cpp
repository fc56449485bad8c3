#include "cli/activation_table.hpp"

#include <algorithm>

#include "cli/table.hpp"
#include "core/quantity_text.hpp"
#include "workload/activations.hpp"
#include "workload/shard.hpp"

namespace sim::cli
{
namespace
{

std::string name_of(spec::LayerKind kind)
{
    const auto* mixer = kind.mixer == spec::Mixer::linear   ? "linear"
                        : kind.mixer == spec::Mixer::window ? "window"
                                                            : "attention";
    return std::string{mixer} + (kind.experts ? ", experts" : ", MLP");
}

std::vector<std::pair<std::string, Bytes>> by_kind(const workload::ActivationKinds& kept)
{
    return {{"inputs", kept.inputs}, {"masks", kept.masks}, {"mixer", kept.mixer},
            {"scores", kept.scores}, {"MLP", kept.mlp},     {"experts", kept.experts},
            {"total", kept.total()}};
}

}  // namespace

std::vector<LayerActivations> layer_activations(const spec::WorkloadSpec& workload)
{
    const auto part = workload::shard(workload);
    std::vector<LayerActivations> found;
    for (int layer = 0; layer < workload.model.layers; ++layer) {
        const auto kind = spec::layer_kind(workload.model, layer);
        const auto name = name_of(kind);
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const auto& known) { return known.layer == name; });
        if (same != found.end()) {
            ++same->count;
            continue;
        }
        found.push_back(
            {name, 1, by_kind(workload::activation_kinds(part, kind, workload.recompute))});
    }
    return found;
}

std::string activation_table(const std::vector<LayerActivations>& layers)
{
    Table table;
    table.column("a layer keeps of a micro-batch", Table::Align::left);
    table.column("layers");
    for (const auto& [name, bytes] : layers.front().kept) {
        table.column(name);
    }
    for (const auto& layer : layers) {
        std::vector<std::string> row{layer.layer, std::to_string(layer.count)};
        for (const auto& [name, bytes] : layer.kept) {
            row.push_back(bytes > Bytes{} ? to_text(bytes) : "-");
        }
        table.row(std::move(row));
    }
    return table.text();
}

}  // namespace sim::cli
