// Every number in configs/hardware says where it comes from.

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace
{

namespace fs = std::filesystem;

/// "989.4 TFLOP/s", "-1", ".5" and "true": what a source could be asked for.
bool is_value(const std::string& text)
{
    const auto start = text.find_first_not_of("+-.");
    const bool number =
        start != std::string::npos && std::isdigit(static_cast<unsigned char>(text[start])) != 0;
    return number || text == "true" || text == "false";
}

bool is_sourced(const YAML::Node& node)
{
    return node.IsMap() && node["value"] && node["source"] &&
           node["source"].as<std::string>().find_first_not_of(' ') != std::string::npos;
}

/// The dotted keys of values that stand without a source.
void collect_bare(const YAML::Node& node, const std::string& key, std::vector<std::string>& bare)
{
    if (node.IsScalar()) {
        // A name may start with a digit ("25.6T"), and format is the file's own version.
        const auto last = key.substr(key.rfind('.') + 1);
        if (last != "name" && last != "format" && is_value(node.Scalar())) {
            bare.push_back(key + " (line " + std::to_string(node.Mark().line + 1) + ")");
        }
    } else if (node.IsSequence()) {
        for (std::size_t i = 0; i < node.size(); ++i) {
            collect_bare(node[i], key + "[" + std::to_string(i) + "]", bare);
        }
    } else if (node.IsMap() && !is_sourced(node)) {
        for (const auto& entry : node) {
            collect_bare(entry.second, key + "." + entry.first.as<std::string>(), bare);
        }
    }
}

std::vector<std::string> bare_values(const YAML::Node& root)
{
    std::vector<std::string> bare;
    collect_bare(root, "", bare);
    return bare;
}

TEST(Sources, EveryNumberInHardwareHasOne)
{
    std::vector<fs::path> files;
    for (const auto& entry :
         fs::recursive_directory_iterator{fs::path{WEFTSIM_SOURCE_DIR} / "configs" / "hardware"}) {
        if (entry.path().extension() == ".yaml") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty());
    for (const auto& file : files) {
        for (const auto& key : bare_values(YAML::LoadFile(file.string()))) {
            ADD_FAILURE() << file << key << ": write { value: ..., source: \"...\" }";
        }
    }
}

TEST(Sources, TheCheckSeesWhatIsMissing)
{
    using Keys = std::vector<std::string>;
    EXPECT_EQ(bare_values(YAML::Load("a: { value: 3 GB/s, source: a data sheet }\nname: 8 lanes")),
              Keys{});
    EXPECT_EQ(bare_values(YAML::Load("a: 3 GB/s")), Keys{".a (line 1)"});
    EXPECT_EQ(bare_values(YAML::Load("a:\n  b: { value: 3, source: ' ' }")),
              Keys{".a.b.value (line 2)"});
    EXPECT_EQ(bare_values(YAML::Load("a: { value: true }")), Keys{".a.value (line 1)"});
    EXPECT_EQ(bare_values(YAML::Load("a: [x, 2]")), Keys{".a[1] (line 1)"});
}

}  // namespace
