#include "results/report.hpp"

#include <algorithm>
#include <string_view>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "results/report_assets.hpp"

namespace sim::results
{
namespace
{

/// Nothing inside may end the element it stands in.
std::string inside_script(std::string json)
{
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
        json.replace(at, 1, "\\u003c");
    }
    return json;
}

std::string filled(std::string_view page, const std::string& data)
{
    std::string text;
    while (!page.empty()) {
        const auto mark = page.find("@@");
        if (mark == std::string_view::npos) {
            return text.append(page);
        }
        text.append(page.substr(0, mark));
        const auto end = page.find("@@", mark + 2);
        SIM_EXPECT(end != std::string_view::npos);
        const auto name = page.substr(mark + 2, end - mark - 2);
        text.append(name == "style"      ? assets::style()
                    : name == "charts"   ? assets::charts()
                    : name == "script"   ? assets::script()
                    : name == "load_map" ? assets::load_map()
                                         : std::string_view{data});
        page.remove_prefix(end + 2);
    }
    return text;
}

}  // namespace

std::string report_page(const Document& document)
{
    const auto kind = document.text("kind");
    if (kind != "run" && kind != "sweep") {
        throw Error{"a report is of a run or a sweep, and this file is of kind \"" + kind + "\""};
    }
    if (assets::charts().empty()) {
        throw Error{
            "this weftsim was built without the charts' library: run scripts/fetch-echarts, which "
            "needs npm and its registry, and build again"};
    }
    // What the page does not show would be most of a large sweep's.
    auto shown = document;
    shown.groups.erase(std::remove_if(shown.groups.begin(), shown.groups.end(),
                                      [](const Group& group) {
                                          return group.name == "spread" ||
                                                 group.name == "replicates";
                                      }),
                       shown.groups.end());
    return filled(assets::page(), inside_script(to_json(shown, JsonLayout::compact)));
}

}  // namespace sim::results
