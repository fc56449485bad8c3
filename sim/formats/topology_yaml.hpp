#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/topology_source.hpp"

namespace sim::formats
{

/// A scalar and where it stands.
struct YamlText {
    std::string text{};
    Place place{};
};

/// A mapping of a YAML or JSON file: what is asked for is read, the rest can be named.
class YamlMap
{
public:
    YamlMap(TopologySource& source, const YAML::Node& node);

    /// The node under `key`, once; an undefined one when there is none.
    [[nodiscard]] YAML::Node take(const std::string& key);
    /// Scalars under `key`; a lone scalar is a list of one. Nothing when the key is missing.
    [[nodiscard]] std::optional<std::vector<YamlText>> texts(const std::string& key);
    [[nodiscard]] bool has(const std::string& key) const { return entries_.count(key) != 0; }
    [[nodiscard]] Place place() const { return place_; }
    /// Keys nobody took, with their places.
    [[nodiscard]] std::vector<YamlText> rest() const;

private:
    struct Entry {
        YAML::Node node{};
        Place place{};
        bool taken = false;
    };

    TopologySource& source_;
    std::map<std::string, Entry> entries_;
    Place place_{};
};

[[nodiscard]] Place place_of(const YAML::Node& node);

/// The document, or nothing with a complaint. Tabs that indent JSON are as good as blanks.
[[nodiscard]] std::optional<YAML::Node> load_yaml(TopologySource& source);

/// Scalars of a list; complains about anything else in it.
[[nodiscard]] std::vector<YamlText> texts_of(TopologySource& source, const YAML::Node& node);

}  // namespace sim::formats
