#include "config/parsed_files.hpp"

#include <utility>

namespace sim::config
{

namespace
{

/// More than any sweep of a hand reads; what comes after is read anew.
constexpr std::size_t kMostFiles = 1000;

}  // namespace

const ParsedFiles::File* ParsedFiles::find(const std::string& path) const
{
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : &found->second;
}

void ParsedFiles::keep(const std::string& path, File file)
{
    if (files_.size() < kMostFiles) {
        files_.emplace(path, std::move(file));
    }
}

}  // namespace sim::config
