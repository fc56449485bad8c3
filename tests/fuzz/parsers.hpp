#pragma once

#include <span>
#include <string>

namespace sim::fuzz
{

/// Something that reads what a person or another program wrote.
struct Parser {
    const char* name;
    /// Whatever the text is, it is answered or refused with InputError or Error; it never crashes,
    /// hangs or breaks a contract.
    void (*feed)(const std::string& text);
};

[[nodiscard]] std::span<const Parser> parsers();

}  // namespace sim::fuzz
