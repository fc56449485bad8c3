#include "spec/workload.hpp"

#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

using namespace sim::literals;

std::string complaint(const WorkloadSpec& workload, int ranks = kExampleRanks)
{
    return told(validate(workload, ranks, "workload"));
}

/// The example with `tensor`, on as many ranks as that makes.
std::string with_tensor(int tensor, const ModelSpec& model)
{
    auto workload = example_workload();
    workload.model = model;
    workload.plan = {.tensor = tensor};
    return complaint(workload, tensor);
}

/// The example with `pipeline` stages.
std::string with_pipeline(int pipeline, std::vector<int> layers_per_stage = {})
{
    auto workload = example_workload();
    workload.plan = {.pipeline = pipeline, .layers_per_stage = std::move(layers_per_stage)};
    return complaint(workload, pipeline);
}

TEST(MicroBatches, AreTheBatchOverWhatAllCopiesTakeAtOnce)
{
    auto workload = example_workload();
    EXPECT_EQ(micro_batches(workload), 8);  // 128 / (16 * 1)
    workload.micro_batch = 2;
    EXPECT_EQ(micro_batches(workload), 4);
    workload.global_batch = 100;
    EXPECT_THROW((void)micro_batches(workload), ContractViolation);
}

TEST(ValidateWorkload, ARightOneHasNothingToSay) { EXPECT_EQ(complaint(example_workload()), ""); }

TEST(ValidateWorkload, TensorDividesHeads)
{
    // 64 heads, 8 key-value heads, width 28672 = 2^12 * 7: powers of two up to 64.
    EXPECT_EQ(
        with_tensor(3, example_workload().model),
        "error: workload.parallel.tensor: 3 does not divide the 64 attention heads | write one "
        "of 1, 2, 4, 8, 16, 32, 64\n"
        "error: workload.parallel.tensor: 3 does not divide the MLP width 28672 | write one of "
        "1, 2, 4, 8, 16, 32, 64");
}

TEST(ValidateWorkload, TensorAboveTheKeyValueHeadsReplicatesThem)
{
    EXPECT_EQ(with_tensor(16, example_workload().model),
              "warning: workload.parallel.tensor: 16 is more than the 8 key-value heads; each is "
              "held by 2 ranks, as Megatron does it");
}

TEST(ValidateWorkload, TensorSplitsKeyValueHeadsWhole)
{
    // 12 heads in 6 groups: 4 divides 12 but neither 4 | 6 nor 6 | 4.
    auto model = example_workload().model;
    model.heads = 12;
    model.kv_heads = 6;
    EXPECT_EQ(with_tensor(4, model),
              "error: workload.parallel.tensor: 4 neither divides the 6 key-value heads nor is a "
              "multiple of them (a rank holds whole heads, or shares one with its neighbours) | "
              "write one of 1, 2");
}

TEST(ValidateWorkload, TensorDividesTheMlpWidth)
{
    auto model = example_workload().model;
    model.ffn = 11004;  // 4 * 2751, so 8 does not divide it
    EXPECT_EQ(
        with_tensor(8, model),
        "error: workload.parallel.tensor: 8 does not divide the MLP width 11004 | write one of "
        "1, 2, 4");
}

TEST(ValidateWorkload, TheVocabularyMayBePadded)
{
    auto model = example_workload().model;
    model.vocab = 32003;
    EXPECT_EQ(with_tensor(8, model),
              "warning: workload.parallel.tensor: 8 does not divide the vocabulary of 32003; 32003 "
              "rows are padded to 32008, as Megatron does it");
}

TEST(ValidateWorkload, PipelineDividesLayersOrListsThem)
{
    // 80 = 3 * 26 + 2.
    EXPECT_EQ(
        with_pipeline(3),
        "error: workload.parallel.pipeline: 3 does not divide the 80 layers | write one of 1, "
        "2, 4, 5, 8, 10, 16, 20, 40, 80, or layers_per_stage: [27, 27, 26]");
    EXPECT_EQ(with_pipeline(3, {27, 27, 26}), "");
    EXPECT_EQ(with_pipeline(4, {19, 21, 21, 19}), "") << "any list that holds every layer";
}

TEST(ValidateWorkload, NoLayerIsLostOrInvented)
{
    // Case U61: other tools train 64 of 80 layers, or 28 of 30, and say nothing.
    EXPECT_EQ(with_pipeline(4, {16, 16, 16, 16}),
              "error: workload.parallel.layers_per_stage: 16 + 16 + 16 + 16 = 64 layers, but the "
              "model has 80 | write layers_per_stage: [20, 20, 20, 20]");
    EXPECT_EQ(with_pipeline(2, {80, 0}),
              "error: workload.parallel.layers_per_stage: gives a stage 0 layers | write "
              "layers_per_stage: [40, 40]");
}

TEST(ValidateWorkload, TheLayerListHasOneEntryAStage)
{
    EXPECT_EQ(
        with_pipeline(4, {40, 40}),
        "error: workload.parallel.layers_per_stage: lists 2 stages, but pipeline is 4 | write "
        "layers_per_stage: [20, 20, 20, 20]");
}

TEST(ValidateWorkload, MoreStagesThanLayersHoldNothing)
{
    EXPECT_EQ(
        with_pipeline(160),
        "error: workload.parallel.pipeline: 160 stages are more than the 80 layers | write one "
        "of 1, 2, 4, 5, 8, 10, 16, 20, 40, 80");
}

TEST(ValidateWorkload, TheRanksAreTensorTimesPipelineTimesData)
{
    auto workload = example_workload();
    workload.plan.data = 8;
    EXPECT_EQ(complaint(workload),
              "error: workload.parallel.data: tensor 8 x pipeline 1 x data 8 = 64 ranks, but the "
              "cluster has 128 | write data: 16");
    workload.plan = {.tensor = 8, .pipeline = 5, .data = 4};
    EXPECT_EQ(
        complaint(workload),
        "error: workload.parallel.data: tensor 8 x pipeline 5 x data 4 = 160 ranks, but the "
        "cluster has 128 | no data fits: 128 is not a multiple of tensor 8 x pipeline 5 = 40");
    EXPECT_EQ(complaint(workload, kRanksUnknown), "");
}

TEST(ValidateWorkload, EveryCopyTakesWholeMicroBatches)
{
    auto workload = example_workload();
    workload.global_batch = 100;
    EXPECT_EQ(
        complaint(workload),
        "error: workload.global_batch: 100 is not a multiple of data 16 x micro_batch 1 = 16 | "
        "write 96 or 112");
    workload.global_batch = 8;
    EXPECT_EQ(complaint(workload),
              "error: workload.global_batch: 8 is not a multiple of data 16 x micro_batch 1 = 16 | "
              "write 16");
}

TEST(ValidateWorkload, TheOptimiserIsSharedByAGroupThatDividesData)
{
    auto workload = example_workload();
    workload.plan.zero_group = 8;
    EXPECT_EQ(complaint(workload), "");
    workload.plan.zero_group = 12;
    EXPECT_EQ(complaint(workload),
              "error: workload.parallel.zero_group: 12 does not divide data 16 | write 4");
    workload.plan.zero_group = 0;
    workload.plan.zero = 4;
    EXPECT_EQ(complaint(workload),
              "error: workload.parallel.zero: is 4, but must be from 0 to 3\n"
              "error: workload.parallel.zero_group: is 0, but must be at least 1");
}

TEST(ValidateWorkload, SequenceParallelCutsTheSequenceEvenly)
{
    auto workload = example_workload();
    workload.sequence = 8190;
    EXPECT_EQ(complaint(workload),
              "error: workload.sequence: 8190 is not a multiple of tensor 8, as sequence_parallel "
              "needs | write 8192");
    workload.plan.sequence_parallel = false;
    EXPECT_EQ(complaint(workload), "");
    workload.plan = {.tensor = 1, .data = 128, .sequence_parallel = true};
    EXPECT_EQ(complaint(workload), "") << "with tensor 1 there is nothing to cut";
}

TEST(ValidateWorkload, AllMistakesAreFoundAtOnce)
{
    auto workload = example_workload();
    workload.plan = {.tensor = 3, .pipeline = 7, .data = 5};
    workload.framework.gradient_bucket = Bytes{};
    workload.framework.reserved = Bytes::of(-1);
    workload.framework.optimizer_bytes_per_parameter = -4;
    EXPECT_EQ(
        complaint(workload),
        "error: workload.framework.gradient_bucket: is 0 B, but must be above 0 | write a value "
        "such "
        "as 200 MB\n"
        "error: workload.framework.optimizer_bytes_per_parameter: is -4, but must not be below 0\n"
        "error: workload.framework.reserved: is -1 B, but must not be below 0\n"
        "error: workload.parallel.data: tensor 3 x pipeline 7 x data 5 = 105 ranks, but the "
        "cluster "
        "has 128 | no data fits: 128 is not a multiple of tensor 3 x pipeline 7 = 21\n"
        "error: workload.global_batch: 128 is not a multiple of data 5 x micro_batch 1 = 5 | write "
        "125 or 130\n"
        "error: workload.parallel.tensor: 3 does not divide the 64 attention heads | write one of "
        "1, "
        "2, 4, 8, 16, 32, 64\n"
        "error: workload.parallel.tensor: 3 does not divide the MLP width 28672 | write one of 1, "
        "2, "
        "4, 8, 16, 32, 64\n"
        "error: workload.parallel.pipeline: 7 does not divide the 80 layers | write one of 1, 2, "
        "4, "
        "5, 8, 10, 16, 20, 40, 80, or layers_per_stage: [12, 12, 12, 11, 11, 11, 11]");
}

TEST(ValidateWorkload, NumbersThatCannotBeDividedByAreNamedFirst)
{
    auto workload = example_workload();
    workload.sequence = 0;
    workload.micro_batch = 0;
    workload.plan.tensor = 0;
    workload.plan.data = -2;
    EXPECT_EQ(complaint(workload),
              "error: workload.sequence: is 0, but must be from 1 to 1000000000\n"
              "error: workload.micro_batch: is 0, but must be from 1 to 1000000000\n"
              "error: workload.parallel.tensor: is 0, but must be from 1 to 1000000\n"
              "error: workload.parallel.data: is -2, but must be from 1 to 1000000");
}

TEST(ValidateWorkload, AModelThatIsWrongIsNotHeldAgainstThePlan)
{
    auto workload = example_workload();
    workload.model.heads = 0;
    EXPECT_EQ(complaint(workload),
              "error: workload.model.num_attention_heads: is 0, but must be at least 1");
}

WorkloadSpec with_experts()
{
    auto workload = example_workload();
    workload.model.experts = ExpertsSpec{.count = 8, .per_token = 2, .ffn = 14336};
    return workload;
}

TEST(ValidateWorkload, ExpertGroupsMustDivideTheExpertsAndTheRanksOfAStage)
{
    auto workload = with_experts();
    workload.plan.expert = 8;
    EXPECT_EQ(told(validate(workload, 128, "")), "");
    workload.plan.expert = 3;
    EXPECT_EQ(told(validate(workload, 128, "")),
              "error: parallel.expert: 3 does not divide the 8 experts | write 1");
    workload.plan.expert = 8;
    workload.plan.expert_tensor = 32;
    EXPECT_EQ(told(validate(workload, 128, "")),
              "error: parallel.expert: expert 8 x expert_tensor 32 = 256 does not divide the 128 "
              "ranks of a stage (tensor 8 x context 1 x data 16) | write a divisor of 4");
}

TEST(ValidateWorkload, TensorRanksSendTheirOwnTokensToExperts)
{
    auto workload = with_experts();
    workload.plan.sequence_parallel = false;
    EXPECT_EQ(told(validate(workload, 128, "")),
              "error: parallel.sequence_parallel: false, but each tensor rank sends its own tokens "
              "to the experts | write sequence_parallel: true, or tensor: 1");
}

TEST(ValidateWorkload, ExpertRanksNeedExperts)
{
    auto workload = example_workload();
    workload.plan.expert = 2;
    EXPECT_EQ(told(validate(workload, 128, "")),
              "error: parallel.expert: is given, but the model has no experts | write 1");
}

TEST(ValidateWorkload, OnlyFrozenWeightsMayBeStoredNarrower)
{
    auto workload = example_workload();
    workload.weights = Precision::fp4;
    EXPECT_EQ(told(validate(workload, 128, "")),
              "error: weights: is of frozen weights, but no adapter is given | write adapter_rank: "
              "16, or drop it");
    workload.adapter_rank = 16;
    EXPECT_EQ(told(validate(workload, 128, "")), "");
}

TEST(ValidateWorkload, CountingRecomputedLayersNeedsFullRecomputation)
{
    auto workload = example_workload();
    workload.recompute_layers = 4;
    EXPECT_EQ(
        told(validate(workload, 128, "")),
        "error: recompute_layers: counts layers that are recomputed in full | write recompute: "
        "full");
    workload.recompute = Recompute::full;
    EXPECT_EQ(told(validate(workload, 128, "")), "");
}

}  // namespace
}  // namespace sim::spec
