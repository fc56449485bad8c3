#include "spec/framework.hpp"

#include <gtest/gtest.h>

#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

using namespace testing;

TEST(Framework, AGpuOfItsProfileIsSlowerAndOthersAreNot)
{
    GpuSpec gpu;
    gpu.name = "H100 SXM";
    gpu.math_efficiency = {{Precision::bf16, 0.8}, {Precision::fp8, 0.75}};
    gpu.attention[AttentionLibrary::cudnn] = {{0.5, 0, 0}, {0.4, 0, 0}};
    gpu.memory_efficiency = 0.9;
    FrameworkSpec framework;
    framework.kernels["H100 SXM"] = {{{Precision::bf16, 0.9}}, 0.8, 0.5};

    const auto used = as_used_by(framework, gpu);
    EXPECT_DOUBLE_EQ(used.math_efficiency.at(Precision::bf16), 0.72);  // 0.8 x 0.9
    EXPECT_DOUBLE_EQ(used.math_efficiency.at(Precision::fp8), 0.75);
    EXPECT_DOUBLE_EQ(used.attention.at(AttentionLibrary::cudnn).backward.rate, 0.32);
    EXPECT_DOUBLE_EQ(used.memory_efficiency, 0.45);

    gpu.name = "A100 SXM 80GB";
    EXPECT_DOUBLE_EQ(as_used_by(framework, gpu).math_efficiency.at(Precision::bf16), 0.8);
}

}  // namespace
}  // namespace sim::spec
