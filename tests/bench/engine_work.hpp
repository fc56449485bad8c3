#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.hpp"

/// Work for an engine, the same for every engine: each plays itself through the seam and starts an
/// activity when the last thing it waits for has ended.
namespace bench
{

struct Outcome {
    std::uint64_t activities = 0;
    double end = 0;  ///< of the simulated world, s
};

/// Chunk-level ring all-reduce: in each of 2 (ranks - 1) steps every rank sends one chunk to the
/// next, as soon as it has its own previous chunk out and the one before it in.
struct Ring {
    std::size_t ranks;
    bool equal_links = true;  ///< else each link has a speed of its own, up to 20 % lower
    double latency = 0;       ///< s
    bool memory = false;      ///< a chunk is read from its sender's HBM and added into the next's
};
Outcome play(sim::engine::Engine& engine, const Ring& ring);

/// A random permutation on a 3-level fat-tree with as many uplinks as hosts everywhere; arrivals
/// and sizes are random, so flows come and go one by one. Each takes the path its hash gives.
struct Permutation {
    std::size_t radix;  ///< radix^3 hosts: radix pods of radix leaves of radix hosts
};
Outcome play(sim::engine::Engine& engine, const Permutation& permutation);

/// Training-like: nodes of 8 GPUs; every layer of a rank is a kernel on its SMs and HBM, then a
/// ring over the node's NVLinks; every few layers each rail (GPU i of all nodes) starts a ring over
/// its NICs and the hashed fabric links, beside the next layers. Rings use SMs and HBM of their
/// members. One GPU is 5 % slow and kernels differ by some per mille, so no two instants coincide.
struct Training {
    std::size_t nodes;
    std::size_t layers;
    std::size_t layers_per_bucket;
};
Outcome play(sim::engine::Engine& engine, const Training& training);

}  // namespace bench
