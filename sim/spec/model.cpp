#include "spec/model.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

/// The keys are config.json's, since that is where the user wrote the numbers.
Diagnostics validate(const ModelSpec& model, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("hidden_size", model.hidden, 1);
    check.at_least("num_hidden_layers", model.layers, 1);
    check.at_least("num_attention_heads", model.heads, 1);
    check.at_least("num_key_value_heads", model.kv_heads, 1);
    check.at_least("head_dim", model.head_dim, 1);
    check.at_least("intermediate_size", model.ffn, 1);
    check.at_least("vocab_size", model.vocab, 1);
    if (model.heads > 0 && model.kv_heads > 0 && model.heads % model.kv_heads != 0) {
        check.error(
            "num_key_value_heads",
            fmt::format("{} does not divide the {} attention heads", model.kv_heads, model.heads),
            "every key-value head serves equally many query heads");
    }
    return diagnostics;
}

}  // namespace sim::spec
