#include "cli/fit_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "core/quantity_text.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

using Part = std::pair<const char*, Bytes>;

std::vector<Part> parts(const workload::Footprint& f)
{
    return {{"weights", f.weights},     {"gradients", f.gradients},
            {"optimizer", f.optimizer}, {"activations", f.activations},
            {"temporary", f.temporary}, {"reserved", f.reserved},
            {"total", f.total()}};
}

std::string step_text(const std::optional<Time>& step)
{
    return step ? seconds(step->base()) : "-";
}

std::string ways_table(const FitReport& report)
{
    Table table;
    table.column("it would fit with", Table::Align::left);
    table.column("memory");
    table.column("GPUs");
    if (report.with_steps) {
        table.column("step");
    }
    for (const auto& way : report.ways) {
        std::vector<std::string> row{way.keys, to_text(way.needed), std::to_string(way.gpus)};
        if (report.with_steps) {
            row.push_back(step_text(way.step));
        }
        table.row(std::move(row));
    }
    return table.text();
}

std::string verdict(const FitReport& report)
{
    const auto stage = results::fullest_stage(report.fit.stages);
    const auto need = report.fit.stages[stage].total();
    const auto has = report.fit.gpu_memory;
    const auto where =
        report.fit.stages.size() == 1 ? std::string{} : fmt::format(" (stage {})", stage);
    return need <= has ? fmt::format("fits: {} of {}{}, {} to spare", to_text(need), to_text(has),
                                     where, to_text(has - need))
                       : fmt::format("does not fit: {} of {}{}, {} too little", to_text(need),
                                     to_text(has), where, to_text(need - has));
}

}  // namespace

std::string fit_table(const FitReport& report)
{
    auto text = report.plan + "\n" + memory_table(report.fit) + "\n" +
                activation_table(report.activations) + "\n" + verdict(report) + "\n";
    for (const auto& tier : report.fit.tiers) {
        text += memory::to_words(tier);
    }
    if (report.step) {
        text += fmt::format("step {}\n", seconds(report.step->base()));
    }
    if (report.fit.fits()) {
        return text;
    }
    return text + "\n" +
           (report.ways.empty() ? "no single change of sharding, recompute, micro-batch, tensor, "
                                  "pipeline or nodes makes it fit\n"
                                : ways_table(report));
}

std::string fit_csv(const FitReport& report)
{
    std::string text =
        "row,stage,change,gpus,weights_B,gradients_B,optimizer_B,activations_B,temporary_B,"
        "reserved_B,total_B,memory_B,step_s\n";
    const auto memory = report.fit.gpu_memory.base();
    for (std::size_t stage = 0; stage < report.fit.stages.size(); ++stage) {
        text += fmt::format("stage,{},,", stage);
        for (const auto& [name, bytes] : parts(report.fit.stages[stage])) {
            text += fmt::format(",{}", bytes.base());
        }
        text += fmt::format(",{},{}\n", memory,
                            report.step ? fmt::format("{}", report.step->base()) : "");
    }
    for (const auto& way : report.ways) {
        text +=
            fmt::format("change,,\"{}\",{},,,,,,,{},{},{}\n", way.keys, way.gpus, way.needed.base(),
                        memory, way.step ? fmt::format("{}", way.step->base()) : "");
    }
    return text;
}

std::string fit_json(const FitReport& report)
{
    using nlohmann::ordered_json;
    ordered_json document;
    document["fits"] = report.fit.fits();
    document["gpu_memory_B"] = report.fit.gpu_memory.base();
    document["step_s"] = report.step ? ordered_json(report.step->base()) : ordered_json(nullptr);
    document["stages"] = ordered_json::array();
    for (const auto& stage : report.fit.stages) {
        ordered_json row;
        for (const auto& [name, bytes] : parts(stage)) {
            row[std::string{name} + "_B"] = bytes.base();
        }
        document["stages"].push_back(row);
    }
    document["layers"] = ordered_json::array();
    for (const auto& layer : report.activations) {
        ordered_json row{{"layer", layer.layer}, {"count", layer.count}};
        for (const auto& [name, bytes] : layer.kept) {
            row[name + "_B"] = bytes.base();
        }
        document["layers"].push_back(row);
    }
    document["changes"] = ordered_json::array();
    for (const auto& way : report.ways) {
        document["changes"].push_back(
            {{"change", way.keys},
             {"total_B", way.needed.base()},
             {"gpus", way.gpus},
             {"step_s", way.step ? ordered_json(way.step->base()) : ordered_json(nullptr)}});
    }
    return document.dump(2) + "\n";
}

}  // namespace sim::cli
