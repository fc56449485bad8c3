#include "replay/executor.hpp"

// The window that is measured: when it opens and closes.

namespace sim::replay
{

void Executor::rank_ended_step(std::uint32_t step)
{
    if (step >= steps_ || --ranks_left_[step] > 0) {
        return;
    }
    if (audit_) {
        audit_->checkpoint();
    }
    if (step + 2 == steps_) {
        open_window();
    } else if (step + 1 == steps_) {
        close_window();
    }
}

void Executor::open_window()
{
    ledger_.open(engine_.now());
    window_.open();
    if (watch_) {
        watch_->open(engine_.now());
    }
    if (recorder_ != nullptr) {
        recorder_->open(engine_.now());
    }
}

/// The window ends in the middle of some.
void Executor::record_what_runs()
{
    if (recorder_ == nullptr) {
        return;
    }
    for (std::uint32_t rank = 0; rank < graph_.ranks(); ++rank) {
        const auto streams = progress_.program(RankId{rank}).streams.size();
        for (std::uint32_t stream = 0; stream < streams; ++stream) {
            const auto& cursor = progress_.cursor(RankId{rank}, stream);
            if (cursor.head == Head::running) {
                recorder_->ended(RankId{rank}, stream, *progress_.head(RankId{rank}, stream),
                                 cursor.since);
            }
        }
    }
    recorder_->close(engine_.now());
}

void Executor::close_window()
{
    ledger_.close(engine_.now());
    window_.close();
    if (watch_) {
        watch_->close(engine_.now());
    }
    record_what_runs();
    done_ = true;
}

}  // namespace sim::replay
