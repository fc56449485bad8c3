#pragma once

#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/outline.hpp"

namespace sim::config
{

/// What stands where no shape is known yet.
inline constexpr const char* kPlaceholder = "?";

/// The value at a key of an outline; null when nothing stands there. Of a list the first item is
/// meant.
[[nodiscard]] const Node* value_at(const Node& document, const KeyOutline& key);

/// Writes the value, and what is around it where that is missing. A null node takes the key away.
void write_at(Node& document, const KeyOutline& key, Node value);

/// A value of the shape.
[[nodiscard]] Node sample_of(const Shape& shape);

/// Every way in which the key may be written that could make a difference: each word, the first
/// numbers, an empty mapping, a list of one.
[[nodiscard]] std::vector<Node> ways_to_write(const KeyOutline& key);

/// A value that a required key may have.
[[nodiscard]] Node first_way_to_write(const KeyOutline& key);

/// True when the key may have such a value by all that readers said of it.
[[nodiscard]] bool may_be(const KeyOutline& key, const Node& value);

}  // namespace sim::config
