#include "spec/collective.hpp"

#include <fmt/format.h>

#include <string_view>

#include "spec/checker.hpp"

namespace sim::spec
{
namespace
{

void check_protocol(Checker& check, const std::string& name, const ProtocolSpec& protocol)
{
    check.not_negative(name + ".base", protocol.base);
    check.not_negative(name + ".nvlink_hop", protocol.nvlink_hop);
    check.not_negative(name + ".network_hop", protocol.network_hop);
    check.share(name + ".share", protocol.share);
    if (protocol.ceiling) {
        check.positive(name + ".ceiling", *protocol.ceiling, "141 GB/s");
    }
    if (protocol.network_ceiling) {
        check.positive(name + ".network_ceiling", *protocol.network_ceiling, "45 GB/s");
    }
}

void check_nvls(Checker& check, const NvlsSpec& nvls)
{
    check.share("tuning.nvls.efficiency", nvls.efficiency);
    check.not_negative("tuning.nvls.latency", nvls.latency);
    check.not_negative("tuning.nvls.chunk", nvls.chunk);
}

void check_sharp(Checker& check, const SharpSpec& sharp)
{
    check.share("tuning.sharp.efficiency", sharp.efficiency);
    check.not_negative("tuning.sharp.latency", sharp.latency);
    check.at_least("tuning.sharp.most_nodes", sharp.most_nodes, 2);
}

void check_tuning(Checker& check, const CollectiveTuning& tuning)
{
    check.not_negative("tuning.base", tuning.base);
    check.not_negative("tuning.host_launch", tuning.host_launch);
    check.at_least("tuning.gpus_per_process", tuning.gpus_per_process, 1);
    check.not_negative("tuning.harness", tuning.harness.value_or(Time{}));
    check_protocol(check, "tuning.ll", tuning.ll);
    if (tuning.ll128) {
        check_protocol(check, "tuning.ll128", *tuning.ll128);
    }
    check_protocol(check, "tuning.simple", tuning.simple);
    check.not_negative("tuning.ll_ramp.ramp", tuning.ll_ramp.ramp);
    check.not_negative("tuning.ll_ramp.full", tuning.ll_ramp.full);
    check.not_negative("tuning.ring_fill", tuning.ring_fill);
    check.not_negative("tuning.flight", tuning.flight);
    check.not_negative("tuning.tree_depth", tuning.tree_depth);
    check.share("tuning.tree_efficiency", tuning.tree_efficiency);
    check.not_negative("tuning.transport.latency", tuning.transport.latency);
    if (tuning.nvls) {
        check_nvls(check, *tuning.nvls);
    }
    if (tuning.sharp) {
        check_sharp(check, *tuning.sharp);
    }
}

}  // namespace

const std::vector<std::pair<std::string, Algorithm>>& algorithm_words()
{
    static const std::vector<std::pair<std::string, Algorithm>> words{
        {"auto", Algorithm::automatic},
        {"ring", Algorithm::ring},
        {"tree", Algorithm::tree},
        {"nvls", Algorithm::nvls},
        {"nvls_tree", Algorithm::nvls_tree},
        {"multimem", Algorithm::multimem},
        {"sharp", Algorithm::sharp},
        {"hierarchical", Algorithm::hierarchical},
        {"hierarchical_tree", Algorithm::hierarchical_tree},
        {"hierarchical_3", Algorithm::hierarchical_3},
        {"torus", Algorithm::torus},
        {"direct", Algorithm::direct},
        {"halving_doubling", Algorithm::halving_doubling},
        {"bruck", Algorithm::bruck},
        {"pat", Algorithm::pat}};
    return words;
}

Diagnostics validate(const CollectiveSpec& collective, const std::string& key, int sms)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("channel_sms", collective.channel_sms, 0);
    if (sms > 0 && collective.channel_sms >= sms) {
        check.error("channel_sms",
                    fmt::format("holds {} SMs of a GPU that has {}", collective.channel_sms, sms),
                    fmt::format("write a number below {}", sms));
    }
    check.not_negative("launch", collective.launch);
    if (collective.tuning) {
        check_tuning(check, *collective.tuning);
    }
    return diagnostics;
}

}  // namespace sim::spec
