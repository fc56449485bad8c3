#include "engine/event_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sim::engine
{
namespace
{

TEST(EventQueue, EventsComeInTheOrderOfTheirTimes)
{
    EventQueue queue;
    queue.set(3, 2.0);
    queue.set(1, 1.0);
    queue.set(2, 3.0);
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.next(), 1.0);
    EXPECT_EQ(queue.pop(), 1U);
    EXPECT_EQ(queue.pop(), 3U);
    EXPECT_EQ(queue.pop(), 2U);
    EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, AnInstantGoesOnWithoutTheEventThatFoundedIt)
{
    EventQueue queue;
    queue.set(0, 5.0);
    queue.set(1, 5.0);
    queue.set(2, 7.0);
    queue.erase(0);
    queue.set(3, 5.0);  // joins slot 1
    queue.set(1, 7.0);  // leaves slot 3 alone there
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.next(), 5.0);
    EXPECT_EQ(queue.pop(), 3U);
    EXPECT_EQ(queue.next(), 7.0);
    queue.erase(2);
    queue.erase(2);  // nothing is left to erase
    EXPECT_EQ(queue.pop(), 1U);
    EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, ASetToTheTimeItHasStays)
{
    EventQueue queue;
    queue.set(4, 1.5);
    queue.set(4, 1.5);
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(queue.pop(), 4U);
    EXPECT_TRUE(queue.empty());
}

/// A slot's event by slot, looked through from the start each time.
class Plain
{
public:
    void set(std::uint32_t slot, double at) { at_[slot] = at; }
    void erase(std::uint32_t slot) { at_.erase(slot); }
    [[nodiscard]] std::size_t size() const { return at_.size(); }
    [[nodiscard]] double at(std::uint32_t slot) const { return at_.at(slot); }
    [[nodiscard]] double next() const
    {
        double least = at_.begin()->second;
        for (const auto& [slot, at] : at_) {
            least = std::min(least, at);
        }
        return least;
    }

private:
    std::map<std::uint32_t, double> at_;
};

/// Few slots and times, so that instants are shared and heads leave; many times, so that more are
/// pending than the queue remembers.
class EventQueueAgainstAMap : public ::testing::TestWithParam<std::uint32_t>
{
};

TEST_P(EventQueueAgainstAMap, KeepsTheSameEvents)
{
    std::mt19937 random{GetParam()};
    EventQueue queue;
    Plain plain;
    for (int i = 0; i < 4000; ++i) {
        const auto slot = static_cast<std::uint32_t>(random() % 300);
        switch (random() % 4) {
            case 0:
                queue.erase(slot);
                plain.erase(slot);
                break;
            case 1:
                if (plain.size() > 0) {
                    ASSERT_EQ(queue.next(), plain.next());
                    const auto popped = queue.pop();
                    ASSERT_EQ(plain.at(popped), plain.next());
                    plain.erase(popped);
                }
                break;
            default: {
                const auto at = static_cast<double>(random() % GetParam());
                queue.set(slot, at);
                plain.set(slot, at);
            }
        }
        ASSERT_EQ(queue.size(), plain.size());
    }
}

INSTANTIATE_TEST_SUITE_P(FewAndManyTimes, EventQueueAgainstAMap,
                         ::testing::Values(1U, 3U, 40U, 100'000U));

}  // namespace
}  // namespace sim::engine
