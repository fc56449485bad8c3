#include "replay/fullest_bins.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace sim::replay
{

FullestBins::FullestBins(double width) : width_{width}, bins_(kBins) { SIM_EXPECT(width > 0); }

void FullestBins::merge()
{
    for (std::size_t i = 0; i < kBins / 2; ++i) {
        const auto& first = bins_[2 * i];
        const auto& second = bins_[2 * i + 1];
        bins_[i] = second.fullness > first.fullness ? second : first;
    }
    std::fill(bins_.begin() + kBins / 2, bins_.end(), Bin{});
    width_ *= 2;
}

void FullestBins::add(double duration, const MemoryLevels& levels, double fullness)
{
    if (duration <= 0) {
        return;
    }
    const double until = end_ + duration;
    while (until > width_ * kBins) {
        merge();
    }
    const auto first = std::min(kBins - 1, static_cast<std::size_t>(end_ / width_));
    for (auto bin = first; bin < kBins; ++bin) {
        if (bin > first && width_ * static_cast<double>(bin) >= until) {
            break;
        }
        if (fullness > bins_[bin].fullness) {
            bins_[bin] = {fullness, levels};
        }
    }
    end_ = until;
}

std::size_t FullestBins::size() const
{
    return std::min(kBins, static_cast<std::size_t>(std::ceil(end_ / width_ * (1 - 1e-12))));
}

std::vector<double> FullestBins::level(workload::MemoryContent content) const
{
    std::vector<double> levels;
    for (std::size_t i = 0; i < size(); ++i) {
        levels.push_back(bins_[i].levels[static_cast<std::size_t>(content)]);
    }
    return levels;
}

}  // namespace sim::replay
