#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fabric/switch_network.hpp"

namespace sim::fabric
{

/// One next link a switch and destination, as an InfiniBand subnet manager fills its tables.
///
/// Every link is up (towards the roots) or down. A switch that can reach the destination going down
/// only does so by the shortest such way, any other goes up towards the nearest that can: so no
/// packet turns up again after it went down, which is what keeps the network free of deadlock.
/// Among equally good links the destination's number decides, digit by digit. sim/fabric/routing.md
class UpDown
{
public:
    explicit UpDown(const SwitchNetwork& network);

    /// The links from switch to switch of the machine towards the port with that number; nothing
    /// when no path goes up and then down.
    [[nodiscard]] std::optional<std::vector<LinkId>> path(VertexId from, VertexId to,
                                                          std::uint64_t number);

private:
    struct Tables {
        std::vector<std::uint32_t> down;  ///< by switch: links to the target, all of them down
        std::vector<std::uint32_t> any;   ///< up and then down
    };

    void rank_by_tier();
    void rank_from_middle();
    void count_widths();
    [[nodiscard]] bool is_up(const Link& link) const;
    [[nodiscard]] Tables tables(VertexId target) const;
    [[nodiscard]] std::vector<LinkId> candidates(VertexId at, const Tables& tables) const;

    const SwitchNetwork& network_;
    std::vector<std::uint32_t> rank_;    ///< by switch: 0 at the roots
    std::vector<std::uint64_t> period_;  ///< by height: numbers that differ below this agree above
    std::uint32_t lowest_ = 0;           ///< the largest rank
    std::map<VertexId, Tables> tables_;
};

}  // namespace sim::fabric
