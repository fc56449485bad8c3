#include "formats/trace_load.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "formats/aicb.hpp"
#include "formats/chakra.hpp"
#include "formats/goal.hpp"
#include "formats/kineto_events.hpp"
#include "formats/kineto_job.hpp"
#include "formats/layer_workload.hpp"
#include "formats/peeked_source.hpp"
#include "formats/pytorch_et.hpp"
#include "formats/trace_files.hpp"
#include "formats/trace_what_if.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kLargestText = std::size_t{1} << 32U;

void check_ranks(const Trace& trace, const spec::TraceSpec& asked, std::uint32_t gpus)
{
    const auto ranks = rank_count(trace);
    if (ranks == gpus || (asked.idle_gpus && ranks < gpus)) {
        return;
    }
    Diagnostic diagnostic;
    diagnostic.file = asked.path;
    diagnostic.key = "trace.file";
    diagnostic.message = fmt::format("has {} rank{} but the cluster has {} GPUs", ranks,
                                     ranks == 1 ? "" : "s", gpus);
    diagnostic.hint = fmt::format("choose a cluster of {} GPUs{}", ranks,
                                  ranks < gpus ? ", or write trace.idle_gpus: true" : "");
    throw InputError{{diagnostic}};
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

/// Reads the files of a job as they come; the first that is recognised says what all are.
class Loader
{
public:
    Loader(const spec::TraceSpec& asked, std::optional<std::uint32_t> gpus)
        : gpus_{gpus}, kineto_{asked}, chakra_{size_of(asked)}
    {
    }

    void add(const std::string& name, ByteSource& bytes)
    {
        PeekedSource peeked{bytes};
        const std::string beginning{peeked.beginning()};
        if (text_) {
            return;  // an archive of other things
        }
        if (rank_in_name(name)) {
            chakra_.add(name, peeked);
        } else if (is_kineto(beginning)) {
            kineto_.add(name, peeked);
        } else if (is_pytorch_et(beginning)) {
            execution_.add(name, peeked);
        } else if (is_layer_workload(beginning)) {
            const auto content = read_all(peeked, name, kLargestText);
            text_ = read_layer_workload(name, content, known(gpus_, name));
        } else if (is_aicb(beginning)) {
            text_ = read_aicb(name, read_all(peeked, name, kLargestText), gpus_);
        } else if (is_goal(beginning)) {
            text_ = read_goal(name, read_all(peeked, name, kLargestText));
        } else {
            chakra_.add(name, peeked);
        }
    }

    Trace take()
    {
        if (text_) {
            return std::move(*text_);
        }
        if (!execution_.empty()) {
            return execution_.take();
        }
        return kineto_.empty() ? chakra_.take() : kineto_.take();
    }

private:
    static std::optional<std::int64_t> size_of(const spec::TraceSpec& asked)
    {
        return asked.assumed_size ? std::optional{asked.assumed_size->base()} : std::nullopt;
    }

    std::optional<std::uint32_t> gpus_;
    KinetoJob kineto_;
    PytorchEtJob execution_;
    ChakraReader chakra_;
    std::optional<Trace> text_;
};

}  // namespace

Trace read_trace(const spec::TraceSpec& asked, std::optional<std::uint32_t> gpus)
{
    Loader loader{asked, gpus};
    for_each_trace_file(
        asked.path, [&](const std::string& name, ByteSource& bytes) { loader.add(name, bytes); });
    return loader.take();
}

Trace load_trace(const spec::TraceSpec& asked, std::uint32_t gpus)
{
    auto trace = read_trace(asked, gpus);
    check_ranks(trace, asked, gpus);
    apply_what_if(trace, asked);
    return trace;
}

}  // namespace sim::formats
