#pragma once

#include <memory>
#include <string>

#include "config/node.hpp"

namespace sim::config
{

/// What bounds a document that was made to exhaust us: aliases and `extends` may repeat values.
struct Budget {
    int values = 200'000;  ///< still allowed, over all files of a load
    int depth = 64;        ///< mappings and lists inside each other
};

/// Parses one YAML document. Duplicate keys are refused (yaml-cpp keeps the first and says
/// nothing), and `{value: X, source: "..."}` becomes the scalar X.
/// Throws InputError with every diagnostic found.
[[nodiscard]] Node read_yaml(const std::shared_ptr<const Source>& source, Budget& budget);

}  // namespace sim::config
