#pragma once

#include "config/map_reader.hpp"
#include "spec/fidelity.hpp"

namespace sim::config
{

/// The key `fidelity`: one word, or a word for each kind of collective.
[[nodiscard]] spec::FidelitySpec read_fidelity(MapReader& reader);

}  // namespace sim::config
