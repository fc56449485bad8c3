#include "fabric/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "core/diagnostics.hpp"
#include "fabric/leaf_spine.hpp"

namespace sim::fabric
{
namespace
{

constexpr std::array kCatalogue{
    CatalogueEntry{"leaf_spine", add_leaf_spine},
};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

Builder find_builder(const std::string& kind)
{
    std::vector<std::string> kinds;
    for (const auto& entry : kCatalogue) {
        if (entry.kind == kind) {
            return entry.builder;
        }
        kinds.emplace_back(entry.kind);
    }
    const auto near = closest(kind, kinds);
    Diagnostic diagnostic;
    diagnostic.key = "cluster.fabric.kind";
    diagnostic.message = fmt::format("there is no fabric \"{}\"", kind);
    diagnostic.hint = near.empty() ? fmt::format("write one of {}", fmt::join(kinds, ", "))
                                   : fmt::format("did you mean \"{}\"?", near);
    throw InputError{{diagnostic}};
}

}  // namespace sim::fabric
