#pragma once

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace sim::cli
{

struct OptionWords {
    std::vector<std::string> names;  ///< "-o", "--output"; empty for one that goes by its place
    std::string type;                ///< "FILE.h5"
    std::string description;
    std::vector<std::string> values;  ///< all it may be; empty when there is no such list
    bool flag = false;                ///< takes no value
};

/// A command as it was defined, for all that tells of it.
struct CommandWords {
    std::string name;
    std::string description;
    std::string footer;  ///< example and remarks
    std::vector<OptionWords> options;
};

[[nodiscard]] std::vector<CommandWords> words_of_commands(const CLI::App& program);

/// In man's language (section 1).
[[nodiscard]] std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace sim::cli
