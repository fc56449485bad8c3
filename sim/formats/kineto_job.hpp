#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/byte_source.hpp"
#include "formats/kineto_recording.hpp"
#include "formats/trace.hpp"
#include "spec/trace.hpp"

namespace sim::formats
{

/// Reads the files of PyTorch's profiler of one job, one a rank; kineto.md has the rules.
class KinetoJob
{
public:
    explicit KinetoJob(const spec::TraceSpec& asked) : asked_{asked} {}

    /// Throws InputError.
    void add(const std::string& name, ByteSource& bytes);
    [[nodiscard]] bool empty() const { return recordings_.empty(); }
    /// After the last file. Throws InputError with everything that is missing.
    [[nodiscard]] Trace take();

private:
    const spec::TraceSpec& asked_;
    TraceLabels labels_;
    std::vector<KinetoRecording> recordings_;
};

}  // namespace sim::formats
