#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/report.hpp"
#include "config/scalar.hpp"

namespace sim::config
{

/// Reads one mapping, key by key, and remembers which keys were asked for: `finish` reports the
/// others. A key that is missing and looks like a misspelt other one is reported once, at the
/// misspelling. Nothing is reported inside a mapping that is itself missing. What is asked for is
/// also what the JSON Schema says: sim/config/schema.md.
class MapReader
{
public:
    /// The root of a document.
    MapReader(Report& report, const Node& root);

    template <class T>
    [[nodiscard]] T required(const std::string& name, const Scalar<T>& scalar)
    {
        const auto* node = seek(name, scalar.example);
        describe(name, scalar);
        return node == nullptr ? T{} : read(name, *node, scalar).value_or(T{});
    }

    template <class T>
    [[nodiscard]] std::optional<T> optional(const std::string& name, const Scalar<T>& scalar)
    {
        const auto* node = look(name);
        describe(name, scalar);
        return node == nullptr ? std::nullopt : read(name, *node, scalar);
    }

    /// `shown` is the default as the user would write it.
    template <class T>
    [[nodiscard]] T defaulted(const std::string& name, const Scalar<T>& scalar,
                              const std::string& shown)
    {
        if (auto value = optional(name, scalar)) {
            return *value;
        }
        describe_default(name, shown);
        if (!stands(name)) {
            record_default(name, shown, "");
        }
        return *scalar.read(shown).value;
    }

    template <class T>
    [[nodiscard]] std::optional<std::vector<T>> optional_list(const std::string& name,
                                                              const Scalar<T>& scalar)
    {
        const auto* node = look(name);
        const auto example = "[" + scalar.example + ", " + scalar.example + "]";
        if (outline_ != nullptr) {
            describe(name, list_shape(scalar.shape()), example);
        }
        if (node == nullptr) {
            return std::nullopt;
        }
        if (!is_kind(name, *node, Node::Kind::sequence, example)) {
            return std::nullopt;
        }
        std::vector<T> values;
        for (const auto& item : node->items) {
            values.push_back(read_item(name, item, scalar).value_or(T{}));
        }
        if (!in_list_) {
            report_.record(path(name), *node);
        }
        return values;
    }

    [[nodiscard]] MapReader section(const std::string& name, const std::string& example);
    [[nodiscard]] MapReader optional_section(const std::string& name);
    /// False when the section is not written, or not a mapping: all its keys read as absent.
    [[nodiscard]] bool present() const { return node_ != nullptr; }

    /// A list of mappings: item i is read at "name.i". Empty when absent or not a list.
    [[nodiscard]] std::vector<MapReader> optional_sections(const std::string& name,
                                                           const std::string& example);

    /// The node as it is, to be read by the caller; null when absent. What may be written is what
    /// typed accessors of the same key say, or `shape`.
    [[nodiscard]] const Node* ask(const std::string& name);
    [[nodiscard]] const Node* ask(const std::string& name, const Shape& shape);
    [[nodiscard]] const Node* need(const std::string& name, const std::string& example);
    [[nodiscard]] const Node* need(const std::string& name, const std::string& example,
                                   const Shape& shape);
    [[nodiscard]] bool written(const std::string& name) const;

    void record_default(const std::string& name, const std::string& shown, const std::string& note);
    void record_default(const std::string& name, const std::vector<int>& shown,
                        const std::string& note);
    [[nodiscard]] std::string path(const std::string& name) const;
    [[nodiscard]] Report& report() { return report_; }
    /// Where to say what the mapping at `name` may hold; null when nobody listens.
    [[nodiscard]] MapOutline* outline_of(const std::string& name);

    /// Reports what was not asked for and what was not found. Call last.
    void finish();

private:
    struct Missing {
        std::string name;
        std::string example;
    };

    MapReader(Report& report, std::string key, const Node* node, MapOutline* outline);

    [[nodiscard]] bool stands(const std::string& name) const;
    [[nodiscard]] const Node* look(const std::string& name);
    [[nodiscard]] const Node* seek(const std::string& name, const std::string& example);
    void describe(const std::string& name, const Shape& shape, const std::string& example);

    template <class T>
    void describe(const std::string& name, const Scalar<T>& scalar)
    {
        if (outline_ != nullptr) {
            describe(name, scalar.shape(), scalar.example);
        }
    }

    void describe_default(const std::string& name, const std::string& shown);
    [[nodiscard]] bool is_kind(const std::string& name, const Node& node, Node::Kind kind,
                               const std::string& example);
    [[nodiscard]] MapReader enter(const std::string& name, const Node* node);

    template <class T>
    [[nodiscard]] std::optional<T> read(const std::string& name, const Node& node,
                                        const Scalar<T>& scalar)
    {
        auto value = read_item(name, node, scalar);
        if (value && in_list_) {
            report_.stands_at(path(name), node.mark);  // the list is recorded as a whole
        } else if (value) {
            report_.record(path(name), node);
        }
        return value;
    }

    template <class T>
    [[nodiscard]] std::optional<T> read_item(const std::string& name, const Node& node,
                                             const Scalar<T>& scalar)
    {
        if (!is_kind(name, node, Node::Kind::scalar, scalar.example)) {
            return std::nullopt;
        }
        const auto parsed = scalar.read(node.text);
        if (!parsed) {
            report_.error(node.mark, path(name), parsed.message, parsed.hint);
        }
        return parsed.value;
    }

    Report& report_;
    std::string key_;
    const Node* node_;     ///< null: the mapping is missing
    MapOutline* outline_;  ///< null: nobody listens
    bool in_list_ = false;
    std::vector<std::string> asked_;
    std::vector<Missing> missing_;
};

}  // namespace sim::config
