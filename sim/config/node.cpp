#include "config/node.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/contract.hpp"

namespace sim::config
{

namespace
{

std::string line_of(const Source& source, int line)
{
    std::istringstream lines{source.text};
    std::string text;
    for (int i = 0; i < line; ++i) {
        if (!std::getline(lines, text)) {
            return {};
        }
    }
    if (!text.empty() && text.back() == '\r') {
        text.pop_back();
    }
    return text;
}

std::optional<std::size_t> index_of(const std::string& key, std::size_t size)
{
    std::size_t index = 0;
    const auto* end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, index);
    if (error != std::errc{} || stop != end || index >= size) {
        return std::nullopt;
    }
    return index;
}

bool names_items(const Node& local, const Node& base)
{
    return base.kind == Node::Kind::sequence && local.kind == Node::Kind::mapping &&
           !local.entries.empty() &&
           std::all_of(local.entries.begin(), local.entries.end(), [&](const Entry& entry) {
               return index_of(entry.key, base.items.size()).has_value();
           });
}

bool plain_in_flow(const std::string& text)
{
    return !text.empty() && text.find_first_of("{}[],:#'\"\n\t&*!|>%@`\\") == std::string::npos &&
           text.front() != ' ' && text.back() != ' ' && text.front() != '-' &&
           text.front() != '?' && text != "~" && text != "null";
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c == '\n' ? ' ' : c;
    }
    return result + "\"";
}

}  // namespace

const Entry* Node::find(const std::string& key) const
{
    for (const auto& entry : entries) {
        if (entry.key == key) {
            return &entry;
        }
    }
    return nullptr;
}

Node null_node(const Mark& mark)
{
    Node node;
    node.mark = mark;
    return node;
}

Node scalar_node(const Mark& mark, std::string text)
{
    auto node = null_node(mark);
    node.kind = Node::Kind::scalar;
    node.text = std::move(text);
    return node;
}

Node mapping_node(const Mark& mark)
{
    auto node = null_node(mark);
    node.kind = Node::Kind::mapping;
    return node;
}

Node merge(const Node& base, const Node& local)
{
    if (names_items(local, base)) {
        Node merged = base;
        for (const auto& entry : local.entries) {
            auto& item = merged.items[*index_of(entry.key, merged.items.size())];
            item = merge(item, entry.value);
        }
        return merged;
    }
    if (base.kind != Node::Kind::mapping || local.kind != Node::Kind::mapping) {
        return local;
    }
    Node merged = base;
    const bool from_command_line = !local.mark.source || local.mark.source->command_line;
    if (!from_command_line) {
        merged.mark = local.mark;
    }
    merged.extends = base.extends || local.extends;
    if (local.extends) {
        auto& entries = merged.entries;
        entries.erase(std::remove_if(entries.begin(), entries.end(),
                                     [](const Entry& entry) { return entry.inherited; }),
                      entries.end());
    }
    for (const auto& entry : local.entries) {
        const auto same = std::find_if(merged.entries.begin(), merged.entries.end(),
                                       [&](const Entry& e) { return e.key == entry.key; });
        if (same == merged.entries.end()) {
            merged.entries.push_back(entry);
        } else {
            const bool both_map =
                same->value.kind == Node::Kind::mapping && entry.value.kind == Node::Kind::mapping;
            if (!(both_map && from_command_line)) {
                same->mark = entry.mark;
            }
            same->inherited = entry.inherited;
            same->value = merge(same->value, entry.value);
        }
    }
    return merged;
}

Entry& put(Node& tree, const std::string& dotted, const Node& value)
{
    Node* at = &tree;
    Entry* entry = nullptr;
    std::istringstream parts{dotted};
    std::string part;
    while (std::getline(parts, part, '.')) {
        if (at->kind != Node::Kind::mapping) {
            *at = mapping_node(value.mark);
        }
        auto same = std::find_if(at->entries.begin(), at->entries.end(),
                                 [&](const Entry& e) { return e.key == part; });
        if (same == at->entries.end()) {
            at->entries.push_back({part, value.mark, {}, false, {}});
            same = std::prev(at->entries.end());
        }
        entry = &*same;
        at = &entry->value;
    }
    SIM_EXPECT(entry != nullptr);
    entry->mark = value.mark;
    entry->value = value;
    return *entry;
}

std::string flow_text(const Node& node)
{
    switch (node.kind) {
        case Node::Kind::null:
            return "null";
        case Node::Kind::scalar:
            return plain_in_flow(node.text) ? node.text : quoted(node.text);
        case Node::Kind::sequence: {
            std::string text;
            for (const auto& item : node.items) {
                text += (text.empty() ? "" : ", ") + flow_text(item);
            }
            return "[" + text + "]";
        }
        case Node::Kind::mapping: {
            std::string text;
            for (const auto& entry : node.entries) {
                text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
            }
            return "{" + text + "}";
        }
    }
    return {};
}

std::string kind_words(const Node& node)
{
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::scalar:
            return "\"" + node.text + "\"";
        case Node::Kind::sequence:
            return "a list";
        case Node::Kind::mapping:
            return "a mapping";
    }
    return {};
}

Diagnostic diagnostic_at(const Mark& mark, std::string key, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    if (mark.source) {
        diagnostic.file = mark.source->name;
        diagnostic.line = mark.line;
        diagnostic.column = mark.column;
        if (mark.line > 0) {
            diagnostic.source_line = line_of(*mark.source, mark.line);
        }
    }
    return diagnostic;
}

std::string path_from(const Mark& mark, const std::string& path)
{
    if (!mark.source || mark.source->path.empty() || std::filesystem::path{path}.is_absolute()) {
        return path;
    }
    return (std::filesystem::path{mark.source->path}.parent_path() / path).string();
}

std::string tidy_path(const std::string& path)
{
    return std::filesystem::path{path}.lexically_normal().string();
}

}  // namespace sim::config
