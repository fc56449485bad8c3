#include "config/places.hpp"

#include <string_view>

#include "config/report.hpp"

namespace sim::config
{

Places::Places(std::shared_ptr<const Report> report, bool whole)
    : report_{std::move(report)}, whole_{whole}
{
}

Diagnostics Places::place(const Diagnostics& found) const
{
    constexpr std::string_view kPrefix = "cluster.";
    Diagnostics placed;
    for (auto diagnostic : found) {
        if (!whole_ && diagnostic.key.starts_with(kPrefix)) {
            diagnostic.key.erase(0, kPrefix.size());
        }
        placed.push_back(report_ ? report_->placed(diagnostic) : diagnostic);
    }
    return placed;
}

}  // namespace sim::config
