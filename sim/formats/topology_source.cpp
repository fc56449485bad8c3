#include "formats/topology_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/error.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kToldErrors = 50;
constexpr std::uintmax_t kLargestFile = 256ULL << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::vector<std::string_view> split_lines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

TopologySource::TopologySource(std::string path, std::string text)
    : path_{std::move(path)}, text_{std::move(text)}
{
    if (text_.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
        text_.erase(0, kByteOrderMark.size());
    }
    lines_ = split_lines(text_);
    for (auto& line : lines_) {
        if (line.substr(0, 3) == "```") {
            line = {};
        }
    }
}

Place TopologySource::place_of(std::size_t offset) const
{
    const auto before = std::string_view{text_}.substr(0, std::min(offset, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    const auto column = before.size() - (start == before.npos ? 0 : start + 1);
    return {static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

void TopologySource::error(Place place, std::string message, std::string hint)
{
    if (++errors_ <= kToldErrors) {
        add(Diagnostic::Severity::error, place, std::move(message), std::move(hint));
    }
}

void TopologySource::warn(Place place, std::string message, std::string hint)
{
    if (++warnings_ <= kToldErrors) {
        add(Diagnostic::Severity::warning, place, std::move(message), std::move(hint));
    }
}

void TopologySource::add(Diagnostic::Severity severity, Place place, std::string message,
                         std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.file = path_;
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    if (place.line > 0 && static_cast<std::size_t>(place.line) <= lines_.size()) {
        constexpr std::size_t kShown = 120;
        diagnostic.source_line = lines_[static_cast<std::size_t>(place.line) - 1].substr(0, kShown);
    }
    diagnostic.severity = severity;
    diagnostics_.push_back(std::move(diagnostic));
}

void TopologySource::throw_if_failed()
{
    if (errors_ == 0) {
        return;
    }
    Diagnostics errors;
    std::copy_if(diagnostics_.begin(), diagnostics_.end(), std::back_inserter(errors),
                 [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error; });
    // Readers go through a file in their own order; people read it from the top.
    std::stable_sort(errors.begin(), errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tuple{a.line == 0, a.line, a.column} <
               std::tuple{b.line == 0, b.line, b.column};
    });
    if (errors_ > kToldErrors) {
        Diagnostic rest;
        rest.file = path_;
        rest.message = fmt::format("and {} more errors", errors_ - kToldErrors);
        errors.push_back(std::move(rest));
    }
    throw InputError{std::move(errors)};
}

Diagnostics TopologySource::take_warnings()
{
    if (warnings_ > kToldErrors) {
        add(Diagnostic::Severity::warning, {},
            fmt::format("and {} more warnings", warnings_ - kToldErrors), {});
    }
    return std::exchange(diagnostics_, {});
}

std::string read_topology_text(const std::string& path)
{
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (failure || !std::filesystem::exists(status)) {
        throw Error{fmt::format("cannot read {}: no such file", path)};
    }
    if (std::filesystem::is_directory(status)) {
        throw Error{fmt::format("cannot read {}: it is a folder", path)};
    }
    std::ifstream file{path, std::ios::binary};
    std::string text;
    std::string piece(1U << 16U, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           file.gcount() > 0) {
        text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
        if (text.size() > kLargestFile) {
            throw Error{fmt::format("cannot read {}: it is larger than 256 MiB", path)};
        }
    }
    if (!file.eof()) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    return text;
}

std::vector<Word> words_of(std::string_view line, int number)
{
    constexpr std::string_view kBlank = " \t\f\v";
    std::vector<Word> words;
    for (auto start = line.find_first_not_of(kBlank); start != line.npos;) {
        const auto end = std::min(line.find_first_of(kBlank, start), line.size());
        words.push_back({line.substr(start, end - start), {number, static_cast<int>(start) + 1}});
        start = line.find_first_not_of(kBlank, end);
    }
    return words;
}

std::string stem(const std::string& path) { return std::filesystem::path{path}.stem().string(); }

std::optional<int> to_count(std::string_view text)
{
    int value = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    return failure == std::errc{} && stop == end && value >= 0 ? std::optional{value}
                                                               : std::nullopt;
}

std::optional<double> to_real(std::string_view text)
{
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    return failure == std::errc{} && stop == end && std::isfinite(value) ? std::optional{value}
                                                                         : std::nullopt;
}

std::string counted(std::size_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string as_name(std::string_view text)
{
    std::string name{text};
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

}  // namespace sim::formats
