#include "spec/trace.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const TraceSpec& trace, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    if (trace.path.empty()) {
        check.error("file", "is empty", "write the path of the recorded files");
    }
    check.not_negative("compute_scale", trace.compute_scale);
    if (trace.assumed_size) {
        check.positive("assume_size", *trace.assumed_size, "1 MiB");
    }
    for (std::size_t i = 0; i < trace.slow.size(); ++i) {
        check.not_negative(fmt::format("slow.{}.factor", i).c_str(), trace.slow[i].factor);
    }
    if (trace.recorded_on) {
        const auto gpu = validate(*trace.recorded_on, key + ".recorded_on");
        diagnostics.insert(diagnostics.end(), gpu.begin(), gpu.end());
    }
    return diagnostics;
}

}  // namespace sim::spec
