#pragma once

#include "config/map_reader.hpp"
#include "spec/fabric.hpp"

namespace sim::config
{

inline constexpr auto* kSwitchExample = "{ extends: path/to/switch.yaml }";

/// One model of switch.
[[nodiscard]] spec::SwitchSpec read_switch(MapReader reader);

}  // namespace sim::config
