#include <algorithm>

#include "core/contract.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

Purpose purpose_of(spec::DataTier from, spec::DataTier to)
{
    switch (std::max(from, to)) {
        case spec::DataTier::files:
        case spec::DataTier::storage:
            return Purpose::storage;
        case spec::DataTier::pool:
            return Purpose::pool;
        case spec::DataTier::dram:
            return from == to ? Purpose::update : Purpose::dram;
        case spec::DataTier::hbm:
            break;
    }
    throw ContractViolation{"a copy from HBM to itself"};
}

}  // namespace sim::workload
