#include "workload/zero_memory.hpp"

#include <algorithm>
#include <cmath>

namespace sim::workload
{

namespace
{

/// What the estimator adds for buffers of the host.
constexpr double kHostBuffers = 1.5;

Bytes times(double bytes, std::int64_t parameters)
{
    return Bytes::of(std::llround(bytes * static_cast<double>(parameters)));
}

double at_least(double ranks, double bytes) { return std::max(4 * ranks, bytes); }

/// Weights and gradients of two bytes on every GPU; 16 of masters and moments, in fp32, shared.
ZeroEstimate second_stage(const ZeroSetting& setting, bool offloads)
{
    const auto gpus = static_cast<double>(setting.gpus_per_node * setting.nodes);
    ZeroEstimate estimate;
    estimate.offloads_optimizer = offloads;
    estimate.gpu = times(offloads ? 2 : 4 + 16 / gpus, setting.parameters);
    const auto node = static_cast<double>(setting.gpus_per_node);
    estimate.host =
        times(kHostBuffers * (offloads ? at_least(gpus, 16) : 4 * node), setting.parameters);
    return estimate;
}

/// Two layers whole in two bytes; 18 bytes a parameter are shared, those that are not on the host.
/// Unless the model is built sharded every process of a node builds it whole, in fp32.
ZeroEstimate third_stage(const ZeroSetting& setting, ZeroEstimate estimate)
{
    const auto gpus = static_cast<double>(setting.gpus_per_node * setting.nodes);
    const auto node = static_cast<double>(setting.gpus_per_node);
    const double left = !estimate.offloads_optimizer ? 18 : !estimate.offloads_parameters ? 2 : 0;
    const double moved = 18 - left;
    estimate.stage = 3;
    estimate.gpu = times(4, setting.largest_layer) + times(left / gpus, setting.parameters);
    if (!estimate.builds_sharded) {
        estimate.host = times(kHostBuffers * at_least(node, moved), setting.parameters);
    } else if (moved > 0) {
        estimate.host =
            times(kHostBuffers * moved / static_cast<double>(setting.nodes), setting.parameters);
    } else {
        estimate.host = times(kHostBuffers * 4 * node, setting.largest_layer);
    }
    return estimate;
}

}  // namespace

std::vector<ZeroEstimate> zero_estimates(const ZeroSetting& setting)
{
    std::vector<ZeroEstimate> estimates{second_stage(setting, true), second_stage(setting, false)};
    for (const bool parameters : {true, false}) {
        for (const bool optimizer : {true, false}) {
            for (const bool sharded : {true, false}) {
                ZeroEstimate estimate;
                estimate.offloads_optimizer = optimizer;
                estimate.offloads_parameters = parameters;
                estimate.builds_sharded = sharded;
                if (optimizer || !parameters) {
                    estimates.push_back(third_stage(setting, estimate));
                }
            }
        }
    }
    return estimates;
}

std::int64_t largest_module(const spec::ModelSpec& model)
{
    const auto query = std::int64_t{model.heads} * model.head_dim;
    auto width = std::max({model.vocab, query, model.ffn});
    if (model.experts) {
        width = std::max({width, model.experts->ffn, model.experts->shared_ffn});
    }
    return model.hidden * width;
}

}  // namespace sim::workload
