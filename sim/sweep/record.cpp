#include "sweep/record.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "results/run_detail.hpp"
#include "results/summary.hpp"

namespace sim::sweep
{
namespace
{

using Json = nlohmann::json;

constexpr std::size_t kChecksumDigits = 8;

std::string checksum(const std::string& text)
{
    const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
    return fmt::format("{:08x}", crc32_z(0, bytes, text.size()));
}

replay::RankClass mean_of(const replay::Result& result)
{
    results::Point alone;
    alone.runs = {{0, result}};
    const auto summary = results::summarise(alone);
    replay::RankClass mean;
    mean.multiplicity = 0;
    for (const auto& rank_class : result.classes) {
        mean.multiplicity += rank_class.multiplicity;
    }
    for (std::size_t e = 0; e < replay::kEntries; ++e) {
        mean.ledger[e] = Time::of(summary.ledger[e]);
    }
    for (const auto& purpose : summary.communication) {
        mean.communication.push_back({purpose.purpose, Time::of(purpose.exposed),
                                      Time::of(purpose.hidden), purpose.bytes_sent,
                                      purpose.nic_bytes_sent, purpose.binding});
    }
    return mean;
}

Json json_of(const replay::RankClass& ranks)
{
    Json ledger = Json::array();
    for (const auto time : ranks.ledger) {
        ledger.push_back(time.base());
    }
    Json purposes = Json::array();
    for (const auto& c : ranks.communication) {
        purposes.push_back({c.purpose, c.exposed.base(), c.hidden.base(), c.bytes_sent,
                            c.nic_bytes_sent, c.binding});
    }
    return {{"ranks", ranks.multiplicity}, {"ledger", ledger}, {"communication", purposes}};
}

replay::RankClass ranks_of(const Json& json)
{
    replay::RankClass ranks;
    ranks.multiplicity = json.at("ranks").get<std::uint64_t>();
    for (std::size_t e = 0; e < replay::kEntries; ++e) {
        ranks.ledger[e] = Time::of(json.at("ledger").at(e).get<double>());
    }
    for (const auto& c : json.at("communication")) {
        ranks.communication.push_back({c.at(0), Time::of(c.at(1).get<double>()),
                                       Time::of(c.at(2).get<double>()), c.at(3), c.at(4), c.at(5)});
    }
    return ranks;
}

Json json_of(const results::SeedRun& run)
{
    const auto& r = run.result;
    Json resources = Json::array();
    for (const auto& c : r.resources) {
        resources.push_back(
            {c.name, c.members, c.mean_utilisation, c.peak_utilisation, c.capacity});
    }
    return {{"seed", run.seed},
            {"step", r.step.base()},
            {"tokens_per_second", r.tokens_per_second},
            {"tokens_per_second_per_gpu", r.tokens_per_second_per_gpu},
            {"model_flops_per_second_per_gpu", r.model_flops_per_second_per_gpu},
            {"mfu", r.mfu},
            {"hfu", r.hfu},
            {"ranks", r.classes.empty() ? Json{} : json_of(r.classes.front())},
            {"resources", resources},
            {"binding", r.binding},
            {"instances", r.instances},
            {"activities", r.activities},
            {"fingerprint", r.fingerprint}};
}

results::SeedRun run_of(const Json& json)
{
    results::SeedRun run;
    run.seed = json.at("seed");
    auto& r = run.result;
    r.step = Time::of(json.at("step").get<double>());
    r.tokens_per_second = json.at("tokens_per_second");
    r.tokens_per_second_per_gpu = json.at("tokens_per_second_per_gpu");
    r.model_flops_per_second_per_gpu = json.at("model_flops_per_second_per_gpu");
    r.mfu = json.at("mfu");
    r.hfu = json.at("hfu");
    if (!json.at("ranks").is_null()) {
        r.classes = {ranks_of(json.at("ranks"))};
    }
    for (const auto& c : json.at("resources")) {
        r.resources.push_back({c.at(0), c.at(1), c.at(2), c.at(3), c.at(4)});
    }
    r.binding = json.at("binding");
    r.instances = json.at("instances");
    r.activities = json.at("activities");
    r.fingerprint = json.at("fingerprint");
    return run;
}

/// JSON knows no NaN.
Json numbers(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(std::isnan(value) ? Json{} : Json(value));
    }
    return list;
}

Json json_of(const workload::Footprint& f)
{
    return {f.weights.base(),     f.gradients.base(), f.optimizer.base(),
            f.activations.base(), f.temporary.base(), f.reserved.base()};
}

workload::Footprint footprint_of(const Json& json)
{
    const auto bytes = [&](std::size_t i) { return Bytes::of(json.at(i).get<std::int64_t>()); };
    return {bytes(0), bytes(1), bytes(2), bytes(3), bytes(4), bytes(5)};
}

}  // namespace

results::Point reduced(const results::Point& point)
{
    results::Point kept = point;
    for (auto& run : kept.runs) {
        if (!run.result.classes.empty()) {
            run.result.classes = {mean_of(run.result)};
        }
        run.result.footprint.clear();
    }
    if (!point.footprint.empty()) {
        kept.footprint = {point.footprint[results::fullest_stage(point.footprint)]};
    }
    return kept;
}

std::string to_line(const Record& record)
{
    const auto point = reduced(record.point);
    Json runs = Json::array();
    for (const auto& run : point.runs) {
        runs.push_back(json_of(run));
    }
    const Json json{
        {"id", record.id},
        {"status", static_cast<int>(point.status)},
        {"message", point.message},
        {"runs", runs},
        {"gpu_memory", point.gpu_memory.base()},
        {"metrics", numbers(point.metrics)},
        {"footprint", point.footprint.empty() ? Json{} : json_of(point.footprint.front())},
    };
    const auto text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return checksum(text) + " " + text + "\n";
}

std::optional<Record> from_line(const std::string& line)
{
    if (line.size() <= kChecksumDigits + 1) {
        return std::nullopt;
    }
    const auto text = line.substr(kChecksumDigits + 1);
    if (line.substr(0, kChecksumDigits) != checksum(text)) {
        return std::nullopt;
    }
    try {
        const auto json = Json::parse(text);
        Record record{json.at("id"), {}};
        auto& point = record.point;
        point.status = static_cast<results::Status>(json.at("status").get<int>());
        point.message = json.at("message");
        for (const auto& run : json.at("runs")) {
            point.runs.push_back(run_of(run));
        }
        for (const auto& metric : json.at("metrics")) {
            point.metrics.push_back(metric.is_null() ? std::nan("") : metric.get<double>());
        }
        point.gpu_memory = Bytes::of(json.at("gpu_memory").get<std::int64_t>());
        if (!json.at("footprint").is_null()) {
            point.footprint = {footprint_of(json.at("footprint"))};
        }
        return record;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace sim::sweep
