#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "formats/topology_write.hpp"

/// Whatever the bytes are, a reader answers or refuses; it never crashes, hangs or breaks a
/// contract. WEFTSIM_FUZZ_KIND is the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace sim;
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        text[i] = static_cast<char>(data[i]);
    }
    try {
        const auto topology = formats::parse_topology(
            "input", text, {.kind = WEFTSIM_FUZZ_KIND, .inner_dimensions = 1});
        (void)formats::write_topology(topology, {}, "input");
    } catch (const InputError&) {
        return 0;
    }
    return 0;
}
