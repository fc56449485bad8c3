#include "spec/event.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const std::vector<CapacityEvent>& events, const std::string& key)
{
    Diagnostics diagnostics;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto& event = events[i];
        Checker check{diagnostics, fmt::format("{}.{}", key, i)};
        check.not_negative("at", event.at);
        if (event.resource.empty()) {
            check.error("resource", "is empty", "write a link or a GPU's resource");
        }
        if (!(event.capacity >= 0 && event.capacity <= 1)) {
            check.error("capacity",
                        fmt::format("is {} % of the resource's own", event.capacity * 100),
                        "write 0 % (dead) to 100 % (whole)");
        }
    }
    return diagnostics;
}

}  // namespace sim::spec
