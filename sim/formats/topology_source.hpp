#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"

namespace sim::formats
{

/// Where something stands in a file, from 1.
struct Place {
    int line = 0;
    int column = 0;
};

/// A piece of a line between blanks.
struct Word {
    std::string_view text{};
    Place place{};
};

/// A foreign file in memory and what is wrong with it. Line ends may be of any system; a byte order
/// mark and lines of a Markdown fence are not part of the text.
class TopologySource
{
public:
    TopologySource(std::string path, std::string text);
    TopologySource(const TopologySource&) = delete;
    TopologySource& operator=(const TopologySource&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Lines without their ends; lines()[0] is line 1.
    [[nodiscard]] const std::vector<std::string_view>& lines() const { return lines_; }
    [[nodiscard]] Place place_of(std::size_t offset) const;

    /// Many of one kind of mistake are one mistake: the first ones are told, the rest counted.
    void error(Place place, std::string message, std::string hint = {});
    void warn(Place place, std::string message, std::string hint = {});
    [[nodiscard]] bool failed() const { return errors_ > 0; }

    /// Throws InputError with the errors, in the order of the file, when there are any.
    void throw_if_failed();
    [[nodiscard]] Diagnostics take_warnings();

private:
    void add(Diagnostic::Severity severity, Place place, std::string message, std::string hint);

    std::string path_;
    std::string text_;
    std::vector<std::string_view> lines_;
    Diagnostics diagnostics_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
};

/// Reads a file of at most 256 MiB. Throws Error.
[[nodiscard]] std::string read_topology_text(const std::string& path);

[[nodiscard]] std::vector<Word> words_of(std::string_view line, int number);

/// The file's name without folder and ending.
[[nodiscard]] std::string stem(const std::string& path);

/// A decimal number that fits; nothing for anything else, also for "8x" and "".
[[nodiscard]] std::optional<int> to_count(std::string_view text);
[[nodiscard]] std::optional<double> to_real(std::string_view text);

/// "1 link", "2 links".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

/// What a name of ours may hold: "/" separates a node from its parts, so it becomes "_".
[[nodiscard]] std::string as_name(std::string_view text);

}  // namespace sim::formats
