#pragma once

#include <string>
#include <vector>

#include "collective/machine.hpp"
#include "collective/words.hpp"
#include "core/literals.hpp"
#include "spec/collective.hpp"

namespace sim::test
{

/// A machine and a group on it.
struct Scene {
    spec::ClusterSpec cluster;
    std::vector<GpuId> members;
};

/// 3 x 3 x 2 switches with two GPUs each; the sides' cables are as fast as a NIC.
inline spec::ClusterSpec cube_of_switches()
{
    using namespace literals;
    auto cluster = round_cluster(18);
    auto& torus = cluster.fabric.network.emplace<spec::TorusSpec>();
    torus.sides = {3, 3, 2};
    torus.device = {.name = "switch", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 0.125_us};
    return cluster;
}

/// A library whose switches reduce, with an efficiency that shows.
inline spec::ClusterSpec with_reducing_switches(spec::ClusterSpec cluster)
{
    using namespace literals;
    auto& tuning = cluster.collective.tuning.emplace();
    tuning.transport = {.name = "T", .latency = 6_us};
    tuning.nvls = spec::NvlsSpec{0.8, 20_us, 3_MiB};
    tuning.sharp = spec::SharpSpec{.efficiency = 0.9, .latency = 1_us, .most_nodes = 64};
    return cluster;
}

/// The smallest machine that shows all parts of an algorithm. A new algorithm does not compile
/// until it has one.
inline Scene scene_of(spec::Algorithm algorithm)
{
    using spec::Algorithm;
    switch (algorithm) {
        case Algorithm::automatic:
        case Algorithm::ring:
        case Algorithm::hierarchical:
        case Algorithm::hierarchical_tree:
        case Algorithm::tree:
            return {round_cluster(3), every(3, 0, 4)};
        case Algorithm::hierarchical_3:  // two nodes to a leaf, two leaves
            return {round_cluster(4), every(4, 0, 4)};
        case Algorithm::nvls:
        case Algorithm::multimem:
            return {with_reducing_switches(round_cluster(1)), every(1, 0, 8)};
        case Algorithm::nvls_tree:
        case Algorithm::sharp:
            return {with_reducing_switches(round_cluster(5)), every(5, 0, 8)};
        case Algorithm::torus:
            return {cube_of_switches(), every(18, 0, 2)};
        case Algorithm::direct:
        case Algorithm::bruck:
        case Algorithm::pat:
            return {round_cluster(2), every(2, 0, 3)};
        case Algorithm::halving_doubling:
            return {round_cluster(2), every(2, 0, 4)};
    }
    return {};
}

struct AlgorithmAndKind {
    spec::Algorithm algorithm;
    collective::Kind kind;
};

/// Whatever an algorithm says it does, on its scene.
inline std::vector<AlgorithmAndKind> everything_done()
{
    using collective::Kind;
    std::vector<AlgorithmAndKind> all;
    for (const auto& [word, algorithm] : spec::algorithm_words()) {
        if (algorithm == spec::Algorithm::automatic) {
            continue;
        }
        const auto scene = scene_of(algorithm);
        const Machine machine{scene.cluster};
        for (const auto kind : {Kind::all_reduce, Kind::all_gather, Kind::reduce_scatter,
                                Kind::all_to_all, Kind::broadcast, Kind::reduce}) {
            try {
                using namespace literals;
                static_cast<void>(machine.plan(kind, 1_MB, scene.members, algorithm));
                all.push_back({algorithm, kind});
            } catch (const InputError& error) {
                const auto why = std::string{collective::name(algorithm)} + " does not do " +
                                 std::string{collective::name(kind)};
                if (error.diagnostics().front().message != why) {
                    throw;
                }
            }
        }
    }
    return all;
}

}  // namespace sim::test
