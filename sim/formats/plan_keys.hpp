#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/plan.hpp"
#include "formats/topology_source.hpp"

namespace sim::formats
{

/// One key of a foreign file with everything around it: "zero_optimization.stage".
struct PlanKey {
    std::string key{};
    std::string value{};
    Place place{};
    bool taken = false;
};

/// A key that changes time or memory in a way that is not simulated, unless it has the value that
/// switches it off.
struct Unmodelled {
    const char* key;
    const char* off;  ///< values separated by '|'
    const char* effect;
};

/// A foreign file as a flat list of keys. What a reader takes is turned into settings, the rest is
/// told: nothing is dropped without a word.
class PlanKeys
{
public:
    PlanKeys(TopologySource& source, ImportedPlan& plan, std::vector<PlanKey> keys);

    /// The value of the first of these keys that is written and is not open ("auto", "$NAME").
    std::optional<std::string> take(std::initializer_list<const char*> names);
    /// The same as a whole number; 5e8 is one.
    std::optional<std::int64_t> count(std::initializer_list<const char*> names);
    /// true, yes, 1, a flag without a value; nothing when not written.
    std::optional<bool> truth(std::initializer_list<const char*> names);
    [[nodiscard]] bool written(const char* name) const;

    /// Our key gets their value.
    void copy(const char* theirs, const char* ours);
    void set(const char* ours, std::string value, std::string origin);

    void warn_of(std::initializer_list<Unmodelled> table);
    /// Keys, and all keys below a prefix that ends in '.' or '*', that change neither time nor
    /// memory.
    void harmless(std::span<const char* const> names);
    void harmless(std::initializer_list<const char*> names)
    {
        harmless(std::span{names.begin(), names.size()});
    }
    /// Warns of what nobody took.
    void finish();

    void warn(const char* theirs, std::string message, std::string hint = {});
    [[nodiscard]] ImportedPlan& plan() { return plan_; }

private:
    [[nodiscard]] PlanKey* find(std::string_view name);

    TopologySource& source_;
    ImportedPlan& plan_;
    std::vector<PlanKey> keys_;
};

/// Mappings of YAML or JSON; keys are joined by dots, lists are one value. A value that is
/// "${other.key}", or "${.key}" of the same mapping, is that key's.
[[nodiscard]] std::vector<PlanKey> yaml_keys(TopologySource& source);
[[nodiscard]] std::vector<PlanKey> toml_keys(TopologySource& source);
/// --key value and --key=value anywhere in the text, a shell script for one. Underscores are
/// hyphens, the leading hyphens fall away.
[[nodiscard]] std::vector<PlanKey> flag_keys(const TopologySource& source);

void read_deepspeed(PlanKeys& keys);
void read_megatron(PlanKeys& keys);
/// The model, whose shapes are arguments of Megatron's.
void read_megatron_model(PlanKeys& keys);
void read_torchtitan(PlanKeys& keys);
void read_accelerate(PlanKeys& keys);
void read_llm_foundry(PlanKeys& keys);
void read_maxtext(PlanKeys& keys);
/// Keys may have hyphens or underscores.
[[nodiscard]] std::vector<PlanKey> neox_keys(TopologySource& source);
void read_neox(PlanKeys& keys);
/// Megatron's words for what NeMo's files say with others.
void add_nemo_meanings(std::vector<PlanKey>& keys);

}  // namespace sim::formats
