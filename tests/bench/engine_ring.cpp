#include <vector>

#include "bench/engine_work.hpp"
#include "bench/engine_work_parts.hpp"

namespace bench
{

namespace
{

using sim::Time;
using sim::engine::Engine;
using sim::engine::Listener;
using sim::engine::Use;

class RingPlayer : public Listener
{
public:
    RingPlayer(Engine& engine, const Ring& ring)
        : engine_{engine},
          steps_{2 * (ring.ranks - 1)},
          latency_{Time::of(ring.latency)},
          started_(ring.ranks),
          sent_(ring.ranks)
    {
        for (std::size_t i = 0; i < ring.ranks; ++i) {
            const double speed = ring.equal_links ? 1 : 1 - 0.2 * uniform(1, i);
            uses_.push_back({{add(engine, 50e9 * speed), 1}});
        }
        if (ring.memory) {
            for (std::size_t i = 0; i < ring.ranks; ++i) {
                const auto memory = add(engine, 3.35e12);
                uses_[i].push_back({memory, 1});
                uses_[(i + ring.ranks - 1) % ring.ranks].push_back({memory, 3});
            }
        }
    }

    Outcome play()
    {
        for (std::size_t rank = 0; rank < uses_.size(); ++rank) {
            send_if_ready(rank);
        }
        engine_.run(*this);
        return {uses_.size() * steps_, engine_.now().base()};
    }

    void finished(std::uint64_t rank) override
    {
        ++sent_[rank];
        send_if_ready(rank);
        send_if_ready(rank + 1 == uses_.size() ? 0 : rank + 1);
    }
    void timer(std::uint64_t /*token*/) override {}

private:
    void send_if_ready(std::size_t rank)
    {
        const auto step = started_[rank];
        const auto previous = rank == 0 ? uses_.size() - 1 : rank - 1;
        if (step < steps_ && sent_[rank] == step && (step == 0 || sent_[previous] >= step)) {
            ++started_[rank];
            engine_.start({.amount = 1e6, .latency = latency_, .uses = uses_[rank], .token = rank});
        }
    }

    Engine& engine_;
    std::size_t steps_;
    Time latency_;
    std::vector<std::vector<Use>> uses_;
    std::vector<std::size_t> started_;
    std::vector<std::size_t> sent_;
};

}  // namespace

Outcome play(Engine& engine, const Ring& ring) { return RingPlayer{engine, ring}.play(); }

}  // namespace bench
