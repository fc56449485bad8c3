#include "formats/topology_xml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sim::formats
{

namespace
{

constexpr std::size_t kLargest = 32U << 20U;
constexpr int kDeepest = 64;

class DepthProbe : public pugi::xml_tree_walker
{
public:
    bool for_each(pugi::xml_node& /*node*/) override { return depth() < kDeepest; }
};

}  // namespace

TopologyXml::TopologyXml(TopologySource& source) : source_{source}
{
    const auto& text = source.text();
    if (text.size() > kLargest) {
        source.error({}, "is larger than 32 MiB");
        return;
    }
    const auto result =
        document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
        source.error(source.place_of(static_cast<std::size_t>(result.offset)),
                     fmt::format("is not XML: {}", result.description()));
        return;
    }
    DepthProbe probe;
    if (!document_.traverse(probe)) {
        source.error({}, fmt::format("is nested deeper than {} elements", kDeepest));
        return;
    }
    root_ = document_.document_element();
}

Place TopologyXml::place(const pugi::xml_node& node) const
{
    const auto offset = node.offset_debug();
    // The parser counts from the name; the element starts at "<" before it.
    return offset < 1 ? Place{} : source_.place_of(static_cast<std::size_t>(offset) - 1);
}

Place TopologyXml::place(const pugi::xml_node& node, std::string_view attribute) const
{
    const auto offset = node.offset_debug();
    if (offset < 0) {
        return {};
    }
    const auto& text = source_.text();
    const auto start = static_cast<std::size_t>(offset);
    const auto end = std::min(text.find('>', start), text.size());
    for (auto at = text.find(attribute, start); at < end; at = text.find(attribute, at + 1)) {
        const auto after = text.find_first_not_of(" \t\r\n", at + attribute.size());
        const bool named = at > 0 && text.find_first_of(" \t\r\n", at - 1) == at - 1;
        if (named && after < end && text[after] == '=') {
            return source_.place_of(at);
        }
    }
    return place(node);
}

std::string_view text_of(const pugi::xml_node& node, const char* attribute)
{
    return node.attribute(attribute).value();
}

}  // namespace sim::formats
