#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace sim
{

/// A folder nobody else has, gone with the object. Tests run beside each other, so that a file of
/// a fixed name in the shared temporary folder is another test's too.
class ScratchFolder
{
public:
    ScratchFolder()
    {
        auto pattern = (std::filesystem::temp_directory_path() / "weftsim-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error{"cannot make a folder like " + pattern};
        }
        path_ = pattern;
    }
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// Of a file in it, or its own.
    [[nodiscard]] std::string path(const std::string& name = {}) const
    {
        return name.empty() ? path_ : path_ / name;
    }
    void write(const std::string& name, const std::string& content) const
    {
        std::ofstream{path_ / name, std::ios::binary} << content;
    }

private:
    std::filesystem::path path_;
};

}  // namespace sim
