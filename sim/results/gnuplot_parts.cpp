#include "results/gnuplot_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/error.hpp"

namespace sim::results
{

std::string gnuplot_text(std::string words)
{
    std::string plain;
    for (const char c : words) {
        plain += c == '_' || c == '^' ? ' ' : c == '"' || c == '\\' ? '\'' : c;
    }
    return plain;
}

std::string gnuplot_cell(double value)
{
    return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string gnuplot_terminal(const std::string& format)
{
    return format == "png"   ? "set terminal pngcairo size 1200,720 font 'sans,12'\n"
           : format == "pdf" ? "set terminal pdfcairo size 25cm,15cm font 'sans,11'\n"
                             : "set terminal svg size 1200,720 font 'sans,14' background 'white'\n";
}

const Variable& needed(const Document& document, const std::string& group,
                       const std::string& variable, const std::string& kind)
{
    const auto* found = document.find(group, variable);
    if (found == nullptr) {
        throw Error{
            fmt::format("the file has no {} to draw: it lacks /{}/{}", kind, group, variable)};
    }
    return *found;
}

const std::vector<std::string>& words_of(const Variable& variable)
{
    const auto* words = std::get_if<std::vector<std::string>>(&variable.values);
    if (words == nullptr) {
        throw Error{"/" + variable.name + " is not text"};
    }
    return *words;
}

std::vector<double> numbers_of(const Variable& variable)
{
    if (const auto* real = std::get_if<std::vector<double>>(&variable.values)) {
        return *real;
    }
    const auto* whole = std::get_if<std::vector<std::int64_t>>(&variable.values);
    if (whole == nullptr) {
        throw Error{"/" + variable.name + " is not a number"};
    }
    return {whole->begin(), whole->end()};
}

}  // namespace sim::results
