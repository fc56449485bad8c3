#include "engine/isolated_wire.hpp"

#include <cstdint>
#include <cstring>

#include "core/error.hpp"

namespace sim::engine
{
namespace
{

void put(std::string& bytes, std::uint64_t number)
{
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof raw);
}

void put(std::string& bytes, const std::string& text)
{
    put(bytes, text.size());
    bytes += text;
}

class WireReader
{
public:
    explicit WireReader(std::string_view bytes) : rest_{bytes} {}

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string{take(number())}; }

private:
    std::string_view take(std::uint64_t size)
    {
        if (size > rest_.size()) {
            throw Error("the child process of a simulation sent a cut message");
        }
        const auto part = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return part;
    }

    std::string_view rest_;
};

}  // namespace

std::string to_wire(const Diagnostics& diagnostics)
{
    std::string bytes;
    put(bytes, diagnostics.size());
    for (const Diagnostic& one : diagnostics) {
        put(bytes, one.key);
        put(bytes, one.message);
        put(bytes, one.hint);
        put(bytes, one.file);
        put(bytes, static_cast<std::uint64_t>(one.line));
        put(bytes, static_cast<std::uint64_t>(one.column));
        put(bytes, one.source_line);
        put(bytes, static_cast<std::uint64_t>(one.severity));
    }
    return bytes;
}

Diagnostics diagnostics_from_wire(std::string_view bytes)
{
    WireReader in{bytes};
    const auto count = in.number();
    Diagnostics diagnostics;
    for (std::uint64_t i = 0; i < count; ++i) {
        // A braced list is evaluated left to right, which is the order of to_wire.
        diagnostics.push_back(Diagnostic{in.text(), in.text(), in.text(), in.text(),
                                         static_cast<int>(in.number()),
                                         static_cast<int>(in.number()), in.text(),
                                         static_cast<Diagnostic::Severity>(in.number())});
    }
    return diagnostics;
}

}  // namespace sim::engine
