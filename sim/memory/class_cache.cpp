#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/fingerprint.hpp"
#include "core/quantity_text.hpp"
#include "memory/access_class.hpp"

namespace sim::memory
{

namespace
{

/// To be raised whenever the model answers differently.
constexpr int kModelVersion = 3;

std::uint64_t hash_of(const std::string& text)
{
    Fingerprint fingerprint;
    for (const char letter : text) {
        fingerprint.add(static_cast<unsigned char>(letter));
    }
    return fingerprint.value();
}

std::string timing_text(const spec::DramTiming& t)
{
    std::string text;
    for (const auto time : {t.tCK,
                            t.tCL,
                            t.tCWL,
                            t.tRCD_read,
                            t.tRCD_write,
                            t.tRP,
                            t.tRAS,
                            t.tRC,
                            t.tCCD_S,
                            t.tCCD_L,
                            t.tCCD_L_write.value_or(Time{}),
                            t.tCCD_R.value_or(Time{}),
                            t.tRRD_S,
                            t.tRRD_L,
                            t.tFAW,
                            t.tWR,
                            t.tWTR_S,
                            t.tWTR_L,
                            t.tRTP,
                            t.tRTW.value_or(Time{}),
                            t.tRFC_all,
                            t.tRFC_bank,
                            t.tREFI}) {
        text += to_exact_text(time) + " ";
    }
    return text;
}

/// The file of a table: its content, the six numbers, and a hash of both.
std::string file_text(const std::string& content, const ClassTable& table)
{
    auto text = content + "\n";
    for (const auto fraction : table.fraction) {
        text += fmt::format("{:.17g}\n", fraction);
    }
    return text + fmt::format("{:016x}\n", hash_of(text));
}

std::optional<ClassTable> read_table(const std::filesystem::path& path, const std::string& content)
{
    std::ifstream file{path};
    std::string line;
    if (!std::getline(file, line) || line != content) {
        return std::nullopt;
    }
    ClassTable table;
    for (auto& fraction : table.fraction) {
        if (!(file >> fraction) || !(fraction > 0 && fraction <= 1)) {
            return std::nullopt;
        }
    }
    std::string hash;
    file >> hash;
    const auto whole = file_text(content, table);
    return whole.ends_with(hash + "\n") && hash.size() == 16 ? std::optional{table} : std::nullopt;
}

/// Under another name first: whoever reads at the same time sees the old file or the new one.
void write_table(const std::filesystem::path& path, const std::string& text)
{
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    auto temporary = path.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(temporary.data());
    if (descriptor < 0) {
        return;
    }
    ::close(descriptor);
    {
        std::ofstream file{temporary};
        file << text;
        if (!file.flush()) {
            std::filesystem::remove(temporary, error);
            return;
        }
    }
    std::filesystem::rename(temporary, path, error);
}

}  // namespace

std::string content_of(const spec::DramSpec& d, double read_factor)
{
    const auto& c = d.controller;
    return fmt::format(
        "weftsim dram classes {} | {} {} {} {} {} {} {} {} {} {} {} {} | {}| {} {} {:.17g} {:.17g} "
        "{} "
        "{} {} {} {} | {} {} {} | {} {:.17g} {:.17g} {:.17g} {:.17g} | {:.17g}",
        kModelVersion, std::min(d.channels, 4), d.pseudo_channels, d.independent_ranks, d.ranks,
        d.bank_groups, d.banks_per_group, d.rows, to_exact_text(d.row), d.width_bits,
        d.row_command_clocks, d.burst_length, to_exact_text(d.pin_rate), timing_text(d.timing),
        c.read_queue, c.write_queue, c.write_high, c.write_low, c.opened_leave_queue, c.idle_drains,
        static_cast<int>(c.page), static_cast<int>(c.refresh), to_exact_text(c.starvation),
        d.mapping.order, to_exact_text(d.mapping.channel_interleave),
        static_cast<int>(d.mapping.permutation), d.ecc.data_bursts_per_check, d.thermal.celsius,
        d.thermal.refresh_doubles_above, d.thermal.throttles_above, d.thermal.throttled_share,
        read_factor);
}

ClassTable cached_classes(const spec::DramSpec& dram, double read_factor, const std::string& folder)
{
    if (folder.empty()) {
        return derive_classes(dram, read_factor);
    }
    const auto content = content_of(dram, read_factor);
    const auto path =
        std::filesystem::path{folder} / fmt::format("dram-{:016x}.txt", hash_of(content));
    if (const auto table = read_table(path, content)) {
        return *table;
    }
    const auto table = derive_classes(dram, read_factor);
    write_table(path, file_text(content, table));
    return table;
}

std::string cache_folder()
{
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
        return std::string{cache} + "/weftsim";
    }
    const char* home = std::getenv("HOME");
    return home == nullptr || *home == '\0' ? std::string{} : std::string{home} + "/.cache/weftsim";
}

}  // namespace sim::memory
