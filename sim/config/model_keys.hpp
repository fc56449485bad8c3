#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/outline.hpp"

namespace sim::config
{

/// Several spellings of one key; the first is the one we name in messages.
using Names = std::vector<std::string>;

/// The keys of a model's description with their types checked, wherever they were written.
/// Mappings inside it (`text_config`, `attn_config`, `ffn_config`) are read as if they were flat.
class ModelKeys
{
public:
    /// Strings of a JSON file still have their quotes.
    explicit ModelKeys(Node mapping, MapOutline* outline = nullptr);
    ModelKeys(const ModelKeys&) = delete;
    ModelKeys& operator=(const ModelKeys&) = delete;

    void error(const std::string& key, const std::string& message, const std::string& hint);

    /// The value of whichever name was written; null counts as not written.
    [[nodiscard]] const Node* find(const Names& names);
    [[nodiscard]] bool has(const Names& names) { return find(names) != nullptr; }
    /// As it was written, else the first name.
    [[nodiscard]] std::string written(const Names& names) const;

    std::int64_t required(const Names& names);
    std::optional<std::int64_t> optional(const Names& names);
    std::optional<bool> flag(const Names& names);
    /// `known`: what the caller takes; empty: any.
    std::optional<std::string> word(const Names& names, const Names& known = {});
    std::vector<std::string> words(const std::string& name, const Names& known);
    std::vector<std::int64_t> numbers(const std::string& name);

    [[nodiscard]] std::map<std::string, Mark> places() const;
    /// Reports keys that nobody asked for.
    void finish();
    void throw_if_failed() const;

private:
    std::optional<std::int64_t> number(const std::string& key, const Node& value);
    [[nodiscard]] const Node* find(const Names& names, const Shape& shape);
    void describe(const Names& names, const Shape& shape, bool required);
    [[nodiscard]] Mark place(const std::string& key) const;

    MapOutline* outline_;  ///< who listens to what is asked for; may be null
    Node mapping_;
    std::map<std::string, const Entry*> entries_;
    std::set<std::string> asked_;
    Diagnostics diagnostics_;
};

}  // namespace sim::config
