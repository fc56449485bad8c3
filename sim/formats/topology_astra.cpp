#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "core/quantity_text.hpp"
#include "formats/astra_dimensions.hpp"
#include "formats/topology_readers.hpp"
#include "formats/topology_yaml.hpp"

namespace sim::formats
{

namespace
{

/// The analytical network counts 2^30 bytes a "GB" (bandwidth x 2^30 / 10^9 bytes per ns).
constexpr double kGigabyte = 1U << 30U;
constexpr double kShortestBelievable = 10;  ///< ns; 2 m of cable take as long

/// The keys of one version of the format.
struct Keys {
    std::string topology;
    std::string count;
    std::string bandwidth;
    std::string latency;
};

const Keys kYaml{"topology", "npus_count", "bandwidth", "latency"};
const Keys kFirstVersion{"topologies-per-dim", "units-count", "link-bandwidth", "link-latency"};

class Parser
{
public:
    Parser(TopologySource& source, const YAML::Node& document)
        : source_{source}, map_{source, document}
    {
        if (source.failed()) {
            return;
        }
        if (map_.has("logical-dims")) {
            source.error(map_.place(), "logical-dims name no links",
                         "import the physical topology file of the same run, --kind simai");
            return;
        }
        first_version_ = map_.has(kFirstVersion.topology) || map_.has(kFirstVersion.count);
        keys_ = first_version_ ? kFirstVersion : kYaml;
        read();
        leave_out();
    }

    [[nodiscard]] const std::vector<AstraDimension>& dimensions() const { return dimensions_; }

private:
    std::vector<YamlText> list(const std::string& key)
    {
        auto texts = map_.texts(key);
        if (!texts) {
            source_.error(map_.place(), fmt::format("key \"{}\" is missing", key));
        }
        return texts.value_or(std::vector<YamlText>{});
    }

    void read()
    {
        auto shapes = map_.has(keys_.topology) ? list(keys_.topology) : list("topology-name");
        const auto counts = list(keys_.count);
        const auto bandwidths = list(keys_.bandwidth);
        const auto latencies = list(keys_.latency);
        if (source_.failed()) {
            return;
        }
        const auto size = counts.size();
        if (size == 0 || shapes.size() != size || bandwidths.size() != size ||
            latencies.size() != size) {
            source_.error(map_.place(),
                          fmt::format("{} has {} entries, {} {}, {} {} and {} {}", keys_.topology,
                                      shapes.size(), keys_.count, size, keys_.bandwidth,
                                      bandwidths.size(), keys_.latency, latencies.size()),
                          "write one of each a dimension");
            return;
        }
        for (std::size_t d = 0; d < size; ++d) {
            dimensions_.push_back({shape(shapes[d]), count(counts[d]),
                                   Bandwidth::of(number(bandwidths[d]) * kGigabyte),
                                   time(latencies[d])});
        }
    }

    AstraDimension::Shape shape(const YamlText& word)
    {
        using Shape = AstraDimension::Shape;
        static const std::array<std::pair<std::string, Shape>, 4> kShapes{
            {{"Ring", Shape::ring},
             {"FullyConnected", Shape::fully_connected},
             {"AllToAll", Shape::fully_connected},
             {"Switch", Shape::switched}}};
        for (const auto& [name, shape] : kShapes) {
            if (name == word.text) {
                return shape;
            }
        }
        const auto near = closest(word.text, {"Ring", "FullyConnected", "Switch"});
        source_.error(word.place, fmt::format("\"{}\" is no topology", word.text),
                      near.empty() ? "write Ring, FullyConnected or Switch"
                                   : fmt::format("did you mean \"{}\"?", near));
        return Shape::ring;
    }

    int count(const YamlText& word)
    {
        const auto value = to_count(word.text);
        if (!value || *value < 2) {
            source_.error(word.place, fmt::format("\"{}\" is not a number of NPUs", word.text),
                          "a dimension has at least 2");
        }
        return value.value_or(2);
    }

    double number(const YamlText& word)
    {
        const auto value = to_real(word.text);
        if (!value) {
            source_.error(
                word.place, fmt::format("\"{}\" is not a number", word.text),
                word.text == "tbd" ? "it is a placeholder: write the measured value" : "");
        } else if (*value <= 0) {
            source_.error(word.place, fmt::format("\"{}\" is not above 0", word.text));
        }
        return value.value_or(1);
    }

    Time time(const YamlText& word)
    {
        const auto nanoseconds = number(word);
        if (nanoseconds < kShortestBelievable && !source_.failed()) {
            source_.warn(word.place,
                         fmt::format("{} is read as nanoseconds, less than 2 m of cable "
                                     "take; the file may mean microseconds",
                                     word.text));
        }
        return Time::of(nanoseconds / 1e9);
    }

    void leave_out()
    {
        static const std::set<std::string> kKnown{
            "topology-name", "dimensions-count", "dimension-type", "links-count",
            "nic-latency",   "router-latency",   "hbm-latency",    "hbm-bandwidth",
            "hbm-scale",     "use-fast-version"};
        std::string names;
        Place first{};
        for (const auto& key : map_.rest()) {
            if (!first_version_ || kKnown.count(key.text) == 0) {
                source_.error(key.place, fmt::format("unknown key \"{}\"", key.text));
                continue;
            }
            first = names.empty() ? key.place : first;
            names += (names.empty() ? "" : ", ") + key.text;
        }
        if (!names.empty() && !source_.failed()) {
            source_.warn(first, names +
                                    " left out: links are described by their bandwidth and "
                                    "latency alone");
        }
    }

    TopologySource& source_;
    YamlMap map_;
    Keys keys_{};
    bool first_version_ = false;
    std::vector<AstraDimension> dimensions_;
};

}  // namespace

Topology read_astra(TopologySource& source, std::optional<int> inner_dimensions)
{
    if (source.text().find("num-npus:") != std::string::npos) {
        source.error({}, "is a Garnet network, which is not read",
                     "give the YAML of the analytical network");
        return {};
    }
    const auto document = load_yaml(source);
    if (!document) {
        return {};
    }
    const Parser parser{source, *document};
    if (source.failed()) {
        return {};
    }
    if (!inner_dimensions) {
        source.error({}, "does not say which NPUs are in one node",
                     fmt::format("add --node-dimensions 1 when the {} NPUs of dimension 0 are, or "
                                 "--node-dimensions 0 when each NPU is a node",
                                 parser.dimensions().front().npus));
        return {};
    }
    source.warn({}, "\"GB/s\" is read as 2^30 bytes per second, as ASTRA-sim computes with it");
    return assemble_astra(source, parser.dimensions(), *inner_dimensions);
}

}  // namespace sim::formats
