#include "memory/tier_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.hpp"
#include "core/quantity_text.hpp"

namespace sim::memory
{

namespace
{

constexpr std::size_t kShown = 3;  ///< of the holders

}  // namespace

TierLedger::TierLedger(std::vector<Tier> tiers) : tiers_{std::move(tiers)} {}

void TierLedger::hold(const Holding& holding)
{
    SIM_EXPECT(holding.tier < tiers_.size() && holding.bytes >= Bytes{} &&
               holding.until > holding.from);
    holdings_.push_back(holding);
}

std::vector<Level> TierLedger::timeline(std::size_t tier) const
{
    std::vector<Level> changes;
    for (const auto& held : holdings_) {
        if (held.tier == tier) {
            changes.push_back({held.from, held.bytes});
            changes.push_back({held.until, Bytes{} - held.bytes});
        }
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Level& a, const Level& b) { return a.at < b.at; });
    std::vector<Level> levels;
    Bytes now{};
    for (const auto& change : changes) {
        now += change.bytes;
        if (!levels.empty() && levels.back().at == change.at) {
            levels.back().bytes = now;
        } else {
            levels.push_back({change.at, now});
        }
    }
    return levels;
}

Peak TierLedger::peak(std::size_t tier) const
{
    Peak peak;
    for (const auto& level : timeline(tier)) {
        if (level.bytes > peak.bytes) {
            peak.at = level.at;
            peak.bytes = level.bytes;
        }
    }
    for (const auto& held : holdings_) {
        if (held.tier == tier && held.from <= peak.at && peak.at < held.until) {
            peak.contents.push_back(held);
        }
    }
    std::stable_sort(peak.contents.begin(), peak.contents.end(),
                     [](const Holding& a, const Holding& b) { return a.bytes > b.bytes; });
    return peak;
}

/// The most that lies in the tier while `span` would.
Bytes TierLedger::level_during(std::size_t tier, const Holding& span) const
{
    Bytes most{};
    Bytes now{};
    for (const auto& level : timeline(tier)) {
        if (level.at > span.from) {
            most = std::max(most, now);  // what was there when it came, or since
        }
        now = level.bytes;
        if (level.at >= span.until) {
            return most;
        }
    }
    return std::max(most, now);
}

std::vector<std::string> TierLedger::remedies(const Peak& peak, std::size_t tier) const
{
    const auto missing = peak.bytes - tiers_[tier].capacity;
    std::vector<std::string> all{fmt::format("{} more of {}", to_text(missing), tiers_[tier].name)};
    for (std::size_t i = 0; i < std::min(kShown, peak.contents.size()); ++i) {
        const auto& held = peak.contents[i];
        if (held.bytes < missing) {
            break;  // moving it away would not be enough, nor any smaller one
        }
        for (std::size_t other = 0; other < tiers_.size(); ++other) {
            if (other != tier && level_during(other, held) + held.bytes <= tiers_[other].capacity) {
                all.push_back(fmt::format("{} in {}", held.owner, tiers_[other].name));
                break;
            }
        }
    }
    return all;
}

std::vector<Shortage> TierLedger::shortages() const
{
    std::vector<Shortage> all;
    for (std::size_t tier = 0; tier < tiers_.size(); ++tier) {
        const auto fullest = peak(tier);
        if (fullest.bytes <= tiers_[tier].capacity) {
            continue;
        }
        Shortage shortage{tiers_[tier].name,     fullest.at,       fullest.bytes,
                          tiers_[tier].capacity, fullest.contents, remedies(fullest, tier)};
        shortage.largest.resize(std::min(kShown, shortage.largest.size()));
        all.push_back(std::move(shortage));
    }
    return all;
}

std::string to_words(const Shortage& shortage)
{
    const auto when = shortage.at > Time{} ? " at " + to_text(shortage.at) : std::string{};
    auto text = fmt::format("{} needs {}{}, has {}; largest: ", shortage.tier,
                            to_text(shortage.needs), when, to_text(shortage.has));
    for (std::size_t i = 0; i < shortage.largest.size(); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", shortage.largest[i].owner,
                            to_text(shortage.largest[i].bytes));
    }
    text += "\n";
    for (const auto& remedy : shortage.remedies) {
        text += fmt::format("  = it would fit with {}\n", remedy);
    }
    return text;
}

}  // namespace sim::memory
