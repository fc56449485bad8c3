#pragma once

#include <string>
#include <vector>

#include "spec/memory.hpp"

namespace sim::cli
{

/// A STREAM kernel on a GPU, or a mix of accesses of a CPU: measured beside predicted, in units of
/// `unit`.
struct SiliconRow {
    std::string machine;
    std::string load;  ///< "write", "read", "scale", "triad", "mix 2:1", "latency at 1/2"
    std::string unit;
    int threads = 0;         ///< of a block; 0: not a GPU's
    bool saturated = false;  ///< more threads would not be faster
    bool fitted = false;     ///< the one number the model was given
    double measured = 0;
    double predicted = 0;

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};

struct SiliconFiles {
    std::string measured;  ///< holds memory_silicon.csv, memory_stream.csv and memory_cpu.csv
    std::string hardware;  ///< configs/hardware/memory
};

[[nodiscard]] std::vector<SiliconRow> compare_gpus(const SiliconFiles& files);
/// One factor a machine, from its reads; the mixes and the latency under load are predictions.
[[nodiscard]] std::vector<SiliconRow> compare_cpus(const SiliconFiles& files);

/// STREAM on whole GPUs by the class table, as a training step takes it.
[[nodiscard]] std::vector<SiliconRow> compare_streams(const SiliconFiles& files);

/// Measured over modelled bandwidth of the reads at the largest block, whether or not they are
/// saturated there.
struct ReadFit {
    std::string gpu;
    double factor = 0;
    bool saturated = false;
};
[[nodiscard]] std::vector<ReadFit> fit_reads(const SiliconFiles& files);

}  // namespace sim::cli
