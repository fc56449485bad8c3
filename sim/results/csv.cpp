#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/document.hpp"

namespace sim::results
{
namespace
{

/// RFC 4180: quoted when it must be.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? std::string{"\"\""} : std::string{c};
    }
    return quoted + '"';
}

std::string text_of(const Column& column, std::size_t i)
{
    struct Text {
        std::size_t i;
        std::string operator()(const std::vector<double>& values) const
        {
            return std::isnan(values[i]) ? "" : fmt::format("{}", values[i]);
        }
        std::string operator()(const std::vector<std::int64_t>& values) const
        {
            return fmt::format("{}", values[i]);
        }
        std::string operator()(const std::vector<std::string>& values) const { return values[i]; }
    };
    return std::visit(Text{i}, column);
}

bool is_coordinate(const Variable& variable)
{
    return variable.dimensions.size() == 1 && variable.dimensions.front() == variable.name;
}

/// Where the i-th value of a variable stands: the coordinate's text of each of `dimensions`.
std::vector<std::string> place(const Group& group, const std::vector<std::string>& dimensions,
                               std::size_t i)
{
    std::vector<std::string> texts(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        const auto& coordinate = group.variable(dimensions[d]).values;
        texts[d] = text_of(coordinate, i % size(coordinate));
        i /= size(coordinate);
    }
    return texts;
}

std::string column_suffix(const std::string& units)
{
    if (units.empty() || units == "1") {
        return "";
    }
    std::string suffix = "_";
    for (const char c : units) {
        suffix += c == '/' ? std::string{"_per_"} : std::string{c};
    }
    return suffix;
}

/// A variable of a point as columns: one for each place inside the point.
struct Block {
    const Variable* variable;
    std::size_t width;  ///< values of one point
};

void add_header(const Group& group, const Variable& variable, std::size_t axes, Block block,
                std::string& header)
{
    const std::vector<std::string> inner{variable.dimensions.begin() + static_cast<long>(axes),
                                         variable.dimensions.end()};
    for (std::size_t i = 0; i < block.width; ++i) {
        std::string name = group.name + "." + variable.name;
        for (const auto& text : place(group, inner, i)) {
            name += "." + text;
        }
        header += fmt::format(",{}", field(name + column_suffix(variable.units)));
    }
}

}  // namespace

std::string to_long_csv(const Document& document)
{
    std::string csv = "group,variable,coordinates,value,unit\n";
    for (const auto& group : document.groups) {
        for (const auto& variable : group.variables) {
            if (is_coordinate(variable)) {
                continue;
            }
            for (std::size_t i = 0; i < size(variable.values); ++i) {
                std::string where;
                const auto texts = place(group, variable.dimensions, i);
                for (std::size_t d = 0; d < texts.size(); ++d) {
                    where +=
                        fmt::format("{}{}={}", d == 0 ? "" : ";", variable.dimensions[d], texts[d]);
                }
                csv += fmt::format("{},{},{},{},{}\n", group.name, variable.name, field(where),
                                   field(text_of(variable.values, i)), variable.units);
            }
        }
    }
    return csv;
}

std::string to_wide_csv(const Document& document, const std::vector<std::string>& axes)
{
    const auto& first = document.groups.front();
    std::size_t points = 1;
    for (const auto& axis : axes) {
        points *= first.length(axis);
    }
    std::string header;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        header += fmt::format("{}{}", a == 0 ? "" : ",", field(axes[a]));
    }
    std::vector<Block> blocks;
    for (const auto& group : document.groups) {
        for (const auto& variable : group.variables) {
            const auto& own = variable.dimensions;
            if (is_coordinate(variable) || own.size() < axes.size() ||
                !std::equal(axes.begin(), axes.end(), own.begin())) {
                continue;
            }
            blocks.push_back({&variable, size(variable.values) / points});
            add_header(group, variable, axes.size(), blocks.back(), header);
        }
    }
    std::string csv = header + "\n";
    for (std::size_t p = 0; p < points; ++p) {
        std::string line;
        const auto labels = place(first, axes, p);
        for (std::size_t a = 0; a < labels.size(); ++a) {
            line += fmt::format("{}{}", a == 0 ? "" : ",", field(labels[a]));
        }
        for (const auto& [variable, width] : blocks) {
            for (std::size_t i = 0; i < width; ++i) {
                line += fmt::format(",{}", field(text_of(variable->values, p * width + i)));
            }
        }
        csv += line + "\n";
    }
    return csv;
}

}  // namespace sim::results
