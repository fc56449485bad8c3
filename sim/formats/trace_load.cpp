#include "formats/trace_load.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "formats/chakra.hpp"
#include "formats/goal.hpp"
#include "formats/layer_workload.hpp"
#include "formats/trace_files.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kLargestText = std::size_t{1} << 32U;

void check_ranks(const Trace& trace, const spec::TraceSpec& asked, std::uint32_t gpus)
{
    if (trace.ranks.size() == gpus || (asked.idle_gpus && trace.ranks.size() < gpus)) {
        return;
    }
    Diagnostic diagnostic;
    diagnostic.file = asked.path;
    diagnostic.key = "trace.file";
    diagnostic.message = fmt::format("has {} rank{} but the cluster has {} GPUs",
                                     trace.ranks.size(), trace.ranks.size() == 1 ? "" : "s", gpus);
    diagnostic.hint =
        fmt::format("choose a cluster of {} GPUs{}", trace.ranks.size(),
                    trace.ranks.size() < gpus ? ", or write trace.idle_gpus: true" : "");
    throw InputError{{diagnostic}};
}

void scale(Trace& trace, double factor)
{
    for (auto& rank : trace.ranks) {
        for (auto& node : rank.nodes) {
            node.seconds *= factor;
            node.flops *= factor;
            node.bytes *= factor;
        }
    }
}

std::uint32_t known(std::optional<std::uint32_t> gpus, const std::string& name)
{
    if (!gpus) {
        Diagnostic diagnostic;
        diagnostic.file = name;
        diagnostic.message = "does not tell how many GPUs the job has";
        diagnostic.hint = "add --gpus N";
        throw InputError{{diagnostic}};
    }
    return *gpus;
}

/// A single file that tells the whole job in text; nothing for any other.
std::optional<Trace> read_text(const std::string& path, std::optional<std::uint32_t> gpus)
{
    std::optional<Trace> trace;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure) || rank_in_name(path)) {
        return trace;
    }
    for_each_file(path, [&](const std::string& name, ByteSource& bytes) {
        if (rank_in_name(name) || trace) {
            return;  // an archive of other things
        }
        const auto content = read_all(bytes, name, kLargestText);
        if (is_layer_workload(content)) {
            trace = read_layer_workload(name, content, known(gpus, name));
        } else if (is_goal(content)) {
            trace = read_goal(name, content);
        }
    });
    return trace;
}

Trace read_chakra(const spec::TraceSpec& asked)
{
    std::optional<std::int64_t> size;
    if (asked.assumed_size) {
        size = asked.assumed_size->base();
    }
    ChakraReader reader{size};
    for_each_trace_file(
        asked.path, [&](const std::string& name, ByteSource& bytes) { reader.add(name, bytes); });
    return reader.take();
}

}  // namespace

Trace read_trace(const spec::TraceSpec& asked, std::optional<std::uint32_t> gpus)
{
    auto text = read_text(asked.path, gpus);
    return text ? std::move(*text) : read_chakra(asked);
}

Trace load_trace(const spec::TraceSpec& asked, std::uint32_t gpus)
{
    auto trace = read_trace(asked, gpus);
    check_ranks(trace, asked, gpus);
    scale(trace, asked.compute_scale);
    return trace;
}

}  // namespace sim::formats
