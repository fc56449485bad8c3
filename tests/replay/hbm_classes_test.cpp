#include "replay/hbm_classes.hpp"

#include <gtest/gtest.h>

#include "config/read_memory.hpp"
#include "memory/access_class.hpp"

namespace sim::replay
{
namespace
{

using Kind = spec::OperationKind;

TEST(HbmClasses, AGpuWithoutDevicesKeepsItsConstant)
{
    spec::GpuSpec gpu;
    gpu.memory_efficiency = 0.9;
    const HbmClasses classes{gpu};
    EXPECT_EQ(classes.gpu(Kind::streaming).memory_efficiency, 0.9);
    EXPECT_EQ(classes.gpu(Kind::gemm).memory_efficiency, 0.9);
}

TEST(HbmClasses, EveryKindOfKernelGetsItsClassOfTheDevicesTable)
{
    const std::string home = WEFTSIM_SOURCE_DIR;
    spec::GpuSpec gpu;
    gpu.hbm = spec::GpuHbmSpec{};
    gpu.hbm->device = config::load_dram(home + "/configs/hardware/memory/hbm3.yaml", {}).spec;
    gpu.hbm->stacks = 5;
    gpu.hbm->read_factor = 0.95;
    const HbmClasses classes{gpu};
    const auto table = memory::derive_classes(gpu.hbm->device, 0.95);
    EXPECT_EQ(classes.gpu(Kind::streaming).memory_efficiency, table.of(memory::AccessClass::triad));
    EXPECT_EQ(classes.gpu(Kind::gemm).memory_efficiency,
              table.of(memory::AccessClass::stream_read));
    EXPECT_EQ(classes.gpu(Kind::attention).memory_efficiency,
              classes.gpu(Kind::gemm).memory_efficiency);
    EXPECT_LT(classes.gpu(Kind::streaming).memory_efficiency,
              classes.gpu(Kind::gemm).memory_efficiency);
}

}  // namespace
}  // namespace sim::replay
