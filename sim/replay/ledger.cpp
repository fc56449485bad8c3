#include "replay/ledger.hpp"

#include <algorithm>
#include <utility>

namespace sim::replay
{

const char* name(Entry entry)
{
    static constexpr std::array<const char*, kEntries> kNames{
        "compute_math",    "compute_memory",   "launch",
        "exposed_tensor",  "exposed_pipeline", "exposed_data",
        "exposed_context", "exposed_expert",   "exposed_other",
        "offload_dram",    "offload_pool",     "offload_storage",
        "input",           "host_update",      "checkpoint",
        "bubble",          "straggler",        "idle"};
    return kNames[static_cast<std::size_t>(entry)];
}

const char* name(workload::Purpose purpose)
{
    static constexpr std::array<const char*, kPurposes> kNames{
        "tensor", "pipeline", "data",    "context", "expert", "other",
        "dram",   "pool",     "storage", "input",   "update", "checkpoint"};
    return kNames[static_cast<std::size_t>(purpose)];
}

Entry exposed(workload::Purpose purpose)
{
    return static_cast<Entry>(static_cast<std::size_t>(Entry::exposed_tensor) +
                              static_cast<std::size_t>(purpose));
}

Ledger::Ledger(std::size_t ranks) : rows_(ranks) {}

void Ledger::settle(Row& row, Time now)
{
    const auto launched = std::clamp(row.current.launch_until, row.since, now);
    row.entries[static_cast<std::size_t>(Entry::launch)] += launched - row.since;
    row.entries[static_cast<std::size_t>(row.current.entry)] += now - launched;
    const bool waits = row.current.entry == Entry::straggler || row.current.entry == Entry::bubble;
    row.waited = waits ? row.waited + (now - launched) : Time{};
    row.since = now;
}

Time Ledger::take_wait(RankId rank, Time now)
{
    auto& row = rows_[rank.index()];
    settle(row, now);
    return std::exchange(row.waited, Time{});
}

void Ledger::charge(RankId rank, const Charge& charge, Time now)
{
    auto& row = rows_[rank.index()];
    settle(row, now);
    row.current = charge;
}

void Ledger::transfer_started(RankId rank, workload::Purpose purpose, Time now)
{
    auto& row = rows_[rank.index()];
    const auto which = static_cast<std::size_t>(purpose);
    if (row.running[which]++ == 0) {
        row.running_since[which] = now;
    }
}

void Ledger::transfer_ended(RankId rank, workload::Purpose purpose, Time now)
{
    auto& row = rows_[rank.index()];
    const auto which = static_cast<std::size_t>(purpose);
    if (--row.running[which] == 0) {
        row.purposes[which].running += now - row.running_since[which];
    }
}

void Ledger::bound_by(RankId rank, workload::Purpose purpose, ResourceKind binding, Time duration)
{
    auto& totals = rows_[rank.index()].purposes[static_cast<std::size_t>(purpose)];
    totals.by_binding[static_cast<std::size_t>(binding)] += duration;
}

std::optional<workload::Purpose> Ledger::running(RankId rank) const
{
    const auto& running = rows_[rank.index()].running;
    for (std::size_t which = 0; which < kPurposes; ++which) {
        if (running[which] > 0) {
            return static_cast<workload::Purpose>(which);
        }
    }
    return std::nullopt;
}

void Ledger::open(Time now)
{
    opened_ = now;
    for (auto& row : rows_) {
        row.entries = {};
        row.purposes = {};
        row.since = now;
        row.waited = {};
        row.running_since.fill(now);
    }
}

void Ledger::close(Time now)
{
    closed_ = now;
    for (auto& row : rows_) {
        settle(row, now);
        for (std::size_t purpose = 0; purpose < kPurposes; ++purpose) {
            if (row.running[purpose] > 0) {
                row.purposes[purpose].running += now - row.running_since[purpose];
            }
        }
    }
}

}  // namespace sim::replay
