#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/shape.hpp"

namespace sim::config
{

/// What JSON may stand for a scalar's text, as a JSON list: "3" and 3, "true" and true.
[[nodiscard]] std::string spellings_of(const std::string& text);

/// A schema for the items of a list by their number, of the schema for one.
[[nodiscard]] std::string by_index(const std::string& item);

/// Shapes as JSON Schemas. Those of scalars are defined once and referred to. All texts are JSON.
class ShapeSchemas
{
public:
    ShapeSchemas();
    ~ShapeSchemas();
    ShapeSchemas(const ShapeSchemas&) = delete;
    ShapeSchemas& operator=(const ShapeSchemas&) = delete;

    /// One for each way to write a value. `over`: laid over a list, a mapping of indices replaces
    /// single items.
    [[nodiscard]] std::vector<std::string> of(const std::vector<Shape>& shapes, bool over);

    /// An object with all definitions that `of` referred to.
    [[nodiscard]] std::string definitions() const;

private:
    class Maker;
    std::unique_ptr<Maker> maker_;
};

}  // namespace sim::config
