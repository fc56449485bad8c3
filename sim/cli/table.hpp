#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// Text in columns: words to the left, numbers to the right.
class Table
{
public:
    enum class Align { left, right };

    void column(std::string header, Align align = Align::right);
    /// As many cells as there are columns.
    void row(std::vector<std::string> cells);

    [[nodiscard]] std::size_t width() const;
    /// Two blanks between columns, none at the end of a line.
    [[nodiscard]] std::string text() const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;
    [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

    std::vector<std::string> headers_;
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

inline constexpr std::size_t kPageWidth = 100;

/// Broken between words so that no line is longer than the page; later lines are indented by two.
[[nodiscard]] std::string wrapped(const std::string& paragraph);

}  // namespace sim::cli
