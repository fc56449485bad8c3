#pragma once

#include <map>
#include <memory>
#include <string>

#include "config/node.hpp"
#include "config/outline.hpp"
#include "spec/model.hpp"

namespace sim::config
{

struct ModelReading {
    spec::ModelSpec spec;
    std::map<std::string, Mark> places;  ///< of the keys of the description
};

/// A Hugging Face config.json as it is. Throws InputError with every diagnostic, each at its line.
[[nodiscard]] ModelReading read_model(const std::shared_ptr<const Source>& source);

/// The same keys as a mapping in YAML, which may extend a config.json. Without model_type every
/// feature is named by its key, and a key that nothing reads is a mistake. `outline`, if any, is
/// told what is asked for.
[[nodiscard]] ModelReading read_model(const Node& mapping, const std::string& name,
                                      MapOutline* outline);

}  // namespace sim::config
