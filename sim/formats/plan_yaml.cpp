#include <yaml-cpp/yaml.h>

#include <map>
#include <string>

#include "formats/plan_keys.hpp"
#include "formats/topology_yaml.hpp"

namespace sim::formats
{

namespace
{

constexpr int kDeepest = 16;

std::string list_text(const YAML::Node& node)
{
    std::string text;
    for (const auto& item : node) {
        const auto word = item.IsScalar() ? item.Scalar() : std::string{"..."};
        text += (text.empty() ? "" : ", ") + word;
    }
    return "[" + text + "]";
}

struct Flattening {
    TopologySource& source;
    std::vector<PlanKey> keys{};

    void add(const std::string& prefix, const YAML::Node& node, int depth)
    {
        if (depth > kDeepest) {
            source.error(place_of(node), "is nested too deep");
            return;
        }
        for (const auto& entry : node) {
            const auto key = prefix + (entry.first.IsScalar() ? entry.first.Scalar() : "?");
            const auto& value = entry.second;
            if (value.IsMap()) {
                add(key + ".", value, depth + 1);
            } else if (value.IsSequence()) {
                keys.push_back({key, list_text(value), place_of(entry.first)});
            } else {
                keys.push_back(
                    {key, value.IsNull() ? "null" : value.Scalar(), place_of(entry.first)});
            }
        }
    }
};

/// The key that a value refers to; empty when it is none.
std::string referred(const PlanKey& key)
{
    const auto& value = key.value;
    const bool whole = value.size() > 3 && value.rfind("${", 0) == 0 && value.back() == '}';
    if (!whole || value.find_first_of(":,{", 2) != std::string::npos) {
        return {};
    }
    const auto name = value.substr(2, value.size() - 3);
    if (name.front() != '.') {
        return name;
    }
    const auto dot = key.key.rfind('.');
    return dot == std::string::npos ? name.substr(1) : key.key.substr(0, dot) + name;
}

/// References to references follow; one to itself stays open.
void resolve(std::vector<PlanKey>& keys)
{
    std::map<std::string, std::string> values;
    for (const auto& key : keys) {
        values[key.key] = key.value;
    }
    for (auto& key : keys) {
        for (int step = 0; step < kDeepest; ++step) {
            const auto found = values.find(referred(key));
            if (found == values.end()) {
                break;
            }
            key.value = found->second;
        }
    }
}

}  // namespace

std::vector<PlanKey> yaml_keys(TopologySource& source)
{
    const auto document = load_yaml(source);
    if (!document) {
        return {};
    }
    if (!document->IsMap()) {
        source.error({1, 1}, "holds no mapping");
        return {};
    }
    Flattening flattening{source};
    flattening.add("", *document, 0);
    resolve(flattening.keys);
    return std::move(flattening.keys);
}

}  // namespace sim::formats
