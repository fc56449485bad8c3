#pragma once

#include <cstdint>

#include "spec/workload.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// How gradients travel that replicas sum, and what it takes to make them so and to undo it.
///
/// Quantised, a number is a byte and its share of a scale, and the sum is taken of these bytes.
/// Of top_k's each rank's largest ones go to all, each with its place in 4 bytes; what a rank did
/// not send it adds to its next gradients (error feedback). sim/workload/plans.md
class GradientCodec
{
public:
    explicit GradientCodec(const spec::WorkloadSpec& workload);

    [[nodiscard]] bool compresses() const { return kind_ != spec::GradientCompression::none; }

    /// A sum over `ranks` of so many gradients; `shards`: each rank needs its part alone.
    struct Sum {
        std::int64_t parameters = 0;
        std::int64_t ranks = 1;
        bool shards = false;
    };
    [[nodiscard]] CollectiveKind collective(const Sum& sum) const;
    [[nodiscard]] Bytes size(const Sum& sum) const;
    /// HBM traffic before and after the sum.
    [[nodiscard]] double packing_bytes(const Sum& sum) const;
    [[nodiscard]] double unpacking_bytes(const Sum& sum) const;

    /// What a rank keeps of a parameter from step to step.
    [[nodiscard]] double residual_bytes() const;

private:
    [[nodiscard]] double quantised(double parameters) const;
    [[nodiscard]] std::int64_t kept(std::int64_t parameters) const;

    spec::GradientCompression kind_;
    double share_;
    double gradient_;  ///< bytes of one
};

}  // namespace sim::workload
