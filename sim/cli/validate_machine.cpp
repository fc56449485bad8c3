#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/validate_rows.hpp"

namespace sim::cli
{
namespace
{

using config::MeasuredSystem;

const MeasuredSystem* first_match(const std::vector<MeasuredSystem>& list, const std::string& text)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const MeasuredSystem& known) {
        return matches(known.match, text);
    });
    return found == list.end() ? nullptr : &*found;
}

/// "8x400G NDR": 8 NICs of 400 Gb/s.
struct Nics {
    int count = 0;
    double gigabits = 0;
};

std::optional<Nics> nics_in(const std::string& text)
{
    Nics nics;
    const auto* end = text.data() + text.size();
    const auto [times, wrong_count] = std::from_chars(text.data(), end, nics.count);
    if (wrong_count != std::errc{} || times == end || *times != 'x') {
        return std::nullopt;
    }
    const auto [unit, wrong_rate] = std::from_chars(times + 1, end, nics.gigabits);
    if (wrong_rate != std::errc{} || unit == end || *unit != 'G' || nics.count < 1) {
        return std::nullopt;
    }
    return nics;
}

/// More NICs than GPUs work as fewer and faster ones.
void set_nics(MeasuredSystem& system, Nics nics, int gpus)
{
    if (gpus > 0 && nics.count > gpus) {
        nics = {gpus, nics.gigabits * nics.count / gpus};
    }
    system.settings.push_back({"nic.per_node", std::to_string(nics.count)});
    system.settings.push_back({"nic.bandwidth", fmt::format("{} Gbps", nics.gigabits)});
}

}  // namespace

bool matches(const std::string& pattern, const std::string& text)
{
    const auto star = pattern.find('*');
    if (star == std::string::npos) {
        return pattern == text;
    }
    if (text.compare(0, star, pattern, 0, star) != 0) {
        return false;
    }
    const auto rest = pattern.substr(star + 1);
    for (std::size_t from = star; from <= text.size(); ++from) {
        if (matches(rest, text.substr(from))) {
            return true;
        }
    }
    return false;
}

std::optional<MeasuredSystem> machine_of(const config::MeasuredSystems& known,
                                         const CsvTable& table, std::size_t row)
{
    if (const auto* named = first_match(known.systems, table.at(row, "system"))) {
        return *named;
    }
    const auto* family = first_match(known.gpus, table.at(row, "gpu"));
    if (family == nullptr) {
        return std::nullopt;
    }
    auto system = *family;
    system.by_columns = true;
    const auto& per_node = table.at(row, "gpus_per_node");
    int gpus = 0;
    std::from_chars(per_node.data(), per_node.data() + per_node.size(), gpus);
    if (system.domain > 0) {
        return system;
    }
    if (gpus > 0) {
        system.settings.push_back({"gpus_per_node", std::to_string(gpus)});
    }
    const auto& nic = table.at(row, "nic");
    if (const auto nics = nics_in(nic)) {
        set_nics(system, *nics, gpus);
    } else if (gpus > 0) {
        system.settings.push_back({"nic.per_node", std::to_string(gpus)});
    }
    if (const auto* transport =
            first_match(known.transports, nic + " " + table.at(row, "fabric"))) {
        system.settings.insert(system.settings.end(), transport->settings.begin(),
                               transport->settings.end());
    }
    return system;
}

}  // namespace sim::cli
