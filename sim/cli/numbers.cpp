#include "cli/numbers.hpp"

#include <fmt/format.h>

#include "core/quantity_text.hpp"

namespace sim::cli
{

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string seconds(double time) { return to_text(Time::of(time)); }

}  // namespace sim::cli
