#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::formats
{

/// A protobuf message, written field by field in the order of the calls.
class WireWriter
{
public:
    void number(int field, std::uint64_t value);
    void real(int field, double value);
    void bytes(int field, std::string_view value);  ///< a text, or a message
    void packed(int field, const std::vector<std::uint64_t>& values);

    [[nodiscard]] const std::string& message() const { return message_; }
    /// As one of a stream: its length before it.
    [[nodiscard]] std::string delimited() const;

private:
    std::string message_;
};

}  // namespace sim::formats
