#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

/// Every message is compared to the last character: these are the words a person gets.
class BadInput : public InFolder
{
protected:
    BadInput() { write_good(); }
};

TEST_F(BadInput, AnUnknownKeyIsToldWithTheOneThatWasMeant)
{
    write_run_with("micro_batch: 2", "micro_batch: 2\n  recompte: full");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:8:3: error: workload.recompte: unknown key
    8 |   recompte: full
      |   ^
      = did you mean "recompute"?
)");
}

TEST_F(BadInput, AMisspeltNeededKeyIsToldOnceWhereItStands)
{
    write_run_with("sequence:", "sequense:");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:5:3: error: workload.sequense: unknown key
    5 |   sequense: 2048
      |   ^
      = did you mean "sequence"?
)");
}

TEST_F(BadInput, AMissingKeyIsToldWithAnExample)
{
    write_run_with("  sequence: 2048\n", "");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:3:1: error: workload.sequence: missing
    3 | workload:
      | ^
      = write sequence: 8192
)");
}

TEST_F(BadInput, AMissingSectionIsToldOnce)
{
    write("run.yaml", "format: 1\ncluster: { extends: cluster.yaml }\n");
    EXPECT_EQ(complaint("run.yaml"), R"(run.yaml: error: workload: missing
      = write workload: { model: path/to/config.json, ... }
)");
}

TEST_F(BadInput, ANumberWithoutItsUnitIsRefused)
{
    write_run_with("80 MB", "80");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:13:22: error: workload.framework.gradient_bucket: "80" has no unit
   13 |     gradient_bucket: 80
      |                      ^
      = write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB
)");
}

TEST_F(BadInput, AUnitOfAnotherQuantityIsRefused)
{
    write_run_with("cluster.yaml }", "cluster.yaml, nic: { bandwidth: 400 GB } }");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(run.yaml:2:53: error: cluster.nic.bandwidth: "400 GB" is not a bandwidth: unknown unit "GB"
    2 | cluster: { extends: cluster.yaml, nic: { bandwidth: 400 GB } }
      |                                                     ^
      = write one of Gbps, Tbps, MB/s, GB/s, TB/s, GiB/s (b is bits, B is bytes)
)");
}

TEST_F(BadInput, AWordWhereANumberIsDueIsRefused)
{
    write_run_with("micro_batch: 2", "micro_batch: two");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:7:16: error: workload.micro_batch: "two" is not a whole number
    7 |   micro_batch: two
      |                ^
      = write a number such as 1
)");
}

TEST_F(BadInput, AListWhereAValueIsDueIsRefused)
{
    write_run_with("micro_batch: 2", "micro_batch: [2]");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:7:16: error: workload.micro_batch: must be one value, not a list
    7 |   micro_batch: [2]
      |                ^
      = write micro_batch: 1
)");
}

TEST_F(BadInput, AValueWhereAMappingIsDueIsRefused)
{
    write_run_with("{ tensor: 2 }", "2");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:10:13: error: workload.parallel: must be a mapping, not "2"
   10 |   parallel: 2
      |             ^
      = write parallel: { ... }
)");
}

TEST_F(BadInput, AnUnknownWordIsToldWithTheKnownOnes)
{
    write_run_with("precision: bf16", "precision: bf61");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(run.yaml:8:14: error: workload.precision: "bf61" is not one of bf16, fp16, fp8, fp4, tf32, fp32
    8 |   precision: bf61
      |              ^
      = did you mean "bf16"?
)");
}

TEST_F(BadInput, AKeyWrittenTwiceIsRefused)
{
    write_run_with("seed: 7", "seed: 7\nseed: 8");
    EXPECT_EQ(complaint("run.yaml"), R"(run.yaml:20:1: error: seed: written twice; first in line 19
   20 | seed: 8
      | ^
      = keep one of the two
)");
}

TEST_F(BadInput, AFileThatIsNotThereIsTold)
{
    EXPECT_EQ(complaint("runn.yaml"), R"(runn.yaml: error: no such file
      = did you mean "run.yaml"?
)");
}

TEST_F(BadInput, AFileReferredToThatIsNotThereIsToldAtTheReference)
{
    write_run_with("cluster.yaml", "clutser.yaml");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:2:21: error: cluster.extends: cannot read "clutser.yaml": no such file
    2 | cluster: { extends: clutser.yaml }
      |                     ^
      = did you mean "cluster.yaml"?
)");
}

TEST_F(BadInput, AModelThatIsNotThereIsToldAtTheReference)
{
    write_run_with("model: model.json", "model: models/big.json");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:4:10: error: workload.model: cannot read "models/big.json": no such file
    4 |   model: models/big.json
      |          ^
)");
}

TEST_F(BadInput, AFolderIsNotAnExperiment)
{
    write("runs/a.yaml", "");
    EXPECT_EQ(complaint("runs"), "runs: error: it is a folder\n");
}

TEST_F(BadInput, ACycleOfExtendsIsNamed)
{
    write("a.yaml", "extends: b.yaml\n");
    write("b.yaml", "extends: a.yaml\n");
    write_run_with("cluster.yaml", "a.yaml");
    EXPECT_EQ(
        complaint("run.yaml"),
        R"(b.yaml:1:10: error: cluster.extends: the files extend each other: a.yaml -> b.yaml -> a.yaml
    1 | extends: a.yaml
      |          ^
)");
}

TEST_F(BadInput, TextThatIsNotYamlIsToldWithItsPlace)
{
    write("broken.yaml", "format: 1\ncluster: [1, 2\n");
    EXPECT_EQ(complaint("broken.yaml"),
              "broken.yaml:3:1: error: not YAML: end of sequence flow not found\n");
}

TEST_F(BadInput, WhatNothingOpenedDoesNotHang)
{
    // yaml-cpp finds documents without end there.
    write("comma.yaml", ",\n");
    EXPECT_EQ(complaint("comma.yaml"),
              "comma.yaml:1:1: error: not YAML: nothing begins with \",\"\n"
              "    1 | ,\n"
              "      | ^\n");
}

TEST_F(BadInput, ANameThatIsTooLongForTheSystemIsNoFile)
{
    const std::string name(300, 'n');
    write("long.yaml", "extends: " + name + "\n");
    EXPECT_EQ(complaint("long.yaml"), "long.yaml:1:10: error: extends: cannot read \"" + name +
                                          "\": no such file\n    1 | extends: " + name +
                                          "\n      |          ^\n");
}

TEST_F(BadInput, ASecondDocumentIsRefused)
{
    write("two.yaml", "format: 1\n---\nformat: 1\n");
    EXPECT_EQ(complaint("two.yaml"),
              "two.yaml:2:1: error: a second document in one file\n"
              "    2 | ---\n"
              "      | ^\n"
              "      = remove the line \"---\" or split the file\n");
}

TEST_F(BadInput, AnEmptyFileIsRefused)
{
    write("empty.yaml", "");
    EXPECT_EQ(complaint("empty.yaml"), "empty.yaml: error: the file is empty\n");
}

TEST_F(BadInput, AFormatOfTheFutureIsRefused)
{
    write_run_with("format: 1", "format: 2");
    EXPECT_EQ(complaint("run.yaml"), R"(run.yaml:1:9: error: format: 2 is not known to this version
    1 | format: 2
      |         ^
      = write format: 1
)");
}

TEST_F(BadInput, AllMistakesAreToldAtOnceInTheOrderOfTheFile)
{
    write_run_with("sequence: 2048", "sequence: long");
    write_run_with("80 MB", "80");
    write_run_with("seed: 7", "sede: 7");
    EXPECT_EQ(complaint("run.yaml"),
              R"(run.yaml:5:13: error: workload.sequence: "long" is not a whole number
    5 |   sequence: long
      |             ^
      = write a number such as 8192
run.yaml:13:22: error: workload.framework.gradient_bucket: "80" has no unit
   13 |     gradient_bucket: 80
      |                      ^
      = write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB
run.yaml:19:1: error: sede: unknown key
   19 | sede: 7
      | ^
      = did you mean "seed"?
)");
}

TEST_F(BadInput, OnlyASourceStandsBesideAValue)
{
    write_run_with("seed: 7", "seed: { value: 7, unit: none }");
    EXPECT_EQ(complaint("run.yaml"), R"(run.yaml:19:19: error: seed.unit: unknown key
   19 | seed: { value: 7, unit: none }
      |                   ^
      = only "source" stands beside "value"
)");
}

TEST_F(BadInput, AliasesThatRepeatThemselvesWithoutEndAreStopped)
{
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; ++i) {
        const auto name = std::string{'a'}.append(std::to_string(i));
        text.append(name).append(": &").append(name).append(" [");
        for (int k = 0; k < 10; ++k) {
            text += (k == 0 ? "*a" : ", *a") + std::to_string(i - 1);
        }
        text += "]\n";
    }
    write("laughs.yaml", text);
    EXPECT_NE(complaint("laughs.yaml").find("too many values"), std::string::npos);
}

TEST_F(BadInput, ADocumentThatIsTooDeepIsStopped)
{
    std::string text{"a: "};
    text.append(100, '[').append(100, ']').append(1, '\n');
    write("deep.yaml", text);
    EXPECT_NE(complaint("deep.yaml").find("nested more than 64 levels deep"), std::string::npos);
}

}  // namespace
}  // namespace sim::config
