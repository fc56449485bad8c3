#include "replay/usage_bins.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace sim::replay
{

UsageBins::UsageBins(double width, std::size_t series)
    : width_{width}, bins_(series, std::vector<Bin>(kBins))
{
    SIM_EXPECT(width > 0);
}

void UsageBins::merge()
{
    for (auto& bins : bins_) {
        for (std::size_t i = 0; i < kBins / 2; ++i) {
            bins[i] = {bins[2 * i].integral + bins[2 * i + 1].integral,
                       std::max(bins[2 * i].peak, bins[2 * i + 1].peak)};
        }
        std::fill(bins.begin() + kBins / 2, bins.end(), Bin{});
    }
    width_ *= 2;
}

void UsageBins::add(double duration, const std::vector<double>& levels)
{
    if (duration <= 0) {
        return;
    }
    const double until = end_ + duration;
    while (until > width_ * kBins) {
        merge();
    }
    auto bin = std::min(kBins - 1, static_cast<std::size_t>(end_ / width_));
    while (end_ < until) {
        const double edge = bin + 1 < kBins ? width_ * static_cast<double>(bin + 1) : until;
        const double next = std::min(until, edge);
        for (std::size_t s = 0; s < bins_.size(); ++s) {
            auto& own = bins_[s][bin];
            own.integral += levels[s] * std::max(0.0, next - end_);
            own.peak = std::max(own.peak, levels[s]);
        }
        end_ = std::max(end_, next);
        bin = std::min(bin + 1, kBins - 1);
    }
    end_ = until;
}

std::size_t UsageBins::size() const
{
    return std::min(kBins, static_cast<std::size_t>(std::ceil(end_ / width_ * (1 - 1e-12))));
}

std::vector<double> UsageBins::means(std::size_t series) const
{
    std::vector<double> means;
    for (std::size_t i = 0; i < size(); ++i) {
        const double covered = std::min(width_, end_ - width_ * static_cast<double>(i));
        means.push_back(covered > 0 ? bins_[series][i].integral / covered : 0);
    }
    return means;
}

std::vector<double> UsageBins::peaks(std::size_t series) const
{
    std::vector<double> peaks;
    for (std::size_t i = 0; i < size(); ++i) {
        peaks.push_back(bins_[series][i].peak);
    }
    return peaks;
}

}  // namespace sim::replay
