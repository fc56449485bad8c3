#include "formats/kineto_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "formats/file_complaint.hpp"
#include "formats/kineto_align.hpp"
#include "formats/kineto_groups.hpp"
#include "formats/kineto_overlap.hpp"
#include "formats/kineto_rank.hpp"

namespace sim::formats
{

namespace
{

/// Puts the ranks of one job together.
class Assembly
{
public:
    Assembly(const spec::TraceSpec& asked, std::vector<KinetoRecording> recordings)
        : asked_{asked}, recordings_{std::move(recordings)}
    {
    }

    Trace make(TraceLabels& labels)
    {
        trace_.format = "PyTorch profiler";
        trace_.keeps_transfers = asked_.keep_transfers;
        settle_ranks();
        for (auto& recording : recordings_) {
            made_.push_back(kineto_rank(recording, labels));
            tell(recording, made_.back());
            const auto overlap = recorded_overlap(recording);
            const auto files = static_cast<double>(recordings_.size());
            trace_.recorded_overlap.communication += overlap.communication / files;
            trace_.recorded_overlap.hidden += overlap.hidden / files;
        }
        for (std::size_t i = 0; i < made_.size(); ++i) {
            settle_groups(i);
        }
        settle_sizes();
        if (recordings_.size() > 1) {
            align_kineto(recordings_, made_, trace_);
        } else {
            trace_.recorded_seconds =
                (recordings_[0].last_us - recordings_[0].first_us) * kMicrosecond;
            replicate();
        }
        if (has_errors(wrong_)) {
            throw InputError{std::move(wrong_)};
        }
        for (std::size_t i = 0; i < made_.size(); ++i) {
            trace_.ranks.push_back(std::move(made_[i].rank));
            trace_.files.push_back(recordings_[i].file);
        }
        trace_.labels = labels.all();
        return std::move(trace_);
    }

private:
    static constexpr double kMicrosecond = 1e-6;

    void note(const std::string& file, std::string message)
    {
        trace_.notes.push_back(about(file, std::move(message)));
        trace_.notes.back().severity = Diagnostic::Severity::warning;
    }

    /// A single file stands for all ranks of its job; of several every rank has one.
    void settle_ranks()
    {
        if (recordings_.size() == 1) {
            settle_the_one(recordings_[0]);
            return;
        }
        for (const auto& each : recordings_) {
            if (!each.header.rank) {
                wrong_.push_back(about(each.file, "does not tell its rank (distributedInfo)",
                                       "name this file alone, with its rank (trace.rank)"));
            }
            total_ = std::max(
                total_, each.header.ranks.value_or(static_cast<std::uint32_t>(recordings_.size())));
        }
        std::stable_sort(recordings_.begin(), recordings_.end(), [](const auto& a, const auto& b) {
            return a.header.rank < b.header.rank;
        });
        std::uint32_t next = 0;
        std::string missing;
        for (std::size_t i = 0; i < recordings_.size() && !has_errors(wrong_); ++i) {
            const auto rank = *recordings_[i].header.rank;
            if (i > 0 && rank == *recordings_[i - 1].header.rank) {
                wrong_.push_back(
                    about(recordings_[i].file,
                          fmt::format("is rank {}, but so is {}", rank, recordings_[i - 1].file)));
            }
            add_missing(missing, next, rank);
            next = rank + 1;
        }
        add_missing(missing, next, total_);
        if (!missing.empty() && !has_errors(wrong_)) {
            wrong_.push_back(about(recordings_[0].file,
                                   fmt::format("is of a job of {} ranks, of which {} ha{} no file",
                                               total_, missing, missing_ == 1 ? "s" : "ve"),
                                   "add them, or name one file alone, which then stands for all"));
        }
        if (has_errors(wrong_)) {
            throw InputError{std::move(wrong_)};
        }
    }

    void add_missing(std::string& missing, std::uint32_t from, std::uint32_t to)
    {
        constexpr std::uint32_t kNamed = 8;
        for (auto rank = from; rank < to; ++rank) {
            if (missing_++ < kNamed) {
                missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
            } else if (missing_ == kNamed + 1) {
                missing += ", ...";
            }
        }
    }

    void settle_the_one(KinetoRecording& one)
    {
        if (!one.header.rank) {
            one.header.rank = asked_.rank.value_or(0);
            if (!asked_.rank) {
                note(one.file, "does not tell its rank: it is taken for rank 0 (trace.rank)");
            }
        } else if (asked_.rank && *asked_.rank != *one.header.rank) {
            wrong_.push_back(about(one.file,
                                   fmt::format("says that it is rank {}", *one.header.rank),
                                   "leave out trace.rank"));
        }
        if (!one.header.ranks && *one.header.rank > 0) {
            note(one.file, fmt::format("is rank {} of a job whose size it does not tell: it is "
                                       "taken for a job of one",
                                       *one.header.rank));
            one.header.rank = 0;
        }
        total_ = one.header.ranks.value_or(1);
        if (*one.header.rank >= total_) {
            wrong_.push_back(
                about(one.file, fmt::format("is rank {} of {}", *one.header.rank, total_)));
        }
        if (total_ > 1) {
            note(one.file, fmt::format("is rank {} of {}; all ranks are taken to do what it does",
                                       *one.header.rank, total_));
        }
        if (has_errors(wrong_)) {
            throw InputError{std::move(wrong_)};
        }
    }

    void tell(const KinetoRecording& recording, const KinetoRank& made)
    {
        const auto count = [&](std::uint64_t number, const char* what) {
            if (number > 0) {
                note(recording.file, fmt::format("{} {}", number, what));
            }
        };
        count(recording.negative, "negative durations are taken for 0");
        count(recording.untimed, "events without a time are left out");
        count(made.before_launch,
              "kernels begin before their launch; they are taken to begin with it");
        count(made.without_launch,
              "pieces of GPU work have no launch in the file: their stream's "
              "order alone places them");
        count(made.unexplained,
              "pieces of GPU work begin more than 100 us later than what is "
              "recorded explains; the gap is kept");
        count(made.joined_by_order,
              "collectives are joined to what the host tells of them by "
              "their kind and order");
        count(made.joined_by_name,
              "collectives are told by their kernel's name alone (record "
              "with PyTorch 2.3 or newer and record_shapes=True)");
        count(made.unknown_messages,
              "kernels of the communication library are kept at their recorded time: what they "
              "do is not told, or is no kind that is simulated");
        if (recording.works.empty()) {
            note(recording.file, "holds no GPU work; the host's time is all there is");
        }
        if (recording.steps.size() > 1) {
            note(recording.file,
                 fmt::format("holds {} to {}; they are replayed one after another, and the step "
                             "time is that of all",
                             recording.steps.front(), recording.steps.back()));
        }
    }

    void settle_groups(std::size_t index)
    {
        const auto rank = *recordings_[index].header.rank;
        for (auto& meeting : made_[index].meetings) {
            auto& node = made_[index].rank.nodes[meeting.node];
            auto ranks = meeting.what.ranks.empty() ? everybody() : meeting.what.ranks;
            if (!std::binary_search(ranks.begin(), ranks.end(), rank) || ranks.back() >= total_) {
                wrong_.push_back(about(
                    recordings_[index].file,
                    fmt::format("process group \"{}\" of rank {} has not that rank, or one beyond "
                                "{}",
                                meeting.what.group, rank, total_ - 1)));
                return;
            }
            if (node.kind != TraceKind::collective) {
                node.peer = peer(ranks, *meeting.what.peer);
                continue;
            }
            const std::pair key{meeting.what.group, std::move(ranks)};
            const auto [found, fresh] =
                groups_.emplace(key, static_cast<std::uint32_t>(trace_.groups.size()));
            if (fresh) {
                trace_.groups.push_back({key.first, key.second});
            }
            node.group = found->second;
            if (meeting.what.input_alone &&
                node.collective == workload::CollectiveKind::all_gather) {
                node.size *= static_cast<std::int64_t>(key.second.size());
            }
        }
    }

    /// Source and destination count within the group.
    [[nodiscard]] static std::uint32_t peer(const std::vector<std::uint32_t>& ranks,
                                            std::uint32_t place)
    {
        return place < ranks.size() ? ranks[place] : place;
    }

    [[nodiscard]] std::vector<std::uint32_t> everybody() const
    {
        std::vector<std::uint32_t> ranks(total_);
        for (std::uint32_t rank = 0; rank < total_; ++rank) {
            ranks[rank] = rank;
        }
        return ranks;
    }

    void settle_sizes()
    {
        std::uint64_t without = 0;
        for (std::size_t i = 0; i < made_.size(); ++i) {
            for (const auto& meeting : made_[i].meetings) {
                auto& node = made_[i].rank.nodes[meeting.node];
                if (node.size <= 0) {
                    ++without;
                    node.size = asked_.assumed_size ? asked_.assumed_size->base() : 1;
                }
            }
        }
        if (without == 0 || asked_.keep_transfers) {
            return;
        }
        const auto words = fmt::format("{} collectives and messages have no size", without);
        if (asked_.assumed_size) {
            note(recordings_[0].file,
                 fmt::format("{}; {} B are assumed for each", words, asked_.assumed_size->base()));
        } else {
            wrong_.push_back(about(recordings_[0].file, words,
                                   "write trace.assume_size (--assume-size; bytes of each), or "
                                   "trace.transfers: recorded to keep their recorded time"));
        }
    }

    /// One rank's file for all: its groups repeat over the job.
    void replicate()
    {
        trace_.copies = total_;
        auto& made = made_[0];
        for (std::size_t i = 0; i < trace_.groups.size() && total_ > 1; ++i) {
            const auto lattice = lattice_of(trace_.groups[i].ranks, total_);
            if (!lattice) {
                wrong_.push_back(
                    about(recordings_[0].file,
                          fmt::format("process group \"{}\" does not repeat over {} ranks, so that "
                                      "one rank cannot stand for all",
                                      trace_.groups[i].name, total_),
                          "give the files of all ranks"));
                continue;
            }
            trace_.lattices.push_back(*lattice);
            trace_.groups[i].ranks = members(*lattice, 0);
        }
        std::uint64_t messages = 0;
        for (auto& node : made.rank.nodes) {
            if (node.kind == TraceKind::send || node.kind == TraceKind::receive) {
                node.kind = TraceKind::compute;
                ++messages;
            }
        }
        if (messages > 0) {
            note(recordings_[0].file,
                 fmt::format("{} messages to single ranks are kept at their recorded time: what "
                             "their other ends do is in other files",
                             messages));
        }
    }

    const spec::TraceSpec& asked_;
    std::vector<KinetoRecording> recordings_;
    std::vector<KinetoRank> made_;
    std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t> groups_;
    std::uint32_t total_ = 0;
    std::uint32_t missing_ = 0;
    Trace trace_;
    Diagnostics wrong_;
};

}  // namespace

void KinetoJob::add(const std::string& name, ByteSource& bytes)
{
    recordings_.push_back(read_kineto(name, bytes, labels_));
}

Trace KinetoJob::take() { return Assembly{asked_, std::move(recordings_)}.make(labels_); }

}  // namespace sim::formats
