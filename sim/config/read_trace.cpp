#include "config/read_trace.hpp"

#include "config/documents.hpp"
#include "config/read_gpu.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

const Vocabulary<bool>& transfer_words()
{
    static const Vocabulary<bool> words{{"simulated", false}, {"recorded", true}};
    return words;
}

constexpr std::int64_t kMost = 1'000'000;

/// The number of a rank.
Scalar<std::uint32_t> rank_number(const std::string& example)
{
    const auto whole = whole_number(example);
    return {[whole](const std::string& text) -> Parsed<std::uint32_t> {
                const auto number = whole.read(text);
                if (!number) {
                    return {std::nullopt, number.message, number.hint};
                }
                if (*number.value < 0 || *number.value > kMost) {
                    return {std::nullopt, "\"" + text + "\" is no rank", "ranks count from 0"};
                }
                return {static_cast<std::uint32_t>(*number.value), {}, {}};
            },
            example, [] { return Shape{.kind = Shape::Kind::whole, .least = 0, .most = kMost}; }};
}

}  // namespace

spec::TraceSpec read_trace(MapReader reader)
{
    spec::TraceSpec trace;
    const auto* node = reader.need("file", "../traces/job");
    if (node != nullptr && node->kind == Node::Kind::scalar) {
        trace.path = path_from(node->mark, node->text);
    }
    trace.path = reader.required("file", words("../traces/job")).empty() ? "" : trace.path;
    trace.assumed_size = reader.optional("assume_size", quantity<Bytes>("1 MiB"));
    trace.compute_scale = reader.defaulted("compute_scale", real_number("0.5"), "1");
    trace.idle_gpus = reader.defaulted("idle_gpus", truth("true"), "false");
    trace.rank = reader.optional("rank", rank_number("0"));
    trace.keep_transfers = reader.defaulted("transfers", choice(transfer_words()), "simulated");
    if (reader.written("recorded_on")) {
        trace.recorded_on =
            read_gpu(reader.section("recorded_on", "{ extends: path/to/gpu.yaml }"));
    }
    for (auto& slow : reader.optional_sections("slow", "{ rank: 3, factor: 1.5 }")) {
        const auto rank = slow.required("rank", rank_number("3"));
        trace.slow.push_back({rank, slow.required("factor", real_number("1.5"))});
        slow.finish();
    }
    const auto dropped = reader.optional_list("drop", rank_number("3"));
    trace.drop = dropped.value_or(std::vector<std::uint32_t>{});
    reader.finish();
    return trace;
}

}  // namespace sim::config
