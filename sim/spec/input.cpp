#include "spec/input.hpp"

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const InputSpec& input, const std::string& key)
{
    constexpr int kMostAhead = 64;
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.positive("per_sequence", input.per_sequence, "32 KiB");
    check.within("prefetch", input.prefetch, 0, kMostAhead);
    if (input.from == DataTier::hbm) {
        check.error("from", "is hbm, where nothing is left to load",
                    "write storage, files, dram or pool");
    }
    return diagnostics;
}

}  // namespace sim::spec
