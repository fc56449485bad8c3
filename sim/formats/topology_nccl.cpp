#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/quantity_text.hpp"
#include "formats/gpu_links.hpp"
#include "formats/nccl_machine.hpp"
#include "formats/nic_affinity.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

constexpr int kSameSocket = 1000;
constexpr int kOtherSocket = 2000;
constexpr int kFirstGeneration = 3;
constexpr std::string_view kNvswitchClass = "0x0680";

/// Bridges passed between two devices; through the CPU costs more than any of them.
int distance(const NcclDevice& a, const NcclDevice& b)
{
    if (a.socket != b.socket) {
        return kOtherSocket;
    }
    const auto [end_a, end_b] =
        std::mismatch(a.path.begin(), a.path.end(), b.path.begin(), b.path.end());
    if (end_a == a.path.begin()) {
        return kSameSocket;
    }
    return static_cast<int>((a.path.end() - end_a) + (b.path.end() - end_b));
}

/// 3 for "8.0 GT/s PCIe"; 0 for anything else.
int generation_of(std::string_view speed)
{
    const auto rate = to_real(speed.substr(0, speed.find(' ')));
    for (int generation = 1; generation <= 7; ++generation) {
        const double transfers = generation == 1 ? 2.5 : generation == 2 ? 5 : 1 << generation;
        if (rate && *rate == transfers) {
            return generation;
        }
    }
    return 0;
}

class Assembly
{
public:
    Assembly(TopologySource& source, const NcclMachine& machine)
        : source_{source}, machine_{machine}
    {
        for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
            index_[machine.gpus[i].busid] = static_cast<int>(i);
        }
    }

    Topology finish()
    {
        Topology topology;
        topology.format = "NCCL topology XML";
        topology.nodes = 1;
        topology.network = spec::SingleSwitchSpec{};
        inside_.gpus = static_cast<int>(machine_.gpus.size());
        add_scale_up();
        add_slots();
        add_nics();
        topology.inside = std::move(inside_);
        return topology;
    }

private:
    void add_scale_up()
    {
        const auto undetected = std::count_if(machine_.gpus.begin(), machine_.gpus.end(),
                                              [](const auto& gpu) { return !gpu.detected; });
        if (undetected > 0) {
            return;  // NCCL looks for the links when it runs: the file does not know them
        }
        std::map<std::pair<int, int>, int> links;
        std::set<std::string> nvswitches;
        std::set<int> switched;
        bool xgmi = false;
        for (std::size_t i = 0; i < machine_.gpus.size(); ++i) {
            int to_switches = 0;
            for (const auto& link : machine_.gpus[i].links) {
                const auto target = index_.find(link.target);
                xgmi = xgmi || link.xgmi;
                if (target != index_.end()) {
                    links[{static_cast<int>(i), target->second}] += link.count;
                } else if (link.target_class.substr(0, kNvswitchClass.size()) == kNvswitchClass) {
                    nvswitches.insert(link.target);
                    to_switches += link.count;
                } else {
                    source_.error(link.place,
                                  fmt::format("target {} is neither a GPU of this file nor an "
                                              "NVSwitch",
                                              link.target));
                }
            }
            switched.insert(to_switches);
        }
        if (!nvswitches.empty() && links.empty() && switched.size() == 1) {
            inside_.scale_up = spec::HgxSpec{static_cast<int>(nvswitches.size())};
        } else if (!nvswitches.empty()) {
            source_.error({}, "GPUs have different numbers of links to NVSwitches");
        } else {
            inside_.scale_up = direct(links, xgmi);
        }
    }

    spec::ScaleUp direct(const std::map<std::pair<int, int>, int>& links, bool xgmi)
    {
        std::vector<GpuPair> pairs;
        for (const auto& [ends, count] : links) {
            const auto back = links.find({ends.second, ends.first});
            if (back == links.end() || back->second != count) {
                source_.error(
                    machine_.gpus[static_cast<std::size_t>(ends.first)].place,
                    fmt::format("GPU {} lists {} links to GPU {}, which lists {}", ends.first,
                                count, ends.second, back == links.end() ? 0 : back->second));
            }
            if (ends.first < ends.second) {
                pairs.push_back({ends.first, ends.second, count});
            }
        }
        const auto gpus = static_cast<int>(machine_.gpus.size());
        const bool alike = std::all_of(pairs.begin(), pairs.end(), [&](const GpuPair& pair) {
            return pair.links == pairs.front().links;
        });
        if (xgmi && alike && static_cast<int>(pairs.size()) == gpus * (gpus - 1) / 2) {
            return spec::XgmiSpec{};
        }
        return scale_up_of(gpus, pairs);
    }

    void add_slots()
    {
        std::set<std::pair<int, int>> slots;
        for (const auto& gpu : machine_.gpus) {
            slots.insert({generation_of(gpu.link_speed), to_count(gpu.link_width).value_or(0)});
        }
        const auto [generation, lanes] = *slots.begin();
        if (slots.size() > 1) {
            source_.warn({}, "GPUs have different PCIe slots; that of --pcie is taken");
        } else if (generation == 0 || lanes == 0) {
            source_.warn(machine_.gpus.front().place,
                         "the speed of the GPUs' PCIe slots is not given; that of --pcie is taken");
        } else if (generation < kFirstGeneration) {
            source_.warn(machine_.gpus.front().place,
                         fmt::format("PCIe generation {} is not modelled; the slot of --pcie is "
                                     "taken",
                                     generation));
        } else {
            inside_.pcie_generation = generation;
            inside_.pcie_lanes = lanes;
            warn_of_slower(generation, lanes);
        }
    }

    void warn_of_slower(int generation, int lanes)
    {
        const auto slower = [&, generation = generation, lanes = lanes](const auto& device) {
            const int own = generation_of(device.link_speed);
            const auto width = to_count(device.link_width);
            return own > 0 && width && (1 << own) * *width < (1 << generation) * lanes;
        };
        warn_of(machine_.bridges, slower, "bridge");
        warn_of(machine_.ports, slower, "network port");
    }

    template <class Devices, class Slower>
    void warn_of(const Devices& devices, const Slower& slower, const std::string& noun)
    {
        const auto count = std::count_if(devices.begin(), devices.end(), slower);
        if (count > 0) {
            const auto first = std::find_if(devices.begin(), devices.end(), slower);
            source_.warn(first->place,
                         fmt::format("{} {}{} slower than the GPUs' slots, taken as fast as they",
                                     count, noun, count == 1 ? " is" : "s are"));
        }
    }

    void add_nics()
    {
        if (machine_.ports.empty()) {
            return;
        }
        inside_.nics = static_cast<int>(machine_.ports.size());
        std::vector<std::vector<int>> distances;
        for (const auto& gpu : machine_.gpus) {
            auto& row = distances.emplace_back();
            for (const auto& port : machine_.ports) {
                row.push_back(distance(gpu, port));
            }
            inside_.socket_of_gpu.push_back(gpu.socket);
        }
        inside_.nic_of_gpu = nearest_nics(distances);
        std::set<int> speeds;
        for (const auto& port : machine_.ports) {
            inside_.socket_of_nic.push_back(port.socket);
            speeds.insert(port.speed);
        }
        if (speeds.size() == 1 && *speeds.begin() > 0) {
            inside_.nic = Bandwidth::of(*speeds.begin() * 1e6 / 8);
        } else if (speeds.size() > 1) {
            source_.warn(machine_.ports.front().place,
                         fmt::format("network ports have speeds from {} to {} Mb/s; that of --nic "
                                     "or --nic-bandwidth is taken for all",
                                     *speeds.begin(), *speeds.rbegin()));
        }
    }

    TopologySource& source_;
    const NcclMachine& machine_;
    std::map<std::string, int> index_;
    NodeInside inside_;
};

}  // namespace

Topology read_nccl(TopologySource& source)
{
    const auto machine = parse_nccl(source);
    if (source.failed()) {
        return {};
    }
    return Assembly{source, machine}.finish();
}

}  // namespace sim::formats
