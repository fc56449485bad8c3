#include "formats/nccl_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "formats/topology_xml.hpp"

namespace sim::formats
{

namespace
{

enum class Function { bridge, gpu, nic, other };

std::string lower(std::string_view text)
{
    std::string word{text};
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

bool starts_with(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

/// PCI Code and ID Assignment Specification: 03 display, 12 accelerator, 02 network, 0604 bridge.
Function function_of(const pugi::xml_node& pci)
{
    const auto code = lower(text_of(pci, "class"));
    if (pci.child("gpu") || starts_with(code, "0x03") || starts_with(code, "0x12")) {
        return Function::gpu;
    }
    if (pci.child("nic") || starts_with(code, "0x0200") || starts_with(code, "0x0207")) {
        return Function::nic;
    }
    return starts_with(code, "0x0604") || pci.child("pci") ? Function::bridge : Function::other;
}

class Parser
{
public:
    explicit Parser(TopologySource& source) : source_{source}, xml_{source}
    {
        const auto root = xml_.root();
        if (source.failed()) {
            return;
        }
        if (std::string_view{root.name()} != "system") {
            source.error(xml_.place(root), fmt::format("<{}> is not a topology", root.name()),
                         "the root of a topology is <system>, as NCCL_TOPO_DUMP_FILE writes it");
            return;
        }
        for (const auto& child : root.children()) {
            if (std::string_view{child.name()} == "cpu") {
                read_children(child, {});
                ++machine_.sockets;
            } else {
                leave_out(child);
            }
        }
        finish();
    }

    NcclMachine machine() && { return std::move(machine_); }

private:
    void read_children(const pugi::xml_node& parent, const std::vector<std::string>& path)
    {
        for (const auto& child : parent.children()) {
            const std::string_view name{child.name()};
            if (name == "pci") {
                read_pci(child, path);
            } else if (name == "nic") {
                NcclDevice device;
                device.path = path;
                add_ports(child, std::move(device));
            } else if (name != "gpu") {
                leave_out(child);
            }
        }
    }

    void read_pci(const pugi::xml_node& pci, std::vector<std::string> path)
    {
        NcclDevice device;
        device.busid = lower(text_of(pci, "busid"));
        device.place = xml_.place(pci);
        if (device.busid.empty()) {
            source_.error(device.place, "a pci without busid");
            return;
        }
        const auto [first, is_new] = seen_.try_emplace(device.busid, device.place.line);
        if (!is_new) {
            source_.error(xml_.place(pci, "busid"),
                          fmt::format("bus id {} is used twice, first in line {}", device.busid,
                                      first->second));
            return;
        }
        path.push_back(device.busid);
        device.path = path;
        device.socket = machine_.sockets;
        device.link_speed = text_of(pci, "link_speed");
        device.link_width = text_of(pci, "link_width");
        switch (function_of(pci)) {
            case Function::gpu:
                add_gpu(pci, std::move(device));
                break;
            case Function::nic:
                read_adapter(pci, std::move(device));
                break;
            case Function::bridge:
                machine_.bridges.push_back(
                    {device.busid, device.link_speed, device.link_width, device.place});
                read_children(pci, path);
                break;
            case Function::other:
                leave_out(pci);
                break;
        }
    }

    void read_adapter(const pugi::xml_node& pci, NcclDevice adapter)
    {
        if (!pci.child("nic")) {
            machine_.ports.push_back(std::move(adapter));
            return;
        }
        for (const auto& child : pci.children()) {
            if (std::string_view{child.name()} == "nic") {
                add_ports(child, adapter);
            } else {
                leave_out(child);
            }
        }
    }

    void add_ports(const pugi::xml_node& nic, NcclDevice adapter)
    {
        adapter.socket = machine_.sockets;
        bool any = false;
        for (const auto& net : nic.children()) {
            if (std::string_view{net.name()} != "net") {
                leave_out(net);
                continue;
            }
            any = true;
            auto port = adapter;
            port.place = xml_.place(net);
            const auto speed = text_of(net, "speed");
            if (!speed.empty()) {
                const auto number = to_count(speed);
                if (!number || *number < 1) {
                    source_.error(xml_.place(net, "speed"),
                                  fmt::format("\"{}\" is not a speed in Mb/s", speed));
                }
                port.speed = number.value_or(0);
            }
            machine_.ports.push_back(std::move(port));
        }
        if (!any) {
            adapter.place = xml_.place(nic);
            machine_.ports.push_back(std::move(adapter));
        }
    }

    void add_gpu(const pugi::xml_node& pci, NcclDevice device)
    {
        const auto gpu = pci.child("gpu");
        device.detected = static_cast<bool>(gpu);
        device.dev = to_count(text_of(gpu, "dev")).value_or(static_cast<int>(machine_.gpus.size()));
        for (const auto& child : pci.children()) {
            if (std::string_view{child.name()} != "gpu") {
                leave_out(child);
            }
        }
        for (const auto& child : gpu.children()) {
            const std::string_view name{child.name()};
            if (name == "nvlink" || name == "xgmi") {
                read_link(child, device);
            } else {
                leave_out(child);
            }
        }
        machine_.gpus.push_back(std::move(device));
    }

    void read_link(const pugi::xml_node& node, NcclDevice& gpu)
    {
        NcclLink link;
        link.xgmi = std::string_view{node.name()} == "xgmi";
        link.target = lower(text_of(node, "target"));
        link.target_class = lower(text_of(node, "tclass"));
        link.place = xml_.place(node);
        const auto count = to_count(text_of(node, "count"));
        if (!count || *count < 1 || link.target.empty()) {
            source_.error(link.place, fmt::format("a {} needs a target and a count", node.name()));
            return;
        }
        link.count = *count;
        gpu.links.push_back(std::move(link));
    }

    void leave_out(const pugi::xml_node& node)
    {
        if (node.type() != pugi::node_element) {
            return;
        }
        const std::string what = std::string_view{node.name()} == "pci"
                                     ? fmt::format("pci of class \"{}\"", text_of(node, "class"))
                                     : node.name();
        auto& left = left_out_[what];
        if (++left.count == 1) {
            left.first = xml_.place(node);
        }
    }

    void finish()
    {
        for (const auto& [what, left] : left_out_) {
            source_.warn(left.first,
                         fmt::format("{} <{}> left out: not a GPU, a network port or a bridge",
                                     left.count, what));
        }
        if (machine_.gpus.empty() && !source_.failed()) {
            source_.error(xml_.place(xml_.root()), "lists no GPU",
                          "a GPU is a pci of class 0x0302, 0x0380 or 0x1200, or one with a <gpu>");
        }
        std::stable_sort(machine_.gpus.begin(), machine_.gpus.end(),
                         [](const auto& a, const auto& b) { return a.dev < b.dev; });
    }

    struct LeftOut {
        int count = 0;
        Place first{};
    };

    TopologySource& source_;
    TopologyXml xml_;
    NcclMachine machine_;
    std::map<std::string, int> seen_;
    std::map<std::string, LeftOut> left_out_;
};

}  // namespace

NcclMachine parse_nccl(TopologySource& source) { return Parser{source}.machine(); }

}  // namespace sim::formats
