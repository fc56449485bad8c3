#include "config/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/documents.hpp"
#include "config/experiment_reading.hpp"
#include "config/explore.hpp"
#include "config/measured_gpus.hpp"
#include "config/measured_steps.hpp"
#include "config/measured_systems.hpp"
#include "config/read_cluster.hpp"
#include "config/read_costs.hpp"
#include "config/read_memory.hpp"
#include "config/read_storage.hpp"
#include "config/schema_writer.hpp"

namespace sim::config
{

namespace
{

constexpr const char* kName = "example";

void read_as_experiment(const Node& root, Report& report)
{
    Documents documents;
    static_cast<void>(read_experiment(MapReader{report, root}, kName, documents));
}

void read_as_sweep(const Node& root, Report& report)
{
    const auto nothing = [](const std::vector<spec::Base>&) { return std::set<std::string>{}; };
    static_cast<void>(read_sweep(MapReader{report, root}, kName, nothing));
}

void read_as_cluster(const Node& root, Report& report)
{
    Documents documents;
    static_cast<void>(read_cluster(MapReader{report, root}, documents));
}

template <class Spec, Spec (*read)(MapReader)>
void read_as(const Node& root, Report& report)
{
    static_cast<void>(read(MapReader{report, root}));
}

struct Kind {
    const char* name;
    const char* what;
    void (*read)(const Node& root, Report& report);
};

constexpr Kind kKinds[] = {
    {"experiment", "configs/*.yaml", read_as_experiment},
    {"sweep", "configs/sweeps", read_as_sweep},
    {"cluster", "topologies", read_as_cluster},
    {"memory", "configs/hardware/memory", read_as<spec::DramSpec, read_dram>},
    {"gpu-memory", "configs/hardware/memory/gpu", read_as<spec::GpuMemorySpec, read_gpu_memory>},
    {"ssd", "configs/hardware/ssd", read_as<spec::SsdSpec, read_ssd>},
    {"hdd", "configs/hardware/ssd", read_as<spec::HddSpec, read_hdd>},
    {"costs", "configs/hardware/costs.yaml", read_as<spec::CostSpec, read_costs>},
    {"measured-systems", "configs/validation/collective-systems.yaml",
     read_as<MeasuredSystems, read_measured_systems>},
    {"measured-gpus", "configs/validation/kernel-gpus.yaml",
     read_as<MeasuredGpus, read_measured_gpus>},
    {"measured-steps", "configs/validation/step-systems.yaml",
     read_as<std::vector<StepRule>, read_step_rules>},
};

/// The mapping at a dotted key; null when there is none.
const MapOutline* mapping_at(const MapOutline& root, const std::string& dotted)
{
    const auto* at = &root;
    for (std::size_t from = 0; from <= dotted.size();) {
        const auto dot = std::min(dotted.find('.', from), dotted.size());
        const auto* key = at->find(dotted.substr(from, dot - from));
        if (key == nullptr || !key->section) {
            return nullptr;
        }
        at = key->section.get();
        from = dot + 1;
    }
    return at;
}

}  // namespace

std::vector<SchemaKind> schema_kinds()
{
    std::vector<SchemaKind> kinds;
    for (const auto& kind : kKinds) {
        kinds.push_back({kind.name, kind.what});
    }
    return kinds;
}

std::string json_schema(const std::string& name)
{
    for (const auto& kind : kKinds) {
        if (name == kind.name) {
            return schema_text(*explore(kind.read), {"Weftsim: " + name, false});
        }
    }
    const auto experiment = explore(read_as_experiment);
    if (const auto* mapping = mapping_at(*experiment, name)) {
        return schema_text(*mapping, {"Weftsim: a file that " + name + " extends", true});
    }
    std::vector<std::string> known;
    for (const auto& kind : kKinds) {
        known.emplace_back(kind.name);
    }
    const auto near = closest(name, known);
    refuse("--schema", fmt::format("there is no schema of \"{}\"", name),
           near.empty() ? fmt::format("write one of {}, or a mapping of an experiment, such as "
                                      "cluster.gpu",
                                      fmt::join(known, ", "))
                        : fmt::format("did you mean \"{}\"?", near));
}

}  // namespace sim::config
