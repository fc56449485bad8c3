#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "formats/topology_source.hpp"

namespace sim::formats
{

/// A document of at most 32 MiB and 64 levels. Document types are skipped: nothing is fetched and
/// no entity of a file's own is expanded. Attribute texts that are missing are empty.
class TopologyXml
{
public:
    /// Complains when the text is not XML or too deep; the root is empty then.
    explicit TopologyXml(TopologySource& source);

    [[nodiscard]] pugi::xml_node root() const { return root_; }
    [[nodiscard]] Place place(const pugi::xml_node& node) const;
    /// Where the attribute's name stands, or the node's place when it has none of that name.
    [[nodiscard]] Place place(const pugi::xml_node& node, std::string_view attribute) const;

private:
    TopologySource& source_;
    pugi::xml_document document_;
    pugi::xml_node root_;
};

[[nodiscard]] std::string_view text_of(const pugi::xml_node& node, const char* attribute);

}  // namespace sim::formats
