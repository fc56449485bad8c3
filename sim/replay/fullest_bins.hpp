#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "workload/task_graph.hpp"

namespace sim::replay
{

/// By workload::MemoryContent.
using MemoryLevels = std::array<double, workload::kMemoryContents>;

/// Levels that change at instants, over bins of equal length whose number stays below `kBins`: when
/// they are full, every two become one. A bin has the levels of its fullest instant, so the levels
/// of a bin belong together and the peak is kept however long the bins get.
class FullestBins
{
public:
    static constexpr std::size_t kBins = 256;

    /// `width` > 0 is what the bins begin with.
    explicit FullestBins(double width);

    /// Adds a stretch of `duration` at these levels after all before; `fullness` compares instants.
    void add(double duration, const MemoryLevels& levels, double fullness);

    [[nodiscard]] double width() const { return width_; }
    /// Bins that are begun.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::vector<double> level(workload::MemoryContent content) const;

private:
    struct Bin {
        double fullness = -1;  ///< nothing yet
        MemoryLevels levels{};
    };
    void merge();

    double width_;
    double end_ = 0;  ///< of what was added
    std::vector<Bin> bins_;
};

}  // namespace sim::replay
