#include "formats/chakra_schema.hpp"

#include <algorithm>
#include <bit>

#include "formats/wire_message.hpp"

namespace sim::formats
{

namespace
{

using Type = WireField::Type;

// Field numbers of the generations, as the schema's history has them (et_def.proto at commits
// df405e8, 2719463, 9d917e3, 29de3e1, c236cfa, a2b45c1 of mlcommons/chakra).
constexpr int kOldAttribute = 11;
constexpr int kAttribute = 10;
constexpr std::uint64_t kNodeTypes = 7;

/// MEM_LOAD was 1 before METADATA took that number.
ChakraType type_of(std::uint64_t number, ChakraSchema schema)
{
    const bool shifted = schema == ChakraSchema::v0_0_1 || schema == ChakraSchema::v0_0_2;
    const auto now = number + (shifted && number > 0 ? 1 : 0);
    return now <= kNodeTypes ? static_cast<ChakraType>(now) : ChakraType::invalid;
}

/// 0.0.1 has no attributes; what it says in fields of its own goes by the later names. Its kinds of
/// collectives start at 1: in the order of 0.0.2's otherwise.
void read_first_generation(const WireField& field, ChakraNode& node)
{
    static constexpr struct {
        int number;
        const char* name;
    } kNames[] = {{6, "tensor_size"}, {12, "num_ops"},   {15, "pg_name"}, {16, "comm_src"},
                  {17, "comm_dst"},   {18, "comm_size"}, {19, "comm_tag"}};
    if (field.type == Type::bytes && field.number == 4) {
        append_packed(field.bytes, node.data);
        return;
    }
    if (field.type != Type::varint) {
        return;
    }
    if (field.number == 4) {
        node.data.push_back(field.value);
    } else if (field.number == 7) {
        node.duration_us = field.value;
    } else if (field.number == 13 && field.value > 0) {
        node.attributes.push_back({"comm_type", static_cast<std::int64_t>(field.value) - 1, {}});
    }
    for (const auto& known : kNames) {
        if (field.number == known.number) {
            node.attributes.push_back({known.name, static_cast<std::int64_t>(field.value), {}});
        }
    }
}

/// sint32 and sint64 fold the sign into the lowest bit.
std::int64_t unfolded(std::uint64_t value)
{
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
}

ChakraAttribute read_attribute(std::string_view message)
{
    ChakraAttribute attribute;
    for_each_field(message, [&](const WireField& field) {
        const bool is_text = field.type == Type::bytes;
        switch (field.number) {
            case 1:
                attribute.name = field.bytes;
                return;
            case 3:
                if (field.type == Type::fixed64) {
                    attribute.real = std::bit_cast<double>(field.value);
                }
                return;
            case 7:
            case 9:
            case 11:
            case 13:
            case 21:
            case 25:
            case 27:
                if (!is_text) {
                    attribute.integer = static_cast<std::int64_t>(field.value);
                }
                return;
            case 15:
            case 17:
                if (!is_text) {
                    attribute.integer = unfolded(field.value);
                }
                return;
            case 19:
            case 23:
                if (!is_text) {
                    attribute.integer = static_cast<std::int32_t>(field.value);
                }
                return;
            case 29:
            case 31:
                if (is_text) {
                    attribute.text = field.bytes;
                }
                return;
            default:
                return;
        }
    });
    return attribute;
}

/// Field 2 says which of the later fields has the value, so its number need not be known.
ChakraAttribute read_old_attribute(std::string_view message)
{
    ChakraAttribute attribute;
    for_each_field(message, [&](const WireField& field) {
        if (field.number == 1) {
            attribute.name = field.bytes;
        } else if (field.number > 3 && field.type == Type::varint) {
            attribute.integer = static_cast<std::int64_t>(field.value);
        } else if (field.number > 3 && field.type == Type::bytes) {
            attribute.text = field.bytes;
        }
    });
    return attribute;
}

void read_values(std::string_view message, ChakraNode& node)
{
    for_each_field(message, [&](const WireField& field) {
        if (field.number == 1 && field.type == Type::bytes) {
            node.inputs = field.bytes;
        }
    });
}

void append_ids(const WireField& field, std::vector<std::uint64_t>& ids)
{
    if (field.type == Type::varint) {
        ids.push_back(field.value);
    } else if (field.type == Type::bytes) {
        append_packed(field.bytes, ids);
    }
}

void read_second_generation(const WireField& field, ChakraNode& node)
{
    if (field.number == 4) {
        append_ids(field, node.data);
    } else if (field.number == 5 && field.type == Type::bytes) {
        node.inputs = field.bytes;
    } else if (field.number == kOldAttribute && field.type == Type::bytes) {
        node.attributes.push_back(read_old_attribute(field.bytes));
    }
}

void read_present_generation(const WireField& field, ChakraNode& node)
{
    switch (field.number) {
        case 4:
            append_ids(field, node.control);
            break;
        case 5:
            append_ids(field, node.data);
            break;
        case 6:
            node.start_us = field.value;
            break;
        case 7:
            node.duration_us = field.value;
            break;
        case 8:
            read_values(field.bytes, node);
            break;
        case kAttribute:
            if (field.type == Type::bytes) {
                node.attributes.push_back(read_attribute(field.bytes));
            }
            break;
        default:
            break;
    }
}

}  // namespace

const char* name(ChakraSchema schema)
{
    static constexpr const char* kNames[] = {"Chakra 0.0.1", "Chakra 0.0.2", "Chakra 0.0.3",
                                             "Chakra 0.0.4"};
    return kNames[static_cast<std::size_t>(schema)];
}

const ChakraAttribute* ChakraNode::find(std::string_view attribute) const
{
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& each) { return each.name == attribute; });
    return found == attributes.end() ? nullptr : &*found;
}

std::optional<std::int64_t> ChakraNode::integer(std::string_view attribute) const
{
    const auto* found = find(attribute);
    return found == nullptr ? std::nullopt : found->integer;
}

std::optional<double> ChakraNode::real(std::string_view attribute) const
{
    const auto* found = find(attribute);
    return found == nullptr ? std::nullopt : found->real;
}

std::optional<std::string> ChakraNode::text(std::string_view attribute) const
{
    const auto* found = find(attribute);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->text) {
        return std::string{*found->text};
    }
    return found->integer ? std::optional{std::to_string(*found->integer)} : std::nullopt;
}

bool read_node(std::string_view message, ChakraSchema schema, ChakraNode& node)
{
    node = {};
    bool typed = false;
    const bool whole = for_each_field(message, [&](const WireField& field) {
        if (field.number == 1 && field.type == Type::varint) {
            node.id = field.value;
        } else if (field.number == 2 && field.type == Type::bytes) {
            node.name = field.bytes;
        } else if (field.number == 3 && field.type == Type::varint) {
            node.type = type_of(field.value, schema);
            typed = node.type != ChakraType::invalid;
        } else if (schema == ChakraSchema::v0_0_1) {
            read_first_generation(field, node);
        } else if (schema == ChakraSchema::v0_0_4) {
            read_present_generation(field, node);
        } else {
            read_second_generation(field, node);
        }
    });
    return whole && typed;
}

}  // namespace sim::formats
