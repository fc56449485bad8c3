#include "config/model_keys.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

namespace sim::config
{

namespace
{

constexpr const char* kInner[] = {"text_config", "attn_config", "ffn_config"};

constexpr std::int64_t kMost = std::numeric_limits<int>::max();

Shape size_shape() { return {.kind = Shape::Kind::whole, .least = 0, .most = kMost}; }

bool is_null(const Node& node)
{
    return node.kind == Node::Kind::null ||
           (node.kind == Node::Kind::scalar && (node.text == "null" || node.text == "~"));
}

/// As it was written: a JSON string with its quotes.
std::string shown(const Node& node)
{
    return node.kind == Node::Kind::scalar ? node.text : flow_text(node);
}

std::string unquoted(const std::string& text)
{
    const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

ModelKeys::ModelKeys(Node mapping, MapOutline* outline)
    : outline_{outline}, mapping_{std::move(mapping)}
{
    if (outline_ != nullptr) {
        outline_->present = true;
    }
    for (const auto* name : kInner) {
        describe({name}, map_shape(any_shape()), false);
    }
    for (const auto& entry : mapping_.entries) {
        entries_[entry.key] = &entry;
    }
    for (const auto* name : kInner) {
        const auto* inner = mapping_.find(name);
        if (inner == nullptr || inner->value.kind != Node::Kind::mapping) {
            continue;
        }
        asked_.insert(name);
        for (const auto& entry : inner->value.entries) {
            entries_[entry.key] = &entry;
        }
    }
}

Mark ModelKeys::place(const std::string& key) const
{
    const auto found = entries_.find(key);
    return found == entries_.end() ? mapping_.mark : found->second->mark;
}

void ModelKeys::error(const std::string& key, const std::string& message, const std::string& hint)
{
    diagnostics_.push_back(diagnostic_at(place(key), key, message, hint));
}

void ModelKeys::describe(const Names& names, const Shape& shape, bool required)
{
    if (outline_ == nullptr) {
        return;
    }
    for (const auto& name : names) {
        auto& key = outline_->key(name);
        key.asked = key.ever_asked = true;
        key.add(shape);
    }
    auto& first = outline_->key(names.front());
    if (first.spellings.empty()) {
        first.spellings.assign(names.begin() + 1, names.end());
    }
    first.required = first.required || required;
}

const Node* ModelKeys::find(const Names& names, const Shape& shape)
{
    describe(names, shape, false);
    return find(names);
}

const Node* ModelKeys::find(const Names& names)
{
    if (outline_ != nullptr) {
        for (const auto& name : names) {
            auto& key = outline_->key(name);
            key.asked = key.ever_asked = true;
        }
    }
    asked_.insert(names.begin(), names.end());
    for (const auto& name : names) {
        const auto found = entries_.find(name);
        if (found != entries_.end() && !is_null(found->second->value)) {
            return &found->second->value;
        }
    }
    return nullptr;
}

std::string ModelKeys::written(const Names& names) const
{
    for (const auto& name : names) {
        const auto found = entries_.find(name);
        if (found != entries_.end() && !is_null(found->second->value)) {
            return name;
        }
    }
    return names.front();
}

std::int64_t ModelKeys::required(const Names& names)
{
    describe(names, size_shape(), true);
    if (find(names) == nullptr) {
        error(names.front(), "missing",
              fmt::format("a config.json has \"{}\": a number", names.front()));
        return 0;
    }
    return optional(names).value_or(0);
}

std::optional<std::int64_t> ModelKeys::number(const std::string& key, const Node& value)
{
    std::int64_t number = -1;
    const auto* end = value.text.data() + value.text.size();
    const auto read = std::from_chars(value.text.data(), end, number);
    const bool whole = value.kind == Node::Kind::scalar && read.ec == std::errc{} &&
                       read.ptr == end && number >= 0 && number <= kMost;
    if (!whole) {
        error(key, fmt::format("must be a whole number up to {}, not {}", kMost, shown(value)), "");
        return std::nullopt;
    }
    return number;
}

std::optional<std::int64_t> ModelKeys::optional(const Names& names)
{
    const auto* value = find(names, size_shape());
    return value == nullptr ? std::nullopt : number(written(names), *value);
}

std::optional<bool> ModelKeys::flag(const Names& names)
{
    const auto* value = find(names, word_shape({"true", "false"}));
    if (value == nullptr) {
        return std::nullopt;
    }
    if (value->kind != Node::Kind::scalar || (value->text != "true" && value->text != "false")) {
        error(written(names), "must be true or false, not " + shown(*value), "");
        return std::nullopt;
    }
    return value->text == "true";
}

std::optional<std::string> ModelKeys::word(const Names& names, const Names& known)
{
    const auto* value = find(names, known.empty() ? text_shape("llama") : word_shape(known));
    if (value == nullptr) {
        return std::nullopt;
    }
    if (value->kind != Node::Kind::scalar) {
        error(written(names), "must be a word, not " + shown(*value), "");
        return std::nullopt;
    }
    return unquoted(value->text);
}

std::vector<std::string> ModelKeys::words(const std::string& name, const Names& known)
{
    std::vector<std::string> result;
    const auto* value = find({name}, list_shape(word_shape(known)));
    if (value == nullptr) {
        return result;
    }
    if (value->kind != Node::Kind::sequence) {
        error(name, "must be a list of words, not " + shown(*value), "");
        return result;
    }
    for (const auto& item : value->items) {
        result.push_back(unquoted(item.text));
    }
    return result;
}

std::vector<std::int64_t> ModelKeys::numbers(const std::string& name)
{
    std::vector<std::int64_t> result;
    const auto* value = find({name}, list_shape(size_shape()));
    if (value == nullptr) {
        return result;
    }
    if (value->kind != Node::Kind::sequence) {
        error(name, "must be a list of numbers, not " + shown(*value), "");
        return result;
    }
    for (const auto& item : value->items) {
        result.push_back(number(name, item).value_or(0));
    }
    return result;
}

std::map<std::string, Mark> ModelKeys::places() const
{
    std::map<std::string, Mark> places;
    for (const auto& [key, entry] : entries_) {
        places[key] = entry->mark;
    }
    return places;
}

void ModelKeys::finish()
{
    if (outline_ != nullptr) {
        outline_->closing.asked = outline_->closing.required = true;
    }
    const std::vector<std::string> known{asked_.begin(), asked_.end()};
    for (const auto& [key, entry] : entries_) {
        if (asked_.count(key) == 0) {
            const auto near = closest(key, known);
            error(key, "unknown key", near.empty() ? near : "did you mean \"" + near + "\"?");
        }
    }
}

void ModelKeys::throw_if_failed() const
{
    if (!diagnostics_.empty()) {
        throw InputError{diagnostics_};
    }
}

}  // namespace sim::config
