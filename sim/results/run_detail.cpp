#include "results/run_detail.hpp"

#include "core/contract.hpp"

namespace sim::results
{
namespace
{

using Classes = std::vector<replay::RankClass>;

template <class Of>
Variable per_class(const Classes& classes, Label label, Of of)
{
    std::vector<std::int64_t> values;
    for (const auto& rank_class : classes) {
        values.push_back(static_cast<std::int64_t>(of(rank_class)));
    }
    return {std::move(label.name),
            {"rank_class"},
            std::move(values),
            std::move(label.units),
            std::move(label.long_name)};
}

Variable class_ledger(const Classes& classes)
{
    std::vector<double> values;
    for (const auto& rank_class : classes) {
        for (const auto time : rank_class.ledger) {
            values.push_back(time.base());
        }
    }
    return {"time", {"rank_class", "entry"}, std::move(values), "s", "the entries sum to the step"};
}

template <class T, class Of>
Variable per_purpose(const Points& points, const Classes& classes, Label label, Of of)
{
    std::vector<T> values;
    for (const auto& rank_class : classes) {
        for (const auto& purpose : points.purposes) {
            T value{};
            for (const auto& totals : rank_class.communication) {
                if (totals.purpose == purpose) {
                    value = of(totals);
                }
            }
            values.push_back(value);
        }
    }
    return {std::move(label.name),
            {"rank_class", "purpose"},
            std::move(values),
            std::move(label.units),
            std::move(label.long_name)};
}

void add_membership(const Classes& classes, Group& group)
{
    std::vector<std::int64_t> class_of_rank;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        for (const auto rank : classes[c].members) {
            if (rank >= class_of_rank.size()) {
                class_of_rank.resize(rank + 1, -1);
            }
            class_of_rank[rank] = static_cast<std::int64_t>(c);
        }
    }
    group.variables.push_back(numbers("rank", class_of_rank.size(), "one GPU of the job"));
    group.variables.push_back(
        {"class_of_rank", {"rank"}, std::move(class_of_rank), "1", "the rank_class it is in"});
}

const Point& only_point(const Points& points)
{
    SIM_EXPECT(points.set.points.size() == 1);
    return points.set.points.front();
}

}  // namespace

std::vector<std::string> entry_names()
{
    std::vector<std::string> names;
    for (std::size_t e = 0; e < replay::kEntries; ++e) {
        names.emplace_back(name(static_cast<replay::Entry>(e)));
    }
    return names;
}

std::array<Bytes, 6> contents(const workload::Footprint& f)
{
    return {f.weights, f.gradients, f.optimizer, f.activations, f.temporary, f.reserved};
}

std::vector<std::string> content_names()
{
    return {"weights", "gradients", "optimizer", "activations", "temporary", "reserved"};
}

Group classes_group(const Points& points)
{
    const auto& point = only_point(points);
    const auto classes = point.runs.empty() ? Classes{} : point.runs.front().result.classes;
    using replay::CommunicationTotals;
    using replay::RankClass;
    Group group{"classes", {}};
    auto& v = group.variables;
    v.push_back(numbers("rank_class", classes.size(), "ranks that behave the same"));
    v.push_back(words("entry", entry_names(), "what a rank was doing"));
    v.push_back(words("purpose", points.purposes, "why the ranks talk"));
    v.push_back(per_class(classes, {"multiplicity", "1", "ranks in the class"},
                          [](const RankClass& c) { return c.multiplicity; }));
    v.push_back(per_class(classes, {"stage", "1", "pipeline stage"},
                          [](const RankClass& c) { return c.stage; }));
    v.push_back(class_ledger(classes));
    v.push_back(per_purpose<double>(points, classes,
                                    {"exposed", "s", "time without compute beside it"},
                                    [](const CommunicationTotals& t) { return t.exposed.base(); }));
    v.push_back(per_purpose<double>(points, classes, {"hidden", "s", "time with compute beside it"},
                                    [](const CommunicationTotals& t) { return t.hidden.base(); }));
    v.push_back(per_purpose<double>(points, classes, {"bytes_sent", "B", "by a rank in a step"},
                                    [](const CommunicationTotals& t) { return t.bytes_sent; }));
    v.push_back(per_purpose<double>(points, classes,
                                    {"nic_bytes_sent", "B", "the part of it that crossed a NIC"},
                                    [](const CommunicationTotals& t) { return t.nic_bytes_sent; }));
    v.push_back(per_purpose<std::string>(points, classes,
                                         {"binding", "", "resource class that sets its pace"},
                                         [](const CommunicationTotals& t) { return t.binding; }));
    add_membership(classes, group);
    return group;
}

Group stages_group(const Points& points)
{
    const auto& footprint = only_point(points).footprint;
    std::vector<std::int64_t> bytes;
    for (const auto& stage : footprint) {
        for (const auto content : contents(stage)) {
            bytes.push_back(content.base());
        }
    }
    Group group{"stages", {}};
    group.variables.push_back(numbers("stage", footprint.size(), "pipeline stage"));
    group.variables.push_back(words("content", content_names(), "what lives in GPU memory"));
    group.variables.push_back({"bytes",
                               {"stage", "content"},
                               std::move(bytes),
                               "B",
                               "in each of the stage's GPUs at the worst instant"});
    return group;
}

}  // namespace sim::results
