#pragma once

#include <cstdint>
#include <vector>

#include "collective/steps.hpp"

namespace sim::test
{

/// Which members' contributions a chunk on a member holds, each by how often.
using Chunk = std::vector<int>;
using Buffers = std::vector<std::vector<Chunk>>;  // [member][chunk]

/// At first every member holds its own contribution to every chunk.
inline Buffers own_contributions(std::uint32_t members, std::uint32_t chunks)
{
    Buffers buffers(members, std::vector<Chunk>(chunks, Chunk(members, 0)));
    for (std::uint32_t member = 0; member < members; ++member) {
        for (auto& chunk : buffers[member]) {
            chunk[member] = 1;
        }
    }
    return buffers;
}

/// Every member holds the chunk of its own number alone.
inline Buffers own_chunks(std::uint32_t members)
{
    Buffers buffers(members, std::vector<Chunk>(members, Chunk(members, 0)));
    for (std::uint32_t member = 0; member < members; ++member) {
        buffers[member][member][member] = 1;
    }
    return buffers;
}

/// All sends of a step happen at once: what is sent is what was there before the step.
inline void execute(const std::vector<collective::Step>& steps, Buffers& buffers)
{
    for (std::size_t first = 0; first < steps.size();) {
        const auto before = buffers;
        std::size_t i = first;
        for (; i < steps.size() && steps[i].step == steps[first].step; ++i) {
            const auto& sent = before[steps[i].from][steps[i].chunk];
            auto& received = buffers[steps[i].to][steps[i].chunk];
            for (std::size_t member = 0; member < sent.size(); ++member) {
                received[member] = sent[member] + (steps[i].reduce ? received[member] : 0);
            }
        }
        first = i;
    }
}

}  // namespace sim::test
