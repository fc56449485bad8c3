#pragma once

#include <functional>
#include <memory>

#include "config/node.hpp"
#include "config/outline.hpp"
#include "config/report.hpp"

namespace sim::config
{

/// Reads the keys of one kind of document; mistakes go to the report.
using Reading = std::function<void(const Node& document, Report& report)>;

/// All that `read` asks for, found by having it read small documents: first the least that it
/// takes, then one document for each way in which each key may be written, or left out. What these
/// change of the other keys are the conditions. sim/config/schema.md says what this finds and what
/// not.
[[nodiscard]] std::unique_ptr<MapOutline> explore(const Reading& read);

}  // namespace sim::config
