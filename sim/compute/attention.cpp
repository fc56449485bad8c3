#include "compute/attention.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compute/peak.hpp"
#include "core/contract.hpp"

namespace sim::compute
{

namespace
{

/// Queries and keys of a tile: what the mask leaves of one is computed whole.
constexpr double kTile = 128;

/// FLOPs per query, key and column of a head; the backward pass computes the scores again.
constexpr double kForwardFlops = 4;
constexpr double kBackwardFlops = 10;

const spec::AttentionSpec& speed(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    if (!operation.library && !gpu.attention.empty()) {
        return gpu.attention.rbegin()->second;
    }
    const auto found =
        operation.library ? gpu.attention.find(*operation.library) : gpu.attention.end();
    if (found == gpu.attention.end()) {
        const auto name = operation.library ? spec::attention_library_name(*operation.library)
                                            : "fused attention";
        sim::refuse("gpu.attention",
                    fmt::format("{} does not say how fast {} runs on it", gpu.name, name),
                    "give gpu.attention.LIBRARY or choose another library");
    }
    return found->second;
}

}  // namespace

double attention_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(operation.m > 0 && operation.n > 0 && operation.k > 0 && operation.batch > 0);
    const auto& of_library = speed(operation, gpu);
    const auto& pass = operation.backward ? of_library.backward : of_library.forward;
    const auto all = static_cast<double>(operation.n);
    const double keys = operation.causal ? std::min(all, (all + kTile) / 2) : all;
    const auto queries = static_cast<double>(operation.m) * static_cast<double>(operation.batch);
    const double width = static_cast<double>(operation.k) + pass.softmax;
    const double flops = (operation.backward ? kBackwardFlops : kForwardFlops) * queries *
                         (keys + pass.fill) * width;
    return flops / (pass.rate * peak(operation.precision, gpu).base());
}

}  // namespace sim::compute
