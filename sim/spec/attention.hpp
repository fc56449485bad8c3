#pragma once

#include <cstdint>
#include <string_view>

namespace sim::spec
{

/// Who computes attention. `unfused` is matrix products around a softmax that goes through memory.
enum class AttentionLibrary : std::uint8_t { unfused, flash_1, flash_2, flash_3, cudnn };

[[nodiscard]] constexpr std::string_view attention_library_name(AttentionLibrary library)
{
    switch (library) {
        case AttentionLibrary::unfused:
            return "unfused";
        case AttentionLibrary::flash_1:
            return "flash_1";
        case AttentionLibrary::flash_2:
            return "flash_2";
        case AttentionLibrary::flash_3:
            return "flash_3";
        case AttentionLibrary::cudnn:
            return "cudnn";
    }
    return "";
}

/// How fast a fused kernel goes in one direction on one GPU; sim/compute/attention.md has the
/// equation they stand in.
struct AttentionPass {
    double rate = 0;     ///< of the data sheet's rate, were heads and sequences endless; in (0, 1]
    double softmax = 0;  ///< columns of a head that the softmax's own work is worth
    double fill = 0;     ///< keys that starting and ending a tile of queries is worth
    friend bool operator==(const AttentionPass&, const AttentionPass&) = default;
};

struct AttentionSpec {
    AttentionPass forward{};
    AttentionPass backward{};
    friend bool operator==(const AttentionSpec&, const AttentionSpec&) = default;
};

}  // namespace sim::spec
