#include "fabric/equalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/diagnostics.hpp"

namespace sim::fabric
{
namespace
{

constexpr double kSame = 1e-9;

[[noreturn]] void refuse(const spec::ClusterSpec& cluster, const std::string& why,
                         const std::string& hint)
{
    Diagnostic diagnostic;
    diagnostic.key = "--equal";
    diagnostic.message = fmt::format("{} {}", cluster.name, why);
    diagnostic.hint = hint;
    throw InputError{{diagnostic}};
}

/// Multiplies every line rate of a network.
class RateScale
{
public:
    explicit RateScale(double factor) : factor_{factor} {}

    void operator()(Bandwidth& rate) const { rate = rate * factor_; }
    void operator()(std::optional<Bandwidth>& rate) const
    {
        if (rate) {
            (*this)(*rate);
        }
    }
    void operator()(spec::SwitchSpec& device) const { (*this)(device.capacity); }

    void operator()(spec::ClosSpec& clos) const
    {
        all(clos.uplink, clos.leaf, clos.spine, clos.core);
    }
    void operator()(spec::LeafSpineSpec& net) const { all(net.uplink, net.leaf, net.spine); }
    void operator()(spec::FatTreeSpec& net) const { (*this)(net.clos); }
    void operator()(spec::RailOptimisedSpec& net) const { (*this)(net.clos); }
    void operator()(spec::MultiPlaneSpec& net) const { (*this)(net.clos); }
    void operator()(spec::TorusSpec& net) const { all(net.link, net.device); }
    void operator()(spec::DragonflySpec& net) const
    {
        all(net.local_link, net.global_link, net.device);
    }
    void operator()(spec::SingleSwitchSpec& net) const { (*this)(net.device); }
    void operator()(spec::CustomSpec& net) const
    {
        (*this)(net.device);
        for (auto& device : net.switches) {
            if (device.model) {
                (*this)(*device.model);
            }
        }
        for (auto& cable : net.links) {
            (*this)(cable.bandwidth);
        }
    }

private:
    template <class... Parts>
    void all(Parts&... parts) const
    {
        ((*this)(parts), ...);
    }

    double factor_;
};

Equalised by_rate(const spec::ClusterSpec& cluster, double target)
{
    const double now = measure(describe(cluster, build(cluster)), Basis::bisection);
    if (!(now > 0)) {
        refuse(cluster, "has no bisection: nothing is between the halves of its nodes",
               "compare it at equal ports or cost");
    }
    const double factor = target / now;
    Equalised found{cluster, {}, 0};
    const RateScale scale{factor};
    scale(found.cluster.node.nic.bandwidth);
    std::visit(scale, found.cluster.fabric.network);
    found.reached = measure(describe(found.cluster, build(found.cluster)), Basis::bisection);
    found.change = std::abs(factor - 1) <= kSame
                       ? "as it is"
                       : fmt::format("every line rate x {:.6g}, a NIC of {:.6g} Gbps", factor,
                                     found.cluster.node.nic.bandwidth / Bandwidth::of(0.125e9));
    return found;
}

/// A cluster of another size, made of `steps` of the smallest whole parts.
struct Sizes {
    int step = 1;  ///< nodes
    std::string part = "nodes";
    bool by_side = false;  ///< a torus: planes along its first side
};

Sizes sizes_of(const spec::ClusterSpec& cluster)
{
    const auto& network = cluster.fabric.network;
    if (const auto* net = std::get_if<spec::LeafSpineSpec>(&network)) {
        return {net->nodes_per_leaf, "leaves"};
    }
    if (const auto* net = std::get_if<spec::RailOptimisedSpec>(&network)) {
        return {net->nodes_per_block, "blocks"};
    }
    if (const auto* net = std::get_if<spec::MultiPlaneSpec>(&network)) {
        return {net->nodes_per_leaf, "leaves"};
    }
    if (const auto* net = std::get_if<spec::TorusSpec>(&network)) {
        return {cluster.nodes / net->sides.front(), "planes along its first side", true};
    }
    if (std::holds_alternative<spec::DragonflySpec>(network)) {
        refuse(cluster,
               "cannot be brought to another size: the switches of a dragonfly follow from its "
               "groups, not from its nodes",
               "change its groups, or compare at equal bisection");
    }
    if (std::holds_alternative<spec::CustomSpec>(network)) {
        refuse(cluster, "cannot be brought to another size: its switches and cables are listed",
               "change the lists, or compare at equal bisection");
    }
    return {};
}

class SizeSearch
{
public:
    SizeSearch(const spec::ClusterSpec& cluster, Basis basis, double target)
        : cluster_{cluster}, basis_{basis}, target_{target}, sizes_{sizes_of(cluster)}
    {
    }

    [[nodiscard]] Equalised run();

private:
    [[nodiscard]] spec::ClusterSpec sized(int steps) const;
    /// Nothing when no network of that size can be built.
    [[nodiscard]] std::optional<double> at(int steps);
    [[nodiscard]] double distance(int steps);
    [[nodiscard]] int near_by(int steps);

    const spec::ClusterSpec& cluster_;
    Basis basis_;
    double target_;
    Sizes sizes_;
    std::map<int, std::optional<double>> known_;
};

spec::ClusterSpec SizeSearch::sized(int steps) const
{
    auto cluster = cluster_;
    cluster.nodes = steps * sizes_.step;
    if (auto* torus = std::get_if<spec::TorusSpec>(&cluster.fabric.network)) {
        torus->sides.front() = steps;
    }
    return cluster;
}

std::optional<double> SizeSearch::at(int steps)
{
    auto known = known_.find(steps);
    if (known == known_.end()) {
        std::optional<double> found;
        try {
            const auto cluster = sized(steps);
            found = measure(describe_counts(cluster, build(cluster)), basis_);
        } catch (const InputError&) {
            found = std::nullopt;
        }
        known = known_.emplace(steps, found).first;
    }
    return known->second;
}

double SizeSearch::distance(int steps)
{
    const auto found = at(steps);
    return found ? std::abs(*found / target_ - 1) : INFINITY;
}

/// The size as near to the target as there is among those around, the smaller of equals.
int SizeSearch::near_by(int steps)
{
    constexpr int kAround = 12;
    int best = steps;
    for (int other = std::max(1, steps - kAround); other <= steps + kAround; ++other) {
        best = distance(other) < distance(best) ? other : best;
    }
    return best;
}

Equalised SizeSearch::run()
{
    constexpr int kMostNodes = 1 << 17;
    constexpr int kMostTries = 24;
    int steps = std::max(1, cluster_.nodes / std::max(1, sizes_.step));
    if (!at(steps) || !(*at(steps) > 0)) {
        refuse(cluster_, "has no switch ports or prices to compare", "compare at equal bisection");
    }
    // Counts grow about as the nodes do; sizes that cannot be built are passed by.
    for (int tries = 0; tries < kMostTries && distance(steps) > kSame; ++tries) {
        const auto wanted = static_cast<double>(steps) * target_ / *at(steps);
        const auto next = near_by(static_cast<int>(
            std::clamp(std::round(wanted), 1.0, double{kMostNodes} / sizes_.step)));
        if (next == steps || distance(next) >= distance(steps)) {
            break;
        }
        steps = next;
    }
    steps = near_by(steps);
    Equalised found{sized(steps), {}, *at(steps)};
    const bool same = found.cluster.nodes == cluster_.nodes;
    found.change = same
                       ? "as it is"
                       : fmt::format("{} nodes instead of {}", found.cluster.nodes, cluster_.nodes);
    if (distance(steps) > kSame) {
        found.change +=
            fmt::format(", {:.2f} % {} the first: as near as whole {} come", 100 * distance(steps),
                        found.reached < target_ ? "below" : "above", sizes_.part);
    }
    return found;
}

}  // namespace

double measure(const Description& description, Basis basis)
{
    switch (basis) {
        case Basis::bisection:
            return description.bisection / Bandwidth::of(1);
        case Basis::ports:
            return static_cast<double>(switch_ports(description));
        case Basis::cost:
            break;
    }
    return description.total.price.value_or(Money{}) / Money::of(1);
}

Equalised equalise(const spec::ClusterSpec& cluster, Basis basis, double target)
{
    return basis == Basis::bisection ? by_rate(cluster, target)
                                     : SizeSearch{cluster, basis, target}.run();
}

}  // namespace sim::fabric
