#include "results/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/scratch_folder.hpp"
#include "results/hdf5_reader.hpp"
#include "results/sample.hpp"
#include "results/schema.hpp"

namespace sim::results
{
namespace
{

using testing::ElementsAre;

class File : public testing::Test
{
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
    [[nodiscard]] std::size_t files() const
    {
        using Iterator = std::filesystem::directory_iterator;
        return static_cast<std::size_t>(std::distance(Iterator{folder_.path()}, Iterator{}));
    }

    ScratchFolder folder_;
};

std::string bytes_of(const std::string& path)
{
    std::ostringstream bytes;
    bytes << std::ifstream{path, std::ios::binary}.rdbuf();
    return bytes.str();
}

TEST_F(File, ARunReadsBackAsItWasWritten)
{
    write_hdf5(describe(sample::run()), path("run.h5"));
    const Hdf5Reader file{path("run.h5")};
    EXPECT_EQ(file.attribute("/", "kind"), "run");
    EXPECT_EQ(file.attribute("/", "engine"), "native");
    EXPECT_EQ(file.attribute("/", "input_text"), "# file: x.yaml\nformat: 1\n");
    EXPECT_EQ(file.attribute("/", "fingerprint"), "0x0000000000abcdef");
    EXPECT_THAT(file.doubles("/summary/step_time"), ElementsAre(10));
    EXPECT_THAT(file.texts("/summary/binding"), ElementsAre("sm"));
    EXPECT_THAT(file.doubles("/communication/exposed"), ElementsAre(1));  // mean of 2 s and 0 s
    EXPECT_THAT(file.doubles("/classes/exposed"), ElementsAre(2, 0));
    EXPECT_THAT(file.integers("/memory/total"), ElementsAre(18'000'000'000));
    EXPECT_EQ(file.attribute("/summary/step_time", "units"), "s");
    EXPECT_EQ(file.dimensions("/classes/time"), "rank_class,entry");
}

TEST_F(File, ASweepHasItsAxesAsNamedCoordinatesAndNaNWhereNothingRan)
{
    write_hdf5(describe(sample::sweep()), path("sweep.h5"));
    const Hdf5Reader file{path("sweep.h5")};
    EXPECT_EQ(file.attribute("/", "kind"), "sweep");
    EXPECT_THAT(file.texts("/summary/nic"), ElementsAre("400G", "800G"));
    EXPECT_EQ(file.dimensions("/summary/step_time"), "nic,routing");
    EXPECT_EQ(file.dimensions("/replicates/step_time"), "nic,routing,replicate");
    const auto step = file.doubles("/summary/step_time");
    EXPECT_THAT(std::vector(step.begin(), step.begin() + 3), ElementsAre(10, 12, 9));
    EXPECT_TRUE(std::isnan(step.at(3)));
    EXPECT_THAT(file.texts("/summary/status"), ElementsAre("done", "done", "done", "failed"));
    EXPECT_THAT(file.texts("/summary/message"), ElementsAre("", "", "", "no route"));
    EXPECT_THAT(file.integers("/summary/seeds"), ElementsAre(1, 3, 1, 0));
}

TEST_F(File, TheSameResultGivesTheSameBytes)
{
    write_hdf5(describe(sample::sweep()), path("a.h5"));
    write_hdf5(describe(sample::sweep()), path("b.h5"));
    EXPECT_EQ(bytes_of(path("a.h5")), bytes_of(path("b.h5")));
}

TEST_F(File, ARankThatTalksToNobodyMakesAnEmptyDimension)
{
    auto set = sample::run();
    set.provenance.engine_options.clear();
    for (auto& rank_class : set.points[0].runs[0].result.classes) {
        rank_class.communication.clear();
    }
    write_hdf5(describe(set), path("alone.h5"));
    const Hdf5Reader file{path("alone.h5")};
    EXPECT_THAT(file.doubles("/communication/exposed"), ElementsAre());
}

TEST_F(File, AMissingDirectoryIsNamedWithTheReason)
{
    try {
        write_atomically(path("no/such.h5"), "x");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.what(),
                  "cannot write " + path("no/such.h5") + ": No such file or directory");
    }
    EXPECT_THROW(check_writable(path("no/such.h5")), Error);
}

TEST_F(File, WhatIsNotAFileIsRefusedAndLeftAlone)
{
    EXPECT_THROW(write_atomically(folder_.path(), "x"), Error);
    EXPECT_THROW(write_atomically("/dev/null", "x"), Error);
}

TEST_F(File, ACheckOfThePathLeavesNothingBehindAndTheOldFileIntact)
{
    write_atomically(path("old.h5"), "old");
    check_writable(path("old.h5"));
    check_writable(path("new.h5"));
    EXPECT_EQ(bytes_of(path("old.h5")), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(File, AFullDiskKeepsTheOldFileAndLeavesNoPart)
{
    write_atomically(path("old.h5"), "old");
    // A limit on the size of files is met as a full disk is: in the middle of the write.
    signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(write_atomically(path("old.h5"), std::string(1 << 20, 'x')), Error);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(bytes_of(path("old.h5")), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(File, WhatAKilledWriterLeftIsTakenAwayAndWhatALivingOneWritesIsNot)
{
    std::ofstream{path("out.h5.123.part")} << "half";
    std::ofstream{path("out.h5.notes.part")} << "somebody's";
    std::ofstream{path("other.h5.123.part")} << "another file's";
    const int living = open(path("out.h5.456.part").c_str(), O_CREAT | O_WRONLY, 0666);
    ASSERT_EQ(flock(living, LOCK_EX), 0);
    write_atomically(path("out.h5"), "new");
    close(living);
    EXPECT_FALSE(std::filesystem::exists(path("out.h5.123.part")));
    EXPECT_TRUE(std::filesystem::exists(path("out.h5.notes.part")));
    EXPECT_TRUE(std::filesystem::exists(path("other.h5.123.part")));
    EXPECT_TRUE(std::filesystem::exists(path("out.h5.456.part")));
    EXPECT_EQ(bytes_of(path("out.h5")), "new");
}

TEST_F(File, ALinkStaysALink)
{
    write_atomically(path("target.h5"), "old");
    std::filesystem::create_symlink(path("target.h5"), path("link.h5"));
    write_atomically(path("link.h5"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.h5")));
    EXPECT_EQ(bytes_of(path("target.h5")), "new");
}

}  // namespace
}  // namespace sim::results
