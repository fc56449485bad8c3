#include "fabric/clos.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quantity_text.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

constexpr auto* kSmaller = "put fewer nodes on a leaf, oversubscribe more, or use a larger switch";

/// One plan in the making: what was asked, what is known so far.
class Planner
{
public:
    Planner(const spec::ClosSpec& spec, const ClosDemand& demand, Diagnostics& diagnostics)
        : spec_{spec}, demand_{demand}, diagnostics_{diagnostics}
    {
    }

    [[nodiscard]] ClosShape plan();

private:
    [[nodiscard]] int ports(const spec::SwitchSpec& model) const
    {
        const int own = ports_of(model, shape_.uplink);
        return demand_.radix > 0 ? std::min(demand_.radix, own) : own;
    }

    /// Uplinks of a switch with `down` cables of `rate`; 0 with a diagnostic when not whole.
    [[nodiscard]] int uplinks(const char* key, const char* what, double exact);
    [[nodiscard]] int fewest_above(int below, int uplinks, int ports) const;
    void check_leaf();
    void plan_spines();
    void plan_pods();
    void plan_cores();

    const spec::ClosSpec& spec_;
    const ClosDemand& demand_;
    Diagnostics& diagnostics_;
    ClosShape shape_;
};

int Planner::uplinks(const char* key, const char* what, double exact)
{
    const int whole = whole_or_none(exact);
    if (whole == 0) {
        complain(
            diagnostics_, key,
            fmt::format("a {} would need {:.6g} uplinks, which is not a whole number", what, exact),
            "choose oversubscription, nodes and uplink so that it is");
    }
    return whole;
}

/// Fewest switches that take the uplinks of each of `below` switches in equal parts, or 0.
int Planner::fewest_above(int below, int uplinks, int ports) const
{
    for (int above = 1; above <= uplinks; ++above) {
        if (uplinks % above == 0 && below * (uplinks / above) <= ports) {
            return above;
        }
    }
    return 0;
}

void Planner::check_leaf()
{
    const auto& leaf = spec_.leaf;
    const int wanted = shape_.downlinks + shape_.uplinks;
    const int most = demand_.radix > 0 ? std::min(demand_.radix, leaf.max_ports) : leaf.max_ports;
    if (wanted > most) {
        complain(diagnostics_, "leaf",
                 fmt::format("a leaf needs {} ports ({} down, {} up), but \"{}\" has {}", wanted,
                             shape_.downlinks, shape_.uplinks, leaf.name, most),
                 kSmaller);
    }
    const auto load = demand_.port * shape_.downlinks + shape_.uplink * shape_.uplinks;
    if (load > leaf.capacity * (1 + 1e-9)) {
        complain(diagnostics_, "leaf",
                 fmt::format("the ports of a leaf carry {}, but \"{}\" switches {}",
                             to_bit_text(load), leaf.name, to_bit_text(leaf.capacity)),
                 kSmaller);
    }
}

/// Two tiers: every leaf on every spine.
void Planner::plan_spines()
{
    const int most = ports(spec_.spine);
    if (spec_.parallel) {
        shape_.parallel = *spec_.parallel;
        if (shape_.uplinks % shape_.parallel != 0) {
            complain(diagnostics_, "parallel",
                     fmt::format("{} uplinks of a leaf do not divide into bundles of {}",
                                 shape_.uplinks, shape_.parallel),
                     "write a divisor, or leave it out");
            return;
        }
        shape_.spines_per_pod = shape_.uplinks / shape_.parallel;
    } else {
        shape_.spines_per_pod = fewest_above(shape_.leaves, shape_.uplinks, most);
        shape_.parallel = shape_.spines_per_pod > 0 ? shape_.uplinks / shape_.spines_per_pod : 1;
    }
    if (shape_.spines_per_pod == 0 || shape_.leaves * shape_.parallel > most) {
        complain(diagnostics_, "spine",
                 fmt::format("{} leaves need spines of at least {} ports of {}, but \"{}\" has {}",
                             shape_.leaves, shape_.leaves * shape_.parallel,
                             to_bit_text(shape_.uplink), spec_.spine.name, most),
                 "put more nodes on a leaf, use a larger switch, or 3 tiers");
    }
}

/// Three tiers: the fewest pods that hold all leaves in equal parts, each pod's spines with as many
/// ports down as the oversubscription leaves them.
void Planner::plan_pods()
{
    const double down_share = spec_.spine_oversubscription / (1 + spec_.spine_oversubscription);
    shape_.parallel = spec_.parallel.value_or(1);
    const int down = static_cast<int>(ports(spec_.spine) * down_share * (1 + 1e-9));
    const int largest = down / shape_.parallel;
    if (largest == 0 || shape_.uplinks % shape_.parallel != 0) {
        complain(
            diagnostics_, largest == 0 ? "spine" : "parallel",
            fmt::format("{} cables to each spine fit neither {} uplinks of a leaf nor {} ports "
                        "down of a spine",
                        shape_.parallel, shape_.uplinks, down),
            "write fewer, or use a larger switch");
        return;
    }
    shape_.pods = (shape_.leaves + largest - 1) / largest;
    while (shape_.leaves % shape_.pods != 0) {
        ++shape_.pods;
    }
    shape_.spines_per_pod = shape_.uplinks / shape_.parallel;
}

void Planner::plan_cores()
{
    if (shape_.pods == 1 || shape_.spines_per_pod == 0) {
        return;
    }
    const int down = shape_.leaves / shape_.pods * shape_.parallel;
    shape_.spine_uplinks =
        uplinks("spine_oversubscription", "spine", down / spec_.spine_oversubscription);
    const int most = ports(spec_.core);
    if (spec_.core_parallel && shape_.spine_uplinks % *spec_.core_parallel == 0) {
        shape_.cores_per_group = shape_.spine_uplinks / *spec_.core_parallel;
    } else {
        shape_.cores_per_group = fewest_above(shape_.pods, shape_.spine_uplinks, most);
    }
    if (spec_.core_parallel && shape_.spine_uplinks % *spec_.core_parallel != 0) {
        complain(diagnostics_, "core_parallel",
                 fmt::format("{} uplinks of a spine do not divide into bundles of {}",
                             shape_.spine_uplinks, *spec_.core_parallel),
                 "write a divisor, or leave it out");
    }
    shape_.core_parallel =
        shape_.cores_per_group > 0 ? shape_.spine_uplinks / shape_.cores_per_group : 1;
    const int wanted = shape_.pods * shape_.core_parallel;
    if (shape_.spine_uplinks > 0 && (shape_.cores_per_group == 0 || wanted > most)) {
        complain(
            diagnostics_, "core",
            fmt::format("{} pods need cores of at least {} ports of {}, but \"{}\" has {}",
                        shape_.pods, wanted, to_bit_text(shape_.uplink), spec_.core.name, most),
            "use larger switches");
    }
}

ClosShape Planner::plan()
{
    shape_.leaves = demand_.leaves;
    shape_.downlinks = demand_.downlinks;
    shape_.uplink = spec_.uplink.value_or(demand_.port);
    if (shape_.leaves > 1) {
        shape_.uplinks =
            uplinks("oversubscription", "leaf",
                    demand_.downlinks * (demand_.port / shape_.uplink) / spec_.oversubscription);
    }
    check_leaf();
    if (shape_.uplinks == 0) {
        return shape_;
    }
    if (spec_.tiers == 3) {
        plan_pods();
        plan_cores();
    } else {
        plan_spines();
    }
    return shape_;
}

/// The switches of one tier of the whole network.
struct Tier {
    VertexKind kind;
    const char* word;
    const spec::SwitchSpec& model;
};

std::vector<VertexId> add_tier(Fabric& fabric, const Tier& tier, int count,
                               const std::string& prefix)
{
    std::vector<VertexId> switches;
    for (int i = 0; i < count; ++i) {
        switches.push_back(
            add_switch(fabric, tier.kind, prefix + tier.word + std::to_string(i), tier.model));
    }
    return switches;
}

}  // namespace

ClosShape plan_clos(const spec::ClosSpec& spec, const ClosDemand& demand, Diagnostics& diagnostics)
{
    return Planner{spec, demand, diagnostics}.plan();
}

std::vector<VertexId> add_clos(Fabric& fabric, const spec::ClusterSpec& cluster,
                               const spec::ClosSpec& spec, const ClosShape& shape,
                               const std::string& prefix)
{
    std::vector<VertexId> leaves;
    std::vector<VertexId> spines;
    Bundle bundle{.from = {},
                  .to = {},
                  .kind = LinkKind::leaf_spine,
                  .rate = shape.uplink,
                  .cables = shape.parallel,
                  .from_latency = spec.leaf.latency,
                  .to_latency = spec.spine.latency};
    for (int pod = 0; pod < shape.pods; ++pod) {
        const auto own = shape.pods == 1 ? prefix : prefix + "pod" + std::to_string(pod) + "/";
        const auto below =
            add_tier(fabric, {VertexKind::leaf, "leaf", spec.leaf}, shape.leaves / shape.pods, own);
        const auto above =
            add_tier(fabric, {VertexKind::spine, "spine", spec.spine}, shape.spines_per_pod, own);
        for (const auto spine : above) {
            for (const auto leaf : below) {
                bundle.from = leaf;
                bundle.to = spine;
                join_switches(fabric, cluster, bundle);
            }
        }
        leaves.insert(leaves.end(), below.begin(), below.end());
        spines.insert(spines.end(), above.begin(), above.end());
    }
    bundle.kind = LinkKind::spine_core;
    bundle.cables = shape.core_parallel;
    bundle.from_latency = spec.spine.latency;
    bundle.to_latency = spec.core.latency;
    const auto cores =
        add_tier(fabric, {VertexKind::core, "core", spec.core}, shape.cores(), prefix);
    for (std::size_t core = 0; core < cores.size(); ++core) {
        const auto place = core / static_cast<std::size_t>(shape.cores_per_group);
        for (std::size_t pod = 0; pod < static_cast<std::size_t>(shape.pods); ++pod) {
            bundle.from = spines[pod * static_cast<std::size_t>(shape.spines_per_pod) + place];
            bundle.to = cores[core];
            join_switches(fabric, cluster, bundle);
        }
    }
    return leaves;
}

std::optional<Bandwidth> clos_half(const ClosShape& shape, Bandwidth unlimited, double efficiency)
{
    if (shape.leaves == 1) {
        return unlimited;
    }
    if (shape.pods == 1 ? shape.leaves % 2 != 0 : shape.pods % 2 != 0) {
        return std::nullopt;
    }
    const auto cable = shape.uplink * efficiency;
    const auto up = cable * static_cast<double>(shape.leaves / 2 * shape.uplinks);
    if (shape.pods == 1) {
        return std::min(unlimited, up);
    }
    return std::min(
        {unlimited, up, cable * static_cast<double>(shape.spines() / 2 * shape.spine_uplinks)});
}

int downlinks_of(const spec::ClosSpec& spec, int radix, Bandwidth port)
{
    const auto uplink = spec.uplink.value_or(port);
    return whole_or_none(radix / (1 + port / uplink / spec.oversubscription));
}

}  // namespace sim::fabric
