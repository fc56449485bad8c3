#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "spec/node.hpp"

namespace sim::fabric
{

/// Joins every GPU to `switches` new NVSwitches named `name` + number, each link with an equal part
/// of the GPU's bandwidth; one switch has the bare name.
void join_through_switches(Graph& graph, const std::vector<VertexId>& gpus,
                           const spec::NvlinkSpec& nvlink, int switches, const std::string& name);

/// Joins each pair by `links` of the `links_per_gpu` that share the GPU's bandwidth.
void join_pairs(Graph& graph, const std::vector<VertexId>& gpus, const spec::NvlinkSpec& nvlink,
                const spec::MeshSpec& mesh);

}  // namespace sim::fabric
