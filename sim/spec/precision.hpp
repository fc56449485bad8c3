#pragma once

#include <cstdint>
#include <string_view>

namespace sim::spec
{

enum class Precision : std::uint8_t { fp32, tf32, bf16, fp16, fp8, fp4 };

/// Bytes of one element in memory; tf32 is stored as fp32. fp4 is half a byte.
[[nodiscard]] constexpr double element_bytes(Precision precision)
{
    switch (precision) {
        case Precision::fp32:
        case Precision::tf32:
            return 4;
        case Precision::bf16:
        case Precision::fp16:
            return 2;
        case Precision::fp8:
            return 1;
        case Precision::fp4:
            return 0.5;
    }
    return 0;
}

/// As users write it.
[[nodiscard]] constexpr std::string_view precision_name(Precision precision)
{
    switch (precision) {
        case Precision::fp32:
            return "fp32";
        case Precision::tf32:
            return "tf32";
        case Precision::bf16:
            return "bf16";
        case Precision::fp16:
            return "fp16";
        case Precision::fp8:
            return "fp8";
        case Precision::fp4:
            return "fp4";
    }
    return "";
}

}  // namespace sim::spec
