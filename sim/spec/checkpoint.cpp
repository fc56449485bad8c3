#include "spec/checkpoint.hpp"

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const CheckpointSpec& checkpoint, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("every", checkpoint.every, 1);
    if (checkpoint.to == DataTier::hbm) {
        check.error("to", "is hbm, which loses what it holds",
                    "write storage, files, dram or pool");
    }
    if (checkpoint.asynchronous && checkpoint.to == DataTier::dram) {
        check.error("to", "is dram, where an asynchronous checkpoint is staged before it is saved",
                    "write storage, files or pool, or asynchronous: false");
    }
    return diagnostics;
}

}  // namespace sim::spec
