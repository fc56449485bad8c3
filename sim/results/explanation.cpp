#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/quantity_text.hpp"
#include "results/elasticity.hpp"

namespace sim::results
{
namespace
{

/// Of the step: less is nothing to speak of.
constexpr double kNothing = 0.005;
/// Of what an endless resource gains: when doubling it gains that much, more gives no more.
constexpr double kNearlyAll = 0.9;

double gain(double from, double to) { return (from - to) / from; }

std::string seconds(double s) { return to_text(Time::of(s)); }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string doubling(const std::string& resource)
{
    return resource == "latency" ? "halving all latencies"
                                 : fmt::format("doubling {}", in_words(resource));
}

/// "doubling the NICs makes it 3.1 s (-4.2 %), and more of them gives no more"
std::string worth(const ResourceElasticity& r, double step)
{
    const double doubled = gain(step, r.doubled);
    const double endless = gain(step, r.endless);
    auto text = fmt::format("{} makes it {} ({} less)", doubling(r.resource), seconds(r.doubled),
                            percent(doubled));
    const char* most = r.resource == "latency" ? "none at all" : "endless capacity";
    if (doubled >= kNearlyAll * endless) {
        text += fmt::format("; beyond that there is nothing more to gain ({} gives {})", most,
                            seconds(r.endless));
    } else {
        text += fmt::format("; {} would make it {}", most, seconds(r.endless));
    }
    return text;
}

std::string nothing(const std::vector<std::string>& names, double step, double least)
{
    if (names.empty()) {
        return "";
    }
    const auto list = names.size() == 1
                          ? names.front()
                          : fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "),
                                        names.back());
    return fmt::format(" Nothing comes of {}: even without end, each alone saves at most {}.", list,
                       percent(std::max(0.0, gain(step, least))));
}

std::string free_communication(const Elasticity& e)
{
    const double share = gain(e.step, e.free_communication);
    if (share < kNothing) {
        return fmt::format(
            " Communication costs the step nothing worth saving: without it, it would take {}.",
            seconds(e.free_communication));
    }
    return fmt::format(
        " If all communication were free the step would take {}, so no network, however fast, can "
        "save more than {}.",
        seconds(e.free_communication), percent(share));
}

/// What binds the largest part of the step is not what is worth most to it.
std::string share_and_gain(const std::string& share, const std::string& gains_most)
{
    if (share.empty() || share == gains_most) {
        return "";
    }
    return fmt::format(
        " (The largest share of its time goes to {}, which is what `binding` names; more of that "
        "is "
        "not what gains most.)",
        in_words(share));
}

}  // namespace

std::string in_words(const std::string& resource)
{
    static constexpr std::array<std::pair<const char*, const char*>, 15> kWords{
        {{"sm", "the SMs' speed"},
         {"hbm", "HBM bandwidth"},
         {"nvlink", "NVLink"},
         {"pcie", "PCIe"},
         {"nic", "the NICs"},
         {"leaf_spine", "the leaf-spine links"},
         {"spine_core", "the spine-core links"},
         {"peer", "the links between switches"},
         {"global", "the global links"},
         {"socket", "the links between sockets"},
         {"c2c", "the CPU-GPU links"},
         {"dram", "host DRAM"},
         {"cxl", "the CXL links"},
         {"pool", "pooled memory"},
         {"drive", "the drives"}}};
    const auto found = std::find_if(kWords.begin(), kWords.end(),
                                    [&](const auto& word) { return resource == word.first; });
    return found == kWords.end() ? (resource == "latency" ? "shorter latencies" : resource)
                                 : found->second;
}

std::string explain(const Elasticity& e)
{
    std::vector<ResourceElasticity> order = e.resources;
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.doubled < b.doubled; });
    std::string text = fmt::format("A step takes {}.", seconds(e.step));
    std::vector<std::string> useless;
    double least = e.step;
    bool first = true;
    for (const auto& r : order) {
        if (gain(e.step, r.doubled) >= kNothing) {
            text += first ? fmt::format(" It is bound by {} first: {}.",
                                        r.resource == "latency" ? "latency" : in_words(r.resource),
                                        worth(r, e.step))
                          : fmt::format(" Next, {}.", worth(r, e.step));
            text += first ? share_and_gain(e.largest_share, r.resource) : "";
            first = false;
        } else if (gain(e.step, r.endless) >= kNothing) {
            text += fmt::format(
                " Twice {} gives {} only; without end it would be {}.", in_words(r.resource),
                percent(std::max(0.0, gain(e.step, r.doubled))), seconds(r.endless));
        } else {
            useless.push_back(in_words(r.resource));
            least = std::min(least, r.endless);
        }
    }
    if (first) {
        text += " No single resource binds it: doubling any one alone changes it by less than " +
                percent(kNothing) + ".";
    }
    return text + nothing(useless, e.step, least) + free_communication(e);
}

}  // namespace sim::results
