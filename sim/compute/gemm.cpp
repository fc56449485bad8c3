#include "compute/gemm.hpp"

#include <algorithm>
#include <limits>

#include "compute/peak.hpp"
#include "core/contract.hpp"

namespace sim::compute
{

namespace
{

/// Sides of an output tile that libraries offer; the accumulators of one fill half the registers of
/// an SM at 32,768.
constexpr std::int64_t kSides[] = {64, 96, 128, 160, 192, 224, 256};
constexpr std::int64_t kLargestTile = 32768;

struct Tile {
    std::int64_t rows;
    std::int64_t columns;
};

bool offered(Tile tile)
{
    const auto power_of_two = [](std::int64_t side) { return (side & (side - 1)) == 0; };
    return tile.rows * tile.columns <= kLargestTile &&
           (power_of_two(tile.rows) || power_of_two(tile.columns));
}

/// A smaller tile reads more operand elements per multiplication, 1/rows + 1/columns of them: in
/// units of the work of one multiplication, 22 for each more than the largest tile has.
double rate(Tile tile)
{
    const double operands =
        1 / static_cast<double>(tile.rows) + 1 / static_cast<double>(tile.columns);
    return std::min(1.0, 1 / (1 + 22 * (operands - 3.0 / 256)));
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Of the rate: rows that begin off 16 bytes are read element by element. What the output layer of
/// 50,257 words of fp16 reaches on an A100 of its padded neighbour's; sim/compute/README.md.
constexpr double kUnaligned = 0.3;

/// Of one SM.
struct SmRates {
    double math = 0;   ///< FLOP/s
    double depth = 0;  ///< k of the GEMM and what filling a tile's pipeline costs
    double store = 0;  ///< seconds a stored element keeps the SM from multiplying
};

SmRates rates_of(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    const auto efficiency = gpu.math_efficiency.find(operation.precision);
    const auto full = peak(operation.precision, gpu).base();
    SIM_EXPECT(efficiency != gpu.math_efficiency.end());
    const double element = spec::element_bytes(operation.precision);
    SmRates rates;
    rates.math = full * efficiency->second / gpu.sms * (operation.unaligned ? kUnaligned : 1);
    rates.depth =
        static_cast<double>(operation.k) + static_cast<double>(gpu.gemm_fill.base()) / element;
    if (!gpu.gemm_store_overlapped) {
        const double bandwidth = gpu.memory_bandwidth.base() * gpu.memory_efficiency;
        rates.store = std::max(2.0, element) * gpu.sms / bandwidth;
    }
    return rates;
}

}  // namespace

double gemm_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(operation.m > 0 && operation.n > 0 && operation.k > 0 && operation.batch > 0);
    const auto rates = rates_of(operation, gpu);
    double best = std::numeric_limits<double>::infinity();
    for (const auto rows : kSides) {
        for (const auto columns : kSides) {
            const Tile tile{rows, columns};
            if (!offered(tile)) {
                continue;
            }
            const auto tiles =
                divide_up(operation.m, rows) * divide_up(operation.n, columns) * operation.batch;
            const auto waves = static_cast<double>(divide_up(tiles, gpu.sms));
            const auto area = static_cast<double>(rows * columns);
            const double multiply = 2 * area * rates.depth / (rates.math * rate(tile));
            best = std::min(best, waves * (multiply + area * rates.store));
        }
    }
    return best;
}

}  // namespace sim::compute
