#include "formats/wire_message.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <limits>

namespace sim::formats
{

namespace
{

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

CodedInputStream over(std::string_view bytes)
{
    return CodedInputStream{reinterpret_cast<const std::uint8_t*>(bytes.data()),
                            static_cast<int>(bytes.size())};
}

bool fits(std::string_view bytes)
{
    return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
}

bool read_bytes(CodedInputStream& in, std::string_view message, std::string_view& bytes)
{
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length)) {
        return false;
    }
    const auto begin = static_cast<std::size_t>(in.CurrentPosition());
    if (length > message.size() - begin) {
        return false;
    }
    bytes = message.substr(begin, length);
    return in.Skip(static_cast<int>(length));
}

bool read_value(CodedInputStream& in, std::string_view message, std::uint32_t tag, WireField& field)
{
    std::uint32_t narrow = 0;
    switch (WireFormatLite::GetTagWireType(tag)) {
        case WireFormatLite::WIRETYPE_VARINT:
            field.type = WireField::Type::varint;
            return in.ReadVarint64(&field.value);
        case WireFormatLite::WIRETYPE_FIXED64:
            field.type = WireField::Type::fixed64;
            return in.ReadLittleEndian64(&field.value);
        case WireFormatLite::WIRETYPE_FIXED32:
            field.type = WireField::Type::fixed32;
            if (!in.ReadLittleEndian32(&narrow)) {
                return false;
            }
            field.value = narrow;
            return true;
        case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
            field.type = WireField::Type::bytes;
            return read_bytes(in, message, field.bytes);
        default:
            return false;  // groups: no schema here has any
    }
}

}  // namespace

bool for_each_field(std::string_view message, const std::function<void(const WireField&)>& visit)
{
    if (!fits(message)) {
        return false;
    }
    auto in = over(message);
    while (static_cast<std::size_t>(in.CurrentPosition()) < message.size()) {
        const auto tag = in.ReadTag();
        WireField field;
        field.number = WireFormatLite::GetTagFieldNumber(tag);
        if (field.number == 0 || !read_value(in, message, tag, field)) {
            return false;
        }
        visit(field);
    }
    return true;
}

bool append_packed(std::string_view packed, std::vector<std::uint64_t>& numbers)
{
    if (!fits(packed)) {
        return false;
    }
    auto in = over(packed);
    while (static_cast<std::size_t>(in.CurrentPosition()) < packed.size()) {
        std::uint64_t number = 0;
        if (!in.ReadVarint64(&number)) {
            return false;
        }
        numbers.push_back(number);
    }
    return true;
}

std::optional<std::string_view> take_message(std::string_view& stream)
{
    constexpr std::size_t kLongestLength = 5;
    auto in = over(stream.substr(0, kLongestLength));
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length)) {
        return std::nullopt;
    }
    const auto begin = static_cast<std::size_t>(in.CurrentPosition());
    if (length > stream.size() - begin) {
        return std::nullopt;
    }
    const auto message = stream.substr(begin, length);
    stream.remove_prefix(begin + length);
    return message;
}

}  // namespace sim::formats
