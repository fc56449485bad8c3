#include "sweep/crew.hpp"

#include <utility>

namespace sim::sweep
{
namespace
{

class LoneCrew final : public Crew
{
public:
    explicit LoneCrew(std::vector<std::size_t> tasks) : tasks_{std::move(tasks)} {}

    std::optional<std::size_t> next() override
    {
        return next_ < tasks_.size() ? std::optional{tasks_[next_++]} : std::nullopt;
    }
    void ended(const Reply& reply) override { news_.push_back(reply); }
    void stop() override { next_ = tasks_.size(); }
    bool over() override { return true; }
    std::chrono::milliseconds patience() const override { return std::chrono::milliseconds{200}; }
    std::vector<Reply> news() override { return std::exchange(news_, {}); }

private:
    std::vector<std::size_t> tasks_;
    std::size_t next_ = 0;
    std::vector<Reply> news_;
};

}  // namespace

std::unique_ptr<Crew> lone_crew(std::vector<std::size_t> tasks)
{
    return std::make_unique<LoneCrew>(std::move(tasks));
}

}  // namespace sim::sweep
