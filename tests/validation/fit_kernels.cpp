// Fits what configs/hardware/gpu says of matrix products and fused attention, GPU by GPU, and
// prints one line a constant: gpu,key,value. scripts/fit-kernels writes them into the files. Usage:
// fit_kernels

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "cli/kernel_rows.hpp"
#include "config/measured_gpus.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"

namespace
{

using sim::spec::AttentionLibrary;
using sim::spec::AttentionPass;
using sim::spec::GpuSpec;
using Point = std::vector<double>;

const std::string kSource = WEFTSIM_SOURCE_DIR;

/// Sum of squared logarithms of predicted over measured.
double loss(const sim::cli::CsvTable& table, const std::vector<std::size_t>& rows,
            const GpuSpec& gpu)
{
    double sum = 0;
    for (const auto row : rows) {
        const auto result = sim::cli::kernel_row(table, row, gpu);
        const double distance = std::log(*result.predicted / *result.measured);
        sum += distance * distance;
    }
    return sum;
}

/// Coordinate descent with a step that halves when no direction helps: few variables, smooth.
Point minimise(const std::function<double(const Point&)>& value, Point point)
{
    double best = value(point);
    for (double step = 0.25; step > 1e-5;) {
        bool better = false;
        for (std::size_t i = 0; i < point.size(); ++i) {
            for (const double factor : {1 + step, 1 / (1 + step)}) {
                auto moved = point;
                moved[i] *= factor;
                const double reached = value(moved);
                if (reached < best) {
                    best = reached;
                    point = moved;
                    better = true;
                }
            }
        }
        step = better ? step * 1.5 : step / 2;
        step = std::min(step, 0.5);
    }
    return point;
}

std::vector<std::size_t> rows_of(const sim::cli::CsvTable& table, const std::string& gpu,
                                 const std::function<bool(std::size_t)>& wanted)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (table.at(row, "gpu") == gpu && wanted(row)) {
            rows.push_back(row);
        }
    }
    return rows;
}

void fit_product(const sim::cli::CsvTable& table, const std::string& name, const GpuSpec& known)
{
    for (const auto& [precision, share] : known.math_efficiency) {
        const std::string type = precision == sim::spec::Precision::fp8 ? "FP8" : "BF16";
        const bool searched =
            precision == sim::spec::Precision::fp8 || precision == sim::spec::Precision::bf16;
        const auto rows = rows_of(table, name, [&](std::size_t row) {
            return searched && table.at(row, "kind") == "matmul-max" &&
                   table.at(row, "dtype") == type;
        });
        if (rows.empty()) {
            continue;
        }
        const auto of = precision;
        const auto found = minimise(
            [&](const Point& point) {
                auto gpu = known;
                gpu.math_efficiency[of] = point[0];
                return loss(table, rows, gpu);
            },
            {share});
        fmt::print("{},math_efficiency.{},{:.3f}\n", name, precision_name(precision), found[0]);
    }
}

void print_pass(const std::string& name, const std::string& key, const AttentionPass& pass)
{
    fmt::print("{},{}.rate,{:.3f}\n{},{}.softmax,{:.1f}\n{},{}.fill,{:.0f}\n", name, key, pass.rate,
               name, key, pass.softmax, name, key, pass.fill);
}

constexpr double kLarge = 1e9;

AttentionPass pass_at(const Point& point, std::size_t begin)
{
    return {point[begin], point[begin + 1], point[begin + 2]};
}

/// FlashAttention-2 on H100, head 128, 16,384 keys, no mask: 370 TFLOP/s forward and 338 with the
/// backward pass, which alone is 10 / (14 / 338 - 4 / 370) = 327, 0.88 of the forward. Assumed
/// where only the forward was measured.
constexpr double kBackwardShare = 0.88;

/// Forward rows fix the forward pass; rows with both then fix the backward one. Where only the sum
/// was measured, both passes get the same numbers.
void fit_attention(const sim::cli::CsvTable& table, const std::string& name, const GpuSpec& known,
                   const std::pair<std::string, AttentionLibrary>& library)
{
    const auto of_metric = [&](const std::string& begin) {
        return rows_of(table, name, [&](std::size_t row) {
            return table.at(row, "kernel") == library.first &&
                   table.at(row, "metric").rfind(begin, 0) == 0;
        });
    };
    const auto forward = of_metric("fwd TFLOP");
    const auto both = of_metric("fwd+bwd");
    const auto fit = [&](const std::vector<std::size_t>& rows, bool ahead, bool back,
                         sim::spec::AttentionSpec& spec) {
        const auto found = minimise(
            [&](const Point& point) {
                auto gpu = known;
                auto tried = spec;
                (ahead ? tried.forward : tried.backward) = pass_at(point, 0);
                tried.backward = back ? pass_at(point, 0) : tried.backward;
                gpu.attention[library.second] = tried;
                return point[0] > 1 ? kLarge : loss(table, rows, gpu);
            },
            {0.6, 20, 150});
        (ahead ? spec.forward : spec.backward) = pass_at(found, 0);
        spec.backward = back ? pass_at(found, 0) : spec.backward;
    };
    sim::spec::AttentionSpec spec{{0.6, 20, 150}, {0.6, 20, 150}};
    if (forward.empty() && both.empty()) {
        return;
    }
    if (!forward.empty()) {
        fit(forward, true, both.empty(), spec);
        spec.backward.rate *= both.empty() ? kBackwardShare : 1;
    }
    if (!both.empty()) {
        fit(both, forward.empty(), true, spec);
    }
    const auto key = fmt::format("attention.{}", attention_library_name(library.second));
    print_pass(name, key + ".forward", spec.forward);
    print_pass(name, key + ".backward", spec.backward);
}

void fit_all()
{
    const sim::cli::CsvTable table{kSource + "/tests/validation/kernels.csv"};
    const auto gpus =
        sim::config::load_measured_gpus(kSource + "/configs/validation/kernel-gpus.yaml");
    const std::pair<std::string, AttentionLibrary> libraries[] = {
        {"FlashAttention1", AttentionLibrary::flash_1},
        {"FlashAttention2", AttentionLibrary::flash_2},
        {"FlashAttention3", AttentionLibrary::flash_3},
        {"cuDNN", AttentionLibrary::cudnn}};
    for (const auto& [name, gpu] : gpus) {
        fit_product(table, name, gpu);
        for (const auto& library : libraries) {
            fit_attention(table, name, gpu, library);
        }
    }
}

}  // namespace

int main()
{
    try {
        fit_all();
        return 0;
    } catch (const sim::InputError& error) {
        fmt::print(stderr, "{}", sim::render(error.diagnostics()));
    } catch (const sim::Error& error) {
        fmt::print(stderr, "fit_kernels: {}\n", error.what());
    }
    return 1;
}
