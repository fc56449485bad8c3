#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/memory_drive.hpp"
#include "config/read_memory.hpp"
#include "config/read_storage.hpp"

namespace sim::cli
{
namespace
{

namespace fs = std::filesystem;

std::vector<std::string> files(const std::string& folder)
{
    std::vector<std::string> found;
    for (const auto& entry :
         fs::directory_iterator{std::string{WEFTSIM_SOURCE_DIR} + "/configs/hardware/" + folder}) {
        if (entry.path().extension() == ".yaml") {
            found.push_back(entry.path().string());
        }
    }
    EXPECT_FALSE(found.empty());
    return found;
}

TEST(ShippedDrives, AreWithinTenPercentOfTheirSheets)
{
    int compared = 0;
    for (const auto& file : files("ssd")) {
        if (config::device_kind(file, {}) != config::DeviceKind::ssd) {
            continue;
        }
        for (const auto& answer : drive_answers(config::load_ssd(file, {}).spec, 1)) {
            if (answer.error) {
                EXPECT_NEAR(*answer.error, 0, 0.1) << file << ": " << answer.access;
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 26);  // seven drives, most with four figures
}

TEST(ShippedDrives, LastInOrderAsMuchLongerAsTheirSheetsSay)
{
    for (const auto& file : files("ssd")) {
        if (config::device_kind(file, {}) != config::DeviceKind::ssd) {
            continue;
        }
        const auto ssd = config::load_ssd(file, {}).spec;
        if (const auto stated = ssd.sheet.sequential_endurance) {
            const auto ours =
                memory::endurance_bytes(ssd, false) / memory::endurance_bytes(ssd, true);
            EXPECT_NEAR(ours / *stated, 1, 0.12) << file;
        }
    }
}

TEST(ShippedDisks, Load)
{
    for (const auto& file : files("ssd")) {
        if (config::device_kind(file, {}) == config::DeviceKind::hdd) {
            EXPECT_NO_THROW((void)config::load_hdd(file, {})) << file;
        }
    }
}

TEST(ShippedMemories, Load)
{
    for (const auto& file : files("memory")) {
        EXPECT_NO_THROW((void)config::load_dram(file, {})) << file;
    }
    for (const auto& file : files("memory/stacks")) {
        EXPECT_NO_THROW((void)config::load_hbm(file, {})) << file;
    }
    for (const auto& file : files("memory/gpu")) {
        EXPECT_NO_THROW((void)config::load_gpu_memory(file, {})) << file;
    }
}

}  // namespace
}  // namespace sim::cli
