#pragma once

#include <cstdint>
#include <optional>

#include "core/quantity.hpp"
#include "spec/attention.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

enum class OperationKind : std::uint8_t {
    gemm,       ///< m x n x k, `batch` of them in one kernel
    attention,  ///< fused; m queries, n keys, k head dimension, `batch` heads x sequences
    streaming,  ///< bytes in, bytes out: norms, activations, residuals, the optimiser
    counted,    ///< FLOPs and bytes are all that is known: at the rate of large products
};

/// One GPU kernel by its shape.
struct Operation {
    OperationKind kind = OperationKind::streaming;
    Precision precision = Precision::bf16;
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t batch = 1;
    std::optional<AttentionLibrary> library{};  ///< of fused attention; absent: the GPU's last
    bool unaligned = false;  ///< of a gemm: rows of an operand begin off 16 bytes
    bool causal = true;      ///< of fused attention
    bool backward = false;   ///< of fused attention
    Flops flops{};           ///< executed by this kernel (causal attention counts what it computes)
    double bytes = 0;        ///< HBM traffic, reads and writes
    bool recomputed = false;  ///< repeats forward work: in HFU, not in MFU

    friend bool operator==(const Operation&, const Operation&) = default;
};

}  // namespace sim::spec
