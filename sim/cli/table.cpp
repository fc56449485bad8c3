#include "cli/table.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "core/contract.hpp"

namespace sim::cli
{
namespace
{

constexpr std::size_t kGap = 2;

/// Bytes that begin a character: labels may hold any UTF-8.
std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

}  // namespace

void Table::column(std::string header, Align align)
{
    headers_.push_back(std::move(header));
    aligns_.push_back(align);
}

void Table::row(std::vector<std::string> cells)
{
    SIM_EXPECT(cells.size() == headers_.size());
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const
{
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < headers_.size(); ++c) {
        auto widest = characters(headers_[c]);
        for (const auto& row : rows_) {
            widest = std::max(widest, characters(row[c]));
        }
        widths.push_back(widest);
    }
    return widths;
}

std::size_t Table::width() const
{
    const auto all = widths();
    return std::accumulate(all.begin(), all.end(), kGap * (all.size() - 1));
}

std::string Table::line(const std::vector<std::string>& cells) const
{
    const auto all = widths();
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::string padding(all[c] - characters(cells[c]), ' ');
        text += c == 0 ? "" : std::string(kGap, ' ');
        text += aligns_[c] == Align::left ? cells[c] + padding : padding + cells[c];
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string Table::text() const
{
    std::string text = line(headers_);
    for (const auto& row : rows_) {
        text += line(row);
    }
    return text;
}

std::string wrapped(const std::string& paragraph)
{
    std::istringstream words{paragraph};
    std::string text;
    std::size_t at = 0;
    for (std::string word; words >> word;) {
        const auto length = characters(word);
        if (at > 0 && at + 1 + length > kPageWidth) {
            text += "\n  ";
            at = 2;
        } else if (at > 0) {
            text += ' ';
            ++at;
        }
        text += word;
        at += length;
    }
    return text + "\n";
}

}  // namespace sim::cli
