#include "formats/infiniband_rate.hpp"

#include <algorithm>
#include <array>

#include "formats/topology_source.hpp"

namespace sim::formats
{

namespace
{

struct Speed {
    std::string_view word;
    double lane;  ///< Gb/s of data
};

constexpr std::array<Speed, 9> kSpeeds{{{"SDR", 2},
                                        {"DDR", 4},
                                        {"QDR", 8},
                                        {"FDR10", 10},
                                        {"FDR", 14.0625 * 64 / 66},
                                        {"EDR", 25},
                                        {"HDR", 50},
                                        {"NDR", 100},
                                        {"XDR", 200}}};

}  // namespace

std::optional<Bandwidth> infiniband_rate(std::string_view word)
{
    const auto cross = word.find('x');
    if (cross == word.npos) {
        return std::nullopt;
    }
    const auto lanes = to_count(word.substr(0, cross));
    const auto* speed = std::find_if(kSpeeds.begin(), kSpeeds.end(), [&](const Speed& s) {
        return s.word == word.substr(cross + 1);
    });
    if (!lanes || *lanes < 1 || *lanes > 12 || speed == kSpeeds.end()) {
        return std::nullopt;
    }
    return Bandwidth::of(*lanes * speed->lane * 1e9 / 8);
}

}  // namespace sim::formats
