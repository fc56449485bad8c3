#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sim::results
{

using Column =
    std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;

/// A named array, row-major. One named as its only dimension is that dimension's coordinate; one
/// without dimensions is a scalar.
struct Variable {
    std::string name;
    std::vector<std::string> dimensions;
    Column values;
    std::string units;  ///< "1" for shares and counts; empty for words
    std::string long_name;
};

/// Complete in itself: the coordinate of every dimension used is among the variables, before it.
struct Group {
    std::string name;
    std::vector<Variable> variables;

    /// Of that dimension; a contract violation when there is none.
    [[nodiscard]] std::size_t length(const std::string& dimension) const;
    [[nodiscard]] const Variable& variable(const std::string& wanted) const;
    /// Null when there is none.
    [[nodiscard]] const Variable* find(const std::string& wanted) const;
};

struct Attribute {
    std::string name;
    std::variant<std::string, std::vector<std::string>, std::vector<std::int64_t>, std::uint64_t>
        value;
};

/// What a file says, before anybody knows whether it becomes HDF5, JSON or CSV.
struct Document {
    std::vector<Attribute> attributes;
    std::vector<Group> groups;

    /// Null when there is none.
    [[nodiscard]] const Group* group(const std::string& wanted) const;
    [[nodiscard]] const Variable* find(const std::string& group, const std::string& variable) const;
    /// Empty when there is none, or when it is no text.
    [[nodiscard]] std::string text(const std::string& attribute) const;
};

[[nodiscard]] std::size_t size(const Column& column);

enum class JsonLayout { indented, compact };

/// Every group and attribute, arrays nested by their dimensions; NaN becomes null.
[[nodiscard]] std::string to_json(const Document& document,
                                  JsonLayout layout = JsonLayout::indented);

/// One value a line: group,variable,coordinates,value,unit.
[[nodiscard]] std::string to_long_csv(const Document& document);

/// One point of `axes` a line, one column a number; groups without all the axes are left out.
[[nodiscard]] std::string to_wide_csv(const Document& document,
                                      const std::vector<std::string>& axes);

}  // namespace sim::results
