#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "fuzz/parsers.hpp"

namespace sim::fuzz
{
namespace
{

namespace fs = std::filesystem;

std::vector<fs::path> inputs(const std::string& folder)
{
    std::vector<fs::path> found;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator{folder, absent}) {
        found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Everybody's and the parser's own.
std::vector<fs::path> samples(const Parser& parser)
{
    auto found = inputs(WEFTSIM_SOURCE_DIR "/tests/formats/samples");
    const auto own = inputs(WEFTSIM_SOURCE_DIR "/tests/fuzz/seeds/" + std::string{parser.name});
    found.insert(found.end(), own.begin(), own.end());
    return found;
}

std::string read(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void expect_an_answer(const Parser& parser, const fs::path& path)
{
    try {
        parser.feed(read(path));
    } catch (const InputError&) {
    } catch (const Error&) {
    } catch (const std::exception& other) {
        ADD_FAILURE() << parser.name << " on " << path << ": " << other.what();
    }
}

class Parsers : public testing::TestWithParam<Parser>
{
};

TEST_P(Parsers, AnswerOrRefuseWhateverWasFoundToBreakThem)
{
    // Each file is called after what it did.
    for (const auto& path :
         inputs(WEFTSIM_SOURCE_DIR "/tests/fuzz/corpus/" + std::string{GetParam().name})) {
        expect_an_answer(GetParam(), path);
    }
}

TEST_P(Parsers, AnswerOrRefuseTheSamplesOfAllOthers)
{
    for (const auto& path : samples(GetParam())) {
        expect_an_answer(GetParam(), path);
    }
}

TEST_P(Parsers, AnswerOrRefuseFilesThatEndTooSoon)
{
    // Halves, quarters, ... of every sample; the last is empty.
    for (const auto& path : samples(GetParam())) {
        for (auto text = read(path); !text.empty();) {
            text.resize(text.size() / 2);
            try {
                GetParam().feed(text);
            } catch (const InputError&) {
            } catch (const Error&) {
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Parsers, testing::ValuesIn(parsers().begin(), parsers().end()),
                         [](const auto& parser) { return std::string{parser.param.name}; });

}  // namespace
}  // namespace sim::fuzz
