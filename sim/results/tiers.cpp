#include "results/tiers.hpp"

#include "core/contract.hpp"

namespace sim::results
{

namespace
{

using replay::TierUse;

const std::vector<TierUse>& uses(const Points& points)
{
    static const std::vector<TierUse> none;
    SIM_EXPECT(points.set.points.size() == 1);
    const auto& runs = points.set.points.front().runs;
    return runs.empty() ? none : runs.front().result.tiers;
}

template <class T, class Of>
Variable per_tier(const std::vector<TierUse>& tiers, Label label, Of of)
{
    std::vector<T> values;
    for (const auto& use : tiers) {
        values.push_back(of(use));
    }
    return {std::move(label.name),
            {"tier"},
            std::move(values),
            std::move(label.units),
            std::move(label.long_name)};
}

}  // namespace

bool uses_tiers(const Points& points) { return !uses(points).empty(); }

Group tiers_group(const Points& points)
{
    const auto& tiers = uses(points);
    std::vector<std::string> names;
    for (const auto& use : tiers) {
        names.push_back(use.name);
    }
    Group group{"tiers", {}};
    auto& v = group.variables;
    v.push_back(words("tier", names, "memory or drives besides the GPUs' memory"));
    v.push_back(per_tier<std::int64_t>(tiers, {"capacity", "B", "what it has"},
                                       [](const TierUse& use) { return use.capacity.base(); }));
    v.push_back(per_tier<std::int64_t>(tiers, {"held", "B", "by all GPUs that share it"},
                                       [](const TierUse& use) { return use.held.base(); }));
    v.push_back(per_tier<double>(tiers, {"read", "B", "in a step"},
                                 [](const TierUse& use) { return use.read; }));
    v.push_back(per_tier<double>(tiers, {"written", "B", "in a step"},
                                 [](const TierUse& use) { return use.written; }));
    v.push_back(per_tier<double>(tiers,
                                 {"worn_after", "s", "such steps wear the drives out; 0: never"},
                                 [](const TierUse& use) { return use.years * 365 * 86400; }));
    return group;
}

}  // namespace sim::results
