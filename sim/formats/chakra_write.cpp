#include "formats/chakra_write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "formats/chakra_own.hpp"
#include "formats/chakra_schema.hpp"
#include "formats/wire_writer.hpp"

namespace sim::formats
{

namespace
{

namespace fs = std::filesystem;
using workload::CollectiveKind;

// Fields of Node and AttributeProto of et_def.proto at a2b45c1 (mlcommons/chakra).
constexpr int kId = 1;
constexpr int kName = 2;
constexpr int kType = 3;
constexpr int kDataDeps = 5;
constexpr int kDuration = 7;
constexpr int kAttribute = 10;
constexpr int kAttributeName = 1;
constexpr int kDouble = 3;
constexpr int kInt64 = 9;
constexpr int kBool = 27;
constexpr int kText = 29;

constexpr double kMicroseconds = 1e6;

void set(WireWriter& node, std::string_view name, int field, std::uint64_t value)
{
    WireWriter attribute;
    attribute.bytes(kAttributeName, name);
    attribute.number(field, value);
    node.bytes(kAttribute, attribute.message());
}

void set_real(WireWriter& node, std::string_view name, double value)
{
    WireWriter attribute;
    attribute.bytes(kAttributeName, name);
    attribute.real(kDouble, value);
    node.bytes(kAttribute, attribute.message());
}

void set_text(WireWriter& node, std::string_view name, const std::string& value)
{
    WireWriter attribute;
    attribute.bytes(kAttributeName, name);
    attribute.bytes(kText, value);
    node.bytes(kAttribute, attribute.message());
}

std::uint64_t comm_type(CollectiveKind kind)
{
    switch (kind) {
        case CollectiveKind::all_gather:
            return 2;
        case CollectiveKind::broadcast:
            return 5;
        case CollectiveKind::all_to_all:
            return 6;
        case CollectiveKind::reduce_scatter:
            return 7;
        default:
            return 0;
    }
}

std::uint64_t type_of(const TraceNode& node)
{
    const auto type = node.kind == TraceKind::compute   ? ChakraType::compute
                      : node.kind == TraceKind::send    ? ChakraType::send
                      : node.kind == TraceKind::receive ? ChakraType::receive
                                                        : ChakraType::collective;
    return static_cast<std::uint64_t>(type);
}

/// A number that other readers expect as a whole one.
std::uint64_t whole(double value)
{
    return static_cast<std::uint64_t>(std::llround(std::max(0.0, value)));
}

std::string group_name(std::uint32_t group) { return fmt::format("{}", group + 1); }

/// Rank of copies that group i of a rank begins with, and which group of the file that is.
class Groups
{
public:
    explicit Groups(const Trace& trace) : trace_{trace} {}

    [[nodiscard]] std::string name(std::uint32_t group, std::uint32_t rank) const
    {
        if (trace_.copies <= 1) {
            return group_name(group);
        }
        return fmt::format("{}.{}", group + 1, members(trace_.lattices[group], rank).front());
    }
    [[nodiscard]] std::size_t size(std::uint32_t group) const
    {
        return trace_.groups[group].ranks.size();
    }

    [[nodiscard]] std::string json() const
    {
        std::string text = "{";
        for (std::uint32_t group = 0; group < trace_.groups.size(); ++group) {
            for (std::uint32_t rank = 0; rank < trace_.copies; ++rank) {
                const auto ranks = trace_.copies > 1 ? members(trace_.lattices[group], rank)
                                                     : trace_.groups[group].ranks;
                if (trace_.copies > 1 && ranks.front() != rank) {
                    continue;
                }
                text +=
                    fmt::format("{}\n\"{}\": [", text.size() == 1 ? "" : ",", name(group, rank));
                for (std::size_t i = 0; i < ranks.size(); ++i) {
                    text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
                }
                text += "]";
            }
        }
        return text + "\n}\n";
    }

private:
    const Trace& trace_;
};

void add_compute(WireWriter& message, const TraceNode& node)
{
    set(message, "is_cpu_op", kBool, node.host ? 1 : 0);
    set(message, kOwnLane, kInt64, node.lane);
    set(message, kOwnHost, kInt64, node.host ? 1 : 0);
    if (node.copies) {
        set(message, kOwnCopies, kInt64, 1);
    }
    if (node.flops > 0) {
        set(message, "num_ops", kInt64, whole(node.flops));
        set_real(message, kOwnFlops, node.flops);
    }
    if (node.bytes > 0) {
        set(message, "tensor_size", kInt64, whole(node.bytes));
        set_real(message, kOwnBytes, node.bytes);
    }
}

void add_message(WireWriter& message, const TraceNode& node, std::uint32_t rank)
{
    const bool sends = node.kind == TraceKind::send;
    set(message, "comm_src", kInt64, sends ? rank : node.peer);
    set(message, "comm_dst", kInt64, sends ? node.peer : rank);
    set(message, "comm_tag", kInt64, static_cast<std::uint64_t>(node.tag));
    set(message, "comm_size", kInt64, static_cast<std::uint64_t>(node.size));
}

/// comm_size is what a rank puts in, so a gather's result is as many times larger.
void add_collective(WireWriter& message, const TraceNode& node, const Groups& groups,
                    std::uint32_t rank)
{
    const auto members = static_cast<std::int64_t>(groups.size(node.group));
    const auto put_in = node.collective == CollectiveKind::all_gather
                            ? (node.size + members - 1) / members
                            : node.size;
    set(message, "comm_type", kInt64, comm_type(node.collective));
    set(message, "comm_size", kInt64, static_cast<std::uint64_t>(put_in));
    set(message, kOwnSize, kInt64, static_cast<std::uint64_t>(node.size));
    set_text(message, "pg_name", groups.name(node.group, rank));
}

void write_file(const fs::path& path, const std::string& content)
{
    std::ofstream file{path, std::ios::binary};
    file << content;
    if (!file.flush()) {
        throw Error{fmt::format("cannot write {}", path.string())};
    }
}

}  // namespace

std::string chakra_file(const Trace& trace, std::uint32_t rank)
{
    const Groups groups{trace};
    const auto& recorded = trace.ranks[trace.copies > 1 ? 0 : rank];
    WireWriter metadata;
    metadata.bytes(1, "0.0.4");
    auto content = metadata.delimited();
    for (const auto& node : recorded.nodes) {
        WireWriter message;
        message.number(kId, node.id);
        message.bytes(kName, trace.labels[node.label]);
        message.number(kType, type_of(node));
        std::vector<std::uint64_t> waits_for;
        for (std::uint32_t i = 0; i < node.dependences; ++i) {
            const auto on = recorded.dependences[node.first_dependence + i];
            waits_for.push_back(recorded.nodes[on].id);
        }
        message.packed(kDataDeps, waits_for);
        message.number(kDuration, whole(node.seconds * kMicroseconds));
        set_real(message, kOwnSeconds, node.seconds);
        if (node.kind == TraceKind::compute) {
            add_compute(message, node);
        } else if (node.kind == TraceKind::collective) {
            add_collective(message, node, groups, rank);
        } else {
            add_message(message, node, rank);
        }
        content += message.delimited();
    }
    return content;
}

void write_chakra(const Trace& trace, const std::string& folder, const std::string& prefix)
{
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) {
        throw Error{fmt::format("cannot make the folder {}", folder)};
    }
    for (std::uint32_t rank = 0; rank < rank_count(trace); ++rank) {
        write_file(fs::path{folder} / fmt::format("{}.{}.et", prefix, rank),
                   chakra_file(trace, rank));
    }
    write_file(fs::path{folder} / (prefix + ".json"), Groups{trace}.json());
}

}  // namespace sim::formats
