// Prints predicted and measured step times of InternLM-7B on 8 to 1,024 A100 as a markdown table.
// Usage: validate_internevo [most GPUs]

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "replay/run.hpp"

namespace
{

const std::string kSource = WEFTSIM_SOURCE_DIR;

struct Row {
    int gpus = 0;
    int nodes = 0;
    int global_batch = 0;
    double measured_seconds = 0;
};

std::vector<Row> read_rows()
{
    const auto path = kSource + "/tests/validation/internevo.csv";
    std::ifstream file{path};
    if (!file) {
        throw sim::Error{"reading " + path + ": it cannot be opened"};
    }
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        Row row;
        double tokens_per_second = 0;
        const auto read = std::sscanf(line.c_str(), "%d,%d,%d,%lf,%lf", &row.gpus, &row.nodes,
                                      &row.global_batch, &tokens_per_second, &row.measured_seconds);
        if (read == 5) {
            rows.push_back(row);
        }
    }
    return rows;
}

sim::replay::Result predict(const Row& row)
{
    const auto experiment =
        sim::config::load_experiment(kSource + "/configs/internevo-7b-a100.yaml",
                                     {{"cluster.nodes", std::to_string(row.nodes)},
                                      {"workload.global_batch", std::to_string(row.global_batch)}});
    return sim::replay::run(experiment.spec, {sim::engine::Kind::native});
}

double exposed_data(const sim::replay::Result& result)
{
    double most = 0;
    for (const auto& ranks : result.classes) {
        const auto entry = static_cast<std::size_t>(sim::replay::Entry::exposed_data);
        most = std::max(most, ranks.ledger[entry].base());
    }
    return most;
}

void print_table(int most_gpus)
{
    std::vector<double> errors;
    fmt::print("| GPUs | predicted s | measured s | error % | exposed data s |\n");
    fmt::print("|---:|---:|---:|---:|---:|\n");
    for (const auto& row : read_rows()) {
        if (row.gpus > most_gpus) {
            continue;
        }
        const auto result = predict(row);
        const auto error = (result.step.base() / row.measured_seconds - 1) * 100;
        errors.push_back(std::abs(error));
        fmt::print("| {} | {:.3f} | {:.3f} | {:+.1f} | {:.3f} |\n", row.gpus, result.step.base(),
                   row.measured_seconds, error, exposed_data(result));
        std::fflush(stdout);
    }
    if (!errors.empty()) {
        std::sort(errors.begin(), errors.end());
        fmt::print("\nMedian absolute error {:.1f} %, largest {:.1f} %.\n",
                   errors[errors.size() / 2], errors.back());
    }
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        print_table(argc > 1 ? std::stoi(argv[1]) : 1024);
    } catch (const sim::InputError& error) {
        fmt::print(stderr, "{}\n", sim::render(error.diagnostics()));
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
