#include "cli/trace_table.hpp"

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "core/quantity_text.hpp"

namespace sim::cli
{

std::string trace_table(const formats::TraceSummary& summary)
{
    Table figures;
    figures.column("recorded job", Table::Align::left);
    figures.column("");
    figures.row({"format", summary.format});
    figures.row({"ranks", std::to_string(summary.ranks)});
    figures.row({"groups that communicate", std::to_string(summary.groups)});
    figures.row({"nodes", std::to_string(summary.nodes)});
    figures.row({"GPU time of a rank, least", seconds(summary.least_compute)});
    figures.row({"GPU time of a rank, most", seconds(summary.most_compute)});
    figures.row({"longest chain, communication free", seconds(summary.critical_path)});
    if (summary.recorded > 0) {
        figures.row({"recorded, first start to last end", seconds(summary.recorded)});
    }
    if (summary.overlap.communication > 0) {
        figures.row({"communication of a rank", seconds(summary.overlap.communication)});
        figures.row({"of that beside compute",
                     percent(summary.overlap.hidden / summary.overlap.communication)});
    }
    if (summary.without_time > 0) {
        figures.row({"GPU nodes without time or work", std::to_string(summary.without_time)});
    }
    Table traffic;
    traffic.column("communication", Table::Align::left);
    traffic.column("size");
    traffic.column("ranks");
    traffic.column("number");
    for (const auto& each : summary.traffic) {
        traffic.row({each.kind, to_text(Bytes::of(each.size)), std::to_string(each.members),
                     std::to_string(each.count)});
    }
    return figures.text() + (summary.traffic.empty() ? "" : "\n" + traffic.text());
}

}  // namespace sim::cli
