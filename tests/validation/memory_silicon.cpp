// STREAM kernels on measured GPUs against the bank model with one factor a GPU, fitted on
// saturated reads. With --fit: prints that factor instead. Prints; asserts nothing.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "config/read_memory.hpp"
#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "memory/gpu_stream.hpp"

namespace
{

using namespace sim;
using namespace sim::literals;

constexpr const char* kRoot = WEFTSIM_SOURCE_DIR;
constexpr int kSaturated = 1024;  ///< threads a block
constexpr double kSaturatedTolerance = 5;
constexpr double kSweepTolerance = 10;
constexpr const char* kNames[] = {"write", "read", "scale", "triad"};

struct Row {
    std::string gpu;
    int threads = 0;
    double measured[4] = {};  ///< GB/s, by kNames
};

memory::GpuStream kernel(int index, int threads)
{
    constexpr int kReads[] = {0, 1, 1, 2};
    return {kReads[index], index == 1 ? 0 : 1, threads, 2};
}

std::vector<Row> read_rows()
{
    std::ifstream file{std::string{kRoot} + "/tests/validation/memory_silicon.csv"};
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#") || line.starts_with("gpu,")) {
            continue;
        }
        std::istringstream cells{line};
        Row row;
        std::getline(cells, row.gpu, ',');
        std::string cell;
        std::getline(cells, cell, ',');
        row.threads = std::stoi(cell);
        for (auto& value : row.measured) {
            std::getline(cells, cell, ',');
            value = std::stod(cell);
        }
        rows.push_back(row);
    }
    return rows;
}

spec::GpuMemorySpec gpu_of(const Row& row)
{
    return config::load_gpu_memory(
        fmt::format("{}/configs/hardware/memory/gpu/{}.yaml", kRoot, row.gpu), {});
}

double predicted(const spec::GpuMemorySpec& gpu, int index, int threads)
{
    return memory::gpu_stream(gpu, kernel(index, threads)).achieved / 1_GBps;
}

/// Of GPUs whose reads no longer grow with the threads; the others borrow one.
void fit(const std::vector<Row>& rows)
{
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const bool last = i + 1 == rows.size() || rows[i + 1].gpu != row.gpu;
        if (!last) {
            continue;
        }
        const auto growth = row.measured[1] / rows[i - 1].measured[1] - 1;
        auto gpu = gpu_of(row);
        gpu.read_factor = 1;
        for (int step = 0; step < 3; ++step) {
            gpu.read_factor *= row.measured[1] / predicted(gpu, 1, row.threads);
        }
        fmt::print("{},{:.3f},{}\n", row.gpu, gpu.read_factor,
                   growth < 0.06 ? "saturated" : "not saturated");
    }
}

struct Tally {
    int rows = 0;
    int within = 0;
};

void compare(const std::vector<Row>& rows)
{
    Tally saturated[4];
    Tally sweep[4];
    fmt::print(
        "GB/s predicted (error against measured)\n{:<10} {:>7} {:>16} {:>16} {:>16} {:>16}\n",
        "gpu", "threads", kNames[0], kNames[1], kNames[2], kNames[3]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto& row = rows[r];
        const bool last = r + 1 == rows.size() || rows[r + 1].gpu != row.gpu;
        const auto gpu = gpu_of(row);
        fmt::print("{:<10} {:>7}", row.gpu, row.threads);
        for (int k = 0; k < 4; ++k) {
            const auto value = predicted(gpu, k, row.threads);
            const auto error = 100 * (value / row.measured[k] - 1);
            fmt::print(" {:>7.0f} {:>+6.1f} %", value, error);
            ++sweep[k].rows;
            sweep[k].within += std::abs(error) <= kSweepTolerance ? 1 : 0;
            if (last) {
                ++saturated[k].rows;
                saturated[k].within += std::abs(error) <= kSaturatedTolerance ? 1 : 0;
            }
        }
        fmt::print("\n");
    }
    for (int k = 0; k < 4; ++k) {
        fmt::print(
            "{:<6} largest block: {} of {} within {} %; every block size: {} of {} within {} "
            "%\n",
            kNames[k], saturated[k].within, saturated[k].rows, kSaturatedTolerance, sweep[k].within,
            sweep[k].rows, kSweepTolerance);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        const auto rows = read_rows();
        if (argc > 1 && std::string{argv[1]} == "--fit") {
            fit(rows);
        } else {
            compare(rows);
        }
    } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", render(error.diagnostics()));
        return 2;
    }
    return 0;
}
