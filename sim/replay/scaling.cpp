#include "replay/scaling.hpp"

namespace sim::replay
{

namespace
{

void scale(spec::ProtocolSpec& protocol, double by)
{
    protocol.base = protocol.base * by;
    protocol.nvlink_hop = protocol.nvlink_hop * by;
    protocol.network_hop = protocol.network_hop * by;
}

void scale_latencies(spec::CollectiveSpec& collective, double by)
{
    collective.launch = collective.launch * by;
    if (!collective.tuning) {
        return;
    }
    auto& tuning = *collective.tuning;
    tuning.base = tuning.base * by;
    tuning.host_launch = tuning.host_launch * by;
    tuning.transport.latency = tuning.transport.latency * by;
    tuning.ll_ramp.ramp = tuning.ll_ramp.ramp * by;
    scale(tuning.ll, by);
    scale(tuning.simple, by);
    if (tuning.ll128) {
        scale(*tuning.ll128, by);
    }
    if (tuning.nvls) {
        tuning.nvls->latency = tuning.nvls->latency * by;
    }
    if (tuning.sharp) {
        tuning.sharp->latency = tuning.sharp->latency * by;
    }
}

}  // namespace

bool Scaling::changes_links() const
{
    for (std::size_t kind = static_cast<std::size_t>(ResourceKind::nvlink); kind < kResourceKinds;
         ++kind) {
        if (capacity[kind] != 1) {
            return true;
        }
    }
    return latency != 1;
}

spec::ClusterSpec scaled(spec::ClusterSpec cluster, const Scaling& scaling)
{
    auto& gpu = cluster.node.gpu;
    for (auto& [precision, peak] : gpu.peak) {
        peak = peak * scaling.of(ResourceKind::sm);
    }
    gpu.memory_bandwidth = gpu.memory_bandwidth * scaling.of(ResourceKind::hbm);
    if (scaling.latency != 1) {
        gpu.kernel_launch = gpu.kernel_launch * scaling.latency;
        scale_latencies(cluster.collective, scaling.latency);
    }
    return cluster;
}

}  // namespace sim::replay
