#include "cli/topology_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/table.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{
namespace
{

constexpr double kTera = 1e12;

/// One number of a cluster, as it is written for people and for programs.
struct Figure {
    std::string name;  ///< with its unit where the value is bare
    std::string text;
    double value = 0;
};

Figure amount(std::string name, double value)
{
    return {std::move(name), fmt::format("{:.10g}", value), value};
}

Figure ratio(std::string name, double value)
{
    return {std::move(name), fmt::format("{:.4g}", value), value};
}

void add_counts(std::vector<Figure>& rows, const fabric::Description& description)
{
    rows.push_back(amount("nodes", static_cast<double>(description.nodes)));
    rows.push_back(amount("GPUs", static_cast<double>(description.gpus)));
    rows.push_back(amount("NICs", static_cast<double>(description.nics)));
    for (const auto& tier : description.tiers) {
        const std::string word = fabric::name(tier.kind);
        const bool inside = tier.kind == fabric::VertexKind::nvswitch;
        rows.push_back(
            amount(word + (inside ? "es" : " switches"), static_cast<double>(tier.switches)));
        if (!inside) {
            rows.push_back(ratio(word + " ports used, most", static_cast<double>(tier.most_ports)));
        }
        if (tier.oversubscription && !inside) {
            rows.push_back(ratio(word + " oversubscription", *tier.oversubscription));
        }
    }
    for (const auto& use : description.cables) {
        const std::string word = fabric::name(use.kind);
        const bool cable =
            use.kind != fabric::LinkKind::nvlink && use.kind != fabric::LinkKind::pcie &&
            use.kind != fabric::LinkKind::socket && use.kind != fabric::LinkKind::c2c;
        rows.push_back(
            amount(word + (cable ? " cables" : " links"), static_cast<double>(use.cables)));
    }
    rows.push_back(
        amount("switch ports used", static_cast<double>(fabric::switch_ports(description))));
}

std::vector<Figure> rows_of(const fabric::Description& description)
{
    std::vector<Figure> rows;
    add_counts(rows, description);
    const auto& paths = description.paths;
    rows.push_back(ratio("diameter, cables", paths.diameter));
    rows.push_back(ratio("mean cables between NICs", paths.mean_hops));
    rows.push_back(ratio("shortest paths, fewest", paths.fewest_paths));
    rows.push_back(ratio("shortest paths, most", paths.most_paths));
    const double bisection = description.bisection.base();
    rows.push_back({"bisection bandwidth, TB/s one way", fmt::format("{:.6g}", bisection / kTera),
                    bisection / kTera});
    rows.push_back(
        ratio("oversubscription", bisection > 0 ? description.injection.base() / bisection : 0));
    if (description.total.price) {
        rows.push_back(amount("price, USD", description.total.price->base()));
    }
    if (description.total.power) {
        rows.push_back(amount("power, W", description.total.power->base()));
    }
    return rows;
}

/// The figures of each cluster under the names of all.
struct Grid {
    std::vector<std::string> names;
    std::vector<std::vector<std::optional<Figure>>> cells;  ///< by name, by cluster
};

Grid grid_of(const std::vector<Topology>& clusters)
{
    Grid grid;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        for (const auto& figure : rows_of(clusters[c].description)) {
            const auto known = std::find(grid.names.begin(), grid.names.end(), figure.name);
            const auto row = static_cast<std::size_t>(known - grid.names.begin());
            if (known == grid.names.end()) {
                grid.names.push_back(figure.name);
                grid.cells.emplace_back(clusters.size());
            }
            grid.cells[row][c] = figure;
        }
    }
    return grid;
}

std::string notes(const std::vector<Topology>& clusters)
{
    std::string text;
    for (const auto& [name, description, change, has_events] : clusters) {
        text += change.empty() ? "" : fmt::format("{}: {}\n", name, change);
        text += has_events
                    ? fmt::format("{}: as built; its outages and events are not counted\n", name)
                    : "";
        const auto& paths = description.paths;
        if (description.bisection_by_flow) {
            text += fmt::format("{}: bisection by max-flow between halves of the nodes\n", name);
        }
        if (paths.surveyed < paths.starts) {
            text += fmt::format("{}: paths from {} of {} first switches\n", name, paths.surveyed,
                                paths.starts);
        }
    }
    return text;
}

/// What the prices add up from; only where there is one.
std::string bill_table(const fabric::Description& description)
{
    if (!description.total.price && !description.total.power) {
        return {};
    }
    Table table;
    table.column("bill", Table::Align::left);
    for (const auto* header : {"count", "price each", "price", "power each", "power"}) {
        table.column(header);
    }
    for (const auto& [name, count, each] : description.bill) {
        const auto times = static_cast<double>(count);
        table.row({name, std::to_string(count), each.price ? to_text(*each.price) : "-",
                   each.price ? to_text(*each.price * times) : "-",
                   each.power ? to_text(*each.power) : "-",
                   each.power ? to_text(*each.power * times) : "-"});
    }
    return fmt::format("\n{}", table.text());
}

}  // namespace

std::string topology_table(const std::vector<Topology>& clusters)
{
    const auto grid = grid_of(clusters);
    Table table;
    table.column("", Table::Align::left);
    for (const auto& cluster : clusters) {
        table.column(cluster.name);
    }
    for (std::size_t row = 0; row < grid.names.size(); ++row) {
        std::vector<std::string> cells{grid.names[row]};
        for (const auto& cell : grid.cells[row]) {
            cells.push_back(cell ? cell->text : "-");
        }
        table.row(std::move(cells));
    }
    const auto bill = clusters.size() == 1 ? bill_table(clusters[0].description) : std::string{};
    return table.text() + bill + notes(clusters);
}

std::string topology_csv(const std::vector<Topology>& clusters)
{
    const auto grid = grid_of(clusters);
    std::string text = "topology,figure,value\n";
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        for (std::size_t row = 0; row < grid.names.size(); ++row) {
            if (const auto& cell = grid.cells[row][c]) {
                text +=
                    fmt::format("\"{}\",\"{}\",{}\n", clusters[c].name, cell->name, cell->value);
            }
        }
    }
    return text;
}

std::string topology_json(const std::vector<Topology>& clusters)
{
    const auto grid = grid_of(clusters);
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        nlohmann::ordered_json figures = nlohmann::ordered_json::object();
        for (std::size_t row = 0; row < grid.names.size(); ++row) {
            if (const auto& cell = grid.cells[row][c]) {
                figures[cell->name] = cell->value;
            }
        }
        document.push_back({{"topology", clusters[c].name},
                            {"bisection_by_flow", clusters[c].description.bisection_by_flow},
                            {"change", clusters[c].change},
                            {"figures", figures}});
    }
    return document.dump(2) + "\n";
}

}  // namespace sim::cli
