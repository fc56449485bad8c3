#include "formats/layer_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sim::formats
{

namespace
{

using workload::CollectiveKind;

constexpr std::size_t kColumns = 12;
constexpr std::int64_t kMostLayers = 1'000'000;

/// The word without its colon.
std::string_view option(std::string_view word)
{
    return word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
}

std::set<std::int64_t> layers_listed(const TextLine& line, std::size_t at,
                                     TextComplaints& complaints)
{
    std::set<std::int64_t> layers;
    const auto count =
        at < line.words.size() ? complaints.whole(line, line.words[at], "the number of layers") : 0;
    for (std::int64_t i = 1; i <= count; ++i) {
        if (at + static_cast<std::size_t>(i) >= line.words.size()) {
            complaints.add(line, fmt::format("lists fewer layers than {}", count));
            break;
        }
        layers.insert(
            complaints.whole(line, line.words[at + static_cast<std::size_t>(i)], "a layer"));
    }
    return layers;
}

/// KEYWORD name: value name value ...
void read_header(const TextLine& line, LayerTable& table, TextComplaints& complaints)
{
    table.keyword = line.words.front();
    for (std::size_t i = 1; i < line.words.size(); ++i) {
        const auto name = option(line.words[i]);
        const auto value = [&] {
            return i + 1 < line.words.size()
                       ? complaints.whole(line, line.words[i + 1], "an option's value", 1)
                       : 1;
        };
        if (name == "model_parallel_NPU_group") {
            table.tensor = value();
        } else if (name == "ep") {
            table.expert = value();
        } else if (name == "all_gpus") {
            table.gpus = value();
        } else if (name == "checkpoints") {
            table.checkpoints = layers_listed(line, i + 1, complaints);
        } else if (name == "checkpoint_initiates") {
            table.recomputes = layers_listed(line, i + 1, complaints);
        } else if (name == "pp" && value() != 1) {
            complaints.add(line, "has pipeline stages, whose schedule the file does not tell",
                           "describe the model and its plan as a workload instead");
        }
    }
}

std::optional<CollectiveKind> kind_of(std::string_view word)
{
    static constexpr struct {
        std::string_view word;
        CollectiveKind kind;
    } kKinds[] = {{"ALLREDUCE", CollectiveKind::all_reduce},
                  {"ALLGATHER", CollectiveKind::all_gather},
                  {"REDUCESCATTER", CollectiveKind::reduce_scatter},
                  {"ALLTOALL", CollectiveKind::all_to_all},
                  {"BROADCAST", CollectiveKind::broadcast}};
    for (const auto& known : kKinds) {
        if (known.word == word) {
            return known.kind;
        }
    }
    return std::nullopt;
}

/// Over whom a pass communicates, unless the type says it.
LayerScope usual_scope(std::string_view keyword, std::string_view layer_keyword, Pass pass)
{
    const auto word = layer_keyword.empty() ? keyword : layer_keyword;
    if (word == "HYBRID_DATA_MODEL") {
        return pass == Pass::weight_gradient ? LayerScope::tensor : LayerScope::data;
    }
    if (word == "HYBRID_MODEL_DATA" || word.starts_with("HYBRID_TRANSFORMER")) {
        return pass == Pass::weight_gradient ? LayerScope::data : LayerScope::tensor;
    }
    return LayerScope::everybody;
}

struct Cell {
    const TextLine& line;
    std::size_t column;  ///< of the type; the bytes stand behind it
    LayerScope usual;
};

std::optional<LayerCollective> read_collective(const Cell& cell, TextComplaints& complaints)
{
    auto word = cell.line.words[cell.column];
    const auto bytes = complaints.whole(cell.line, cell.line.words[cell.column + 1], "a size");
    if (word == "NONE") {
        return std::nullopt;
    }
    auto scope = cell.usual;
    if (word.ends_with("_DP_EP")) {
        scope = LayerScope::expert_data;
        word.remove_suffix(6);
    } else if (word.ends_with("_EP")) {
        scope = LayerScope::expert;
        word.remove_suffix(3);
    }
    const auto kind = kind_of(word);
    if (!kind) {
        complaints.add(cell.line,
                       fmt::format("\"{}\" is no collective", cell.line.words[cell.column]),
                       "write NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or BROADCAST, "
                       "with _EP or _DP_EP behind it");
        return std::nullopt;
    }
    return bytes == 0 ? std::nullopt : std::optional{LayerCollective{*kind, scope, bytes}};
}

Layer read_layer(const TextLine& line, const std::string& keyword, TextComplaints& complaints)
{
    Layer layer;
    if (line.words.size() < kColumns) {
        complaints.add(line,
                       fmt::format("has {} columns; a layer has {}", line.words.size(), kColumns),
                       "name, -1, then time, type and bytes of forward, input gradient and weight "
                       "gradient, and the time of the update");
        return layer;
    }
    layer.name = line.words[0];
    const auto own = line.words.size() > kColumns ? line.words[kColumns] : std::string_view{};
    for (const auto pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
        const auto column = 2 + 3 * static_cast<std::size_t>(pass);
        auto& to = layer.passes[static_cast<std::size_t>(pass)];
        to.nanoseconds = complaints.whole(line, line.words[column], "a time");
        to.collective =
            read_collective({line, column + 1, usual_scope(keyword, own, pass)}, complaints);
    }
    layer.update_nanoseconds =
        complaints.whole(line, line.words[kColumns - 1], "the update's time");
    return layer;
}

void check_listed(const LayerTable& table, const TextLine& line, TextComplaints& complaints)
{
    const auto last = static_cast<std::int64_t>(table.layers.size());
    for (const auto& list : {table.checkpoints, table.recomputes}) {
        if (!list.empty() && *list.rbegin() >= last) {
            complaints.add(
                line, fmt::format("names layer {}, but they end at {}", *list.rbegin(), last - 1));
        }
    }
}

}  // namespace

LayerTable read_layer_table(const std::vector<TextLine>& lines, TextComplaints& complaints)
{
    LayerTable table;
    if (lines.size() < 2) {
        complaints.add(lines.empty() ? TextLine{1, {}, {}} : lines.front(),
                       "ends before its layers");
        return table;
    }
    read_header(lines[0], table, complaints);
    const auto count = complaints.whole(lines[1], lines[1].words[0], "the number of layers", 1);
    if (count > kMostLayers || static_cast<std::size_t>(count) != lines.size() - 2) {
        complaints.add(lines[1],
                       fmt::format("says {} layers, but {} lines follow", count, lines.size() - 2));
    }
    for (std::size_t i = 2; i < lines.size(); ++i) {
        table.layers.push_back(read_layer(lines[i], table.keyword, complaints));
    }
    check_listed(table, lines[0], complaints);
    return table;
}

}  // namespace sim::formats
