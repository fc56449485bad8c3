#include "formats/kineto_collectives.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "formats/kineto_groups.hpp"

namespace sim::formats
{

namespace
{

using workload::CollectiveKind;
using Way = KinetoCollective::Way;

struct Known {
    Way way = Way::unknown;
    CollectiveKind kind = CollectiveKind::all_reduce;
};

/// "allreduce", "_allgather_base", "nccl:all_to_all", "AllReduce_RING_LL": letters alone, small.
std::string letters(std::string_view text)
{
    std::string only;
    for (const auto each : text) {
        if (each >= 'A' && each <= 'Z') {
            only += static_cast<char>(each - 'A' + 'a');
        } else if (each >= 'a' && each <= 'z') {
            only += each;
        }
    }
    return only;
}

/// Reduce, gather and scatter to one rank are not among what can be simulated.
Known known(std::string_view name)
{
    const auto text = letters(name);
    const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
    if (has("allreduce") || has("barrier")) {
        return {Way::collective, CollectiveKind::all_reduce};
    }
    if (has("reducescatter")) {
        return {Way::collective, CollectiveKind::reduce_scatter};
    }
    if (has("allgather")) {
        return {Way::collective, CollectiveKind::all_gather};
    }
    if (has("alltoall")) {
        return {Way::collective, CollectiveKind::all_to_all};
    }
    if (has("broadcast")) {
        return {Way::collective, CollectiveKind::broadcast};
    }
    const auto starts = [&](std::string_view part) { return text.starts_with(part); };
    if (!has("sendrecv") && (starts("send") || starts("isend"))) {
        return {Way::send, CollectiveKind::send_recv};
    }
    return {!has("sendrecv") && (starts("recv") || starts("irecv")) ? Way::receive : Way::unknown,
            CollectiveKind::send_recv};
}

/// Bytes of an element of PyTorch's types, by NCCL's, ATen's or C's name; 0: of none known.
std::int64_t element_bytes(const std::string& type)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 24> kBytes{
        {{"Float", 4},         {"float", 4},        {"BFloat16", 2},       {"c10::BFloat16", 2},
         {"Half", 2},          {"c10::Half", 2},    {"Double", 8},         {"double", 8},
         {"Int", 4},           {"int", 4},          {"Long", 8},           {"long int", 8},
         {"long", 8},          {"Char", 1},         {"signed char", 1},    {"Byte", 1},
         {"unsigned char", 1}, {"Bool", 1},         {"bool", 1},           {"Short", 2},
         {"short", 2},         {"ComplexFloat", 8}, {"ComplexDouble", 16}, {"short int", 2}}};
    for (const auto& [name, bytes] : kBytes) {
        if (type == name) {
            return bytes;
        }
    }
    return type.find("Float8") != std::string::npos ? 1 : 0;
}

/// nccl-tests' size is the larger of the two buffers.
std::int64_t size_of(const KinetoMessage& message)
{
    return std::max({message.elements_in, message.elements_out, std::int64_t{0}}) *
           element_bytes(message.type);
}

class Joiner
{
public:
    Joiner(const KinetoRecording& recording, const std::vector<std::uint32_t>& launch_of,
           const std::vector<std::string>& labels)
        : recording_{recording},
          launch_of_{launch_of},
          labels_{labels},
          told_of_(recording.works.size())
    {
        for (std::uint32_t i = 0; i < recording.told.size(); ++i) {
            const auto& each = recording.told[i];
            if (each.external >= 0 && !of_annotation(each)) {
                by_external_.emplace(each.external, i);
            }
            by_start_.push_back(i);
        }
        std::stable_sort(by_start_.begin(), by_start_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return recording.told[a].start_us < recording.told[b].start_us;
        });
    }

    KinetoCollectives join()
    {
        KinetoCollectives result;
        result.of_work.resize(recording_.works.size());
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < recording_.works.size(); ++i) {
            if (recording_.works[i].communicates) {
                order.push_back(i);
                told_of_[i] = find(i);
            }
        }
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return recording_.works[a].start_us < recording_.works[b].start_us;
        });
        result.by_order = join_by_order(order);
        for (const auto work : order) {
            result.of_work[work] = resolve(work);
            result.by_name += told_of_[work].empty() ? 1 : 0;
        }
        return result;
    }

private:
    using Told = std::vector<std::uint32_t>;

    static bool of_annotation(const KinetoTold& told)
    {
        return told.message.elements_in < 0 && told.message.group.empty();
    }

    /// All that tells of the work, the most telling first.
    [[nodiscard]] Told find(std::uint32_t index) const
    {
        const auto& work = recording_.works[index];
        if (work.message != kNoMessage) {
            return {work.message};
        }
        const auto launch = launch_of_[index];
        const auto* call = launch == kNoCall ? nullptr : &recording_.calls[launch];
        Told told;
        const std::array<std::int64_t, 2> externals{work.external,
                                                    call == nullptr ? -1 : call->external};
        for (const auto external : externals) {
            const auto found = by_external_.find(external);
            if (external >= 0 && found != by_external_.end()) {
                told.push_back(found->second);
            }
        }
        if (call != nullptr) {
            add_around(*call, told);
        }
        return told;
    }

    /// What was going on on the launching thread.
    void add_around(const KinetoCall& call, Told& told) const
    {
        constexpr std::size_t kLooked = 64;
        auto at = std::upper_bound(by_start_.begin(), by_start_.end(), call.start_us,
                                   [&](double start, std::uint32_t each) {
                                       return start < recording_.told[each].start_us;
                                   });
        for (std::size_t i = 0; i < kLooked && at != by_start_.begin(); ++i) {
            const auto& each = recording_.told[*--at];
            if (each.thread == call.thread && each.end_us >= call.start_us) {
                told.push_back(*at);
            }
        }
    }

    [[nodiscard]] Known kind(const Told& told) const
    {
        for (const auto each : told) {
            const auto found = known(recording_.told[each].message.collective);
            if (found.way != Way::unknown) {
                return found;
            }
        }
        return {};
    }

    [[nodiscard]] Known kind_by_kernel(std::uint32_t work) const
    {
        return known(labels_[recording_.works[work].label]);
    }

    /// Where the joins above found nothing: the k-th kernel of a kind is the k-th told, when there
    /// are as many of both.
    std::uint64_t join_by_order(const std::vector<std::uint32_t>& order)
    {
        std::map<CollectiveKind, std::pair<Told, Told>> by_kind;  // works, told
        std::vector<bool> taken(recording_.told.size());
        for (const auto work : order) {
            for (const auto told : told_of_[work]) {
                taken[told] = true;
            }
            const auto kind = kind_by_kernel(work);
            if (told_of_[work].empty() && kind.way == Way::collective) {
                by_kind[kind.kind].first.push_back(work);
            }
        }
        for (const auto told : by_start_) {
            const auto kind = known(recording_.told[told].message.collective);
            if (!taken[told] && kind.way == Way::collective &&
                !of_annotation(recording_.told[told])) {
                by_kind[kind.kind].second.push_back(told);
            }
        }
        std::uint64_t joined = 0;
        for (const auto& [kind, both] : by_kind) {
            const auto& [works, told] = both;
            for (std::size_t i = 0; works.size() == told.size() && i < works.size(); ++i) {
                told_of_[works[i]] = {told[i]};
                ++joined;
            }
        }
        return joined;
    }

    [[nodiscard]] KinetoCollective resolve(std::uint32_t work) const
    {
        KinetoCollective made;
        const auto& told = told_of_[work];
        auto what = kind(told);
        if (what.way == Way::unknown) {
            what = kind_by_kernel(work);
        }
        made.way = what.way;
        made.kind = what.kind;
        for (const auto each : told) {
            const auto& message = recording_.told[each].message;
            if (made.size == 0) {
                made.size = size_of(message);
                made.input_alone = message.elements_out < 0;
            }
            if (made.group.empty()) {
                made.group = message.group;
            }
            if (made.ranks.empty()) {
                made.ranks = told_ranks(message, recording_.header);
            }
            const auto peer = what.way == Way::send ? message.destination : message.source;
            if (peer >= 0) {
                made.peer = static_cast<std::uint32_t>(peer);
            }
        }
        if ((made.way == Way::send || made.way == Way::receive) && !made.peer) {
            made.way = Way::unknown;
        }
        return made;
    }

    const KinetoRecording& recording_;
    const std::vector<std::uint32_t>& launch_of_;
    const std::vector<std::string>& labels_;
    std::vector<Told> told_of_;  ///< by work
    std::map<std::int64_t, std::uint32_t> by_external_;
    std::vector<std::uint32_t> by_start_;
};

}  // namespace

std::optional<CollectiveKind> collective_named(std::string_view name)
{
    const auto found = known(name);
    return found.way == Way::collective ? std::optional{found.kind} : std::nullopt;
}

KinetoCollectives join_collectives(const KinetoRecording& recording,
                                   const std::vector<std::uint32_t>& launch_of,
                                   const std::vector<std::string>& labels)
{
    return Joiner{recording, launch_of, labels}.join();
}

}  // namespace sim::formats
