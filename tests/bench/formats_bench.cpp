// How fast recorded jobs are read: PyTorch's profiler (bytes/s) and Chakra (nodes/s). A file of a
// size in MB, or a number of nodes in thousands, is written first; its writing is not timed.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"
#include "formats/chakra_write.hpp"
#include "formats/kineto_text.hpp"
#include "formats/trace_builder.hpp"
#include "formats/trace_load.hpp"

namespace
{

using namespace sim;
namespace fs = std::filesystem;

/// As a profiler's: for every kernel a launch and three operators around it.
void write_kineto(const std::string& path, std::int64_t bytes)
{
    formats::test::KinetoText text;
    for (int i = 0; i < 1000; ++i) {
        const auto at = 20.0 * i;
        const auto ids = fmt::format(R"("External id":{},"Ev Idx":{},"Sequence number":71)", i, i);
        text.host("autograd::engine::evaluate_function: ConvolutionBackward0", at, 18, ids)
            .host("aten::convolution_backward", at + 1, 15, ids)
            .host("aten::cudnn_convolution", at + 2, 12, ids)
            .kernel("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_nn", at + 4, at + 9, 10,
                    R"("queued":0,"context":1,"registers per thread":96,"grid":[64,1,1])");
    }
    const auto some = text.text();
    const auto begin = some.find('[') + 1;
    const auto events = some.substr(begin, some.rfind(']') - begin);
    std::ofstream file{path};
    file << some.substr(0, begin) << events;
    for (auto written = static_cast<std::int64_t>(some.size()); written < bytes;
         written += static_cast<std::int64_t>(events.size())) {
        file << "," << events;
    }
    file << some.substr(some.rfind(']'));
}

void read_kineto(benchmark::State& state)
{
    const ScratchFolder folder;
    const auto path = folder.path("trace.json");
    write_kineto(path, state.range(0) * 1'000'000);
    spec::TraceSpec asked;
    asked.path = path;
    for (auto _ : state) {
        benchmark::DoNotOptimize(formats::read_trace(asked, std::nullopt));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(fs::file_size(path)));
}

void read_chakra(benchmark::State& state)
{
    formats::TraceBuilder builder{"bench", 1};
    formats::TraceNode node;
    node.label = builder.label("kernel");
    node.seconds = 1e-5;
    builder.add(0, node, {});
    const auto nodes = state.range(0) * 1000;
    for (std::uint32_t i = 1; i < nodes; ++i) {
        builder.add(0, node, {i - 1});
    }
    const ScratchFolder folder;
    formats::write_chakra(builder.take(), folder.path("chakra"), "job");
    spec::TraceSpec asked;
    asked.path = folder.path("chakra");
    for (auto _ : state) {
        benchmark::DoNotOptimize(formats::read_trace(asked, std::nullopt));
    }
    state.SetItemsProcessed(state.iterations() * nodes);
}

}  // namespace

BENCHMARK(read_kineto)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(read_chakra)->Arg(200)->Unit(benchmark::kMillisecond);
