#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace sim::formats
{

/// One field of a protobuf message whose schema is not known beforehand.
struct WireField {
    enum class Type : std::uint8_t { varint, fixed64, bytes, fixed32 };

    int number = 0;
    Type type = Type::varint;
    std::uint64_t value = 0;   ///< of varint, fixed64 and fixed32: the bits
    std::string_view bytes{};  ///< of bytes: text, a message, or packed numbers
};

/// The fields of a message in order; false when it is not one.
bool for_each_field(std::string_view message, const std::function<void(const WireField&)>& visit);

/// Packed unsigned numbers, appended; false when they are cut short.
bool append_packed(std::string_view packed, std::vector<std::uint64_t>& numbers);

/// Takes the next message of a stream of length-delimited ones off its front. Absent when what is
/// left is shorter than its length says.
[[nodiscard]] std::optional<std::string_view> take_message(std::string_view& stream);

}  // namespace sim::formats
