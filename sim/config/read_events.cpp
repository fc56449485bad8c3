#include "config/read_events.hpp"

#include <fmt/format.h>

namespace sim::config
{

namespace
{

constexpr const char* kExample = "{ at: 2 s, resource: \"node0/nic0->leaf0\", capacity: 50 % }";
constexpr const char* kOutageExample = "{ part: \"leaf0->spine1\", from: 2 s, until: 12 s }";

/// "50 %" or a lone 0, as a share.
Scalar<double> percentage()
{
    return {[](const std::string& text) -> Parsed<double> {
                const auto number = real_number("50");
                if (text == "0") {
                    return {0.0, {}, {}};
                }
                const auto digits = text.substr(0, text.empty() ? 0 : text.size() - 1);
                const auto parsed = number.read(digits.substr(0, digits.find_last_not_of(' ') + 1));
                if (text.empty() || text.back() != '%' || !parsed) {
                    return {std::nullopt, fmt::format("\"{}\" is not a share", text),
                            "write 0, or a percentage such as 50 %"};
                }
                return {*parsed.value / 100, {}, {}};
            },
            "50 %",
            [] {
                return Shape{.kind = Shape::Kind::pattern,
                             .noun = "a share",
                             .pattern = fmt::format("^(0|-?{} *%)$", kNumberPattern),
                             .sample = "50 %"};
            }};
}

}  // namespace

std::vector<spec::CapacityEvent> read_events(MapReader& reader)
{
    std::vector<spec::CapacityEvent> events;
    for (auto& item : reader.optional_sections("events", kExample)) {
        auto& event = events.emplace_back();
        event.at = item.required("at", quantity<Time>("2 s"));
        event.resource = item.required("resource", words("\"node0/nic0->leaf0\""));
        event.capacity = item.required("capacity", percentage());
        item.finish();
    }
    return events;
}

std::vector<spec::Outage> read_outages(MapReader& reader)
{
    std::vector<spec::Outage> outages;
    for (auto& item : reader.optional_sections("outages", kOutageExample)) {
        auto& outage = outages.emplace_back();
        outage.part = item.required("part", words("\"leaf0->spine1\""));
        outage.from = item.required("from", quantity<Time>("2 s"));
        outage.until = item.optional("until", quantity<Time>("12 s"));
        item.finish();
    }
    return outages;
}

}  // namespace sim::config
