#include "cli/step_rows.hpp"

#include <exception>

#include "cli/step_case.hpp"
#include "cli/validate_rows.hpp"
#include "core/error.hpp"
#include "replay/run.hpp"

namespace sim::cli
{
namespace
{

constexpr const char* kSetup[] = {
    "model",     "layers",      "hidden",       "seq_len",   "gpu",       "n_gpus",
    "precision", "tp",          "pp",           "vp",        "dp",        "cp",
    "ep",        "micro_batch", "global_batch", "recompute", "framework", "fsdp_or_zero"};

constexpr const char* kSweep[] = {"source_id", "model",     "layers",       "gpu",
                                  "n_gpus",    "precision", "global_batch", "seq_len"};

template <std::size_t n>
std::string key_of(const CsvTable& table, std::size_t row, const char* const (&columns)[n])
{
    std::string key;
    for (const auto* column : columns) {
        key += table.at(row, column) + "|";
    }
    return key;
}

void add_ledger(const replay::Result& result, StepRow& row)
{
    double ranks = 0;
    for (const auto& ranks_alike : result.classes) {
        ranks += static_cast<double>(ranks_alike.multiplicity);
    }
    for (const auto& ranks_alike : result.classes) {
        const double share = static_cast<double>(ranks_alike.multiplicity) / ranks;
        for (std::size_t entry = 0; entry < replay::kEntries; ++entry) {
            row.ledger[entry] += share * ranks_alike.ledger[entry].base();
        }
    }
}

/// Whether what a step leaves running meets the next one, so that the first step is not like the
/// others.
bool reaches_over(const spec::WorkloadSpec& workload) { return workload.plan.zero == 1; }

void predict(const StepCells& cells, StepCases& cases, StepRow& row)
{
    try {
        const auto built = cases.build(cells);
        row.assumed = cells.assumed();
        row.reason = built.reason;
        if (!row.reason.empty()) {
            return;
        }
        replay::Options options;
        options.audit = false;
        auto experiment = built.experiment;
        experiment.steps = reaches_over(experiment.workload) ? 2 : 1;
        const auto result = replay::run(experiment, options);
        row.predicted = result.step.base();
        add_ledger(result, row);
    } catch (const InputError& error) {
        row.reason =
            error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
    } catch (const Error& error) {
        const std::string words = error.what();
        row.reason = words.substr(0, words.find('\n'));
    }
}

}  // namespace

std::optional<double> StepRow::error() const
{
    if (!measured || !predicted) {
        return std::nullopt;
    }
    return *predicted / *measured - 1;
}

std::vector<StepRow> step_rows(const CsvTable& table, const std::vector<config::StepRule>& rules,
                               const StepSelection& selection)
{
    StepCases cases;
    std::vector<StepRow> rows;
    for (std::size_t index = 0; index < table.size(); ++index) {
        StepRow row;
        row.row = index;
        row.source = table.at(index, "source_id");
        if (!matches(selection.source, row.source) ||
            !matches(selection.grade, table.at(index, "grade"))) {
            continue;
        }
        row.setup = key_of(table, index, kSetup);
        row.sweep = key_of(table, index, kSweep);
        row.measured = parse_number(table.at(index, "step_time_s"));
        predict(StepCells{table, index, rules}, cases, row);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace sim::cli
