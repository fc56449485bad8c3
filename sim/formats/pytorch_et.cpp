#include "formats/pytorch_et.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "formats/file_complaint.hpp"
#include "formats/kineto_collectives.hpp"
#include "formats/kineto_groups.hpp"
#include "formats/trace_builder.hpp"

namespace sim::formats
{

namespace
{

std::int64_t largest(const std::vector<EtTensor>& tensors)
{
    std::int64_t bytes = 0;
    for (const auto& tensor : tensors) {
        bytes += tensor.bytes;
    }
    return bytes;
}

}  // namespace

/// Writes the ranks of a job: operators without parts of their own that touch the GPU, in order.
class PytorchEtJob::Writer
{
public:
    Writer(const std::vector<File>& files, std::uint32_t total, bool one_for_all)
        : files_{files},
          total_{total},
          one_for_all_{one_for_all},
          builder_{"PyTorch execution trace", static_cast<std::uint32_t>(files.size())}
    {
    }

    Trace write()
    {
        for (std::uint32_t i = 0; i < files_.size(); ++i) {
            write_rank(i);
        }
        if (!wrong_.empty()) {
            throw InputError{std::move(wrong_)};
        }
        auto trace = builder_.take();
        if (one_for_all_ && total_ > 1) {
            trace.copies = total_;
            trace.lattices = lattices_;
        }
        even_out(trace);
        return trace;
    }

private:
    void write_rank(std::uint32_t index)
    {
        const auto& file = files_[index];
        std::set<std::uint64_t> parents;
        for (const auto& node : file.nodes) {
            if (!is_view(node.what.name) || node.message) {
                parents.insert(node.parent);
            }
        }
        last_.reset();
        by_storage_.clear();
        by_sequence_.clear();
        for (const auto& node : file.nodes) {
            if (node.message) {
                communicate(index, node);
            } else if (!parents.contains(node.id) && !is_view(node.what.name)) {
                compute(index, node);
            }
        }
    }

    void compute(std::uint32_t index, const EtNode& node)
    {
        const auto work = work_of(node.what);
        if (work.bytes == 0) {
            return;  // not on the GPU
        }
        TraceNode made;
        made.label = builder_.label(node.what.name);
        made.flops = work.flops;
        made.bytes = work.bytes;
        last_ = builder_.add(index, made, waits_of(node));
        awaited_.clear();
    }

    /// The operator before it, what is awaited, and the collectives whose tensors it touches.
    [[nodiscard]] std::vector<std::uint32_t> waits_of(const EtNode& node) const
    {
        std::vector<std::uint32_t> waits = awaited_;
        if (last_) {
            waits.push_back(*last_);
        }
        for (const auto& tensor : node.what.inputs) {
            const auto found = by_storage_.find(tensor.storage);
            if (found != by_storage_.end() &&
                std::find(waits.begin(), waits.end(), found->second) == waits.end()) {
                waits.push_back(found->second);
            }
        }
        return waits;
    }

    void communicate(std::uint32_t index, const EtNode& node)
    {
        const auto& message = *node.message;
        if (message.collective == "wait") {
            const auto found = by_sequence_.find(message.sequence);
            if (found != by_sequence_.end()) {
                awaited_.push_back(found->second);
            }
            return;
        }
        const auto kind = collective_named(message.collective);
        const auto size = std::max(largest(node.what.inputs), largest(node.what.outputs));
        if (message.collective == "init" || (kind && size == 0)) {
            return;
        }
        const auto group = kind ? group_of(index, node) : std::nullopt;
        if (!kind) {
            wrong_.push_back(about(
                files_[index].name,
                fmt::format("node {}: \"{}\" cannot be simulated", node.id, message.collective)));
        }
        if (!group) {
            return;
        }
        TraceNode made;
        made.label = builder_.label(message.collective);
        made.kind = TraceKind::collective;
        made.collective = *kind;
        made.size = size;
        made.group = *group;
        const auto added = builder_.add(index, made, waits_of(node));
        by_sequence_[message.sequence] = added;
        for (const auto* tensors : {&node.what.inputs, &node.what.outputs}) {
            for (const auto& tensor : *tensors) {
                by_storage_[tensor.storage] = added;
            }
        }
    }

    std::optional<std::uint32_t> group_of(std::uint32_t index, const EtNode& node)
    {
        const auto& said = *node.message;
        KinetoMessage message;
        message.first_rank = said.first_rank;
        message.rank_stride = said.rank_stride;
        message.group_size = said.group_size;
        auto ranks = told_ranks(message, {});
        for (std::uint32_t rank = 0; ranks.size() < total_ && said.group_size < 0; ++rank) {
            ranks.push_back(rank);
        }
        const auto lattice = lattice_of(ranks, total_);
        const bool inside = !ranks.empty() && ranks.back() < total_;
        if (!inside || (one_for_all_ && !lattice)) {
            wrong_.push_back(about(files_[index].name,
                                   fmt::format("node {}: its group of {} ranks does not fit into "
                                               "a job of {}",
                                               node.id, ranks.size(), total_),
                                   "give the files of all ranks"));
            return std::nullopt;
        }
        const std::pair key{said.group, ranks};
        const auto [found, fresh] = groups_.emplace(key, 0);
        if (fresh) {
            found->second = builder_.group(said.group, one_for_all_ ? members(*lattice, 0) : ranks);
            lattices_.push_back(lattice.value_or(TraceLattice{}));
        }
        return found->second;
    }

    /// Uneven all-to-alls are taken for even ones of the largest size.
    static void even_out(Trace& trace)
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> sizes;
        for (const bool measure : {true, false}) {
            for (auto& rank : trace.ranks) {
                std::map<std::uint32_t, std::uint32_t> count;
                for (auto& node : rank.nodes) {
                    if (node.kind != TraceKind::collective) {
                        continue;
                    }
                    auto& size = sizes[{node.group, count[node.group]++}];
                    if (node.collective != workload::CollectiveKind::all_to_all) {
                        continue;
                    }
                    if (measure) {
                        size = std::max(size, node.size);
                    } else {
                        node.size = size;
                    }
                }
            }
        }
    }

    const std::vector<File>& files_;
    std::uint32_t total_;
    bool one_for_all_;
    TraceBuilder builder_;
    std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t> groups_;
    std::vector<TraceLattice> lattices_;
    std::optional<std::uint32_t> last_;
    std::vector<std::uint32_t> awaited_;
    std::map<std::int64_t, std::uint32_t> by_storage_;   ///< the collective that used it last
    std::map<std::int64_t, std::uint32_t> by_sequence_;  ///< collectives
    Diagnostics wrong_;
};

bool is_pytorch_et(std::string_view beginning)
{
    return beginning.find("\"schema\"") != std::string_view::npos &&
           (beginning.find("\"op_schema\"") != std::string_view::npos ||
            beginning.find("\"fw_parent\"") != std::string_view::npos);
}

void PytorchEtJob::add(const std::string& name, ByteSource& bytes)
{
    File file{name, read_et_nodes(name, bytes)};
    for (const auto& node : file.nodes) {
        const bool of_all = node.message && (node.message->first_rank <= 0);
        if (of_all && !file.rank) {
            file.rank = node.message->rank;
        }
    }
    files_.push_back(std::move(file));
}

Trace PytorchEtJob::take()
{
    auto total = static_cast<std::uint32_t>(files_.size());
    const bool alone = total == 1;
    Diagnostics wrong;
    for (auto& file : files_) {
        for (const auto& node : file.nodes) {
            if (alone && node.message && node.message->first_rank == 0) {
                const auto size = std::clamp<std::int64_t>(node.message->group_size, 1, 1 << 24);
                total = std::max(total, static_cast<std::uint32_t>(size));
            }
        }
        if (!file.rank && !alone) {
            wrong.push_back(about(file.name, "does not tell its rank: nothing is communicated",
                                  "name it alone"));
        }
    }
    std::stable_sort(files_.begin(), files_.end(),
                     [](const File& a, const File& b) { return a.rank < b.rank; });
    for (std::uint32_t i = 0; i < files_.size() && !alone && wrong.empty(); ++i) {
        if (*files_[i].rank != i) {
            wrong.push_back(
                about(files_[i].name,
                      fmt::format("is rank {}, where rank {} should come", *files_[i].rank, i),
                      "give one file of every rank"));
        }
    }
    if (!wrong.empty()) {
        throw InputError{std::move(wrong)};
    }
    auto trace = Writer{files_, total, alone}.write();
    trace.notes.push_back(
        about(files_[0].name, "tells no times: operators run at the rates of the cluster's GPU"));
    if (alone && total > 1) {
        trace.notes.back().message +=
            fmt::format("; it is one of {} ranks, which are taken to do the same", total);
    }
    trace.notes.back().severity = Diagnostic::Severity::warning;
    return trace;
}

}  // namespace sim::formats
