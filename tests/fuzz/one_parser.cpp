#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "fuzz/parsers.hpp"

/// WEFTSIM_FUZZ_PARSER is the parser's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto all = sim::fuzz::parsers();
    static const auto* const parser = &*std::find_if(all.begin(), all.end(), [](const auto& known) {
        return std::string_view{known.name} == WEFTSIM_FUZZ_PARSER;
    });
    std::string text(size, '\0');
    std::transform(data, data + size, text.begin(),
                   [](std::uint8_t byte) { return static_cast<char>(byte); });
    try {
        parser->feed(text);
    } catch (const sim::InputError&) {
        return 0;
    } catch (const sim::Error&) {
        return 0;
    }
    return 0;
}
