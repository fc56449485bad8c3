#include "core/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace sim
{

namespace
{

std::string place(const Diagnostic& diagnostic)
{
    if (diagnostic.file.empty()) {
        return {};
    }
    if (diagnostic.line == 0) {
        return diagnostic.file + ": ";
    }
    if (diagnostic.column == 0) {
        return fmt::format("{}:{}: ", diagnostic.file, diagnostic.line);
    }
    return fmt::format("{}:{}:{}: ", diagnostic.file, diagnostic.line, diagnostic.column);
}

/// What moves the caret under `column`: tabs stay tabs, and the second and later bytes of a UTF-8
/// character take no room.
std::string caret_indent(std::string_view source_line, int column)
{
    std::string indent;
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(column); ++i) {
        const auto byte = i < source_line.size() ? static_cast<unsigned char>(source_line[i]) : ' ';
        const bool continuation = (byte & 0xC0U) == 0x80U;
        if (!continuation) {
            indent += byte == '\t' ? '\t' : ' ';
        }
    }
    return indent;
}

std::string render_one(const Diagnostic& diagnostic)
{
    const bool is_error = diagnostic.severity == Diagnostic::Severity::error;
    auto text = fmt::format("{}{}: {}{}{}\n", place(diagnostic), is_error ? "error" : "warning",
                            diagnostic.key, diagnostic.key.empty() ? "" : ": ", diagnostic.message);
    if (diagnostic.line > 0 && !diagnostic.source_line.empty()) {
        text += fmt::format("{:5} | {}\n", diagnostic.line, diagnostic.source_line);
        if (diagnostic.column > 0) {
            text += fmt::format("{:5} | {}^\n", "",
                                caret_indent(diagnostic.source_line, diagnostic.column));
        }
    }
    if (!diagnostic.hint.empty()) {
        text += fmt::format("{:5} = {}\n", "", diagnostic.hint);
    }
    return text;
}

std::string lower(std::string_view word)
{
    std::string text{word};
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics)
{
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Diagnostic::Severity::error;
    });
}

std::string render(const Diagnostics& diagnostics)
{
    std::string text;
    for (const auto& diagnostic : diagnostics) {
        text += render_one(diagnostic);
    }
    return text;
}

InputError::InputError(Diagnostics diagnostics)
    : std::runtime_error{render(diagnostics)}, diagnostics_{std::move(diagnostics)}
{
}

void refuse(std::string key, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    throw InputError{{std::move(diagnostic)}};
}

std::string closest(const std::string& word, const std::vector<std::string>& candidates)
{
    // One slip per three letters; a word of one or two letters is a word of its own unless only
    // its case differs.
    const std::size_t slips = word.size() / 3;
    std::string best;
    std::size_t best_distance = slips + 1;
    for (const auto& candidate : candidates) {
        const auto distance = edit_distance(lower(word), lower(candidate));
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace sim
