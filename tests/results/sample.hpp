#pragma once

#include "results/result_set.hpp"

namespace sim::results::sample
{

/// Two ranks: one computes 8 s and waits 2 s for data-parallel traffic, the other computes 10 s.
inline replay::Result result(double step = 10)
{
    replay::Result r;
    r.step = Time::of(step);
    r.tokens_per_second = 2000;
    r.tokens_per_second_per_gpu = 1000;
    r.model_flops_per_second_per_gpu = 4e14;
    r.mfu = 0.4;
    r.hfu = 0.5;
    r.binding = "sm";
    r.activities = 7;
    r.fingerprint = 0xabcdef;
    r.resources = {{"sm", 2, 0.9, 0.95, 132}, {"nic", 2, 0.1, 0.2, 5e10}};
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        replay::RankClass c;
        c.members = {rank};
        const double waits = rank == 0 ? 2 : 0;
        c.ledger[static_cast<std::size_t>(replay::Entry::compute_math)] = Time::of(step - waits);
        c.ledger[static_cast<std::size_t>(replay::Entry::exposed_data)] = Time::of(waits);
        c.communication = {{"data", Time::of(waits), Time::of(1), 4e9, 4e9, "nic"}};
        r.classes.push_back(c);
    }
    return r;
}

inline Point done(std::vector<double> steps)
{
    Point point;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        point.runs.push_back({42 + i, result(steps[i])});
    }
    point.footprint.resize(1);
    point.footprint[0].weights = Bytes::of(16'000'000'000);
    point.footprint[0].reserved = Bytes::of(2'000'000'000);
    point.gpu_memory = Bytes::of(80'000'000'000);
    return point;
}

inline Point failed(std::string message)
{
    Point point;
    point.status = Status::failed;
    point.message = std::move(message);
    return point;
}

inline ResultSet run()
{
    ResultSet set;
    set.points = {done({10})};
    set.provenance = {"native", {"option:1"}, 42, "# file: x.yaml\nformat: 1\n"};
    return set;
}

/// A run that was watched and explained: what both add, each with something in it.
inline ResultSet explained()
{
    auto set = run();
    auto& result = set.points[0].runs[0].result;
    result.classes[0].lost = {{"sm", Time::of(0.5), Time{}}, {"nic", Time{}, Time::of(0.25)}};
    result.classes[0].waited = {{1, Time::of(2)}};
    replay::Observed observed;
    observed.paces = true;
    observed.bin = Time::of(5);
    observed.timelines = {{"sm", {0.75, 1}, {1, 1}}, {"nic", {0.125, 0}, {0.5, 0}}};
    observed.links = {{"node0/nic0->leaf0", "nic", 2, 0.2, {{"data", 0, 1, 2, 4e9}}}};
    observed.critical = {{"sm", Time::of(8)}, {"nic", Time::of(2)}};
    observed.tiers = {{"nic", 8e9}};
    observed.pairs = {{0, 1, "data", 4e9}, {1, 0, "data", 4e9}};
    observed.groups = {{"data", 0, 0, 0, 1, 2, 1, 8e9, 8e9}};
    observed.load = {{{"node0", "node", 1, 0.5}, {"leaf0", "leaf", 1, 0}},
                     {{0, 1, "nic", 2, 0.1, 0.2}}};
    result.observed = observed;
    const auto gpu = [](const char* content, std::vector<Bytes> bytes) {
        return replay::HeldOverTime{0, "GPU memory", Bytes::of(80'000'000'000), content,
                                    std::move(bytes)};
    };
    result.memory = {Time::of(5),
                     {gpu("weights", {Bytes::of(16), Bytes::of(16)}),
                      gpu("activations", {Bytes::of(2), Bytes::of(4)})},
                     {0},
                     {1, 2}};
    set.elasticity = {10, 8, {{"sm", -0.8, 6, 2}, {"nic", -0.2, 9, 8}}, "A step takes 10 s."};
    return set;
}

/// A run over three seeds.
inline ResultSet ensemble()
{
    auto set = run();
    set.points = {done({10, 11, 15})};
    return set;
}

/// nic 400G, 800G x routing even, ecmp; 800G with ecmp fails.
inline ResultSet sweep()
{
    auto set = run();
    set.kind = Kind::sweep;
    set.axes = {{"nic", {{"400G", {}}, {"800G", {}}}}, {"routing", {{"even", {}}, {"ecmp", {}}}}};
    set.points = {done({10}), done({11, 12, 13}), done({9}), failed("no route")};
    return set;
}

}  // namespace sim::results::sample
