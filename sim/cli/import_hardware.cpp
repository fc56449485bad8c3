#include "cli/import_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace sim::cli
{

namespace fs = std::filesystem;

namespace
{

Diagnostic wrong(std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

std::vector<std::string> names_in(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator{folder, failure}) {
        if (entry.path().extension() == ".yaml") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

void check(Diagnostics& diagnostics, const fs::path& folder, const std::string& option,
           const std::string& name)
{
    const auto names = names_in(folder);
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) {
        return;
    }
    std::string list;
    for (const auto& known : names) {
        list += (list.empty() ? "" : ", ") + known;
    }
    const auto near = closest(name, names);
    diagnostics.push_back(wrong(
        fmt::format("--{} {}: there is no {}", option, name, (folder / (name + ".yaml")).string()),
        !near.empty()  ? fmt::format("did you mean \"{}\"?", near)
        : list.empty() ? std::string{}
                       : "write one of " + list));
}

}  // namespace

std::string find_hardware(const std::string& given)
{
    std::error_code failure;
    if (!given.empty()) {
        if (!fs::is_directory(given, failure)) {
            throw InputError{{wrong(fmt::format("--hardware {}: is not a folder", given), {})}};
        }
        return given;
    }
    for (auto folder = fs::current_path();; folder = folder.parent_path()) {
        const auto hardware = folder / "configs" / "hardware";
        if (fs::is_directory(hardware, failure)) {
            return hardware.string();
        }
        if (folder == folder.parent_path()) {
            break;
        }
    }
    throw InputError{
        {wrong("there is no configs/hardware at or above this folder", "add --hardware FOLDER")}};
}

Diagnostics check_parts(const formats::TopologyParts& parts, const std::string& hardware)
{
    Diagnostics diagnostics;
    const fs::path folder{hardware};
    check(diagnostics, folder / "gpu", "gpu", parts.gpu);
    check(diagnostics, folder / "nvlink", "nvlink", parts.nvlink);
    check(diagnostics, folder / "pcie", "pcie", parts.pcie);
    check(diagnostics, folder / "nic", "nic", parts.nic);
    check(diagnostics, folder / "switch", "switch", parts.device);
    check(diagnostics, folder / "collective", "collective", parts.collective);
    return diagnostics;
}

std::string seen_from(const std::string& output, const std::string& hardware)
{
    const auto folder = output.empty() ? fs::current_path() : fs::absolute(output).parent_path();
    return fs::absolute(hardware)
        .lexically_normal()
        .lexically_relative(folder.lexically_normal())
        .generic_string();
}

}  // namespace sim::cli
