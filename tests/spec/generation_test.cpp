#include "spec/generation.hpp"

#include <gtest/gtest.h>

namespace sim::spec
{
namespace
{

std::vector<std::string> keys_of(const WorkloadSpec& workload)
{
    std::vector<std::string> keys;
    Diagnostics diagnostics;
    Checker check{diagnostics, ""};
    check_generation(check, workload);
    for (const auto& diagnostic : diagnostics) {
        keys.push_back(diagnostic.key);
    }
    return keys;
}

TEST(Generation, NeedsSomethingToGenerate)
{
    WorkloadSpec workload;
    workload.sequence = 16;
    workload.prompt = 15;
    EXPECT_TRUE(keys_of(workload).empty());
    workload.prompt = 16;
    EXPECT_EQ(keys_of(workload), std::vector<std::string>{"prompt"});
    workload.prompt = 0;
    EXPECT_EQ(keys_of(workload), std::vector<std::string>{"prompt"});
}

TEST(Generation, IsNotDividedOverStagesAndHasNoState)
{
    WorkloadSpec workload;
    workload.sequence = 16;
    workload.prompt = 8;
    workload.plan.pipeline = 2;
    workload.plan.context = 2;
    workload.plan.zero = 3;
    workload.offload.emplace();
    workload.offload->optimizer.tier = DataTier::dram;
    workload.checkpoint.emplace();
    EXPECT_EQ(keys_of(workload),
              (std::vector<std::string>{"parallel.pipeline", "parallel.context", "parallel.zero",
                                        "offload.optimizer", "checkpoint"}));
}

TEST(Generation, ACacheIsOfTokensThatAreGenerated)
{
    WorkloadSpec workload;
    workload.sequence = 16;
    workload.offload.emplace();
    workload.offload->cache.tier = DataTier::dram;
    EXPECT_EQ(keys_of(workload), std::vector<std::string>{"offload.cache"});
    workload.prompt = 8;
    EXPECT_TRUE(keys_of(workload).empty());
}

}  // namespace
}  // namespace sim::spec
