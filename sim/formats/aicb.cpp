#include "formats/aicb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "formats/aicb_rows.hpp"
#include "formats/trace_builder.hpp"

namespace sim::formats
{

namespace
{

/// Who talks to whom: tensor groups are neighbours, data groups take every tensor-size-th rank of a
/// stage, pipeline groups the same place of every stage (Megatron-LM's order).
class Layout
{
public:
    Layout(const std::vector<AicbSection>& sections, std::uint32_t ranks)
        : ranks_{ranks}, stages_{static_cast<std::uint32_t>(sections.size())}
    {
        for (const auto& section : sections) {
            for (const auto& row : section.rows) {
                if (row.group == "tp_group" && row.members) {
                    tensor_ = static_cast<std::uint32_t>(*row.members);
                }
            }
        }
    }

    [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
    [[nodiscard]] std::uint32_t per_stage() const { return ranks_ / stages_; }

    /// The pattern of a row's group; absent when it does not divide the job.
    [[nodiscard]] std::optional<TraceLattice> lattice(const AicbRow& row) const
    {
        TraceLattice made{1, static_cast<std::uint32_t>(row.members.value_or(ranks_))};
        if (row.group == "pp_group") {
            made.stride = stages_ > 1 ? per_stage() : std::max(1U, ranks_ / made.count);
        } else if (row.group == "embedding_group") {
            made.stride = ranks_ - per_stage();
        } else if (row.group != "tp_group" && row.group != "all" && made.count < ranks_) {
            made.stride = tensor_;
        }
        const auto reach = std::uint64_t{made.stride} * (made.count - 1) + 1;
        const bool embedding = row.group == "embedding_group" && made.count == 2 && stages_ > 1;
        const auto block = std::uint64_t{made.stride} * made.count;
        const bool fits = embedding || (reach <= ranks_ && ranks_ % block == 0);
        return fits ? std::optional{made} : std::nullopt;
    }

private:
    std::uint32_t ranks_;
    std::uint32_t stages_;
    std::uint32_t tensor_ = 1;
};

/// Every collective is awaited, a send is not; a receive is.
class Step
{
public:
    Step(TraceBuilder& builder, const Layout& layout, TextComplaints& complaints)
        : builder_{builder}, layout_{layout}, complaints_{complaints}
    {
    }

    void write(std::uint32_t rank, const std::vector<AicbRow>& rows)
    {
        std::vector<std::uint32_t> after;
        for (const auto& row : rows) {
            for (std::int64_t i = 0; i < row.count; ++i) {
                add(rank, row, after);
            }
        }
    }

    /// By group of the builder.
    [[nodiscard]] const std::vector<TraceLattice>& lattices() const { return lattices_; }

private:
    void add(std::uint32_t rank, const AicbRow& row, std::vector<std::uint32_t>& after)
    {
        if (row.way == AicbRow::Way::collective && (row.members == 1 || row.bytes == 0)) {
            return;  // nothing moves
        }
        TraceNode node;
        node.label = builder_.label(row.label);
        node.size = row.bytes;
        if (row.way == AicbRow::Way::collective) {
            node.kind = TraceKind::collective;
            node.collective = row.kind;
            const auto group = group_of(rank, row);
            if (!group) {
                return;
            }
            node.group = *group;
        } else {
            const auto per_stage = layout_.per_stage();
            const auto last = layout_.ranks() - per_stage;
            const bool outside = row.to_next ? rank >= last : rank < per_stage;
            if (outside) {
                complaints_.add(row.line, fmt::format("rank {} has no stage {} it", rank,
                                                      row.to_next ? "after" : "before"));
                return;
            }
            node.kind = row.way == AicbRow::Way::send ? TraceKind::send : TraceKind::receive;
            node.peer = row.to_next ? rank + per_stage : rank - per_stage;
        }
        const auto made = builder_.add(rank, node, after);
        if (row.way != AicbRow::Way::send) {
            after = {made};
        }
    }

    std::optional<std::uint32_t> group_of(std::uint32_t rank, const AicbRow& row)
    {
        const auto lattice = layout_.lattice(row);
        if (!lattice) {
            complaints_.add(row.line, fmt::format("groups of {} do not divide {} ranks",
                                                  row.members.value_or(0), layout_.ranks()));
            return std::nullopt;
        }
        auto ranks = row.group == "embedding_group"
                         ? std::vector{rank % layout_.per_stage(),
                                       rank % layout_.per_stage() + lattice->stride}
                         : members(*lattice, rank);
        const auto [found, fresh] = groups_.emplace(std::pair{row.group, ranks}, 0);
        if (fresh) {
            found->second = builder_.group(row.group, std::move(ranks));
            lattices_.push_back(*lattice);
        }
        return found->second;
    }

    TraceBuilder& builder_;
    const Layout& layout_;
    TextComplaints& complaints_;
    std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t> groups_;
    std::vector<TraceLattice> lattices_;
};

std::uint32_t count_ranks(const std::vector<AicbSection>& sections,
                          std::optional<std::uint32_t> gpus, const std::string& name)
{
    std::uint32_t ranks = 0;
    for (const auto& section : sections) {
        for (const auto rank : section.ranks) {
            ranks = std::max(ranks, rank + 1);
        }
    }
    if (ranks == 0 && !gpus) {
        Diagnostic diagnostic;
        diagnostic.file = name;
        diagnostic.message = "does not tell how many GPUs the job has";
        diagnostic.hint = "add --gpus N";
        throw InputError{{diagnostic}};
    }
    return ranks == 0 ? *gpus : ranks;
}

}  // namespace

bool is_aicb(const std::string& beginning)
{
    const auto first = beginning.find_first_not_of(" \t\r\n[");
    const auto text = std::string_view{beginning}.substr(std::min(first, beginning.size()));
    const bool heading = beginning.find("comm_type,comm_group") != std::string::npos;
    return text.starts_with("comm_type,comm_group") ||
           (heading && (text.starts_with("rank") || text.starts_with("pp_stage")));
}

Trace read_aicb(const std::string& name, const std::string& content,
                std::optional<std::uint32_t> gpus)
{
    TextComplaints complaints{name};
    const auto lines = split_lines(content);
    const auto sections = read_aicb_rows(lines, complaints);
    complaints.throw_if_any();
    const auto ranks = count_ranks(sections, gpus, name);
    if (sections.empty() || ranks % sections.size() != 0) {
        complaints.add(lines.front(),
                       fmt::format("{} stages do not divide {} ranks", sections.size(), ranks));
        complaints.throw_if_any();
    }
    const Layout layout{sections, ranks};
    const bool alike = sections.size() == 1 && ranks > 1;
    TraceBuilder builder{"AICB", alike ? 1 : ranks};
    Step step{builder, layout, complaints};
    if (alike) {
        step.write(0, sections[0].rows);
    } else {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            step.write(rank, sections[rank / layout.per_stage()].rows);
        }
    }
    complaints.throw_if_any();
    auto trace = builder.take();
    if (alike) {
        trace.copies = ranks;
        trace.lattices = step.lattices();
    }
    return trace;
}

}  // namespace sim::formats
