#include "workload/offload_copies.hpp"

#include <vector>

namespace sim::workload
{

OffloadCopies::OffloadCopies(const spec::OffloadSpec& offload, TaskWriter& writer)
    : offload_{offload}, writer_{writer}
{
}

StreamId OffloadCopies::stream(const std::string& name)
{
    const auto found = streams_.find(name);
    if (found != streams_.end()) {
        return found->second;
    }
    return streams_.emplace(name, writer_.builder().add_stream(name)).first->second;
}

Dependence OffloadCopies::write(const char* name, Copy copy, std::span<const Dependence> after)
{
    copy.through_dram = offload_.through_dram;
    copy.purpose = purpose_of(copy.from, copy.to);
    std::vector<Dependence> dependences{after.begin(), after.end()};
    if (offload_.blocking) {
        if (const auto kernel = writer_.builder().last(writer_.compute())) {
            dependences.push_back(*kernel);
        }
    }
    const bool bounces =
        copy.through_dram && copy.from != spec::DataTier::dram && copy.to != spec::DataTier::dram;
    auto rest = copy;
    if (bounces && offload_.buffers.count == 1) {
        if (const auto before = writer_.builder().last(stream(name))) {
            dependences.push_back(*before);  // the buffer is empty
        }
        copy.to = spec::DataTier::dram;
        dependences = {append(std::string{name} + " (to buffer)", copy, dependences)};
        rest.from = spec::DataTier::dram;
    }
    const auto written = append(name, rest, dependences);
    if (offload_.blocking) {
        writer_.await(written);
    }
    return written;
}

Dependence OffloadCopies::append(const std::string& name, const Copy& copy,
                                 std::span<const Dependence> after)
{
    const auto payload = writer_.builder().copy(name, copy);
    return writer_.append_apart({stream(name), TaskKind::copy, payload}, after);
}

}  // namespace sim::workload
