#include "config/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

namespace sim::config
{

namespace
{

std::string origin(const Entry& entry)
{
    const auto& mark = entry.value.mark;
    std::string text = "default";
    if (mark.source) {
        text =
            mark.line > 0 ? fmt::format("{}:{}", mark.source->name, mark.line) : mark.source->name;
    }
    if (entry.note.empty()) {
        return text;
    }
    return mark.source ? fmt::format("{} ({})", text, entry.note)
                       : fmt::format("{}: {}", text, entry.note);
}

void print(const Node& node, int indent, std::string& text)
{
    for (const auto& entry : node.entries) {
        const std::string margin(static_cast<std::size_t>(indent), ' ');
        if (entry.value.kind == Node::Kind::mapping) {
            text += fmt::format("{}{}:\n", margin, entry.key);
            print(entry.value, indent + 2, text);
        } else {
            text += fmt::format("{}{}: {}  # {}\n", margin, entry.key, flow_text(entry.value),
                                origin(entry));
        }
    }
}

}  // namespace

void Report::error(const Mark& mark, const std::string& key, const std::string& message,
                   const std::string& hint)
{
    diagnostics_.push_back(diagnostic_at(mark, key, message, hint));
}

void Report::add(const Diagnostics& diagnostics)
{
    diagnostics_.insert(diagnostics_.end(), diagnostics.begin(), diagnostics.end());
}

void Report::add_placed(const Diagnostics& diagnostics)
{
    for (const auto& found : diagnostics) {
        diagnostics_.push_back(placed(found));
    }
}

Diagnostic Report::placed(const Diagnostic& found) const
{
    if (!found.file.empty()) {
        return found;
    }
    auto placed = diagnostic_at(place_of(found.key), found.key, found.message, found.hint);
    placed.severity = found.severity;
    return placed;
}

Mark Report::place_of(const std::string& key) const
{
    for (auto prefix = key;; prefix.resize(prefix.rfind('.'))) {
        const auto known = places_.find(prefix);
        if (known != places_.end() && known->second.source) {
            return known->second;
        }
        if (prefix.find('.') == std::string::npos) {
            break;
        }
    }
    Mark place = resolved_.mark;
    const Node* at = &resolved_;
    std::istringstream parts{key};
    std::string part;
    while (std::getline(parts, part, '.')) {
        const auto* entry = at->find(part);
        if (entry == nullptr) {
            break;
        }
        at = &entry->value;
        if (at->mark.source) {
            place = at->mark;
        }
    }
    return place;
}

void Report::record(const std::string& key, const Node& value, const std::string& note)
{
    if (key.empty()) {
        resolved_.mark = value.mark;
        return;
    }
    put(resolved_, key, value).note = note;
}

void Report::throw_if_failed() const
{
    if (!failed()) {
        return;
    }
    std::map<std::string, int> order;
    for (const auto& diagnostic : diagnostics_) {
        order.emplace(diagnostic.file, static_cast<int>(order.size()));
    }
    auto sorted = diagnostics_;
    const auto rank = [&](const Diagnostic& d) {
        return std::tuple{order.at(d.file), d.line, d.column};
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    throw InputError{std::move(sorted)};
}

std::string resolved_text(const Node& resolved)
{
    std::string text;
    print(resolved, 0, text);
    return text;
}

}  // namespace sim::config
