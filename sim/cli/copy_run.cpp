#include "cli/copy_run.hpp"

#include <algorithm>
#include <cmath>

#include "engine/engine.hpp"
#include "replay/copy_lowering.hpp"
#include "replay/machine.hpp"

namespace sim::cli
{

namespace
{

constexpr std::uint64_t kSeed = 0;

/// Ends closer than this, relative, are one.
constexpr double kAlike = 1e-9;

class CopyRun : private engine::Listener
{
public:
    CopyRun(const spec::ClusterSpec& cluster, const std::vector<RankId>& ranks)
        : engine_{engine::make_engine(engine::Kind::native)},
          machine_{cluster, *engine_, kSeed},
          lowering_{machine_},
          ranks_{ranks}
    {
    }

    std::vector<CopyRow> rows(const std::vector<workload::Copy>& copies);

private:
    struct Running {
        replay::LoweredCopy lowered;
        CopyRow row;
    };

    void finished(std::uint64_t token) override;
    void timer(std::uint64_t /*token*/) override {}

    std::unique_ptr<engine::Engine> engine_;
    replay::Machine machine_;
    replay::CopyLowering lowering_;
    const std::vector<RankId>& ranks_;
    std::vector<Running> running_;
};

bool alike(const CopyRow& a, const CopyRow& b)
{
    return std::abs(a.time / b.time - 1) < kAlike && a.bound == b.bound;
}

std::vector<CopyRow> CopyRun::rows(const std::vector<workload::Copy>& copies)
{
    for (const auto& copy : copies) {
        for (const auto rank : ranks_) {
            auto& one = running_.emplace_back();
            one.lowered = lowering_.lower(machine_.gpu_of(rank), copy);
            one.row.copy = copy;
            one.row.ranks = {rank};
        }
    }
    for (std::size_t i = 0; i < running_.size(); ++i) {
        const auto& lowered = running_[i].lowered;
        engine_->start({.amount = lowered.amount,
                        .latency = lowered.latency,
                        .uses = lowered.uses,
                        .rate_cap = lowered.rate_cap,
                        .token = i});
    }
    engine_->run(*this);
    std::vector<CopyRow> rows;
    std::size_t of_copy = 0;  // the first row of the copy that is looked at
    for (std::size_t i = 0; i < running_.size(); ++i) {
        of_copy = i % ranks_.size() == 0 ? rows.size() : of_copy;
        const auto& row = running_[i].row;
        const auto found =
            std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(of_copy), rows.end(),
                         [&](const CopyRow& other) { return alike(other, row); });
        if (found == rows.end()) {
            rows.push_back(row);
        } else {
            found->ranks.push_back(row.ranks.front());
            found->all += row.each;
        }
    }
    return rows;
}

void CopyRun::finished(std::uint64_t token)
{
    auto& [lowered, row] = running_[token];
    row.time = engine_->now();
    row.each = Bandwidth::of(lowered.amount / row.time.base());
    row.all = row.each;
    for (const auto& use : lowered.uses) {
        const auto& resource = machine_.resources()[use.resource.index()];
        const auto busy = engine_->served(use.resource) / (resource.capacity * row.time.base());
        if (busy > row.busy) {
            row.busy = busy;
            row.bound = replay::name(resource.kind);
            row.busiest = machine_.name(use.resource);
        }
    }
}

}  // namespace

std::vector<CopyRow> run_copies(const spec::ClusterSpec& cluster, const std::vector<RankId>& ranks,
                                const std::vector<workload::Copy>& copies)
{
    return CopyRun{cluster, ranks}.rows(copies);
}

}  // namespace sim::cli
