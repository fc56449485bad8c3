#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/bank_timer.hpp"
#include "memory/request_queue.hpp"
#include "memory/wait_list.hpp"

namespace sim::memory
{

/// What a channel did so far.
struct ChannelCounters {
    std::array<std::int64_t, 2> columns{};  ///< bursts read and written
    std::int64_t activates = 0;
    std::int64_t refreshes = 0;  ///< of a pseudo-channel, or of one bank when done bank by bank
    std::int64_t turnarounds = 0;
    Clock read_latency = 0;             ///< sum over reads, arrival to last byte
    std::array<Clock, kBounds> lost{};  ///< clocks the data pins stood still, by what held them
};

/// A request that is done: a read has its data, a write was taken.
struct Completion {
    Clock at = 0;
    std::uint32_t requester = 0;
};

struct ChannelPolicy {
    int pseudo_channels = 1;
    int read_queue = 64;
    int write_queue = 64;
    int drain_from = 51;  ///< more writes than this stop the reads
    int drain_to = 13;    ///< fewer than this let them go on
    bool opened_leave_queue = false;
    bool idle_drains = true;  ///< writes also go when no read waits
    spec::PagePolicy page = spec::PagePolicy::open;
    spec::Refresh refresh = spec::Refresh::all_bank;
    Clock refresh_pause = 0;   ///< of one pseudo-channel, beyond the bank's own refresh
    Clock row_commands = 0;    ///< the row bus is taken by one activate and its precharge
    int bursts_per_check = 0;  ///< 0: no error-correction reads
    bool report_completions = false;
};

[[nodiscard]] ChannelPolicy channel_policy(const spec::DramSpec& dram);

/// One memory controller with the pseudo-channels behind it.
///
/// Serves requests row hits first, then oldest (FR-FCFS): of all column commands the earliest
/// legal one is issued, the oldest of equals; rows are opened for the requests that have none,
/// as soon as the timing allows. Writes wait until `drain_from` of them do, or no read waits.
/// Time jumps from command to command; the column command bus is assumed never to be the
/// bottleneck (sim/memory/dram.md, "What is left out").
class DramChannel
{
public:
    DramChannel(const DramClocks& clocks, const BankShape& shape, const ChannelPolicy& policy);

    /// Arrivals must not go back in time.
    void push(const Request& request);
    /// Issues every command before `limit`.
    void run_until(Clock limit);
    /// Runs until a request of that kind would find room at once; returns when.
    Clock make_room(Access access);

    [[nodiscard]] const ChannelCounters& counters() const { return counters_; }
    /// Those since the last call, by no order that matters.
    [[nodiscard]] std::vector<Completion>& completions() { return completions_; }

private:
    struct Candidate {
        Clock at = kNever;
        int bank = 0;
        Access access = kRead;
    };
    /// What waits for one bank, by access.
    struct BankQueue {
        std::array<Slot, 2> hit{};  ///< the oldest that wants the open row
        std::array<std::uint32_t, 2> hit_age{};
        std::array<Clock, 2> conflict_since{};
        std::array<Clock, 2> row_ready{};  ///< the bank's own rules allow the next activate
    };
    /// Bit b of a mask is bank b of the pseudo-channel.
    struct Side {
        explicit Side(const DramClocks& clocks, const BankShape& shape) : timer{clocks, shape} {}

        std::array<std::uint64_t, 2> hit{};   ///< open, and a request wants the open row
        std::array<std::uint64_t, 2> wait{};  ///< has requests, none for the open row
        std::uint64_t unserved = 0;           ///< opened, and no column command since
        std::array<WaitList, 2> waiting{};    ///< the banks of `wait`
        std::array<BankQueue, kMostBanks> banks{};
        std::array<Clock, kMostRanks> refresh_due{};
        Clock next_refresh = kNever;  ///< the earliest of them
        int refreshing = -1;          ///< the rank that is being emptied for its refresh
        int next_refreshed_bank = 0;
        Clock pins_free = 0;
        int unchecked_bursts = 0;
        Candidate column{};
        Candidate activate{};
        bool column_stale = true;
        bool activate_stale = true;
        BankTimer timer;
    };
    enum class Step : std::uint8_t { nothing, column, activate, refresh };
    struct Next {
        Clock at = kNever;
        Step step = Step::nothing;
        int side = 0;
    };

    [[nodiscard]] static constexpr std::uint64_t bit(int bank) { return std::uint64_t{1} << bank; }
    [[nodiscard]] int flat(int side, int bank) const { return side * shape_.banks() + bank; }
    [[nodiscard]] Next next_step();
    [[nodiscard]] Candidate find_column(int side) const;
    [[nodiscard]] Candidate find_activate(int side) const;
    [[nodiscard]] Clock activate_at(const Side& side, int bank, Access access) const;
    [[nodiscard]] Clock precharge_at(const Side& side, int bank) const;
    [[nodiscard]] Clock refresh_at(const Side& side) const;
    [[nodiscard]] bool arrival_is_next(Clock before) const;

    void admit_arrivals(Clock until);
    void admit(const Request& request);
    void perform(const Next& next);
    void issue_column(Side& side, const Candidate& chosen);
    void account_gap(Side& side, int bank, Access access, Clock at);
    void serve(Side& side, const Candidate& chosen, Access access);
    void issue_activate(int index, const Candidate& chosen);
    void begin_refresh(Side& side);
    void refresh_rank(int index, int rank);
    void refresh_one_bank(int index);
    void classify(int index, int bank);
    void consider_activate(Side& side, int bank, Access access) const;
    void now_hits(Side& side, int bank, Slot slot);
    void set_hit(Side& side, int bank, Access access, Slot slot) const;
    void set_wait(Side& side, int bank, Access access, Slot oldest) const;
    static void stop_waiting(Side& side, int bank, Access access);
    void update_row_ready(Side& side, int bank, Access access) const;
    void choose_mode();
    void mark_stale(Side& side);

    DramClocks clocks_;
    BankShape shape_;
    ChannelPolicy policy_;
    RequestQueue queue_;
    std::vector<Side> sides_;
    std::vector<Request> arriving_;  ///< those before `admitted_` are in the queue
    std::size_t admitted_ = 0;
    std::array<int, 2> waiting_outside_{};
    std::vector<Completion> completions_;
    ChannelCounters counters_;
    Access mode_ = kRead;
    Access last_access_ = kRead;
    Clock mode_since_ = 0;
    Clock row_bus_free_ = 0;
    Clock now_ = 0;
};

}  // namespace sim::memory
