#pragma once

#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"

namespace sim::memory
{

/// A place data lives in: the HBM of a GPU, the DRAM of a socket, a pool on CXL, a drive.
struct Tier {
    std::string name{};
    Bytes capacity{};
};

/// Something in a tier for a while.
struct Holding {
    std::string owner{};  ///< "optimiser state", "pinned buffers", "checkpoint staging"
    std::size_t tier = 0;
    Bytes bytes{};
    Time from{};
    Time until{};  ///< not held any more at that instant
};

/// The fullest instant of a tier and what lies in it then, largest first.
struct Peak {
    Time at{};
    Bytes bytes{};
    std::vector<Holding> contents{};
};

/// How much lies in a tier from that instant on.
struct Level {
    Time at{};
    Bytes bytes{};
};

/// A tier that at some instant is asked to hold more than it has.
struct Shortage {
    std::string tier{};
    Time at{};
    Bytes needs{};
    Bytes has{};
    std::vector<Holding> largest{};       ///< three at most
    std::vector<std::string> remedies{};  ///< one change each that would make it fit
};

/// What lives where and when. Holdings may be added in any order.
class TierLedger
{
public:
    explicit TierLedger(std::vector<Tier> tiers);

    /// `holding.until` must be after `from`; nothing is checked against the capacity here.
    void hold(const Holding& holding);

    [[nodiscard]] const std::vector<Tier>& tiers() const { return tiers_; }
    /// Every change, in order of time; begins with the first holding.
    [[nodiscard]] std::vector<Level> timeline(std::size_t tier) const;
    [[nodiscard]] Peak peak(std::size_t tier) const;
    /// One a tier that overflows, at its fullest instant.
    [[nodiscard]] std::vector<Shortage> shortages() const;

private:
    [[nodiscard]] Bytes level_during(std::size_t tier, const Holding& span) const;
    [[nodiscard]] std::vector<std::string> remedies(const Peak& peak, std::size_t tier) const;

    std::vector<Tier> tiers_;
    std::vector<Holding> holdings_;
};

/// "host DRAM needs 1.2 TB at 3 s, has 780 GB; largest: ...", and a line a remedy.
[[nodiscard]] std::string to_words(const Shortage& shortage);

}  // namespace sim::memory
