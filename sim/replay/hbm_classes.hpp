#pragma once

#include "spec/gpu.hpp"
#include "spec/operation.hpp"

namespace sim::replay
{

/// What kernels reach of a GPU's HBM, by how they touch it: where the GPU names its devices, the
/// class table of their bank model (sim/memory/README.md), kept by content hash; else the one
/// constant of its file. Streaming kernels are triads (two arrays read, one written); GEMMs and
/// attention read in streams, what they write being little of it.
class HbmClasses
{
public:
    explicit HbmClasses(const spec::GpuSpec& gpu);

    /// The GPU as such an operation finds it: `memory_efficiency` is that of its class.
    [[nodiscard]] const spec::GpuSpec& gpu(spec::OperationKind kind) const
    {
        return kind == spec::OperationKind::streaming ? streaming_ : reading_;
    }

private:
    spec::GpuSpec streaming_;
    spec::GpuSpec reading_;
};

}  // namespace sim::replay
