#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>

#include "config/fixture.hpp"
#include "core/diagnostics.hpp"
#include "fabric/fabric.hpp"
#include "formats/topology.hpp"
#include "formats/topology_write.hpp"

namespace sim::formats
{

inline std::string sample_text(const std::string& name)
{
    std::ifstream file{WEFTSIM_SOURCE_DIR "/tests/formats/samples/" + name, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A sample under its bare name, so that messages hold no machine's paths.
inline Topology sample(const std::string& name, const TopologyReading& reading = {})
{
    return parse_topology(name, sample_text(name), reading);
}

/// The sample with `line` (its whole text) in the place of `old`.
inline std::string changed(const std::string& name, const std::string& old,
                           const std::string& instead)
{
    auto text = sample_text(name);
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), instead);
}

inline std::string refusal(const std::string& text, const TopologyReading& reading = {})
{
    try {
        (void)parse_topology("t", text, reading);
    } catch (const InputError& error) {
        return error.what();
    }
    return "read";
}

inline std::string warnings(const Topology& topology) { return render(topology.warnings); }

inline const spec::CustomSpec& custom(const Topology& topology)
{
    return std::get<spec::CustomSpec>(topology.network);
}

inline int cables(const spec::CustomSpec& custom)
{
    int sum = 0;
    for (const auto& link : custom.links) {
        sum += link.cables;
    }
    return sum;
}

inline std::map<std::string, spec::Tier> tiers(const spec::CustomSpec& custom)
{
    std::map<std::string, spec::Tier> all;
    for (const auto& device : custom.switches) {
        all[device.name] = device.tier;
    }
    return all;
}

/// The cables between two ends, in the order they are listed.
inline std::vector<spec::CustomSpec::Cable> between(const spec::CustomSpec& custom,
                                                    const std::string& from, const std::string& to)
{
    std::vector<spec::CustomSpec::Cable> found;
    for (const auto& link : custom.links) {
        if ((link.from == from && link.to == to) || (link.from == to && link.to == from)) {
            found.push_back(link);
        }
    }
    return found;
}

/// Everything a file may leave open that has a name.
inline TopologyParts all_parts()
{
    TopologyParts parts;
    parts.hardware = WEFTSIM_SOURCE_DIR "/configs/hardware";
    parts.gpu = "h100-sxm";
    parts.nvlink = "nvlink4-h100";
    parts.pcie = "gen5-x16";
    parts.nic = "connectx-7";
    parts.collective = "nccl";
    return parts;
}

/// Writes, loads what was written as a user would, and builds it.
class WrittenFile : public config::InFolder
{
protected:
    static spec::ClusterSpec loaded(const Topology& topology, const TopologyParts& parts)
    {
        write_good();
        write("cluster.yaml", write_topology(topology, parts, "t").yaml);
        const int ranks =
            topology.nodes * topology.inside.gpus.value_or(parts.gpus_per_node.value_or(1));
        return config::load_experiment("run.yaml",
                                       {{"workload.parallel.tensor", "1"},
                                        {"workload.global_batch", std::to_string(2 * ranks)}})
            .spec.cluster;
    }

    static fabric::Fabric built(const Topology& topology, const TopologyParts& parts)
    {
        return fabric::build(loaded(topology, parts));
    }
};

}  // namespace sim::formats
