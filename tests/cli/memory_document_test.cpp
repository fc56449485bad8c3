#include "cli/memory_document.hpp"

#include <gtest/gtest.h>

#include "cli/results_page.hpp"
#include "config/read_memory.hpp"
#include "config/read_storage.hpp"

namespace sim::cli
{
namespace
{

const std::string kHome = WEFTSIM_SOURCE_DIR;

TEST(MemoryDocument, ThePageListsEveryDatasetOfADramAndNoOther)
{
    MemoryQuestion question;
    question.dram = config::load_dram(kHome + "/configs/hardware/memory/hbm3.yaml", {}).spec;
    question.accesses = memory::pattern_by_name("read");
    question.in_flight = 1;
    EXPECT_EQ(page_of_results("dram"), datasets_of(memory_document({{question, {}, 0, 0, 0}}, "")));
}

TEST(MemoryDocument, ThePageListsEveryDatasetOfADriveAndNoOther)
{
    const auto ssd =
        config::load_ssd(kHome + "/configs/hardware/ssd/micron-9550-pro-7.68tb.yaml", {}).spec;
    EXPECT_EQ(page_of_results("drive"),
              datasets_of(drive_document(ssd, drive_answers(ssd, 1), "")));
}

}  // namespace
}  // namespace sim::cli
