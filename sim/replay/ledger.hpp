#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "replay/machine.hpp"
#include "replay/run.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

inline constexpr std::size_t kPurposes = 12;
[[nodiscard]] const char* name(workload::Purpose purpose);
[[nodiscard]] Entry exposed(workload::Purpose purpose);

/// What a rank's time goes to from some instant on.
struct Charge {
    Entry entry = Entry::idle;
    Time launch_until{};  ///< before this instant it goes to `launch` instead
};

/// Communication or copies of one purpose on one rank inside the window.
struct PurposeTotals {
    Time running{};                                 ///< at least one of this purpose ran
    std::array<Time, kResourceKinds> by_binding{};  ///< duration of those that ended, by what binds
};

/// Where every rank's time goes between open() and close(): each instant of a rank in exactly one
/// Entry, so the entries sum to the window.
class Ledger
{
public:
    explicit Ledger(std::size_t ranks);

    void charge(RankId rank, const Charge& charge, Time now);
    void transfer_started(RankId rank, workload::Purpose purpose, Time now);
    void transfer_ended(RankId rank, workload::Purpose purpose, Time now);
    /// A collective or copy that took `duration` and whose pace that class of resources sets.
    void bound_by(RankId rank, workload::Purpose purpose, ResourceKind binding, Time duration);

    /// A purpose of which something runs on the rank, the first of the list.
    [[nodiscard]] std::optional<workload::Purpose> running(RankId rank) const;
    /// What the rank has lost to waiting, without a break, until now; the next one counts anew.
    [[nodiscard]] Time take_wait(RankId rank, Time now);

    void open(Time now);
    void close(Time now);

    [[nodiscard]] Time window() const { return closed_ - opened_; }
    [[nodiscard]] std::size_t ranks() const { return rows_.size(); }
    [[nodiscard]] const std::array<Time, kEntries>& entries(RankId rank) const
    {
        return rows_[rank.index()].entries;
    }
    [[nodiscard]] const PurposeTotals& purpose(RankId rank, workload::Purpose purpose) const
    {
        return rows_[rank.index()].purposes[static_cast<std::size_t>(purpose)];
    }

private:
    struct Row {
        std::array<Time, kEntries> entries{};
        Charge current;
        Time since{};
        Time waited{};  ///< since it last did something else
        std::array<PurposeTotals, kPurposes> purposes{};
        std::array<std::uint32_t, kPurposes> running{};
        std::array<Time, kPurposes> running_since{};
    };

    static void settle(Row& row, Time now);

    std::vector<Row> rows_;
    Time opened_{};
    Time closed_{};
};

}  // namespace sim::replay
