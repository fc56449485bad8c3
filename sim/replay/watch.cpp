#include "replay/watch.hpp"

#include "replay/progress.hpp"
#include "replay/rendezvous.hpp"

namespace sim::replay
{

namespace
{

constexpr unsigned kHalf = 32;
constexpr std::uint64_t kLowHalf = (std::uint64_t{1} << kHalf) - 1;
constexpr std::uint64_t kStreams = (std::uint64_t{1} << kStreamBits) - 1;

}  // namespace

Watch::Watch(const Instances& instances, bool paces)
    : ranks_{instances.graph.ranks()},
      has_paces_{paces},
      paces_{instances, 2 * ranks_ + instances.graph.communicators.size()},
      path_{instances.graph},
      memory_{instances.graph},
      waits_(ranks_)
{
}

void Watch::started(engine::ActivityId id, const engine::Activity& activity, std::uint32_t of_phase,
                    Time now)
{
    const auto token = activity.token;
    std::size_t owner = 0;
    if ((token & kChunk) != 0) {
        owner = 2 * ranks_ + ((token & ~kChunk) >> kHalf);
    } else if ((token & kCollective) != 0) {
        owner = 2 * ranks_ + (token & kLowHalf);
    } else {
        const RankId rank{static_cast<std::size_t>(token >> kStreamBits)};
        path_.task_started(rank, static_cast<std::uint32_t>(token & kStreams), now);
        owner = (copy_ ? ranks_ : 0) + rank.index();
    }
    if (has_paces_) {
        paces_.started(id, activity, owner, 1.0 / of_phase);
    }
}

void Watch::waited(RankId rank, RankId last, Time time)
{
    if (time > Time{}) {
        waits_[rank.index()][last.index()] += time;
    }
}

void Watch::open(Time now)
{
    paces_.open(now);
    path_.open(now);
    memory_.open(now);
    waits_.assign(ranks_, {});
}

}  // namespace sim::replay
