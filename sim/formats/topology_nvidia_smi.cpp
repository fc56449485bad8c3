#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/gpu_links.hpp"
#include "formats/nic_affinity.hpp"
#include "formats/nvidia_matrix.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

constexpr int kOtherSocket = 4;

std::vector<GpuPair> pairs_of(const NvidiaMatrix& matrix)
{
    std::vector<GpuPair> pairs;
    for (std::size_t i = 0; i < matrix.gpus; ++i) {
        for (std::size_t j = i + 1; j < matrix.gpus; ++j) {
            if (const auto links = nvlinks(matrix.rows[i].relations[j])) {
                pairs.push_back({static_cast<int>(i), static_cast<int>(j), *links});
            }
        }
    }
    return pairs;
}

/// Sockets of the GPUs by NUMA node, of the NICs by a GPU on the same one; empty when one of them
/// does not say.
void add_sockets(const NvidiaMatrix& matrix, NodeInside& inside)
{
    std::map<int, int> socket_of_numa;
    std::vector<int> numa;
    for (std::size_t gpu = 0; gpu < matrix.gpus; ++gpu) {
        const auto number = to_count(matrix.rows[gpu].numa);
        if (!number) {
            return;
        }
        numa.push_back(*number);
        socket_of_numa[*number] = 0;
    }
    int sockets = 0;
    for (auto& [number, socket] : socket_of_numa) {
        socket = sockets++;
    }
    std::vector<int> of_nic;
    for (std::size_t nic = matrix.gpus; nic < matrix.devices.size(); ++nic) {
        std::set<int> near;
        for (std::size_t gpu = 0; gpu < matrix.gpus; ++gpu) {
            if (pcie_distance(matrix.rows[nic].relations[gpu]) != kOtherSocket) {
                near.insert(socket_of_numa.at(numa[gpu]));
            }
        }
        if (near.size() != 1) {
            return;
        }
        of_nic.push_back(*near.begin());
    }
    for (const int number : numa) {
        inside.socket_of_gpu.push_back(socket_of_numa.at(number));
    }
    inside.socket_of_nic = of_nic;
}

void add_nics(TopologySource& source, const NvidiaMatrix& matrix, NodeInside& inside)
{
    const auto nics = matrix.devices.size() - matrix.gpus;
    if (nics == 0) {
        return;
    }
    inside.nics = static_cast<int>(nics);
    std::vector<std::vector<int>> distance;
    for (std::size_t gpu = 0; gpu < matrix.gpus; ++gpu) {
        auto& row = distance.emplace_back();
        for (std::size_t nic = matrix.gpus; nic < matrix.devices.size(); ++nic) {
            const auto hops = pcie_distance(matrix.rows[gpu].relations[nic]);
            if (!hops) {
                source.error(matrix.rows[gpu].place,
                             fmt::format("{} and {} are joined by NVLink", matrix.devices[gpu],
                                         matrix.devices[nic]));
            }
            row.push_back(hops.value_or(kOtherSocket));
        }
    }
    inside.nic_of_gpu = nearest_nics(distance);
}

}  // namespace

Topology read_nvidia_smi(TopologySource& source)
{
    const auto matrix = parse_nvidia_matrix(source);
    if (source.failed()) {
        return {};
    }
    Topology topology;
    topology.format = "nvidia-smi topo -m";
    topology.nodes = 1;
    topology.network = spec::SingleSwitchSpec{};
    auto& inside = topology.inside;
    inside.gpus = static_cast<int>(matrix.gpus);
    inside.scale_up = scale_up_of(static_cast<int>(matrix.gpus), pairs_of(matrix));
    add_nics(source, matrix, inside);
    if (inside.nics) {
        add_sockets(matrix, inside);
    }
    return topology;
}

}  // namespace sim::formats
