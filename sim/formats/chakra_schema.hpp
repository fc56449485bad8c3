#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::formats
{

/// The generations of Chakra's schema that number fields or kinds differently (chakra.md).
enum class ChakraSchema : std::uint8_t { v0_0_1, v0_0_2, v0_0_3, v0_0_4 };

[[nodiscard]] const char* name(ChakraSchema schema);

/// The numbers of 0.0.4.
enum class ChakraType : std::uint8_t {
    invalid = 0,
    metadata = 1,
    memory_load = 2,
    memory_store = 3,
    compute = 4,
    send = 5,
    receive = 6,
    collective = 7,
};

struct ChakraAttribute {
    std::string_view name;
    std::optional<std::int64_t> integer{};  ///< of any integer field, or a truth value
    std::optional<std::string_view> text{};
    std::optional<double> real{};
};

/// A node as every generation says it. Texts are pieces of the file.
struct ChakraNode {
    std::uint64_t id = 0;
    std::string_view name;
    ChakraType type = ChakraType::invalid;
    std::vector<std::uint64_t> control{};
    std::vector<std::uint64_t> data{};
    std::uint64_t start_us = 0;
    std::uint64_t duration_us = 0;
    std::string_view inputs{};  ///< the values, as text
    std::vector<ChakraAttribute> attributes{};

    [[nodiscard]] const ChakraAttribute* find(std::string_view attribute) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view attribute) const;
    [[nodiscard]] std::optional<double> real(std::string_view attribute) const;
    /// A text, or a whole number as text.
    [[nodiscard]] std::optional<std::string> text(std::string_view attribute) const;
};

/// What a stream of messages shows of its generation.
struct ChakraShape {
    std::optional<ChakraSchema> schema{};  ///< absent: it fits none, or more than one
    bool metadata_first = false;           ///< the first message is no node
    std::string why{};                     ///< when absent
};

[[nodiscard]] ChakraShape recognise_chakra(std::string_view stream);

/// False when the message is no node of that generation.
[[nodiscard]] bool read_node(std::string_view message, ChakraSchema schema, ChakraNode& node);

}  // namespace sim::formats
