#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "core/quantity_text.hpp"
#include "results/summary.hpp"

namespace sim::cli
{
namespace
{

std::string spaced(std::string name)
{
    for (auto& c : name) {
        c = c == '_' ? ' ' : c;
    }
    return name;
}

std::string headline(const results::Summary& s)
{
    Table table;
    table.column("step time", Table::Align::left);
    table.column("tokens/s per GPU");
    table.column("TFLOP/s per GPU");
    table.column("MFU");
    table.column("HFU");
    table.column("bound by", Table::Align::left);
    table.row({seconds(s.step.mean), fmt::format("{:.0f}", s.tokens_per_second_per_gpu.mean),
               fmt::format("{:.0f}", s.model_flops_per_second_per_gpu.mean / 1e12),
               percent(s.mfu.mean), percent(s.hfu.mean), s.binding});
    return table.text();
}

/// Mean over ranks; what takes no time is left out.
std::string ledger(const results::Summary& s)
{
    Table table;
    table.column("where the step goes", Table::Align::left);
    table.column("time");
    table.column("share");
    for (std::size_t e = 0; e < s.ledger.size(); ++e) {
        if (s.ledger[e] > 0) {
            table.row({spaced(replay::name(static_cast<replay::Entry>(e))), seconds(s.ledger[e]),
                       percent(s.ledger[e] / s.step.mean)});
        }
    }
    return table.text();
}

std::string communication(const results::Summary& s)
{
    Table table;
    table.column("communication", Table::Align::left);
    table.column("exposed");
    table.column("hidden");
    table.column("sent by a rank");
    table.column("through its NIC");
    table.column("pace set by", Table::Align::left);
    for (const auto& p : s.communication) {
        const auto bytes = [](double n) {
            return to_text(Bytes::of(static_cast<std::int64_t>(n)));
        };
        table.row({p.purpose, seconds(p.exposed), seconds(p.hidden), bytes(p.bytes_sent),
                   bytes(p.nic_bytes_sent), p.binding});
    }
    return table.text();
}

std::string resources(const results::Summary& s)
{
    Table table;
    table.column("resource", Table::Align::left);
    table.column("number");
    table.column("mean use");
    table.column("busiest");
    for (const auto& r : s.resources) {
        table.row({r.name, std::to_string(r.members), percent(r.mean_utilisation),
                   percent(r.peak_utilisation)});
    }
    return table.text();
}

}  // namespace

std::string run_table(const results::ResultSet& set)
{
    const auto& point = set.points.front();
    const auto summary = results::summarise(point);
    auto text = headline(summary) + "\n" + ledger(summary);
    if (!summary.communication.empty()) {
        text += fmt::format("\n{}", communication(summary));
    }
    return text + "\n" + resources(summary) + "\n" +
           memory_table({point.footprint, point.gpu_memory}) + "\n" +
           point.runs.front().result.folding + "\n";
}

}  // namespace sim::cli
