#include "formats/wire_writer.hpp"

#include <google/protobuf/wire_format_lite.h>

#include <array>

namespace sim::formats
{

namespace
{

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

void append_varint(std::string& to, std::uint64_t value)
{
    constexpr std::size_t kLongest = 10;
    std::array<std::uint8_t, kLongest> buffer{};
    const auto* end = CodedOutputStream::WriteVarint64ToArray(value, buffer.data());
    to.append(reinterpret_cast<const char*>(buffer.data()),
              static_cast<std::size_t>(end - buffer.data()));
}

void append_tag(std::string& to, int field, WireFormatLite::WireType type)
{
    append_varint(to, WireFormatLite::MakeTag(field, type));
}

}  // namespace

void WireWriter::number(int field, std::uint64_t value)
{
    append_tag(message_, field, WireFormatLite::WIRETYPE_VARINT);
    append_varint(message_, value);
}

void WireWriter::real(int field, double value)
{
    append_tag(message_, field, WireFormatLite::WIRETYPE_FIXED64);
    std::array<std::uint8_t, sizeof value> buffer{};
    CodedOutputStream::WriteLittleEndian64ToArray(WireFormatLite::EncodeDouble(value),
                                                  buffer.data());
    message_.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
}

void WireWriter::bytes(int field, std::string_view value)
{
    append_tag(message_, field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
    append_varint(message_, value.size());
    message_.append(value);
}

void WireWriter::packed(int field, const std::vector<std::uint64_t>& values)
{
    if (values.empty()) {
        return;
    }
    std::string all;
    for (const auto value : values) {
        append_varint(all, value);
    }
    bytes(field, all);
}

std::string WireWriter::delimited() const
{
    std::string all;
    append_varint(all, message_.size());
    return all + message_;
}

}  // namespace sim::formats
