#include "formats/topology_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sim::formats
{

namespace
{

constexpr std::size_t kLargest = 32U << 20U;

Place place_of_mark(const YAML::Mark& mark)
{
    return mark.is_null() ? Place{} : Place{mark.line + 1, mark.column + 1};
}

/// Where what is read ends: at a line "---" below the first words.
std::optional<Place> second_document(const TopologySource& source)
{
    bool begun = false;
    for (std::size_t i = 0; i < source.lines().size(); ++i) {
        const auto line = source.lines()[i];
        const auto first = line.find_first_not_of(" \t");
        if (begun && line.starts_with("---")) {
            return Place{static_cast<int>(i) + 1, 1};
        }
        begun = begun || (first != line.npos && line[first] != '#' && line[first] != '%' &&
                          !line.starts_with("---"));
    }
    return std::nullopt;
}

}  // namespace

Place place_of(const YAML::Node& node) { return place_of_mark(node.Mark()); }

std::optional<YAML::Node> load_yaml(TopologySource& source)
{
    auto text = source.text();
    if (text.size() > kLargest) {
        source.error({}, "is larger than 32 MiB");
        return std::nullopt;
    }
    if (text.find('{') == text.find_first_not_of(" \t\r\n")) {
        std::replace(text.begin(), text.end(), '\t', ' ');
    }
    if (const auto second = second_document(source)) {
        source.error(*second, "begins a second document, and a file is one network",
                     "split the file");
        return std::nullopt;
    }
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception& failure) {
        source.error(place_of_mark(failure.mark), fmt::format("is not YAML: {}", failure.msg));
        return std::nullopt;
    }
}

std::vector<YamlText> texts_of(TopologySource& source, const YAML::Node& node)
{
    std::vector<YamlText> texts;
    if (node.IsScalar()) {
        texts.push_back({node.Scalar(), place_of(node)});
        return texts;
    }
    if (!node.IsSequence()) {
        source.error(place_of(node), "is not a list");
        return texts;
    }
    for (const auto& item : node) {
        if (item.IsScalar()) {
            texts.push_back({item.Scalar(), place_of(item)});
        } else {
            source.error(place_of(item), "is not a word or a number");
        }
    }
    return texts;
}

YamlMap::YamlMap(TopologySource& source, const YAML::Node& node)
    : source_{source}, place_{place_of(node)}
{
    if (!node.IsMap()) {
        source.error(place_, "is not a mapping of keys");
        return;
    }
    for (const auto& entry : node) {
        if (!entry.first.IsScalar()) {
            source.error(place_of(entry.first), "is not a key");
            continue;
        }
        const auto place = place_of(entry.first);
        const auto [first, is_new] =
            entries_.try_emplace(entry.first.Scalar(), Entry{entry.second, place, false});
        if (!is_new) {
            source.error(place, fmt::format("key \"{}\" is there twice, first in line {}",
                                            entry.first.Scalar(), first->second.place.line));
        }
    }
}

YAML::Node YamlMap::take(const std::string& key)
{
    const auto found = entries_.find(key);
    if (found == entries_.end()) {
        return YAML::Node{YAML::NodeType::Undefined};
    }
    found->second.taken = true;
    return found->second.node;
}

std::optional<std::vector<YamlText>> YamlMap::texts(const std::string& key)
{
    if (!has(key)) {
        return std::nullopt;
    }
    return texts_of(source_, take(key));
}

std::vector<YamlText> YamlMap::rest() const
{
    std::vector<YamlText> keys;
    for (const auto& [key, entry] : entries_) {
        if (!entry.taken) {
            keys.push_back({key, entry.place});
        }
    }
    return keys;
}

}  // namespace sim::formats
