#include "spec/offload.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

constexpr int kMostAhead = 64;
constexpr int kMostBuffers = 1024;
constexpr double kMostOverhead = 10;

void check_residence(Checker& check, const std::string& name, const Residence& residence)
{
    if (!(residence.share >= 0 && residence.share <= 1)) {
        check.error(name + ".share", fmt::format("is {}", residence.share),
                    "write a share from 0 to 1");
    }
}

void check_update(Checker& check, const OffloadSpec& offload)
{
    if (offload.update_on_host && offload.optimizer.tier == DataTier::hbm) {
        check.error("update", "is host, but the optimiser's state is in the GPUs' memory",
                    "write offload.optimizer: { to: dram }");
    }
    if (offload.delayed_update && !offload.update_on_host) {
        check.error("delayed_update", "needs an update on the host: the GPU has no time for both",
                    "write update: host, or leave delayed_update out");
    }
}

}  // namespace

bool moves_nothing(const OffloadSpec& offload)
{
    return offload.weights.away() == 0 && offload.optimizer.away() == 0 &&
           offload.activations.away() == 0 && offload.cache.away() == 0 &&
           (offload.gradients.away() == 0 || offload.update_on_host);
}

bool uses(const OffloadSpec& offload, DataTier tier)
{
    const auto in = [&](const Residence& residence) {
        return residence.tier == tier && residence.away() > 0;
    };
    return in(offload.weights) || in(offload.gradients) || in(offload.optimizer) ||
           in(offload.activations) || in(offload.cache);
}

Diagnostics validate(const OffloadSpec& offload, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check_residence(check, "weights", offload.weights);
    check_residence(check, "gradients", offload.gradients);
    check_residence(check, "optimizer", offload.optimizer);
    check_residence(check, "activations", offload.activations);
    check_residence(check, "cache", offload.cache);
    if (offload.activations.layers) {
        check.at_least("activations.layers", *offload.activations.layers, 0);
    }
    check_update(check, offload);
    check.within("prefetch", offload.prefetch, 0, kMostAhead);
    check.within("buffers.count", offload.buffers.count, 1, kMostBuffers);
    if (!offload.buffers.adaptive) {
        check.positive("buffers.size", offload.buffers.size, "256 MiB");
    }
    if (!(offload.host_overhead >= 0 && offload.host_overhead <= kMostOverhead)) {
        check.error("host_overhead", fmt::format("is {}", offload.host_overhead),
                    "write a share of what is held, such as 0.5");
    }
    return diagnostics;
}

}  // namespace sim::spec
