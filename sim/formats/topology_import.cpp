#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "formats/topology.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

struct Format {
    const char* word;
    const char* what;
    Topology (*read)(TopologySource&, const TopologyReading&);
};

template <Topology (*Read)(TopologySource&)>
Topology plain(TopologySource& source, const TopologyReading& /*reading*/)
{
    return Read(source);
}

constexpr std::array<Format, 8> kFormats{{
    {"nccl", "NCCL or RCCL topology XML", plain<read_nccl>},
    {"nvidia-smi", "what nvidia-smi topo -m prints", plain<read_nvidia_smi>},
    {"ibnetdiscover", "what ibnetdiscover prints, or an ibsim net file", plain<read_ibnetdiscover>},
    {"simgrid", "SimGrid platform XML", plain<read_simgrid>},
    {"simai", "SimAI or HPCC topology text", plain<read_simai>},
    {"astra-sim", "ASTRA-sim network YAML or JSON",
     [](TopologySource& source, const TopologyReading& reading) {
         return read_astra(source, reading.inner_dimensions);
     }},
    {"slurm", "Slurm topology.conf", plain<read_slurm>},
    {"topograph", "topograph model YAML", plain<read_topograph>},
}};

const Format* find_format(std::string_view word)
{
    const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                     [&](const Format& format) { return format.word == word; });
    return found == kFormats.end() ? nullptr : found;
}

const Format* choose(TopologySource& source, const std::string& kind)
{
    std::vector<std::string> words;
    std::string list;
    for (const auto& format : kFormats) {
        words.emplace_back(format.word);
        list += (list.empty() ? "" : ", ") + words.back();
    }
    if (!kind.empty() && find_format(kind) == nullptr) {
        const auto near = closest(kind, words);
        source.error({}, fmt::format("--kind \"{}\" is not one of {}", kind, list),
                     near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
        return nullptr;
    }
    if (source.text().find_first_not_of(" \t\r\n") == std::string::npos) {
        source.error({}, "is empty");
        return nullptr;
    }
    const auto word = kind.empty() ? recognise_topology(source) : std::string_view{kind};
    if (word.empty()) {
        source.error({}, "is of no format that is known", "name it: --kind " + list);
    }
    return find_format(word);
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds()
{
    static const auto kinds = [] {
        std::vector<TopologyKind> all;
        for (const auto& format : kFormats) {
            all.push_back({format.word, format.what});
        }
        return all;
    }();
    return kinds;
}

Topology parse_topology(const std::string& path, std::string text, const TopologyReading& reading)
{
    TopologySource source{path, std::move(text)};
    const auto* format = choose(source, reading.kind);
    source.throw_if_failed();
    auto topology = format->read(source, reading);
    source.throw_if_failed();
    topology.name = stem(path);
    topology.warnings = source.take_warnings();
    return topology;
}

Topology read_topology(const std::string& path, const TopologyReading& reading)
{
    return parse_topology(path, read_topology_text(path), reading);
}

}  // namespace sim::formats
