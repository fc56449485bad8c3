#include <algorithm>

#include "formats/chakra_schema.hpp"
#include "formats/wire_message.hpp"

// A Chakra file says nothing reliable of its version: the text is often empty, and the numbers of
// kinds moved between versions. The shape of the messages tells them apart.

namespace sim::formats
{

namespace
{

using Type = WireField::Type;

constexpr std::size_t kLooked = 4096;  ///< messages

/// Generations that a message may be of.
struct Candidates {
    bool first = true;
    bool second = true;
    bool third = true;
    bool fourth = true;

    void only(bool a, bool b, bool c, bool d)
    {
        first = first && a;
        second = second && b;
        third = third && c;
        fourth = fourth && d;
    }
    [[nodiscard]] int count() const { return first + second + third + fourth; }
};

bool is_attribute(std::string_view message)
{
    bool named = false;
    const bool whole = for_each_field(message, [&](const WireField& field) {
        named = named || (field.number == 1 && field.type == Type::bytes && !field.bytes.empty());
    });
    return whole && named;
}

/// The kind of value (field 2) and the field that holds it were numbered anew twice.
void weigh_old_attribute(std::string_view message, Candidates& candidates)
{
    std::uint64_t kind = 0;
    int at = 0;
    auto type = Type::varint;
    for_each_field(message, [&](const WireField& field) {
        if (field.number == 2 && field.type == Type::varint) {
            kind = field.value;
        } else if (field.number > 3) {
            at = field.number;
            type = field.type;
        }
    });
    const auto holds = [&](std::uint64_t k, int field, Type t) {
        return kind == k && at == field && type == t;
    };
    const bool second =
        holds(0, 4, Type::fixed32) || holds(1, 5, Type::varint) || holds(2, 6, Type::bytes);
    const bool third = holds(0, 4, Type::varint) || holds(1, 5, Type::fixed32) ||
                       holds(2, 6, Type::varint) || holds(3, 7, Type::bytes) ||
                       holds(3, 7, Type::varint) || holds(4, 8, Type::bytes);
    const bool lists = at > 8 || at == 0;
    candidates.only(false, second || lists, third || lists, false);
}

void weigh_field(const WireField& field, Candidates& candidates)
{
    const bool bytes = field.type == Type::bytes;
    const bool packed = bytes && field.number == 4;
    if (field.number == 11 && bytes && is_attribute(field.bytes)) {
        weigh_old_attribute(field.bytes, candidates);
    } else if (field.number == 10 && bytes && is_attribute(field.bytes)) {
        candidates.only(false, false, false, true);
    } else if (field.number == 7 && !bytes) {
        candidates.only(true, false, false, true);  // later ones have a text there
    } else if (field.number >= 12 && field.number <= 20) {
        candidates.only(true, false, false, false);
    } else if (field.number == 4 && !packed && field.type == Type::varint) {
        candidates.only(true, true, true, false);  // proto3 packs
    } else if (field.number == 6) {
        candidates.only(!bytes, bytes, bytes, !bytes);
    } else if (field.number == 5) {
        candidates.only(!bytes, bytes, bytes, true);
    }
}

/// A node has its kind in field 3; metadata has texts and attributes only.
bool is_metadata(std::string_view message)
{
    bool typed = false;
    for_each_field(message, [&](const WireField& field) {
        typed = typed || (field.number == 3 && field.type == Type::varint);
    });
    return !typed;
}

ChakraSchema the_one(const Candidates& candidates)
{
    return candidates.first    ? ChakraSchema::v0_0_1
           : candidates.second ? ChakraSchema::v0_0_2
           : candidates.third  ? ChakraSchema::v0_0_3
                               : ChakraSchema::v0_0_4;
}

}  // namespace

ChakraShape recognise_chakra(std::string_view stream)
{
    ChakraShape shape;
    Candidates candidates;
    for (std::size_t i = 0; i < kLooked && !stream.empty(); ++i) {
        const auto message = take_message(stream);
        if (!message) {
            break;
        }
        if (i == 0 && is_metadata(*message)) {
            shape.metadata_first = true;
            candidates.only(false, false, true, true);
            for_each_field(*message, [&](const WireField& field) {
                if (field.number == 1 && !is_attribute(field.bytes)) {
                    candidates.only(false, false, false, true);  // a version's text
                } else if (field.number == 2) {
                    candidates.only(false, false, false, true);
                }
            });
            continue;
        }
        if (!for_each_field(*message,
                            [&](const WireField& field) { weigh_field(field, candidates); })) {
            shape.why = "is not a stream of length-delimited protobuf messages";
            return shape;
        }
    }
    if (candidates.count() == 1) {
        shape.schema = the_one(candidates);
    } else {
        shape.why = candidates.count() == 0
                        ? "fits no version of Chakra's schema from 0.0.1 to 0.0.4"
                        : "fits more than one version of Chakra's schema, whose kinds of nodes "
                          "differ";
    }
    return shape;
}

}  // namespace sim::formats
