#include "config/read_node.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/read_fabric.hpp"
#include "config/read_gpu.hpp"
#include "config/read_tiers.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

/// More GPUs than any node has; a larger number is a mistake that `validate` names.
constexpr int kMostGpus = 4096;

spec::NvlinkSpec read_nvlink(MapReader reader)
{
    spec::NvlinkSpec nvlink;
    nvlink.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("450 GB/s"));
    nvlink.efficiency = reader.required("efficiency", real_number("0.82"));
    nvlink.latency = reader.required("latency", quantity<Time>("3.4 us"));
    reader.finish();
    return nvlink;
}

spec::PcieSpec read_pcie(MapReader reader)
{
    spec::PcieSpec pcie;
    pcie.generation = reader.required("generation", count("5"));
    pcie.lanes = reader.required("lanes", count("16"));
    pcie.efficiency = reader.required("efficiency", real_number("0.87"));
    pcie.latency = reader.required("latency", quantity<Time>("500 ns"));
    reader.finish();
    return pcie;
}

/// Measured and given, or computed from what frames the payload.
double read_efficiency(MapReader& reader)
{
    const auto* place = reader.ask("protocol");
    if (place == nullptr) {
        return reader.required("efficiency", real_number("0.96"));
    }
    const auto protocol = reader.optional("protocol", choice(protocol_words()));
    const auto mtu = reader.required("mtu", quantity<Bytes>("4096 B"));
    if (reader.written("efficiency")) {
        reader.report().error(place->mark, reader.path("protocol"),
                              "stands beside efficiency, which it would give",
                              "write efficiency: null, or leave protocol and mtu out");
        return reader.optional("efficiency", real_number("0.96")).value_or(0);
    }
    (void)reader.ask("efficiency");
    if (!protocol || mtu <= Bytes{}) {
        return 1;
    }
    const auto share = spec::payload_share(*protocol, mtu);
    reader.record_default("efficiency", fmt::format("{:.6g}", share), "of protocol and mtu");
    return share;
}

void read_nics(MapReader reader, spec::NodeSpec& node)
{
    node.nic.name = reader.required("name", words("ConnectX-7"));
    node.nic.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("400 Gbps"));
    node.nic.efficiency = read_efficiency(reader);
    node.nic.latency = reader.required("latency", quantity<Time>("2 us"));
    node.nic.upkeep = read_upkeep(reader);
    node.nics = reader.required("per_node", count("8"));
    if (auto chosen = reader.optional_list("of_gpu", count("0"))) {
        node.nic_of_gpu = std::move(*chosen);
    } else if (!reader.written("of_gpu") && node.gpus > 0 && node.gpus <= kMostGpus) {
        node.nic_of_gpu = spec::spread_evenly(node.gpus, node.nics);
        reader.record_default("of_gpu", node.nic_of_gpu, "spread evenly");
    }
    reader.finish();
}

using KindReader = spec::ScaleUp (*)(MapReader&);

spec::ScaleUp read_hgx(MapReader& reader)
{
    return spec::HgxSpec{reader.defaulted("planes", count("1"), "1")};
}

spec::ScaleUp read_nvl72(MapReader& reader)
{
    return spec::Nvl72Spec{reader.defaulted("switch_trays", count("9"), "9")};
}

spec::ScaleUp read_mesh(MapReader& reader)
{
    spec::MeshSpec mesh;
    mesh.links_per_gpu = reader.required("links_per_gpu", count("6"));
    for (auto& item : reader.optional_sections("pairs", "{ gpus: [0, 1], links: 2 }")) {
        auto& pair = mesh.pairs.emplace_back();
        const auto* place = item.need("gpus", "[0, 1]");
        const auto gpus = item.optional_list("gpus", count("0"));
        if (gpus && gpus->size() == pair.gpus.size()) {
            pair.gpus = {(*gpus)[0], (*gpus)[1]};
        } else if (gpus) {
            item.report().error(place->mark, item.path("gpus"), "must name two GPUs",
                                "write gpus: [0, 1]");
        }
        pair.links = item.defaulted("links", count("1"), "1");
        item.finish();
    }
    return mesh;
}

const Vocabulary<KindReader>& kind_words()
{
    static const Vocabulary<KindReader> table{
        {std::string{spec::HgxSpec::kKind}, read_hgx},
        {std::string{spec::Nvl72Spec::kKind}, read_nvl72},
        {std::string{spec::Dgx1Spec::kKind},
         [](MapReader&) { return spec::ScaleUp{spec::Dgx1Spec{}}; }},
        {std::string{spec::XgmiSpec::kKind},
         [](MapReader&) { return spec::ScaleUp{spec::XgmiSpec{}}; }},
        {std::string{spec::MeshSpec::kKind}, read_mesh},
        {std::string{spec::PcieNodeSpec::kKind},
         [](MapReader&) { return spec::ScaleUp{spec::PcieNodeSpec{}}; }}};
    return table;
}

spec::ScaleUp read_scale_up(MapReader reader)
{
    const auto hgx = std::string{spec::HgxSpec::kKind};
    if (!reader.present()) {
        return spec::HgxSpec{};
    }
    if (reader.written("kind")) {
        const auto read = reader.optional("kind", choice(kind_words()));
        if (!read) {
            return spec::HgxSpec{};  // which other keys are right depends on it
        }
        auto scale_up = (*read)(reader);
        reader.finish();
        return scale_up;
    }
    (void)reader.defaulted("kind", choice(kind_words()), hgx);
    auto scale_up = read_hgx(reader);
    reader.finish();
    return scale_up;
}

spec::HostSpec read_host(MapReader reader, const spec::NodeSpec& node)
{
    spec::HostSpec host;
    if (!reader.present()) {
        return host;
    }
    host.sockets = reader.required("sockets", count("2"));
    host.nic_under_switch = reader.defaulted("nic_under_switch", truth("true"), "true");
    host.peer_through_root = reader.defaulted("peer_through_root", truth("false"), "false");
    host.socket_of_gpu = read_sockets(reader, "socket_of_gpu", node.gpus, host.sockets);
    host.socket_of_nic = read_sockets(reader, "socket_of_nic", node.nics, host.sockets);
    host.socket_link = read_host_link(reader.optional_section("socket_link"));
    host.c2c = read_host_link(reader.optional_section("c2c"));
    host.dram = read_host_dram(reader.optional_section("dram"));
    host.cpu = read_host_cpu(reader.optional_section("cpu"));
    host.storage = read_host_storage(reader.optional_section("storage"), host.sockets);
    host.pool = read_pool(reader.optional_section("pool"));
    host.files = read_files(reader.optional_section("files"));
    reader.finish();
    return host;
}

}  // namespace

spec::NodeSpec read_node(MapReader& cluster)
{
    spec::NodeSpec node;
    node.gpus = cluster.required("gpus_per_node", count("8"));
    node.gpu = read_gpu(cluster.section("gpu", "{ extends: path/to/gpu.yaml }"));
    node.scale_up = read_scale_up(cluster.optional_section("node"));
    const bool pcie_only = std::holds_alternative<spec::PcieNodeSpec>(node.scale_up);
    if (!pcie_only || cluster.written("nvlink")) {
        node.nvlink = read_nvlink(cluster.section("nvlink", "{ extends: path/to/nvlink.yaml }"));
    }
    node.pcie = read_pcie(cluster.section("pcie", "{ extends: path/to/pcie.yaml }"));
    read_nics(cluster.section("nic", "{ extends: path/to/nic.yaml, per_node: 8 }"), node);
    node.host = read_host(cluster.optional_section("host"), node);
    return node;
}

}  // namespace sim::config
