#include "spec/dram_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sim::spec
{

namespace
{

struct Name {
    std::string_view word;
    AddressField field;
};
constexpr std::array<Name, 6> kNames{{{"row", AddressField::row},
                                      {"rank", AddressField::rank},
                                      {"bank", AddressField::bank},
                                      {"group", AddressField::group},
                                      {"pseudo", AddressField::pseudo},
                                      {"column", AddressField::column}}};

int bits_of(std::int64_t count)
{
    return count < 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
}

int whole_bits(const DramSpec& dram, AddressField field)
{
    switch (field) {
        case AddressField::rank:
            return bits_of(dram.ranks);
        case AddressField::bank:
            return bits_of(dram.banks_per_group);
        case AddressField::group:
            return bits_of(dram.bank_groups);
        case AddressField::pseudo:
            return bits_of(dram.pseudo_channels);
        case AddressField::column:
            return bits_of(static_cast<std::int64_t>(dram.row / burst_bytes(dram)));
        case AddressField::row:
            break;
    }
    return 0;
}

/// One word of the order; no field when it is none of ours.
struct Word {
    std::optional<AddressField> field{};
    std::optional<int> bits{};
};

Word read_word(std::string_view text)
{
    Word word;
    const auto colon = text.find(':');
    for (const auto& name : kNames) {
        if (name.word == text.substr(0, colon)) {
            word.field = name.field;
        }
    }
    if (colon != std::string_view::npos) {
        int bits = 0;
        const auto number = text.substr(colon + 1);
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), bits);
        const bool whole = error == std::errc{} && end == number.data() + number.size();
        if (!whole || bits < 1 || word.field != AddressField::column) {
            return {};
        }
        word.bits = bits;
    }
    return word;
}

std::string unknown_word(std::string_view text)
{
    return fmt::format("\"{}\" is not one of row, rank, bank, group, pseudo, column, column:BITS",
                       text);
}

/// Gives the one unsized column what the sized ones leave, and says what does not fit.
std::string settle_columns(AddressOrder& order, int column_bits)
{
    AddressBits* rest = nullptr;
    int sized = 0;
    for (auto& part : order.fields) {
        if (part.field != AddressField::column) {
            continue;
        }
        if (part.bits == 0 && rest == nullptr) {
            rest = &part;
        }
        sized += part.bits;
    }
    if (rest != nullptr) {
        rest->bits = column_bits - sized;
    }
    if (sized > column_bits || (rest == nullptr && sized != column_bits)) {
        return fmt::format("has {} column bits, but a row has {}", sized, column_bits);
    }
    return {};
}

std::string missing_or_twice(const AddressOrder& order)
{
    for (const auto& name : kNames) {
        const auto times =
            std::count_if(order.fields.begin(), order.fields.end(),
                          [&](const AddressBits& part) { return part.field == name.field; });
        if (times == 0) {
            return fmt::format("leaves out \"{}\"", name.word);
        }
        if (times > (name.field == AddressField::column ? 2 : 1)) {
            return fmt::format("names \"{}\" {} times", name.word, times);
        }
    }
    return order.fields.back().field == AddressField::row
               ? std::string{}
               : "does not start with \"row\", which takes the bits that are left";
}

AddressOrder refused(std::string complaint) { return {{}, std::move(complaint)}; }

}  // namespace

AddressOrder address_order(const DramSpec& dram)
{
    AddressOrder order;
    std::string_view rest = dram.mapping.order;
    while (!rest.empty()) {
        const auto dash = rest.find('-');
        const auto text = rest.substr(0, dash);
        rest = dash == std::string_view::npos ? std::string_view{} : rest.substr(dash + 1);
        const auto word = read_word(text);
        if (!word.field) {
            return refused(unknown_word(text));
        }
        const bool column = *word.field == AddressField::column;
        const int bits = column ? word.bits.value_or(0) : whole_bits(dram, *word.field);
        order.fields.insert(order.fields.begin(), {*word.field, bits});
    }
    auto complaint = order.fields.empty() ? "is empty" : missing_or_twice(order);
    if (complaint.empty()) {
        complaint = settle_columns(order, whole_bits(dram, AddressField::column));
    }
    return complaint.empty() ? order : refused(complaint);
}

}  // namespace sim::spec
