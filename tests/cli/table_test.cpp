#include "cli/table.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace sim::cli
{
namespace
{

TEST(Table, AlignsWordsLeftAndNumbersRightWithoutBlanksAtTheEnd)
{
    Table table;
    table.column("name", Table::Align::left);
    table.column("n");
    table.column("why", Table::Align::left);
    table.row({"a", "10", "x"});
    table.row({"longer", "9", "because"});
    EXPECT_EQ(table.text(),
              "name     n  why\n"
              "a       10  x\n"
              "longer   9  because\n");
    EXPECT_EQ(table.width(), 6 + 2 + 2 + 2 + 7);
}

TEST(Table, CountsCharactersNotBytes)
{
    Table table;
    table.column("µ", Table::Align::left);
    table.column("x");
    table.row({"ab", "1"});
    EXPECT_EQ(table.text(), "µ   x\nab  1\n");
}

TEST(Wrapped, NoLineIsLongerThanThePageAndNoWordIsLost)
{
    std::string paragraph;
    for (int i = 0; i < 60; ++i) {
        paragraph += "word" + std::to_string(i) + " ";
    }
    std::istringstream lines{wrapped(paragraph)};
    int words = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kPageWidth);
        std::istringstream in{line};
        for (std::string word; in >> word;) {
            EXPECT_EQ(word, "word" + std::to_string(words++));
        }
    }
    EXPECT_EQ(words, 60);
}

}  // namespace
}  // namespace sim::cli
