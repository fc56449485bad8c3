#include "formats/chakra_groups.hpp"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>

#include "core/diagnostics.hpp"

namespace sim::formats
{

namespace
{

using rapidjson::Document;
using rapidjson::Value;

// Iterative: depth of nesting costs no stack.
constexpr unsigned kParse = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag;

std::vector<std::uint32_t> ranks_of(const Value& list)
{
    std::vector<std::uint32_t> ranks;
    for (const auto& rank : list.GetArray()) {
        if (rank.IsUint()) {
            ranks.push_back(rank.GetUint());
        }
    }
    return ranks;
}

bool is_list_of_ranks(const Value& value)
{
    return value.IsArray() &&
           std::all_of(value.Begin(), value.End(), [](const Value& each) { return each.IsUint(); });
}

std::string text_of(const Value& value)
{
    if (value.IsString()) {
        return {value.GetString(), value.GetStringLength()};
    }
    return value.IsInt64() ? std::to_string(value.GetInt64()) : std::string{};
}

}  // namespace

ChakraGroups read_group_file(const std::string& name, const std::string& content)
{
    Document document;
    document.Parse<kParse>(content.data(), content.size());
    if (document.HasParseError()) {
        const auto at = std::min(document.GetErrorOffset(), content.size());
        const auto end = content.begin() + static_cast<std::ptrdiff_t>(at);
        Diagnostic diagnostic;
        diagnostic.file = name;
        diagnostic.line = 1 + static_cast<int>(std::count(content.begin(), end, '\n'));
        diagnostic.message =
            fmt::format("is no JSON: {}", rapidjson::GetParseError_En(document.GetParseError()));
        throw InputError{{diagnostic}};
    }
    ChakraGroups groups;
    const bool lists =
        document.IsObject() &&
        std::all_of(document.MemberBegin(), document.MemberEnd(),
                    [](const auto& member) { return is_list_of_ranks(member.value); });
    if (lists) {
        std::for_each(document.MemberBegin(), document.MemberEnd(), [&](const auto& member) {
            groups[text_of(member.name)] = ranks_of(member.value);
        });
    }
    return groups;
}

ChakraGroups read_group_node(const ChakraNode& node)
{
    if (node.type != ChakraType::metadata ||
        node.name.find("process_group:init") == std::string_view::npos) {
        return {};
    }
    // ['[{...}, {...}]']: Python's list of one text.
    const auto begin = node.inputs.find("[{");
    const auto end = node.inputs.rfind("}]");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
        return {};
    }
    const auto list = node.inputs.substr(begin, end + 2 - begin);
    Document document;
    document.Parse<kParse>(list.data(), list.size());
    ChakraGroups groups;
    if (document.HasParseError() || !document.IsArray()) {
        return groups;
    }
    for (const auto& group : document.GetArray()) {
        if (!group.IsObject() || !group.HasMember("pg_name")) {
            continue;
        }
        const bool listed = group.HasMember("ranks") && is_list_of_ranks(group["ranks"]);
        groups[text_of(group["pg_name"])] =
            listed ? ranks_of(group["ranks"]) : std::vector<std::uint32_t>{};
    }
    return groups;
}

}  // namespace sim::formats
