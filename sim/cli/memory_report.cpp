#include "cli/memory_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "core/literals.hpp"
#include "core/quantity_text.hpp"
#include "memory/closed_form.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;
using memory::DramResult;

constexpr int kChannels = 4;   ///< a stream's channels behave alike: a few stand for all
constexpr int kIntervals = 8;  ///< refresh intervals that are counted
constexpr const char* kBounds[] = {"queue (nothing to do)", "turnaround",    "bank group (tCCD_L)",
                                   "bank conflicts",        "tFAW and tRRD", "refresh"};

/// Few channels stand for all when all are fed alike.
DramResult run(const MemoryQuestion& question, const spec::DramSpec& dram)
{
    if (!question.trace.empty()) {
        return memory::DramSystem{dram, question.stacks}.replay(question.trace);
    }
    auto few = dram;
    int stacks = question.stacks;
    const bool alike = question.accesses.order != memory::PatternSpec::Order::strided;
    if (alike && dram.channels * stacks > kChannels) {
        few.channels = std::min(dram.channels, kChannels);
        stacks = 1;
    }
    const memory::DramSystem system{few, stacks};
    const auto burst = system.bursts_per_interval();
    const memory::RunLength length{burst, kIntervals * burst};
    DramResult result;
    if (question.in_flight == 0) {
        result = system.flood(question.accesses, length);
    } else {
        const auto users = question.in_flight * few.channels * stacks;
        const auto share = std::max<std::int64_t>(1, burst / 8);
        result = system.loop(question.accesses, {users, {}, {}}, {share, 8 * share});
    }
    result.peak = spec::pin_bandwidth(dram) * question.stacks;
    result.achieved = result.peak * result.fraction;
    return result;
}

/// Every uncertain timing at its most or its least.
spec::DramSpec at_end(const spec::DramSpec& dram, bool most)
{
    auto end = dram;
    for (const auto& range : dram.ranges) {
        *spec::find_timing(end.timing, range.name) = most ? range.most : range.least;
    }
    return end;
}

double share_of_silicon(const MemoryAnswer& answer)
{
    return answer.bank.fraction * answer.question.read_factor.value_or(1);
}

}  // namespace

const char* bound_name(int bound) { return kBounds[bound]; }

const char* binding(const DramResult& result)
{
    constexpr double kNothing = 0.02;
    const auto most = std::max_element(result.lost.begin(), result.lost.end());
    return *most < kNothing ? "data pins" : kBounds[most - result.lost.begin()];
}

Bytes bytes_in_flight(const MemoryQuestion& question)
{
    return spec::burst_bytes(question.dram) * question.in_flight * question.dram.channels *
           question.stacks;
}

MemoryAnswer answer_memory(const MemoryQuestion& question)
{
    MemoryAnswer answer{question, run(question, question.dram), 0, 0, 0};
    answer.closed = memory::closed_form(question.dram, question.accesses).fraction;
    answer.least = answer.most = answer.bank.fraction;
    if (!question.dram.ranges.empty()) {
        for (const bool most : {false, true}) {
            const auto fraction = run(question, at_end(question.dram, most)).fraction;
            answer.least = std::min(answer.least, fraction);
            answer.most = std::max(answer.most, fraction);
        }
    }
    return answer;
}

std::string memory_text(const MemoryAnswer& answer)
{
    const auto& q = answer.question;
    const auto& bank = answer.bank;
    auto text = fmt::format("{}, {} x, pattern {}\n", q.dram.name, q.stacks, q.pattern);
    if (!q.dram.estimated_from.empty()) {
        text += wrapped("timings estimated from " + q.dram.estimated_from);
    }
    text += fmt::format("\npeak          {}\nachieved      {} ({} of peak)\n", to_text(bank.peak),
                        to_text(bank.achieved), percent(bank.fraction));
    text += fmt::format("read latency  {}\nrow hits      {}\nenergy        {:.2f} pJ/bit\n\n",
                        to_text(bank.read_latency), percent(bank.row_hits), bank.pj_per_bit);
    Table levels;
    levels.column("level", Table::Align::left);
    levels.column("of peak");
    levels.column("range");
    levels.row({"closed form", percent(answer.closed), ""});
    levels.row({"bank model", percent(bank.fraction),
                q.dram.ranges.empty()
                    ? "none given"
                    : fmt::format("{} to {}", percent(answer.least), percent(answer.most))});
    if (q.read_factor) {
        levels.row({"with the measured factor", percent(share_of_silicon(answer)), ""});
    }
    text += levels.text() + "\n";
    Table lost;
    lost.column("time lost to", Table::Align::left);
    lost.column("share");
    for (std::size_t i = 0; i < bank.lost.size(); ++i) {
        lost.row({kBounds[i], percent(bank.lost[i])});
    }
    return text + lost.text() + fmt::format("\nbinds         {}\n", binding(bank));
}

std::string memory_rows(const std::vector<MemoryAnswer>& answers)
{
    Table table;
    for (const auto* header :
         {"in flight/channel", "bytes", "achieved", "of peak", "latency", "binds"}) {
        table.column(header);
    }
    for (const auto& answer : answers) {
        const auto& q = answer.question;
        table.row({fmt::format("{}", q.in_flight), to_text(bytes_in_flight(q)),
                   to_text(answer.bank.achieved), percent(answer.bank.fraction),
                   to_text(answer.bank.read_latency), binding(answer.bank)});
    }
    return table.text();
}

}  // namespace sim::cli
