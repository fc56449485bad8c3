#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/scratch_folder.hpp"
#include "formats/trace_load.hpp"

namespace sim::formats::test
{

/// Protobuf by hand: https://protobuf.dev/programming-guides/encoding, so that a file of any
/// generation of a schema can be made.
inline std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 128; value >>= 7U) {
        bytes += static_cast<char>(value | 128U);
    }
    return bytes + static_cast<char>(value);
}
inline std::string number(int field, std::uint64_t value)
{
    return varint(static_cast<std::uint64_t>(field) << 3U) + varint(value);
}
inline std::string bytes(int field, const std::string& content)
{
    return varint((static_cast<std::uint64_t>(field) << 3U) | 2U) + varint(content.size()) +
           content;
}
inline std::string packed(int field, const std::vector<std::uint64_t>& values)
{
    std::string content;
    for (const auto value : values) {
        content += varint(value);
    }
    return bytes(field, content);
}
inline std::string delimited(const std::string& message)
{
    return varint(message.size()) + message;
}

/// Schema 0.0.4: Node{1 id, 2 name, 3 type, 5 data_deps, 6 start, 7 duration, 10 attr}, types 4
/// compute, 5 send, 6 receive, 7 collective; Attribute{1 name, 9 int64, 13 uint64, 29 string}.
struct NodeText {
    std::uint64_t id = 0;
    std::string name = "n";
    std::uint64_t type = 4;
    std::vector<std::uint64_t> after{};
    std::uint64_t start_us = 0;
    std::uint64_t duration_us = 0;
    std::vector<std::pair<std::string, std::uint64_t>> integers{};
    std::vector<std::pair<std::string, std::string>> texts{};
    std::string more{};  ///< further fields
};
inline std::string node(const NodeText& text)
{
    std::string message = number(1, text.id) + bytes(2, text.name) + number(3, text.type);
    if (!text.after.empty()) {
        message += packed(5, text.after);
    }
    if (text.start_us > 0) {
        message += number(6, text.start_us);
    }
    if (text.duration_us > 0) {
        message += number(7, text.duration_us);
    }
    for (const auto& [name, value] : text.integers) {
        message += bytes(10, bytes(1, name) + number(9, value));
    }
    for (const auto& [name, value] : text.texts) {
        message += bytes(10, bytes(1, name) + bytes(29, value));
    }
    return delimited(message + text.more);
}
inline std::string metadata() { return delimited(bytes(1, "0.0.4")); }

/// The refusal's words without the folder; "read" when there is none.
inline std::string refusal(const ScratchFolder& folder, const std::string& name,
                           std::uint32_t gpus = 8)
{
    spec::TraceSpec asked;
    asked.path = folder.path(name);
    asked.idle_gpus = true;
    try {
        (void)load_trace(asked, gpus);
    } catch (const InputError& error) {
        std::string words = error.what();
        for (auto at = words.find(folder.path()); at != std::string::npos;
             at = words.find(folder.path())) {
            words.erase(at, folder.path().size() + 1);
        }
        return words;
    }
    return "read";
}

inline Trace read(const ScratchFolder& folder, const std::string& name, std::uint32_t gpus)
{
    spec::TraceSpec asked;
    asked.path = folder.path(name);
    return load_trace(asked, gpus);
}

}  // namespace sim::formats::test
