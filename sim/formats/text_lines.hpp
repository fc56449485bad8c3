#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.hpp"

namespace sim::formats
{

/// A line of a text file as its words; numbers are read with the place at hand.
struct TextLine {
    int number = 0;  ///< from 1
    std::string_view text{};
    std::vector<std::string_view> words{};
};

/// Lines that are not empty. Ends of lines of any system, words apart by spaces and tabs.
[[nodiscard]] std::vector<TextLine> split_lines(std::string_view text);

/// Complaints about one text file, gathered.
class TextComplaints
{
public:
    explicit TextComplaints(std::string file) : file_{std::move(file)} {}

    void add(const TextLine& line, std::string message, std::string hint = {});
    /// A whole number in the word, at least `least`; complains and gives `least` otherwise.
    std::int64_t whole(const TextLine& line, std::string_view word, const char* what,
                       std::int64_t least = 0);
    void throw_if_any();
    [[nodiscard]] const std::string& file() const { return file_; }

private:
    std::string file_;
    Diagnostics wrong_;
};

}  // namespace sim::formats
