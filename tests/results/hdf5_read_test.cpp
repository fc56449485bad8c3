#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/scratch_folder.hpp"
#include "results/file.hpp"
#include "results/sample.hpp"
#include "results/schema.hpp"

namespace sim::results
{
namespace
{

using testing::HasSubstr;

std::string refusal(const std::string& path)
{
    try {
        (void)read_hdf5(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "(read)";
}

class ReadHdf5 : public testing::Test
{
protected:
    ScratchFolder folder_;
};

TEST_F(ReadHdf5, GivesBackEveryGroupAsItWasDescribed)
{
    for (const auto& set :
         {sample::run(), sample::explained(), sample::ensemble(), sample::sweep()}) {
        const auto written = describe(set);
        write_hdf5(written, folder_.path("whole.h5"));
        const auto read = read_hdf5(folder_.path("whole.h5"));
        EXPECT_EQ(to_json(read), to_json({read.attributes, written.groups}));
        EXPECT_EQ(read.text("kind"), written.text("kind"));
        EXPECT_EQ(read.text("input_text"), written.text("input_text"));
    }
}

TEST_F(ReadHdf5, GivesBackArraysThatWereCompressed)
{
    // 400 times 300 values: more than one chunk of about 2^15.
    Document document;
    document.attributes = {{"format", std::vector<std::int64_t>{1, 0}}};
    std::vector<double> values;
    for (int i = 0; i < 400 * 300; ++i) {
        values.push_back(1.0 / (1 + i));
    }
    Group group{"large", {}};
    group.variables.push_back({"row", {"row"}, std::vector<std::int64_t>(400, 7), "1", "row"});
    group.variables.push_back(
        {"word", {"word"}, std::vector<std::string>(300, "w"), "", "a word each"});
    group.variables.push_back({"values", {"row", "word"}, values, "s", "many"});
    document.groups = {group};
    write_hdf5(document, folder_.path("large.h5"));
    const auto read = read_hdf5(folder_.path("large.h5"));
    EXPECT_EQ(std::get<std::vector<double>>(read.find("large", "values")->values), values);
    EXPECT_EQ(read.group("large")->length("word"), 300);
    EXPECT_LT(std::filesystem::file_size(folder_.path("large.h5")), values.size() * sizeof(double));
}

TEST_F(ReadHdf5, RefusesAnotherMajorVersionButReadsALaterMinorOne)
{
    auto document = describe(sample::run());
    const auto with_format = [&](std::vector<std::int64_t> format) {
        for (auto& attribute : document.attributes) {
            if (attribute.name == "format") {
                attribute.value = format;
            }
        }
        write_hdf5(document, folder_.path("version.h5"));
        return refusal(folder_.path("version.h5"));
    };
    EXPECT_THAT(with_format({2, 0}), HasSubstr("it has format 2.0 and this weftsim reads 1.x"));
    EXPECT_EQ(with_format({1, 99}), "(read)");
}

TEST_F(ReadHdf5, SaysWhyAFileCannotBeRead)
{
    EXPECT_THAT(refusal("/no/such.h5"), HasSubstr("cannot read /no/such.h5: No such file"));
    EXPECT_THAT(refusal(folder_.path()), HasSubstr("it is a directory"));
    std::ofstream{folder_.path("text.h5")} << "not HDF5";
    EXPECT_THAT(refusal(folder_.path("text.h5")), HasSubstr("it is no HDF5 file"));
    Document stranger;
    write_hdf5(stranger, folder_.path("stranger.h5"));
    EXPECT_THAT(refusal(folder_.path("stranger.h5")), HasSubstr("it is no result file of weftsim"));
}

TEST_F(ReadHdf5, SaysThatAFileCutShortCannotBeRead)
{
    write_hdf5(describe(sample::explained()), folder_.path("cut.h5"));
    std::filesystem::resize_file(folder_.path("cut.h5"), 5000);
    EXPECT_THAT(refusal(folder_.path("cut.h5")), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace sim::results
