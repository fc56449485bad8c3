#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/tables.hpp"
#include "cli/watched_table.hpp"
#include "core/quantity_text.hpp"
#include "results/spread.hpp"
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

/// A recorded job has no tokens or model FLOPs to be counted.
std::string headline(const results::Summary& s)
{
    const bool counted = s.tokens_per_second_per_gpu.mean > 0;
    Table table;
    std::vector<std::string> row{seconds(s.step.mean)};
    table.column("step time", Table::Align::left);
    if (counted) {
        table.column("tokens/s per GPU");
        table.column("TFLOP/s per GPU");
        table.column("MFU");
        table.column("HFU");
        row.push_back(fmt::format("{:.0f}", s.tokens_per_second_per_gpu.mean));
        row.push_back(fmt::format("{:.0f}", s.model_flops_per_second_per_gpu.mean / 1e12));
        row.push_back(percent(s.mfu.mean));
        row.push_back(percent(s.hfu.mean));
    }
    table.column("bound by", Table::Align::left);
    row.push_back(s.binding);
    table.row(std::move(row));
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

/// Of a node; drives that such steps wear out.
std::string tiers(const std::vector<replay::TierUse>& uses)
{
    Table table;
    table.column("besides the GPUs' memory", Table::Align::left);
    for (const auto* header : {"has", "holds", "read a step", "written a step", "worn out after"}) {
        table.column(header);
    }
    const auto bytes = [](double n) { return to_text(Bytes::of(static_cast<std::int64_t>(n))); };
    for (const auto& use : uses) {
        table.row({use.name, to_text(use.capacity), to_text(use.held), bytes(use.read),
                   bytes(use.written),
                   use.years > 0 ? fmt::format("{:.1f} years", use.years) : "-"});
    }
    return table.text();
}

/// Mean and percentiles of all that the tables above tell as a mean.
class SpreadTable
{
public:
    explicit SpreadTable(std::size_t seeds)
    {
        table_.column(fmt::format("over {} seeds", seeds), Table::Align::left);
        table_.column("mean");
        table_.column("5th percentile");
        table_.column("95th percentile");
    }

    template <class Words>
    void add(const std::string& name, const results::Statistics& s, Words words)
    {
        table_.row({name, words(s.mean), words(s.p5), words(s.p95)});
    }

    [[nodiscard]] std::string text() const { return table_.text(); }

private:
    Table table_;
};

std::string spread_table(const results::Summary& s, const results::Spread& spread)
{
    SpreadTable table{s.seeds};
    table.add("step time", s.step, seconds);
    table.add("tokens/s per GPU", s.tokens_per_second_per_gpu,
              [](double x) { return fmt::format("{:.0f}", x); });
    table.add("TFLOP/s per GPU", s.model_flops_per_second_per_gpu,
              [](double x) { return fmt::format("{:.0f}", x / 1e12); });
    table.add("MFU", s.mfu, percent);
    table.add("HFU", s.hfu, percent);
    for (std::size_t e = 0; e < spread.ledger.size(); ++e) {
        if (spread.ledger[e].max > 0) {
            table.add(spaced(replay::name(static_cast<replay::Entry>(e))), spread.ledger[e],
                      seconds);
        }
    }
    for (const auto& purpose : spread.communication) {
        table.add(fmt::format("{} exposed", purpose.purpose), purpose.exposed, seconds);
        table.add(fmt::format("{} hidden", purpose.purpose), purpose.hidden, seconds);
    }
    for (const auto& resource : spread.resources) {
        table.add(fmt::format("{} mean use", resource.name), resource.mean_utilisation, percent);
        table.add(fmt::format("{} busiest", resource.name), resource.peak_utilisation, percent);
    }
    return table.text();
}

}  // namespace

std::string run_table(const results::ResultSet& set)
{
    const auto& point = set.points.front();
    const auto summary = results::summarise(point);
    std::vector<std::string> tables{headline(summary), ledger(summary)};
    if (!summary.communication.empty()) {
        tables.push_back(communication(summary));
    }
    tables.push_back(resources(summary));
    const auto& result = point.runs.front().result;
    if (!result.tiers.empty()) {
        tables.push_back(tiers(result.tiers));
    }
    if (const auto watched = watched_table(result); !watched.empty()) {
        tables.push_back(watched);
    }
    if (summary.seeds > 1) {
        tables.push_back(spread_table(summary, results::spread(point)));
    }
    if (!point.footprint.empty()) {  // a recorded job does not say what it holds
        tables.push_back(memory_table({point.footprint, point.gpu_memory}));
    }
    return fmt::format("{}\n{}\n", fmt::join(tables, "\n"), result.folding);
}

}  // namespace sim::cli
