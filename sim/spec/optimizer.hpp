#pragma once

#include <cstdint>

#include "spec/precision.hpp"

namespace sim::spec
{

enum class Optimizer : std::uint8_t { adam, adam_8bit, adafactor, momentum, sgd };

/// What an optimiser keeps of a parameter. Adam two fp32 moments; in 8 bits two bytes and an fp32
/// scale of each for a block of 2,048 (arXiv:2110.02861); Adafactor a row's and a column's share of
/// the second moment, which is next to nothing (arXiv:1804.04235).
[[nodiscard]] constexpr double moment_bytes(Optimizer optimizer)
{
    switch (optimizer) {
        case Optimizer::adam:
            return 8;
        case Optimizer::adam_8bit:
            return 2 + 2 * 4.0 / 2048;
        case Optimizer::momentum:
            return 4;
        case Optimizer::adafactor:
        case Optimizer::sgd:
            return 0;
    }
    return 0;
}

/// A master copy in fp32 besides, where weights are narrower.
[[nodiscard]] constexpr double master_bytes(Precision computed)
{
    return element_bytes(computed) < 4 ? 4 : 0;
}

}  // namespace sim::spec
