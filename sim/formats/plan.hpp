#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"

namespace sim::formats
{

/// One of our keys under `workload`, and the words of the file it comes from.
struct PlanSetting {
    std::string key{};  ///< "parallel.tensor"
    std::string value{};
    std::string origin{};
};

/// How a training framework's file says that a model is trained. sim/formats/plan.md
struct ImportedPlan {
    std::string format{};
    std::vector<PlanSetting> settings{};
    std::optional<std::int64_t> accumulation{};  ///< micro-batches of a step on one rank
    std::optional<std::int64_t> gpus{};
    std::string model_words{};  ///< what the file calls its model; for hints
    Diagnostics warnings{};

    [[nodiscard]] std::optional<std::string> find(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
    /// Sets what was set before, too.
    void set(std::string key, std::string value, std::string origin);
};

/// What a file leaves open; absent where its own words are to stand.
struct PlanAnswers {
    std::string model{};      ///< path of a config.json
    std::string framework{};  ///< path of a framework file
    std::optional<std::int64_t> sequence{};
    std::optional<std::int64_t> global_batch{};
    std::optional<std::int64_t> micro_batch{};
    std::optional<std::int64_t> vocab{};
    std::optional<std::int64_t> gpus{};
    std::string precision{};
};

/// A format, by the word `--kind` uses.
struct PlanKind {
    std::string word{};
    std::string what{};
};
[[nodiscard]] const std::vector<PlanKind>& plan_kinds();

/// `kind` is of `plan_kinds` or empty: by content. Throws InputError, or Error when the file cannot
/// be read.
[[nodiscard]] ImportedPlan read_plan(const std::string& path, const std::string& kind);
/// The same of text that is already in memory; `path` is for messages.
[[nodiscard]] ImportedPlan parse_plan(const std::string& path, std::string text,
                                      const std::string& kind);

/// The `workload` of an experiment as YAML. Throws InputError when something is still open, or when
/// the layers do not divide into the stages, saying what would.
[[nodiscard]] std::string write_plan(ImportedPlan plan, const PlanAnswers& answers,
                                     const std::string& path);

}  // namespace sim::formats
