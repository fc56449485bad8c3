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

constexpr std::size_t kGpus = 8;  ///< of a node
constexpr std::size_t kSpines = 16;
constexpr std::size_t kNodesPerLeaf = 4;

/// Consumptions are small whole numbers, which SimGrid represents exactly.
struct Gpu {
    ResourceId sms;  ///< in bytes/s of the kernels, twice what the memory gives
    ResourceId memory;
    ResourceId nvlink;
    ResourceId nic_out;
    ResourceId nic_in;
};

enum class What : std::uint64_t { kernel, node_ring, rail_ring };

std::uint64_t token(What what, std::size_t index)
{
    return index << 2 | static_cast<std::uint64_t>(what);
}

class TrainingPlayer : public Listener
{
public:
    TrainingPlayer(Engine& engine, const Training& training)
        : engine_{engine},
          training_{training},
          running_kernels_(training.nodes),
          layer_(training.nodes),
          arrived_(training.layers / training.layers_per_bucket)
    {
        for (std::size_t rank = 0; rank < training.nodes * kGpus; ++rank) {
            // One GPU is 5 % slow.
            const double speed = rank == 5 ? 0.95 : 1;
            gpus_.push_back({add(engine, 6.7e12 * speed), add(engine, 3.35e12 * speed),
                             add(engine, 450e9), add(engine, 50e9), add(engine, 50e9)});
        }
        const auto leaves = (training.nodes + kNodesPerLeaf - 1) / kNodesPerLeaf * kGpus;
        for (std::size_t i = 0; i < leaves * kSpines; ++i) {
            up_.push_back(add(engine, 100e9));
            down_.push_back(add(engine, 100e9));
        }
    }

    Outcome play()
    {
        for (std::size_t node = 0; node < training_.nodes; ++node) {
            start_layer(node);
        }
        engine_.run(*this);
        return {activities_, engine_.now().base()};
    }

    void finished(std::uint64_t done) override
    {
        const auto index = static_cast<std::size_t>(done >> 2);
        switch (static_cast<What>(done & 3)) {
            case What::kernel:
                if (--running_kernels_[index] == 0) {
                    start_node_ring(index);
                }
                break;
            case What::node_ring:
                end_layer(index);
                break;
            case What::rail_ring:
                break;
        }
    }
    void timer(std::uint64_t /*token*/) override {}

private:
    void start(double amount, What what, std::size_t index)
    {
        ++activities_;
        engine_.start({.amount = amount,
                       .latency = Time::of(2e-6),
                       .uses = uses_,
                       .token = token(what, index)});
        uses_.clear();
    }

    void start_layer(std::size_t node)
    {
        running_kernels_[node] = kGpus;
        for (std::size_t i = 0; i < kGpus; ++i) {
            const auto rank = node * kGpus + i;
            uses_ = {{gpus_[rank].sms, 1}, {gpus_[rank].memory, 1}};
            const double jitter = 1 + 4e-3 * uniform(mix(7, rank), layer_[node]);
            start(3e9 * jitter, What::kernel, node);
        }
    }

    void start_node_ring(std::size_t node)
    {
        for (std::size_t i = 0; i < kGpus; ++i) {
            const auto& gpu = gpus_[node * kGpus + i];
            uses_.push_back({gpu.nvlink, 1});
            uses_.push_back({gpu.memory, 3});
            uses_.push_back({gpu.sms, 1});
        }
        start(200e6, What::node_ring, node);
    }

    void end_layer(std::size_t node)
    {
        const auto done = ++layer_[node];
        if (done % training_.layers_per_bucket == 0) {
            const auto bucket = done / training_.layers_per_bucket - 1;
            if (++arrived_[bucket] == training_.nodes) {
                for (std::size_t rail = 0; rail < kGpus; ++rail) {
                    start_rail_ring(rail, bucket);
                }
            }
        }
        if (done < training_.layers) {
            start_layer(node);
        }
    }

    void start_rail_ring(std::size_t rail, std::size_t bucket)
    {
        for (std::size_t node = 0; node < training_.nodes; ++node) {
            const auto& gpu = gpus_[node * kGpus + rail];
            uses_.push_back({gpu.nic_out, 1});
            uses_.push_back({gpu.nic_in, 1});
            uses_.push_back({gpu.memory, 3});
            uses_.push_back({gpu.sms, 1});
            const auto next = (node + 1) % training_.nodes;
            const auto leaf = node / kNodesPerLeaf * kGpus + rail;
            const auto next_leaf = next / kNodesPerLeaf * kGpus + rail;
            if (leaf != next_leaf) {
                const auto spine = mix(8, node * kGpus + rail) % kSpines;
                uses_.push_back({up_[leaf * kSpines + spine], 1});
                uses_.push_back({down_[next_leaf * kSpines + spine], 1});
            }
        }
        start(100e6 * (1 + 1e-2 * uniform(9, bucket * kGpus + rail)), What::rail_ring, rail);
    }

    Engine& engine_;
    Training training_;
    std::vector<Gpu> gpus_;
    std::vector<ResourceId> up_;
    std::vector<ResourceId> down_;
    std::vector<std::size_t> running_kernels_;
    std::vector<std::size_t> layer_;
    std::vector<std::size_t> arrived_;
    std::vector<Use> uses_;
    std::uint64_t activities_ = 0;
};

}  // namespace

Outcome play(Engine& engine, const Training& training)
{
    return TrainingPlayer{engine, training}.play();
}

}  // namespace bench
