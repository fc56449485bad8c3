#include "cli/memory_document.hpp"

#include <fmt/format.h>

#include <limits>

#include "results/version.hpp"

namespace sim::cli
{
namespace
{

using results::Group;
using results::Variable;

std::vector<results::Attribute> attributes(const std::string& device, const std::string& pattern,
                                           const std::string& input_text)
{
    return {{"kind", std::string{"memory"}},
            {"format", std::vector<std::int64_t>{1, 0}},
            {"weftsim_version", results::version()},
            {"git_sha", results::git_sha()},
            {"device", device},
            {"pattern", pattern},
            {"input_text", input_text},
            {"conventions", std::string{"netCDF-4 dimension scales; units and long_name on "
                                        "numbers"}}};
}

/// Writes columns of one group, a value an answer.
template <class Answer>
class Columns
{
public:
    Columns(Group& group, const std::vector<Answer>& answers, std::string dimension)
        : group_{group}, answers_{answers}, dimension_{std::move(dimension)}
    {
    }

    template <class Of>
    void add(const char* name, const char* units, const char* long_name, Of of)
    {
        std::vector<decltype(of(answers_.front()))> values;
        for (const auto& answer : answers_) {
            values.push_back(of(answer));
        }
        group_.variables.push_back({name, {dimension_}, std::move(values), units, long_name});
    }

private:
    Group& group_;
    const std::vector<Answer>& answers_;
    std::string dimension_;
};

Group dram_group(const std::vector<MemoryAnswer>& answers)
{
    using A = MemoryAnswer;
    Group group{"dram", {}};
    Columns<A> columns{group, answers, kInFlight};
    columns.add(kInFlight, "1", "accesses on the way a channel; 0: as many as the queues take",
                [](const A& a) { return std::int64_t{a.question.in_flight}; });
    columns.add("bytes_in_flight", "B", "of all channels; 0: as many as the queues take",
                [](const A& a) { return bytes_in_flight(a.question).base(); });
    columns.add("peak", "B/s", "data pins", [](const A& a) { return a.bank.peak.base(); });
    columns.add("achieved", "B/s", "by the bank model",
                [](const A& a) { return a.bank.achieved.base(); });
    columns.add("fraction", "1", "achieved over peak", [](const A& a) { return a.bank.fraction; });
    columns.add("fraction_least", "1", "with the slowest of the uncertain timings",
                [](const A& a) { return a.least; });
    columns.add("fraction_most", "1", "with the fastest of the uncertain timings",
                [](const A& a) { return a.most; });
    columns.add("fraction_closed_form", "1", "from the timing table alone",
                [](const A& a) { return a.closed; });
    columns.add("fraction_silicon", "1", "with the measured factor; NaN without one",
                [](const A& a) {
                    return a.question.read_factor ? a.bank.fraction * *a.question.read_factor
                                                  : std::numeric_limits<double>::quiet_NaN();
                });
    columns.add("read_latency", "s", "mean of a read, arrival at the controller to last byte",
                [](const A& a) { return a.bank.read_latency.base(); });
    columns.add("row_hits", "1", "accesses that found their row open",
                [](const A& a) { return a.bank.row_hits; });
    columns.add("energy", "pJ/bit", "of the device and its pins",
                [](const A& a) { return a.bank.pj_per_bit; });
    columns.add("binding", "", "what most of the lost time is lost to",
                [](const A& a) { return std::string{binding(a.bank)}; });
    return group;
}

Group lost_group(const std::vector<MemoryAnswer>& answers)
{
    Group group{"lost", {}};
    Columns<MemoryAnswer> columns{group, answers, kInFlight};
    columns.add(kInFlight, "1", "accesses on the way a channel",
                [](const MemoryAnswer& a) { return std::int64_t{a.question.in_flight}; });
    std::vector<std::string> causes;
    std::vector<double> shares;
    for (int i = 0; i < memory::kBounds; ++i) {
        causes.emplace_back(bound_name(i));
    }
    for (const auto& answer : answers) {
        shares.insert(shares.end(), answer.bank.lost.begin(), answer.bank.lost.end());
    }
    group.variables.push_back(
        {"cause", {"cause"}, std::move(causes), "", "what held a burst back"});
    group.variables.push_back({"share",
                               {kInFlight, "cause"},
                               std::move(shares),
                               "1",
                               "of the time, in which the data pins stood still"});
    return group;
}

double or_nan(const std::optional<double>& value)
{
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

results::Document memory_document(const std::vector<MemoryAnswer>& answers,
                                  const std::string& input_text)
{
    const auto& question = answers.front().question;
    return {attributes(question.dram.name, question.pattern, input_text),
            {dram_group(answers), lost_group(answers)}};
}

results::Document drive_document(const spec::SsdSpec& ssd, const std::vector<DriveAnswer>& answers,
                                 const std::string& input_text)
{
    using A = DriveAnswer;
    Group group{"drive", {}};
    Columns<A> columns{group, answers, kAccess};
    columns.add(kAccess, "", "what is asked of the drive", [](const A& a) {
        return fmt::format("{}, queue {}", a.access, a.load.queue_depth);
    });
    columns.add("queue_depth", "1", "requests on the way, all threads",
                [](const A& a) { return std::int64_t{a.load.queue_depth}; });
    columns.add("achieved", "B/s", "host bytes",
                [](const A& a) { return a.rate.bandwidth.base(); });
    columns.add("requests", "1/s", "requests done", [](const A& a) { return a.rate.per_second; });
    columns.add("latency", "s", "mean of a request",
                [](const A& a) { return a.rate.latency.base(); });
    columns.add("write_amplification", "1", "pages written to flash a page of the host",
                [](const A& a) { return a.rate.amplification; });
    columns.add("binding", "", "what sets the rate",
                [](const A& a) { return std::string{name(a.rate.bound)}; });
    columns.add("sheet_error", "1", "achieved over what the sheet states, less 1; NaN: not stated",
                [](const A& a) { return or_nan(a.error); });
    return {attributes(ssd.name, answers.front().access, input_text), {group}};
}

}  // namespace sim::cli
