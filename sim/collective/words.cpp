#include "collective/words.hpp"

#include <fmt/format.h>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"

namespace sim::collective
{
namespace
{

template <class T>
std::string_view name_in(const std::vector<std::pair<std::string, T>>& words, T wanted)
{
    for (const auto& [word, value] : words) {
        if (value == wanted) {
            return word;
        }
    }
    throw ContractViolation{"a value without a word"};
}

template <class T>
T parse_in(const std::vector<std::pair<std::string, T>>& words, const std::string& word,
           const std::string& key)
{
    std::vector<std::string> known;
    std::string list;
    for (const auto& [candidate, value] : words) {
        if (candidate == word) {
            return value;
        }
        known.push_back(candidate);
        list += (list.empty() ? "" : ", ") + candidate;
    }
    const auto near = closest(word, known);
    sim::refuse(key, fmt::format("\"{}\" is not one of {}", word, list),
                near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
}

}  // namespace

const std::vector<std::pair<std::string, Kind>>& kind_words()
{
    static const std::vector<std::pair<std::string, Kind>> words{
        {"all_reduce", Kind::all_reduce},
        {"all_gather", Kind::all_gather},
        {"reduce_scatter", Kind::reduce_scatter},
        {"alltoall", Kind::all_to_all},
        {"all_to_all", Kind::all_to_all},
        {"broadcast", Kind::broadcast},
        {"reduce", Kind::reduce},
        {"sendrecv", Kind::send_recv},
        {"send_recv", Kind::send_recv},
        {"barrier", Kind::barrier}};
    return words;
}

std::string_view name(Kind kind) { return name_in(kind_words(), kind); }

std::string_view name(Algorithm algorithm) { return name_in(spec::algorithm_words(), algorithm); }

std::string_view name(spec::Protocol protocol)
{
    switch (protocol) {
        case spec::Protocol::ll:
            return "LL";
        case spec::Protocol::ll128:
            return "LL128";
        case spec::Protocol::simple:
            break;
    }
    return "Simple";
}

Kind parse_kind(const std::string& word, const std::string& key)
{
    return parse_in(kind_words(), word, key);
}

Algorithm parse_algorithm(const std::string& word, const std::string& key)
{
    return parse_in(spec::algorithm_words(), word, key);
}

}  // namespace sim::collective
