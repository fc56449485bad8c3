#include "formats/trace_what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace sim::formats
{

namespace
{

void scale(TraceRank& rank, double factor)
{
    for (auto& node : rank.nodes) {
        if (node.kind == TraceKind::compute && !node.host) {
            node.seconds *= factor;
            node.flops *= factor;
            node.bytes *= factor;
        }
    }
}

/// Every copy gets nodes of its own, so that one can differ.
void write_out(Trace& trace)
{
    if (trace.copies <= 1) {
        return;
    }
    const auto one = std::move(trace.ranks.front());
    trace.ranks.assign(trace.copies, one);
    const auto of_one = std::move(trace.groups);
    trace.groups.clear();
    for (std::uint32_t group = 0; group < of_one.size(); ++group) {
        std::vector<std::uint32_t> of_rank(trace.copies, 0);
        for (std::uint32_t rank = 0; rank < trace.copies; ++rank) {
            const auto ranks = members(trace.lattices[group], rank);
            if (ranks.front() == rank) {
                trace.groups.push_back({of_one[group].name, ranks});
                for (const auto member : ranks) {
                    of_rank[member] = static_cast<std::uint32_t>(trace.groups.size() - 1);
                }
            }
        }
        for (std::uint32_t rank = 0; rank < trace.copies; ++rank) {
            for (std::size_t i = 0; i < one.nodes.size(); ++i) {
                if (one.nodes[i].kind == TraceKind::collective && one.nodes[i].group == group) {
                    trace.ranks[rank].nodes[i].group = of_rank[rank];
                }
            }
        }
    }
    trace.copies = 1;
    trace.lattices.clear();
}

[[noreturn]] void refuse_rank(const char* key, std::uint32_t rank, std::uint32_t ranks)
{
    sim::refuse(key, fmt::format("names rank {}, but the job has {} ranks", rank, ranks),
                "ranks count from 0");
}

bool has_messages(const TraceRank& rank)
{
    return std::any_of(rank.nodes.begin(), rank.nodes.end(), [](const TraceNode& node) {
        return node.kind == TraceKind::send || node.kind == TraceKind::receive;
    });
}

void drop(Trace& trace, std::uint32_t rank)
{
    if (has_messages(trace.ranks[rank])) {
        sim::refuse(
            "trace.drop",
            fmt::format("rank {} sends or receives messages, which its peers wait for", rank),
            "drop ranks that only take part in collectives");
    }
    trace.ranks[rank] = {};
    for (auto& group : trace.groups) {
        group.ranks.erase(std::remove(group.ranks.begin(), group.ranks.end(), rank),
                          group.ranks.end());
    }
}

bool multiplies(std::string_view kernel)
{
    using namespace std::string_view_literals;
    constexpr std::array kSigns{"gemm"sv,  "Gemm"sv,  "GEMM"sv,  "cutlass"sv, "wgrad"sv,
                                "dgrad"sv, "fprop"sv, "flash"sv, "fmha"sv,    "conv"sv,
                                "xmma"sv,  "cijk"sv,  "Cijk"sv,  "nvjet"sv};
    return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
        return kernel.find(sign) != std::string_view::npos;
    });
}

double sustained(const spec::GpuSpec& gpu)
{
    const auto peak = gpu.peak.find(spec::Precision::bf16);
    const auto efficiency = gpu.math_efficiency.find(spec::Precision::bf16);
    if (peak == gpu.peak.end()) {
        sim::refuse("trace.recorded_on",
                    fmt::format("{} has no bf16 rate to compare matrix products by", gpu.name),
                    "use compute_scale");
    }
    return peak->second.base() * (efficiency == gpu.math_efficiency.end() ? 1 : efficiency->second);
}

}  // namespace

void apply_what_if(Trace& trace, const spec::TraceSpec& asked)
{
    for (auto& rank : trace.ranks) {
        scale(rank, asked.compute_scale);
    }
    if (asked.slow.empty() && asked.drop.empty()) {
        return;
    }
    write_out(trace);
    const auto ranks = rank_count(trace);
    for (const auto& slow : asked.slow) {
        if (slow.rank >= ranks) {
            refuse_rank("trace.slow", slow.rank, ranks);
        }
        scale(trace.ranks[slow.rank], slow.factor);
    }
    for (const auto rank : asked.drop) {
        if (rank >= ranks) {
            refuse_rank("trace.drop", rank, ranks);
        }
        drop(trace, rank);
    }
}

void take_over(Trace& trace, const spec::GpuSpec& from, const spec::GpuSpec& to)
{
    const auto math = sustained(from) / sustained(to);
    const auto memory = from.memory_bandwidth.base() * from.memory_efficiency /
                        (to.memory_bandwidth.base() * to.memory_efficiency);
    std::vector<bool> of_label;
    for (const auto& label : trace.labels) {
        of_label.push_back(multiplies(label));
    }
    for (auto& rank : trace.ranks) {
        for (auto& node : rank.nodes) {
            if (node.kind == TraceKind::compute && !node.host) {
                node.seconds *= of_label[node.label] ? math : memory;
            }
        }
    }
}

}  // namespace sim::formats
