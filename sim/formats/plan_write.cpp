#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/plan.hpp"

namespace sim::formats
{

namespace
{

class Writer
{
public:
    Writer(ImportedPlan plan, const PlanAnswers& answers, const std::string& path)
        : plan_{std::move(plan)}, answers_{answers}, path_{path}
    {
    }

    std::string write()
    {
        answer("sequence", answers_.sequence, "--sequence");
        answer("micro_batch", answers_.micro_batch, "--micro-batch");
        answer("global_batch", answers_.global_batch, "--global-batch");
        answer("model.vocab_size", answers_.vocab, "--vocab");
        if (!answers_.precision.empty()) {
            plan_.set("precision", answers_.precision, "--precision");
        }
        if (const auto precision = plan_.find("precision");
            precision && !plan_.find("gradient_precision")) {
            const bool narrow = *precision == "fp8" || *precision == "fp4";
            plan_.set("gradient_precision", narrow ? "bf16" : *precision,
                      "gradients travel as they are computed");
        }
        if (answers_.gpus) {
            plan_.gpus = answers_.gpus;
        }
        derive_batch();
        ask_for_the_rest();
        check_layers();
        if (!diagnostics_.empty()) {
            throw InputError{diagnostics_};
        }
        return text();
    }

private:
    void answer(const char* key, std::optional<std::int64_t> value, const char* option)
    {
        if (value) {
            plan_.set(key, std::to_string(*value), option);
        }
    }

    [[nodiscard]] std::int64_t degree(const char* key) const
    {
        return std::max<std::int64_t>(1, plan_.number(key).value_or(1));
    }

    [[nodiscard]] std::optional<std::int64_t> replicas() const
    {
        const auto copy =
            degree("parallel.tensor") * degree("parallel.pipeline") * degree("parallel.context");
        if (plan_.gpus && *plan_.gpus % copy == 0) {
            return *plan_.gpus / copy;
        }
        return plan_.number("parallel.data");
    }

    /// global = micro x accumulation x replicas: one of them may be missing.
    void derive_batch()
    {
        const auto data = replicas();
        const auto global = plan_.number("global_batch");
        const auto micro = plan_.number("micro_batch");
        if (!data || *data < 1) {
            return;
        }
        if (!global && micro) {
            const auto steps = plan_.accumulation.value_or(1);
            plan_.set("global_batch", std::to_string(*micro * steps * *data),
                      fmt::format("{} x {} accumulated x {} replicas", *micro, steps, *data));
        } else if (global && !micro && plan_.accumulation.value_or(0) > 0 &&
                   *global % (*plan_.accumulation * *data) == 0) {
            plan_.set("micro_batch", std::to_string(*global / (*plan_.accumulation * *data)),
                      fmt::format("{} / ({} accumulated x {} replicas)", *global,
                                  *plan_.accumulation, *data));
        }
    }

    void ask(const char* key, const char* option)
    {
        if (!plan_.find(key)) {
            complain(option, fmt::format("{} does not say {}", path_, key),
                     fmt::format("write {}", option));
        }
    }

    [[nodiscard]] bool describes_model() const
    {
        return plan_.find("model.hidden_size") && plan_.find("model.num_hidden_layers");
    }

    void ask_for_the_rest()
    {
        if (answers_.model.empty() && !describes_model()) {
            const auto words = plan_.model_words.find_first_not_of(' ') == std::string::npos
                                   ? std::string{}
                                   : fmt::format(" (it calls the model {})", plan_.model_words);
            complain("--model", fmt::format("{} does not describe the model{}", path_, words),
                     "write --model path/to/config.json");
        } else if (answers_.model.empty()) {
            ask("model.vocab_size", "--vocab 50257");
        }
        if (answers_.framework.empty()) {
            complain("--framework", fmt::format("{} does not say what the framework costs", path_),
                     "write --framework megatron-core, a file of configs/hardware/framework");
        }
        ask("sequence", "--sequence 4096");
        ask("micro_batch", "--micro-batch 1");
        ask("precision", "--precision bf16");
        if (!plan_.find("global_batch")) {
            complain("--global-batch",
                     fmt::format("{} does not say global_batch, and without the number of GPUs it "
                                 "does not follow",
                                 path_),
                     "write --global-batch 512, or --gpus 64");
        }
    }

    /// Of layers that the model's ends take.
    [[nodiscard]] std::int64_t end_places() const
    {
        const auto ends = plan_.find("parallel.ends_as_layers").value_or("false");
        return ends == "true" ? 2 : ends == "false" ? 0 : 1;
    }

    /// Megatron trains fewer layers than were asked for when they do not divide.
    void check_layers()
    {
        const auto layers = plan_.number("model.num_hidden_layers");
        const auto stages = degree("parallel.pipeline");
        const auto chunks = degree("parallel.virtual_pipeline");
        const auto ends = end_places();
        if (!layers || !answers_.model.empty() || (*layers + ends) % (stages * chunks) == 0) {
            return;
        }
        std::string possible;
        for (std::int64_t pieces = 1; pieces <= *layers; ++pieces) {
            if (*layers % pieces == 0) {
                possible += fmt::format("{}{}", possible.empty() ? "" : ", ", pieces);
            }
        }
        complain(
            "parallel.pipeline",
            fmt::format("{} stages x {} chunks do not divide the {} layers; {} of them would "
                        "be trained",
                        stages, chunks, *layers, *layers / (stages * chunks) * stages * chunks),
            fmt::format("their product may be one of {}", possible));
    }

    void complain(std::string key, std::string message, std::string hint)
    {
        Diagnostic diagnostic;
        diagnostic.key = std::move(key);
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostics_.push_back(std::move(diagnostic));
    }

    [[nodiscard]] std::string line(int indent, const PlanSetting& setting,
                                   std::string_view name) const
    {
        return fmt::format("{:{}}{}: {}  # {}\n", "", indent, name, setting.value, setting.origin);
    }

    [[nodiscard]] std::string section(const std::string& name) const
    {
        std::string lines;
        const auto prefix = name + ".";
        for (const auto& setting : plan_.settings) {
            if (setting.key.rfind(prefix, 0) == 0) {
                lines += line(4, setting, std::string_view{setting.key}.substr(prefix.size()));
            }
        }
        return lines;
    }

    /// How the ranks are divided, once for the experts and once for all else.
    [[nodiscard]] std::string rank_map() const
    {
        const auto data = replicas();
        if (!data || *data < 1) {
            return {};
        }
        const auto tensor = degree("parallel.tensor");
        const auto context = degree("parallel.context");
        const auto stages = degree("parallel.pipeline");
        auto text = fmt::format("# {} ranks = tensor {} x context {} x data {} x pipeline {}\n",
                                tensor * context * *data * stages, tensor, context, *data, stages);
        const auto experts = degree("parallel.expert");
        const auto cut = degree("parallel.expert_tensor");
        if (experts * cut > 1) {
            text += fmt::format(
                "# of the experts: expert_tensor {} x expert {} x {} replicas x pipeline {}\n", cut,
                experts, tensor * context * *data / (experts * cut), stages);
        }
        return text;
    }

    [[nodiscard]] std::string layer_map() const
    {
        const auto layers = plan_.number("model.num_hidden_layers");
        const auto stages = degree("parallel.pipeline");
        const auto chunks = degree("parallel.virtual_pipeline");
        if (!layers || !answers_.model.empty() || stages == 1 || end_places() > 0) {
            return {};
        }
        const auto each = *layers / (stages * chunks);
        std::string text = fmt::format("# Layers of a stage, {} in all:\n", *layers);
        for (std::int64_t stage = 0; stage < stages; ++stage) {
            text += fmt::format("#   stage {}:", stage);
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                const auto first = (chunk * stages + stage) * each;
                text += fmt::format(" {}-{}", first, first + each - 1);
            }
            text += "\n";
        }
        return text;
    }

    [[nodiscard]] std::string text() const
    {
        auto out =
            fmt::format("# From {}, {}; written by weftsim import plan.\n", path_, plan_.format);
        for (const auto& warning : plan_.warnings) {
            out += fmt::format("# Not taken over: {}\n", warning.message);
        }
        out += rank_map() + layer_map() + "workload:\n";
        out += answers_.model.empty() ? "  model:\n" + section("model")
                                      : fmt::format("  model: \"{}\"\n", answers_.model);
        for (const auto& setting : plan_.settings) {
            if (setting.key.find('.') == std::string::npos) {
                out += line(2, setting, setting.key);
            }
        }
        const auto parallel = section("parallel");
        out += parallel.empty() ? parallel : "  parallel:\n" + parallel;
        out += fmt::format("  framework:\n    extends: \"{}\"\n", answers_.framework);
        return out + section("framework");
    }

    ImportedPlan plan_;
    const PlanAnswers& answers_;
    std::string path_;
    Diagnostics diagnostics_;
};

}  // namespace

std::string write_plan(ImportedPlan plan, const PlanAnswers& answers, const std::string& path)
{
    return Writer{std::move(plan), answers, path}.write();
}

}  // namespace sim::formats
