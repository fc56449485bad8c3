#include "cli/copy_document.hpp"

#include <gtest/gtest.h>

#include "cli/results_page.hpp"

namespace sim::cli
{
namespace
{

TEST(CopyDocument, ThePageListsEveryDatasetAndNoOther)
{
    EXPECT_EQ(page_of_results("copy"), datasets_of(copy_document({CopyRow{}}, "")));
}

}  // namespace
}  // namespace sim::cli
