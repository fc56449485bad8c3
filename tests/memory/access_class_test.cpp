#include "memory/access_class.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/scratch_folder.hpp"
#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

namespace fs = std::filesystem;

class ClassCache : public testing::Test
{
protected:
    [[nodiscard]] fs::path only_file() const
    {
        return fs::directory_iterator { folder_ } -> path();
    }

    ScratchFolder scratch_;
    fs::path folder_ = scratch_.path("classes");
};

TEST(AccessClass, StreamsBeatRandomSectors)
{
    const auto table = derive_classes(hbm3(), 1);
    EXPECT_GT(table.of(AccessClass::stream_read), 0.85);
    EXPECT_GT(table.of(AccessClass::stream_read), table.of(AccessClass::triad));
    EXPECT_GT(table.of(AccessClass::triad), table.of(AccessClass::random_sector));
}

TEST(AccessClass, TheMeasuredFactorScalesEveryClass)
{
    const auto plain = derive_classes(hbm3(), 1);
    const auto scaled = derive_classes(hbm3(), 0.5);
    EXPECT_DOUBLE_EQ(scaled.of(AccessClass::copy), plain.of(AccessClass::copy) / 2);
}

TEST(AccessClass, WhatChangesTheAnswerChangesTheContent)
{
    auto other = hbm3();
    other.timing.tFAW = other.timing.tFAW * 2;
    EXPECT_NE(content_of(hbm3(), 1), content_of(other, 1));
    EXPECT_NE(content_of(hbm3(), 1), content_of(hbm3(), 0.9));
    other = hbm3();
    other.name = "another name";
    EXPECT_EQ(content_of(hbm3(), 1), content_of(other, 1));
}

TEST_F(ClassCache, TheSecondAnswerIsTheFirst)
{
    const auto first = cached_classes(hbm3(), 1, folder_);
    const auto second = cached_classes(hbm3(), 1, folder_);
    EXPECT_EQ(first.fraction, second.fraction);
    EXPECT_EQ(first.fraction, derive_classes(hbm3(), 1).fraction);
}

TEST_F(ClassCache, ACorruptFileIsMadeAgain)
{
    const auto first = cached_classes(hbm3(), 1, folder_);
    const auto path = only_file();
    const auto size = fs::file_size(path);
    fs::resize_file(path, size / 2);
    EXPECT_EQ(cached_classes(hbm3(), 1, folder_).fraction, first.fraction);
    EXPECT_EQ(fs::file_size(path), size);
}

TEST_F(ClassCache, AChangedNumberIsNoticed)
{
    const auto first = cached_classes(hbm3(), 1, folder_);
    const auto path = only_file();
    std::string text(fs::file_size(path), ' ');
    std::ifstream{path}.read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto number = text.find('\n') + 3;
    text[number] = text[number] == '1' ? '2' : '1';
    std::ofstream{path} << text;
    EXPECT_EQ(cached_classes(hbm3(), 1, folder_).fraction, first.fraction);
}

TEST_F(ClassCache, AFolderThatCannotBeMadeIsDoneWithout)
{
    EXPECT_EQ(cached_classes(hbm3(), 1, "/proc/no-such-place").fraction,
              derive_classes(hbm3(), 1).fraction);
}

TEST_F(ClassCache, ManyAtOnceGetTheSameAnswer)
{
    std::vector<ClassTable> tables(4);
    std::vector<std::thread> threads;
    for (auto& table : tables) {
        threads.emplace_back([&] { table = cached_classes(hbm3(), 1, folder_); });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (const auto& table : tables) {
        EXPECT_EQ(table.fraction, tables.front().fraction);
    }
}

}  // namespace
}  // namespace sim::memory
