#pragma once

#include <cstddef>
#include <vector>

namespace sim::replay
{

/// A level that changes at instants, as mean and peak over bins of equal length whose number stays
/// below `kBins`: when they are full, every two become one. A bin's peak is the highest level held
/// for any time inside it, so short bursts stay visible however long the bins get.
class UsageBins
{
public:
    static constexpr std::size_t kBins = 256;

    /// `width` > 0 is what the bins begin with.
    UsageBins(double width, std::size_t series);

    /// Adds a stretch of `duration` at these levels, one a series, after all before.
    void add(double duration, const std::vector<double>& levels);

    [[nodiscard]] double width() const { return width_; }
    /// Bins that are begun.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::vector<double> means(std::size_t series) const;
    [[nodiscard]] std::vector<double> peaks(std::size_t series) const;

private:
    struct Bin {
        double integral = 0;
        double peak = 0;
    };
    void merge();

    double width_;
    double end_ = 0;                      ///< of what was added
    std::vector<std::vector<Bin>> bins_;  ///< by series
};

}  // namespace sim::replay
