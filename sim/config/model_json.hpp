#pragma once

#include <map>
#include <memory>
#include <string>

#include "config/node.hpp"
#include "spec/model.hpp"

namespace sim::config
{

struct ModelReading {
    spec::ModelSpec spec;
    std::map<std::string, Mark> places;  ///< of the keys of config.json
};

/// A Hugging Face config.json as it is. Throws InputError with every diagnostic, each at its line.
[[nodiscard]] ModelReading read_model(const std::shared_ptr<const Source>& source);

}  // namespace sim::config
