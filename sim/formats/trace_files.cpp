#include "formats/trace_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <tuple>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/error.hpp"

namespace sim::formats
{

namespace fs = std::filesystem;

namespace
{

/// PREFIX and N of PREFIX.N.et.
struct Numbered {
    std::string prefix;
    std::uint32_t rank = 0;
};

std::string without_packing(const std::string& name)
{
    for (const auto* suffix : {".gz", ".zst", ".xz"}) {
        if (name.ends_with(suffix)) {
            return name.substr(0, name.size() - std::string_view{suffix}.size());
        }
    }
    return name;
}

std::optional<Numbered> numbered(const std::string& given)
{
    const auto name = without_packing(given);
    if (!name.ends_with(".et") && !name.ends_with(".eg")) {
        return std::nullopt;
    }
    const auto end = name.size() - 3;
    const auto dot = name.rfind('.', end - 1);
    if (end == 0 || dot == std::string::npos) {
        return std::nullopt;
    }
    Numbered result{name.substr(0, dot), 0};
    const auto* first = name.data() + dot + 1;
    const auto [rest, failure] = std::from_chars(first, name.data() + end, result.rank);
    const bool whole = failure == std::errc{} && rest == name.data() + end && rest != first;
    return whole ? std::optional{result} : std::nullopt;
}

bool belongs(const std::string& name, const std::string& prefix)
{
    const auto is = numbered(name);
    return (is && is->prefix == prefix) || without_packing(name) == prefix + ".json";
}

/// Files of the folder that belong to the prefix; all of them when it is empty.
std::vector<std::string> siblings(const fs::path& folder, const std::string& prefix)
{
    std::vector<std::string> found;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator{folder.empty() ? "." : folder, failure}) {
        const auto name = entry.path().filename().string();
        if (entry.is_regular_file(failure) && !name.starts_with("._") &&
            (prefix.empty() || belongs(name, prefix))) {
            found.push_back(entry.path().string());
        }
    }
    std::sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
        return std::tuple{rank_in_name(a), a} < std::tuple{rank_in_name(b), b};
    });
    return found;
}

std::vector<std::string> files_of(const std::string& given)
{
    const fs::path path{given};
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
        return siblings(path, {});
    }
    if (!fs::exists(path, failure)) {
        return siblings(path.parent_path(), path.filename().string());
    }
    const auto number = numbered(path.filename().string());
    return number ? siblings(path.parent_path(), number->prefix) : std::vector{given};
}

}  // namespace

void for_each_trace_file(
    const std::string& path,
    const std::function<void(const std::string& name, ByteSource& bytes)>& visit)
{
    const auto files = files_of(path);
    if (files.empty()) {
        throw Error{fmt::format("{}: there is no such file or folder, nor files {}.N.et", path,
                                fs::path{path}.filename().string())};
    }
    for (const auto& file : files) {
        for_each_file(file, visit);
    }
}

std::optional<std::uint32_t> rank_in_name(const std::string& name)
{
    const auto number = numbered(name);
    return number ? std::optional{number->rank} : std::nullopt;
}

std::string read_all(ByteSource& bytes, const std::string& name, std::size_t most)
{
    std::string all;
    std::vector<char> block(std::size_t{1} << 16U);
    while (const auto count = bytes.read(block)) {
        if (all.size() + count > most) {
            Diagnostic diagnostic;
            diagnostic.file = name;
            diagnostic.message = fmt::format("is larger than {} bytes unpacked", most);
            throw InputError{{diagnostic}};
        }
        all.append(block.data(), count);
    }
    return all;
}

}  // namespace sim::formats
