#include <numeric>
#include <utility>
#include <vector>

#include "bench/engine_work.hpp"
#include "bench/engine_work_parts.hpp"

namespace bench
{

namespace
{

using sim::mix;
using sim::ResourceId;
using sim::Time;
using sim::engine::Engine;
using sim::engine::Listener;
using sim::engine::Use;

/// One direction of every link of a level, by (group, member).
class Level
{
public:
    Level(Engine& engine, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            links_.push_back(add(engine, 50e9));
        }
    }
    [[nodiscard]] Use use(std::size_t index) const { return {links_[index], 1}; }

private:
    std::vector<ResourceId> links_;
};

class PermutationPlayer : public Listener
{
public:
    PermutationPlayer(Engine& engine, const Permutation& permutation)
        : engine_{engine},
          radix_{permutation.radix},
          hosts_{radix_ * radix_ * radix_},
          up_{Level{engine, hosts_}, Level{engine, hosts_}, Level{engine, hosts_}},
          down_{Level{engine, hosts_}, Level{engine, hosts_}, Level{engine, hosts_}},
          target_(hosts_)
    {
        std::iota(target_.begin(), target_.end(), std::size_t{0});
        for (std::size_t i = hosts_ - 1; i > 0; --i) {
            std::swap(target_[i], target_[mix(2, i) % (i + 1)]);
        }
    }

    Outcome play()
    {
        // An alone flow of the mean size takes 20 ms; arrivals spread over 5 ms.
        for (std::size_t host = 0; host < hosts_; ++host) {
            engine_.set_timer(Time::of(5e-3 * uniform(3, host)), host);
        }
        engine_.run(*this);
        return {hosts_, engine_.now().base()};
    }

    void finished(std::uint64_t /*token*/) override {}
    void timer(std::uint64_t host) override
    {
        const auto uses = path(host, target_[host]);
        engine_.start({.amount = 1e9 * (0.5 + uniform(4, host)), .uses = uses, .token = host});
    }

private:
    /// Leaf to aggregation switch `middle`, that to core `top` of its group, and down again.
    [[nodiscard]] std::vector<Use> path(std::size_t from, std::size_t to) const
    {
        std::vector<Use> uses{up_[0].use(from), down_[0].use(to)};
        const auto middle = mix(5, from) % radix_;
        const auto top = mix(6, from) % radix_;
        const auto leaf_from = from / radix_;
        const auto leaf_to = to / radix_;
        if (leaf_from != leaf_to) {
            uses.push_back(up_[1].use(leaf_from * radix_ + middle));
            uses.push_back(down_[1].use(leaf_to * radix_ + middle));
        }
        const auto pod_from = leaf_from / radix_;
        const auto pod_to = leaf_to / radix_;
        if (pod_from != pod_to) {
            uses.push_back(up_[2].use((pod_from * radix_ + middle) * radix_ + top));
            uses.push_back(down_[2].use((pod_to * radix_ + middle) * radix_ + top));
        }
        return uses;
    }

    Engine& engine_;
    std::size_t radix_;
    std::size_t hosts_;
    std::vector<Level> up_;
    std::vector<Level> down_;
    std::vector<std::size_t> target_;
};

}  // namespace

Outcome play(Engine& engine, const Permutation& permutation)
{
    return PermutationPlayer{engine, permutation}.play();
}

}  // namespace bench
