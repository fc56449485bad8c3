#include "config/read_collective.hpp"

#include <utility>

namespace sim::config
{
namespace
{

spec::ProtocolSpec read_protocol(MapReader reader)
{
    spec::ProtocolSpec protocol;
    protocol.base = reader.required("base", quantity<Time>("0 us"));
    protocol.nvlink_hop = reader.required("nvlink_hop", quantity<Time>("0.6 us"));
    protocol.network_hop = reader.required("network_hop", quantity<Time>("0 us"));
    protocol.share = reader.required("share", real_number("0.5"));
    protocol.ceiling = reader.optional("ceiling", quantity<Bandwidth>("141 GB/s"));
    protocol.network_ceiling = reader.optional("network_ceiling", quantity<Bandwidth>("45 GB/s"));
    reader.finish();
    return protocol;
}

spec::RampSpec read_ramp(MapReader reader)
{
    spec::RampSpec ramp;
    ramp.ramp = reader.required("ramp", quantity<Time>("0.2 us"));
    ramp.full = reader.required("full", quantity<Bytes>("1 KiB"));
    reader.finish();
    return ramp;
}

spec::NvlsSpec read_nvls(MapReader reader)
{
    spec::NvlsSpec nvls;
    nvls.efficiency = reader.required("efficiency", real_number("0.83"));
    nvls.latency = reader.required("latency", quantity<Time>("20 us"));
    nvls.chunk = reader.required("chunk", quantity<Bytes>("3 MiB"));
    reader.finish();
    return nvls;
}

spec::SharpSpec read_sharp(MapReader reader)
{
    spec::SharpSpec sharp;
    sharp.efficiency = reader.required("efficiency", real_number("0.9"));
    sharp.latency = reader.required("latency", quantity<Time>("3 us"));
    sharp.most_nodes = reader.required("most_nodes", count("1024"));
    reader.finish();
    return sharp;
}

spec::TransportSpec read_transport(MapReader reader)
{
    spec::TransportSpec transport;
    transport.name = reader.required("name", words("InfiniBand"));
    transport.latency = reader.required("latency", quantity<Time>("7 us"));
    reader.finish();
    return transport;
}

spec::CollectiveTuning read_tuning(MapReader reader)
{
    const std::string protocol =
        "{ base: 0 us, nvlink_hop: 0.6 us, network_hop: 0 us, share: 0.5 }";
    spec::CollectiveTuning tuning;
    tuning.base = reader.required("base", quantity<Time>("6.6 us"));
    tuning.host_launch = reader.required("host_launch", quantity<Time>("4.4 us"));
    tuning.gpus_per_process = reader.defaulted("gpus_per_process", count("1"), "1");
    tuning.harness = reader.optional("harness", quantity<Time>("47 us"));
    tuning.ll = read_protocol(reader.section("ll", protocol));
    if (auto ll128 = reader.optional_section("ll128"); reader.written("ll128")) {
        tuning.ll128 = read_protocol(std::move(ll128));
    }
    tuning.simple = read_protocol(reader.section("simple", protocol));
    if (auto ramp = reader.optional_section("ll_ramp"); reader.written("ll_ramp")) {
        tuning.ll_ramp = read_ramp(std::move(ramp));
    }
    tuning.ring_fill = reader.required("ring_fill", quantity<Bytes>("4 MiB"));
    tuning.flight = reader.required("flight", quantity<Bytes>("8 MiB"));
    tuning.tree_depth = reader.required("tree_depth", real_number("10"));
    tuning.tree_efficiency = reader.required("tree_efficiency", real_number("0.78"));
    tuning.transport =
        read_transport(reader.section("transport", "{ extends: path/to/transport.yaml }"));
    if (auto nvls = reader.optional_section("nvls"); reader.written("nvls")) {
        tuning.nvls = read_nvls(std::move(nvls));
    }
    if (auto sharp = reader.optional_section("sharp"); reader.written("sharp")) {
        tuning.sharp = read_sharp(std::move(sharp));
    }
    reader.finish();
    return tuning;
}

/// One word is for every kind that it does, but all_to_all, whose parts may be unequal; a mapping
/// names kinds.
spec::AlgorithmChoice read_algorithm(MapReader& reader)
{
    const std::string key = "algorithm";
    const auto word = choice(spec::algorithm_words());
    spec::AlgorithmChoice chosen;
    for (const auto* kind : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}) {
        reader.report().offer(reader.path(key) + "." + kind);
    }
    const auto* node = reader.ask(key);
    if (node == nullptr || node->kind != Node::Kind::mapping) {
        const auto all = reader.defaulted(key, word, "auto");
        chosen.all_reduce = all;
        chosen.all_gather = spec::only_reduces_whole(all) ? spec::Algorithm::automatic : all;
        chosen.reduce_scatter = chosen.all_gather;
        return chosen;
    }
    auto section = reader.optional_section(key);
    chosen.all_reduce = section.defaulted("all_reduce", word, "auto");
    chosen.all_gather = section.defaulted("all_gather", word, "auto");
    chosen.reduce_scatter = section.defaulted("reduce_scatter", word, "auto");
    chosen.all_to_all = section.defaulted("all_to_all", word, "auto");
    section.finish();
    return chosen;
}

}  // namespace

spec::CollectiveSpec read_collective(MapReader reader)
{
    spec::CollectiveSpec collective;
    collective.name = reader.required("name", words("NCCL"));
    collective.channel_sms = reader.required("channel_sms", count("16"));
    collective.launch = reader.required("launch", quantity<Time>("10 us"));
    if (auto tuning = reader.optional_section("tuning"); reader.written("tuning")) {
        collective.tuning = read_tuning(std::move(tuning));
    }
    collective.algorithm = read_algorithm(reader);
    reader.finish();
    return collective;
}

}  // namespace sim::config
