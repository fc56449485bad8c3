#pragma once

#include <map>
#include <span>
#include <string>

#include "spec/offload.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// Writes the copies of an offload policy, each kind on a stream of its own.
class OffloadCopies
{
public:
    OffloadCopies(const spec::OffloadSpec& offload, TaskWriter& writer);

    /// Appears with its first copy, so that what is not used is not there.
    StreamId stream(const std::string& name);
    /// Charged to the farther of its tiers. Where the policy blocks, it begins when compute stands
    /// still, and compute waits for it. By a single buffer it is two, one after the other.
    Dependence write(const char* name, Copy copy, std::span<const Dependence> after);

private:
    Dependence append(const std::string& name, const Copy& copy, std::span<const Dependence> after);

    const spec::OffloadSpec& offload_;
    TaskWriter& writer_;
    std::map<std::string, StreamId> streams_;
};

}  // namespace sim::workload
