#include "formats/chakra_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "formats/chakra_own.hpp"

namespace sim::formats
{

namespace
{

using workload::CollectiveKind;

constexpr double kMicrosecond = 1e-6;
constexpr std::uint32_t kHostLane = 1;
constexpr std::size_t kLongestLabel = 200;  ///< of a C++ kernel's name

/// The kinds' numbers of 0.0.4, and those of all before it.
std::optional<CollectiveKind> collective_of(std::int64_t number, ChakraSchema schema)
{
    if (schema != ChakraSchema::v0_0_4) {
        static constexpr CollectiveKind kOld[] = {
            CollectiveKind::all_reduce, CollectiveKind::all_to_all, CollectiveKind::all_gather,
            CollectiveKind::reduce_scatter, CollectiveKind::broadcast};
        return number >= 0 && number < 5 ? std::optional{kOld[number]} : std::nullopt;
    }
    switch (number) {
        case 0:
            return CollectiveKind::all_reduce;
        case 2:
            return CollectiveKind::all_gather;
        case 5:
            return CollectiveKind::broadcast;
        case 6:
            return CollectiveKind::all_to_all;
        case 7:
        case 8:
            return CollectiveKind::reduce_scatter;
        case 9:  // a barrier is an all-reduce of nothing much
            return CollectiveKind::all_reduce;
        default:
            return std::nullopt;
    }
}

constexpr std::int64_t kBarrier = 9;
constexpr std::int64_t kBarrierBytes = 4;

Diagnostic warning(const std::string& file, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.message = std::move(message);
    diagnostic.severity = Diagnostic::Severity::warning;
    return diagnostic;
}

}  // namespace

void ChakraRank::add(const ChakraNode& node)
{
    const auto index = static_cast<std::uint32_t>(rank_.nodes.size());
    if (!index_of_.emplace(node.id, index).second) {
        wrong_.push_back(fmt::format("has two nodes with the id {}", node.id));
        return;
    }
    const auto text = std::string{node.name.substr(0, kLongestLabel)};
    const auto [label, fresh] = indices_.emplace(text, static_cast<std::uint32_t>(labels_.size()));
    if (fresh) {
        labels_.push_back(text);
    }
    TraceNode made;
    made.id = node.id;
    made.label = label->second;
    const auto exact = node.real(kOwnSeconds);
    own_ = own_ || exact;
    made.seconds =
        std::max(0.0, exact.value_or(static_cast<double>(node.duration_us) * kMicrosecond));
    switch (node.type) {
        case ChakraType::send:
        case ChakraType::receive:
        case ChakraType::collective:
            add_communication(node, made);
            break;
        case ChakraType::metadata:
            made.lane = kHostLane;
            made.seconds = 0;
            break;
        default:
            add_compute(node, made);
    }
    rank_.nodes.push_back(made);
    waits_for_.push_back(node.data);
    start_us_.push_back(node.start_us);
    stream_.push_back(node.integer("stream").value_or(0));
}

void ChakraRank::add_compute(const ChakraNode& node, TraceNode& made)
{
    const auto count = [&](std::string_view attribute) {
        return static_cast<double>(std::max<std::int64_t>(0, node.integer(attribute).value_or(0)));
    };
    constexpr std::int64_t kMostLanes = 1 << 15;
    const bool of_host = node.integer("is_cpu_op").value_or(0) != 0;
    const auto lane = node.integer(kOwnLane).value_or(of_host ? kHostLane : 0);
    made.lane = static_cast<std::uint32_t>(std::clamp<std::int64_t>(lane, 0, kMostLanes));
    made.host = node.integer(kOwnHost).value_or(0) != 0;
    made.copies = node.integer(kOwnCopies).value_or(0) != 0;
    made.flops = std::max(0.0, node.real(kOwnFlops).value_or(count("num_ops")));
    made.bytes = std::max(0.0, node.real(kOwnBytes).value_or(count("tensor_size")));
}

void ChakraRank::add_communication(const ChakraNode& node, TraceNode& made)
{
    made.size = node.integer(kOwnSize).value_or(node.integer("comm_size").value_or(0));
    if (node.type != ChakraType::collective) {
        const bool sends = node.type == ChakraType::send;
        made.kind = sends ? TraceKind::send : TraceKind::receive;
        const auto peer = node.integer(sends ? "comm_dst" : "comm_src");
        if (!peer || *peer < 0) {
            wrong_.push_back(fmt::format(
                "node {} \"{}\" does not say {}", node.id, node.name,
                sends ? "where it sends (comm_dst)" : "from where it receives (comm_src)"));
        }
        made.peer = static_cast<std::uint32_t>(peer.value_or(0));
        made.tag = node.integer("comm_tag").value_or(0);
        return;
    }
    made.kind = TraceKind::collective;
    const auto kind = node.integer("comm_type");
    const auto known = kind ? collective_of(*kind, schema_) : std::nullopt;
    if (!known) {
        wrong_.push_back(fmt::format("node {} \"{}\": comm_type {} cannot be simulated", node.id,
                                     node.name,
                                     kind ? std::to_string(*kind) : "is missing and so"));
        return;
    }
    made.collective = *known;
    if (*kind == kBarrier && schema_ == ChakraSchema::v0_0_4) {
        made.size = std::max(made.size, kBarrierBytes);
    }
    const auto group = node.text("pg_name").value_or("");
    made.group = groups_.emplace(group, static_cast<std::uint32_t>(groups_.size())).first->second;
}

void ChakraRank::join(std::size_t index)
{
    auto& node = rank_.nodes[index];
    node.first_dependence = static_cast<std::uint32_t>(rank_.dependences.size());
    for (const auto id : waits_for_[index]) {
        const auto found = index_of_.find(id);
        if (found == index_of_.end()) {
            ++dangling_;
        } else {
            rank_.dependences.push_back(found->second);
        }
    }
    node.dependences = static_cast<std::uint32_t>(rank_.dependences.size()) - node.first_dependence;
}

/// GPU work and communication that nothing joins to the rest would all start at 0. Its recorded
/// start says the order: each waits for the one before it on its stream.
void ChakraRank::order_what_stands_alone(const std::string& file, Diagnostics& notes)
{
    std::vector<bool> awaited(rank_.nodes.size());
    for (const auto index : rank_.dependences) {
        awaited[index] = true;
    }
    std::vector<std::uint32_t> alone;
    for (std::uint32_t i = 0; i < rank_.nodes.size(); ++i) {
        const auto& node = rank_.nodes[i];
        const bool on_host = node.kind == TraceKind::compute && node.lane == kHostLane;
        if (!on_host && node.dependences == 0 && !awaited[i]) {
            alone.push_back(i);
        }
    }
    if (alone.size() < 2) {
        return;
    }
    std::stable_sort(alone.begin(), alone.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair{stream_[a], start_us_[a]} < std::pair{stream_[b], start_us_[b]};
    });
    for (std::size_t i = 1; i < alone.size(); ++i) {
        if (stream_[alone[i]] == stream_[alone[i - 1]]) {
            auto& node = rank_.nodes[alone[i]];
            node.first_dependence = static_cast<std::uint32_t>(rank_.dependences.size());
            node.dependences = 1;
            rank_.dependences.push_back(alone[i - 1]);
        }
    }
    notes.push_back(warning(
        file, fmt::format("{} GPU and communication nodes have no dependences and would all "
                          "start at 0; they are ordered by stream and recorded start",
                          alone.size())));
}

TraceRank ChakraRank::take(const std::string& file, Diagnostics& notes, Diagnostics& wrong)
{
    if (rank_.nodes.empty() && wrong_.empty()) {
        wrong_.emplace_back("has no nodes");
    }
    for (auto& message : wrong_) {
        Diagnostic diagnostic;
        diagnostic.file = file;
        diagnostic.message = std::move(message);
        wrong.push_back(std::move(diagnostic));
    }
    for (std::size_t i = 0; i < rank_.nodes.size(); ++i) {
        join(i);
    }
    if (dangling_ > 0) {
        notes.push_back(warning(
            file, fmt::format("{} dependences are on nodes that are not in the file; left out",
                              dangling_)));
    }
    if (!own_) {  // else the file says all there is
        order_what_stands_alone(file, notes);
    }
    rank_.lanes = kHostLane + 1;
    for (const auto& node : rank_.nodes) {
        rank_.lanes = std::max(rank_.lanes, node.lane + 1);
    }
    return std::move(rank_);
}

}  // namespace sim::formats
