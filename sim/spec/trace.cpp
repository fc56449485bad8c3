#include "spec/trace.hpp"

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
    return diagnostics;
}

}  // namespace sim::spec
