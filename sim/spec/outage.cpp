#include "spec/outage.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const std::vector<Outage>& outages, const std::string& key)
{
    Diagnostics diagnostics;
    for (std::size_t i = 0; i < outages.size(); ++i) {
        const auto& outage = outages[i];
        Checker check{diagnostics, fmt::format("{}.{}", key, i)};
        check.not_negative("from", outage.from);
        if (outage.until && !(*outage.until > outage.from)) {
            check.error("until",
                        fmt::format("is {}, which is not after {}", to_text(*outage.until),
                                    to_text(outage.from)),
                        "write a later instant, or leave it out");
        }
    }
    return diagnostics;
}

}  // namespace sim::spec
