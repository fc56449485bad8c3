#include "formats/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/chakra_groups.hpp"
#include "formats/chakra_rank.hpp"
#include "formats/chakra_schema.hpp"
#include "formats/file_complaint.hpp"
#include "formats/trace_files.hpp"
#include "formats/wire_message.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kLargestFile = std::size_t{1} << 31U;

/// Nodes of the file, with its generation found out.
ChakraSchema schema_of(const std::string& name, const std::string& content, bool& metadata_first)
{
    if (content.empty()) {
        throw InputError{{about(name, "is empty")}};
    }
    const auto shape = recognise_chakra(content);
    if (!shape.schema) {
        throw InputError{{about(name, shape.why,
                                "record the trace with a newer Chakra (0.0.4), or convert it")}};
    }
    metadata_first = shape.metadata_first;
    return *shape.schema;
}

}  // namespace

void ChakraReader::add(const std::string& name, ByteSource& bytes)
{
    const auto rank = rank_in_name(name);
    const auto content = read_all(bytes, name, kLargestFile);
    if (rank) {
        add_rank(name, *rank, content);
    } else if (name.ends_with(".json")) {
        for (auto& [group, members] : read_group_file(name, content)) {
            members_[group] = std::move(members);
        }
    } else {
        trace_.notes.push_back(about(name, "is left out: neither PREFIX.N.et nor .json"));
        trace_.notes.back().severity = Diagnostic::Severity::warning;
    }
}

void ChakraReader::add_rank(const std::string& name, std::uint32_t rank, const std::string& content)
{
    constexpr std::uint32_t kMostRanks = 1'000'000;
    if (rank >= kMostRanks) {
        throw InputError{{about(name, fmt::format("rank {} is beyond {}", rank, kMostRanks))}};
    }
    if (const auto [before, fresh] = file_of_rank_.emplace(rank, name); !fresh) {
        throw InputError{
            {about(name, fmt::format("is rank {}, but so is {}", rank, before->second))}};
    }
    bool metadata_first = false;
    const auto schema = schema_of(name, content, metadata_first);
    trace_.format = formats::name(schema);
    ChakraRank built{schema, labels_, trace_.labels, groups_};
    std::string_view stream = content;
    for (std::size_t index = 0; !stream.empty(); ++index) {
        const auto at = content.size() - stream.size();
        const auto message = take_message(stream);
        if (!message) {
            throw InputError{{about(name, fmt::format("ends inside message {} (at byte {} of {})",
                                                      index, at, content.size()))}};
        }
        if (index == 0 && metadata_first) {
            continue;
        }
        ChakraNode node;
        if (!read_node(*message, schema, node)) {
            throw InputError{{about(name, fmt::format("message {} (at byte {}) is no node of {}",
                                                      index, at, formats::name(schema)))}};
        }
        for (auto& [group, members] : read_group_node(node)) {
            members_[group] = std::move(members);
        }
        built.add(node);
    }
    if (ranks_.size() <= rank) {
        ranks_.resize(rank + std::size_t{1});
    }
    if (built.own()) {
        own_.insert(rank);
    }
    ranks_[rank] = built.take(name, trace_.notes, wrong_);
}

/// Ranks 0 to the last, every one with a file.
void ChakraReader::check_ranks()
{
    if (file_of_rank_.empty()) {
        throw InputError{{about("", "there is no file PREFIX.N.et")}};
    }
    std::string missing;
    std::size_t count = 0;
    constexpr std::size_t kNamed = 8;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        if (!file_of_rank_.contains(rank) && ++count <= kNamed) {
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
        }
    }
    if (count > 0) {
        wrong_.push_back(
            about(file_of_rank_.begin()->second,
                  fmt::format("{} of {} ranks ha{} no file: {}{}", count, ranks_.size(),
                              count == 1 ? "s" : "ve", missing, count > kNamed ? ", ..." : ""),
                  "the ranks of a job are numbered from 0; add the files"));
    }
}

/// Collectives without a group are of all ranks.
void ChakraReader::settle_groups()
{
    std::vector<std::uint32_t> everybody(ranks_.size());
    for (std::uint32_t rank = 0; rank < everybody.size(); ++rank) {
        everybody[rank] = rank;
    }
    trace_.groups.resize(groups_.size());
    for (const auto& [group, index] : groups_) {
        const auto found = members_.find(group);
        if (found == members_.end() && !group.empty()) {
            wrong_.push_back(
                about(file_of_rank_.begin()->second,
                      fmt::format("collectives of process group \"{}\", whose ranks nothing tells",
                                  group),
                      "put a .json with {\"" + group + "\": [0, 1, ...]} beside the files"));
        }
        const bool all = found == members_.end() || found->second.empty();
        trace_.groups[index] = {group, all ? everybody : found->second};
        for (const auto rank : trace_.groups[index].ranks) {
            if (rank >= ranks_.size()) {
                wrong_.push_back(about(
                    file_of_rank_.begin()->second,
                    fmt::format("process group \"{}\" has rank {}, but the files end at rank {}",
                                group, rank, ranks_.size() - 1)));
                break;
            }
        }
    }
}

/// Chakra's comm_size is what a rank puts in; a gather's result is as many times larger.
void ChakraReader::settle_sizes()
{
    std::size_t without = 0;
    std::string where;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        for (auto& node : ranks_[rank].nodes) {
            const bool moves = node.kind == TraceKind::collective || node.kind == TraceKind::send ||
                               node.kind == TraceKind::receive;
            if (!moves) {
                continue;
            }
            if (node.size <= 0) {
                if (without++ == 0) {
                    where = fmt::format("node {} \"{}\" of {}", node.id, trace_.labels[node.label],
                                        file_of_rank_[rank]);
                }
                node.size = assumed_size_.value_or(1);
            }
            if (node.kind == TraceKind::collective && !own_.contains(rank) &&
                node.collective == workload::CollectiveKind::all_gather) {
                node.size *= static_cast<std::int64_t>(trace_.groups[node.group].ranks.size());
            }
        }
    }
    if (without == 0) {
        return;
    }
    auto diagnostic = about(
        file_of_rank_.begin()->second,
        fmt::format("{} communication{} no size, first {}", without,
                    without == 1 ? " has" : "s have", where),
        assumed_size_ ? ""
                      : "add --assume-size (bytes of each) to go on; it would be free otherwise");
    if (assumed_size_) {
        diagnostic.severity = Diagnostic::Severity::warning;
        diagnostic.message += fmt::format("; {} B are assumed for each", *assumed_size_);
        trace_.notes.push_back(std::move(diagnostic));
    } else {
        wrong_.push_back(std::move(diagnostic));
    }
}

Trace ChakraReader::take()
{
    check_ranks();
    settle_groups();
    if (!has_errors(wrong_)) {
        settle_sizes();
    }
    if (has_errors(wrong_)) {
        throw InputError{std::move(wrong_)};
    }
    trace_.ranks = std::move(ranks_);
    for (const auto& [rank, file] : file_of_rank_) {
        trace_.files.push_back(file);
    }
    return std::move(trace_);
}

}  // namespace sim::formats
