#include "results/load_groups.hpp"

#include <cstdint>
#include <utility>

#include "results/points.hpp"

namespace sim::results
{
namespace
{

using replay::GroupTraffic;
using replay::LoadBox;
using replay::LoadWay;

/// A column over the rows of a table.
template <class T, class Row, class Of>
Variable column(const std::vector<Row>& rows, const char* dimension, Label label, Of of)
{
    std::vector<T> values;
    for (const auto& row : rows) {
        values.push_back(static_cast<T>(of(row)));
    }
    return {std::move(label.name),
            {dimension},
            std::move(values),
            std::move(label.units),
            std::move(label.long_name)};
}

}  // namespace

Group group_traffic_group(const std::vector<GroupTraffic>& traffic)
{
    const auto whole = [&](Label label, auto of) {
        return column<std::int64_t>(traffic, "group", std::move(label), of);
    };
    const auto real = [&](Label label, auto of) {
        return column<double>(traffic, "group", std::move(label), of);
    };
    using Row = const GroupTraffic&;
    Group group{"group_traffic", {}};
    auto& v = group.variables;
    v.push_back(numbers("group", traffic.size(), "a group of ranks, or groups that are alike"));
    v.push_back(column<std::string>(traffic, "group", {"purpose", "", "why its ranks talk"},
                                    [](Row row) { return row.purpose; }));
    v.push_back(whole({"from_stage", "1", "pipeline stage of who sends"},
                      [](Row row) { return row.from_stage; }));
    v.push_back(whole({"to_stage", "1", "pipeline stage of who receives"},
                      [](Row row) { return row.to_stage; }));
    v.push_back(
        whole({"first_rank", "1", "of the first group"}, [](Row row) { return row.first_rank; }));
    v.push_back(
        whole({"last_rank", "1", "of the first group"}, [](Row row) { return row.last_rank; }));
    v.push_back(whole({"ranks", "1", "in a group"}, [](Row row) { return row.ranks; }));
    v.push_back(whole({"groups", "1", "that are alike"}, [](Row row) { return row.groups; }));
    v.push_back(real({"bytes", "B", "sent in each group in a step, by any link"},
                     [](Row row) { return row.bytes; }));
    v.push_back(real({"nic_bytes", "B", "the part of it that crossed NICs"},
                     [](Row row) { return row.nic_bytes; }));
    return group;
}

Group load_boxes_group(const replay::LoadMap& map)
{
    Group group{"load_boxes", {}};
    auto& v = group.variables;
    v.push_back(numbers("box", map.boxes.size(), "a node or switch, or neighbours of one kind"));
    v.push_back(column<std::string>(map.boxes, "box", {"name", "", "first and last of neighbours"},
                                    [](const LoadBox& box) { return box.name; }));
    v.push_back(column<std::string>(map.boxes, "box", {"tier", "", "node, leaf, spine or core"},
                                    [](const LoadBox& box) { return box.tier; }));
    v.push_back(column<std::int64_t>(map.boxes, "box", {"members", "1", "drawn as one"},
                                     [](const LoadBox& box) { return box.members; }));
    v.push_back(column<double>(map.boxes, "box",
                               {"inside", "1", "use of the busiest link inside its nodes"},
                               [](const LoadBox& box) { return box.inside; }));
    return group;
}

Group load_ways_group(const replay::LoadMap& map)
{
    const auto real = [&](Label label, auto of) {
        return column<double>(map.ways, "way", std::move(label), of);
    };
    const auto whole = [&](Label label, auto of) {
        return column<std::int64_t>(map.ways, "way", std::move(label), of);
    };
    Group group{"load_ways", {}};
    auto& v = group.variables;
    v.push_back(numbers("way", map.ways.size(), "the cables of a class between two boxes"));
    v.push_back(whole({"from_box", "1", "in load_boxes"}, [](const LoadWay& w) { return w.from; }));
    v.push_back(whole({"to_box", "1", "in load_boxes"}, [](const LoadWay& w) { return w.to; }));
    v.push_back(column<std::string>(map.ways, "way", {"class", "", "class of resources"},
                                    [](const LoadWay& w) { return w.kind; }));
    v.push_back(whole({"cables", "1", "drawn as one"}, [](const LoadWay& w) { return w.cables; }));
    v.push_back(real({"mean", "1", "use over the step, of all cables and both directions"},
                     [](const LoadWay& w) { return w.mean; }));
    v.push_back(real({"peak", "1", "use over the step of the busiest direction of a cable"},
                     [](const LoadWay& w) { return w.peak; }));
    return group;
}

}  // namespace sim::results
