#include "results/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"
#include "results/economics.hpp"
#include "results/elasticity.hpp"
#include "results/ensemble.hpp"
#include "results/observed_groups.hpp"
#include "results/points.hpp"
#include "results/run_detail.hpp"
#include "results/tiers.hpp"
#include "results/verdict.hpp"
#include "results/version.hpp"

namespace sim::results
{
namespace
{

std::string hex(std::uint64_t word) { return fmt::format("0x{:016x}", word); }

Variable scalar(const Points& points, Label label, Statistics Summary::*number)
{
    return per_point<double>(points, std::move(label), "", 1,
                             [&](const Summary& s, std::size_t) { return (s.*number).mean; });
}

Variable of_status(const Points& points, Label label, std::string (*text)(const Point&))
{
    std::vector<std::string> values;
    for (const auto& point : points.set.points) {
        values.push_back(text(point));
    }
    return {std::move(label.name), points.axes, std::move(values), "", std::move(label.long_name)};
}

Group summary_group(const Points& points)
{
    auto group = with_axes(points, "summary");
    auto& v = group.variables;
    v.push_back(of_status(points, {"status", "", "done, does not fit, or failed"},
                          [](const Point& p) { return std::string{name(p.status)}; }));
    v.push_back(of_status(points, {"message", "", "why the point is not done, or is no candidate"},
                          [](const Point& p) { return p.message; }));
    v.push_back(per_point<std::int64_t>(
        points, {"seeds", "1", "seeds simulated; numbers are means over them"}, "", 1,
        [](const Summary& s, std::size_t) { return static_cast<std::int64_t>(s.seeds); }));
    v.push_back(
        scalar(points, {"step_time", "s", "steady time of a training step"}, &Summary::step));
    v.push_back(scalar(points, {"tokens_per_second", "tokens/s", "tokens trained on, whole job"},
                       &Summary::tokens_per_second));
    v.push_back(scalar(points,
                       {"tokens_per_second_per_gpu", "tokens/s", "tokens trained on, a GPU"},
                       &Summary::tokens_per_second_per_gpu));
    v.push_back(scalar(points, {"model_flops_per_second_per_gpu", "FLOP/s", "model FLOPs, a GPU"},
                       &Summary::model_flops_per_second_per_gpu));
    v.push_back(scalar(points, {"mfu", "1", "model FLOPs utilisation"}, &Summary::mfu));
    v.push_back(scalar(points, {"hfu", "1", "hardware FLOPs utilisation"}, &Summary::hfu));
    v.push_back(per_point<std::string>(points,
                                       {"binding", "", "resource class that binds the step"}, "", 1,
                                       [](const Summary& s, std::size_t) { return s.binding; }));
    v.push_back(per_point<std::int64_t>(
        points, {"instances", "1", "ranks or classes of ranks simulated, most of all seeds"}, "", 1,
        [](const Summary& s, std::size_t) { return static_cast<std::int64_t>(s.instances); }));
    v.push_back(per_point<std::int64_t>(
        points, {"activities", "1", "activities simulated, all seeds"}, "", 1,
        [](const Summary& s, std::size_t) { return static_cast<std::int64_t>(s.activities); }));
    v.push_back(per_point<std::string>(
        points, {"fingerprint", "", "hash of the ordered events, all seeds"}, "", 1,
        [](const Summary& s, std::size_t) { return hex(s.fingerprint); }));
    return group;
}

Group ledger_group(const Points& points)
{
    auto group = with_axes(points, "ledger");
    group.variables.push_back(words("entry", entry_names(), "what a rank was doing"));
    group.variables.push_back(per_point<double>(
        points, {"time", "s", "mean over ranks; the entries sum to the step"}, "entry",
        replay::kEntries, [](const Summary& s, std::size_t i) { return s.ledger[i]; }));
    return group;
}

/// What the purpose has in a point; nothing was sent when the point does not know it.
const PurposeSummary& purpose_of(const Summary& summary, const std::string& purpose)
{
    static const PurposeSummary none{};
    const auto found = std::find_if(summary.communication.begin(), summary.communication.end(),
                                    [&](const PurposeSummary& p) { return p.purpose == purpose; });
    return found == summary.communication.end() ? none : *found;
}

template <class T>
Variable of_purpose(const Points& points, Label label, T PurposeSummary::*member)
{
    return per_point<T>(
        points, std::move(label), "purpose", points.purposes.size(),
        [&](const Summary& s, std::size_t i) { return purpose_of(s, points.purposes[i]).*member; });
}

Group communication_group(const Points& points)
{
    auto group = with_axes(points, "communication");
    auto& v = group.variables;
    v.push_back(words("purpose", points.purposes, "why the ranks talk"));
    v.push_back(of_purpose(points,
                           {"exposed", "s", "time without compute beside it, mean of ranks"},
                           &PurposeSummary::exposed));
    v.push_back(of_purpose(points, {"hidden", "s", "time with compute beside it, mean of ranks"},
                           &PurposeSummary::hidden));
    v.push_back(of_purpose(points, {"bytes_sent", "B", "sent by a rank in a step, mean of ranks"},
                           &PurposeSummary::bytes_sent));
    v.push_back(of_purpose(points, {"nic_bytes_sent", "B", "the part of it that crossed a NIC"},
                           &PurposeSummary::nic_bytes_sent));
    v.push_back(of_purpose(points, {"binding", "", "resource class that sets its pace"},
                           &PurposeSummary::binding));
    return group;
}

template <class T, class Of>
Variable of_resource(const Points& points, Label label, Of of)
{
    return per_point<T>(points, std::move(label), "resource", points.resources.size(),
                        [&](const Summary& s, std::size_t i) {
                            for (const auto& resource : s.resources) {
                                if (resource.name == points.resources[i]) {
                                    return static_cast<T>(of(resource));
                                }
                            }
                            return absent<T>();
                        });
}

Group resources_group(const Points& points)
{
    using replay::ResourceClass;
    auto group = with_axes(points, "resources");
    auto& v = group.variables;
    v.push_back(words("resource", points.resources, "class of resources"));
    v.push_back(of_resource<std::int64_t>(points, {"members", "1", "resources of the class"},
                                          [](const ResourceClass& r) { return r.members; }));
    v.push_back(of_resource<double>(
        points, {"capacity", "units/s", "of one member: SMs for sm, B/s for the others"},
        [](const ResourceClass& r) { return r.capacity; }));
    v.push_back(of_resource<double>(points,
                                    {"mean_utilisation", "1", "over the step and the members"},
                                    [](const ResourceClass& r) { return r.mean_utilisation; }));
    v.push_back(of_resource<double>(points,
                                    {"peak_utilisation", "1", "over the step, busiest member"},
                                    [](const ResourceClass& r) { return r.peak_utilisation; }));
    return group;
}

Group memory_group(const Points& points)
{
    auto group = with_axes(points, "memory");
    std::vector<std::int64_t> capacity;
    std::vector<std::int64_t> total;
    std::vector<std::int64_t> bytes;
    for (const auto& point : points.set.points) {
        const auto stage = point.footprint.empty()
                               ? workload::Footprint{}
                               : point.footprint[fullest_stage(point.footprint)];
        capacity.push_back(point.gpu_memory.base());
        total.push_back(stage.total().base());
        for (const auto content : contents(stage)) {
            bytes.push_back(content.base());
        }
    }
    auto with_content = points.axes;
    with_content.emplace_back("content");
    auto& v = group.variables;
    v.push_back(words("content", content_names(), "what lives in GPU memory"));
    v.push_back({"bytes", with_content, std::move(bytes), "B", "in the fullest stage's GPUs"});
    v.push_back({"total", points.axes, std::move(total), "B", "in the fullest stage's GPUs"});
    v.push_back({"capacity", points.axes, std::move(capacity), "B", "memory of a GPU"});
    return group;
}

/// What a point costs beside time.
Group economics_group(const Points& points)
{
    auto group = with_axes(points, "economics");
    for (const auto& known : spec::metrics()) {
        // The others stand in the summary.
        if (!known.costs) {
            continue;
        }
        std::vector<double> values;
        for (const auto& point : points.set.points) {
            values.push_back(metric(point, known.name));
        }
        group.variables.push_back(
            {known.name, points.axes, std::move(values), known.unit, known.meaning});
    }
    return group;
}

Group objective_group(const Points& points, const Ranking& ranking)
{
    auto group = with_axes(points, "objective");
    const auto flags = [&](Label label, const std::vector<bool>& from) {
        group.variables.push_back({std::move(label.name), points.axes,
                                   std::vector<std::int64_t>(from.begin(), from.end()),
                                   std::move(label.units), std::move(label.long_name)});
    };
    flags({"meets", "1", "1 where the point is done and meets the constraints"}, ranking.meets);
    flags({"pareto", "1", "1 where no other point is better in every goal"}, ranking.front);
    std::vector<bool> best(points.set.points.size());
    if (ranking.best) {
        best[*ranking.best] = true;
    }
    flags({"best", "1", "1 for the point that is best by the first goal"}, best);
    return group;
}

Group verdicts_group(const ResultSet& set)
{
    std::vector<std::string> texts;
    for (const auto& comparison : comparisons(set)) {
        texts.push_back(sentence(comparison));
    }
    Group group{"verdicts", {}};
    group.variables.push_back(
        numbers("verdict", texts.size(), "a later value of the first axis against its first"));
    group.variables.push_back(
        {"text", {"verdict"}, std::move(texts), "", "what it changes and why, in a sentence"});
    return group;
}

std::vector<Attribute> attributes(const Points& points)
{
    const auto& from = points.set.provenance;
    std::uint64_t fingerprint = 0;
    for (const auto& summary : points.summaries) {
        const auto own = summary ? summary->fingerprint : 0;
        fingerprint = points.summaries.size() == 1 ? own : mix(fingerprint, own);
    }
    return {
        {"kind", std::string{points.set.kind == Kind::run ? "run" : "sweep"}},
        {"format", std::vector<std::int64_t>{1, 3}},
        {"weftsim_version", version()},
        {"git_sha", git_sha()},
        {"engine", from.engine},
        {"engine_options", from.engine_options},
        {"seed", from.seed},
        {"fingerprint", hex(fingerprint)},
        {"input_text", from.input_text},
        {"conventions", std::string{"netCDF-4 dimension scales; units and long_name on numbers"}},
    };
}

/// An axis that is called as a variable of a group it leads would stand in that variable's place.
void refuse_taken_names(const Points& points, const Document& document)
{
    Diagnostics wrong;
    for (const auto& axis : points.axes) {
        for (const auto& group : document.groups) {
            const auto uses = std::count_if(group.variables.begin(), group.variables.end(),
                                            [&](const Variable& v) { return v.name == axis; });
            if (uses > 1) {
                Diagnostic taken;
                taken.key = "axes." + axis;
                taken.message = fmt::format("\"{}\" is a name results already use", axis);
                taken.hint = "give the axis another name";
                wrong.push_back(taken);
                break;
            }
        }
    }
    if (!wrong.empty()) {
        throw InputError{wrong};
    }
}

}  // namespace

std::vector<std::string> axis_names(const ResultSet& set)
{
    std::vector<std::string> names;
    for (const auto& axis : set.axes) {
        auto& name = names.emplace_back(axis.name);
        // HDF5 would read a slash as a group.
        std::replace(name.begin(), name.end(), '/', '_');
    }
    return names;
}

Document describe(const ResultSet& set)
{
    std::size_t grid = 1;
    for (const auto& axis : set.axes) {
        grid *= axis.values.size();
    }
    SIM_EXPECT(set.points.size() == grid);
    const Points points{set};
    Document document{attributes(points),
                      {summary_group(points), ledger_group(points), communication_group(points),
                       resources_group(points), memory_group(points)}};
    const bool several = set.kind == Kind::sweep || set.points.front().runs.size() > 1;
    if (several) {
        document.groups.push_back(spread_group(points));
        document.groups.push_back(replicates_group(points));
    }
    document.groups.push_back(economics_group(points));
    if (set.ranking) {
        document.groups.push_back(objective_group(points, *set.ranking));
    }
    if (set.kind == Kind::sweep) {
        document.groups.push_back(verdicts_group(set));
    }
    if (set.kind == Kind::run) {
        document.groups.push_back(classes_group(points));
        document.groups.push_back(stages_group(points));
        if (uses_tiers(points)) {
            document.groups.push_back(tiers_group(points));
        }
        if (!set.points.front().runs.empty()) {
            append_observed(set.points.front().runs.front().result, document);
        }
        if (set.elasticity) {
            document.groups.push_back(elasticity_group(*set.elasticity));
        }
    }
    refuse_taken_names(points, document);
    return document;
}

}  // namespace sim::results
