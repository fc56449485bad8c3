#include "results/report_assets.hpp"

// The assembler reads the files: a literal of a megabyte would be more than the language promises.
#define WEFTSIM_EMBED(name, path)                    \
    __asm__(                                         \
        ".section .rodata\n"                         \
        ".global weftsim_" #name                     \
        "\n"                                         \
        ".global weftsim_" #name                     \
        "_end\n"                                     \
        "weftsim_" #name ":\n.incbin \"" path        \
        "\"\n"                                       \
        "weftsim_" #name "_end:\n.byte 0\n.text\n"); \
    extern "C" const char weftsim_##name[];          \
    extern "C" const char weftsim_##name##_end[]

WEFTSIM_EMBED(page, WEFTSIM_REPORT "/page.html");
WEFTSIM_EMBED(style, WEFTSIM_REPORT "/style.css");
WEFTSIM_EMBED(script, WEFTSIM_REPORT "/report.js");
WEFTSIM_EMBED(load_map, WEFTSIM_REPORT "/load_map.js");
#ifdef WEFTSIM_ECHARTS
WEFTSIM_EMBED(charts, WEFTSIM_ECHARTS);
#endif

namespace sim::results::assets
{

std::string_view page() { return {weftsim_page, weftsim_page_end}; }
std::string_view style() { return {weftsim_style, weftsim_style_end}; }
std::string_view script() { return {weftsim_script, weftsim_script_end}; }
std::string_view load_map() { return {weftsim_load_map, weftsim_load_map_end}; }

std::string_view charts()
{
#ifdef WEFTSIM_ECHARTS
    return {weftsim_charts, weftsim_charts_end};
#else
    return {};
#endif
}

}  // namespace sim::results::assets
