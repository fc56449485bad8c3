#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/isolated.hpp"

namespace sim::engine::testing
{

/// One call to the listener.
struct Seen {
    enum class What : std::uint64_t { finished, timer };

    double at;
    What what;
    std::uint64_t token;
};

/// Records every call, and reacts to it when the test says how.
class Stage final : public Listener
{
public:
    explicit Stage(Kind kind) : engine{make_engine(kind)} {}

    void finished(std::uint64_t token) override { see(Seen::What::finished, token); }
    void timer(std::uint64_t token) override { see(Seen::What::timer, token); }

    ResourceId link(double capacity, std::vector<CapacityChange> schedule = {})
    {
        return engine->add_resource({"link", capacity, std::move(schedule)});
    }
    /// Uses each resource with consumption 1 and returns a handle; the token says which finish.
    ActivityId transfer(std::uint64_t token, double amount, std::vector<Use> uses)
    {
        return engine->start({.amount = amount, .uses = uses, .token = token});
    }

    std::unique_ptr<Engine> engine;
    std::function<void(const Seen&)> react;
    std::vector<Seen> seen;
    std::vector<double> answers;  ///< whatever else the test wants to know

private:
    void see(Seen::What what, std::uint64_t token)
    {
        seen.push_back({engine->now().base(), what, token});
        if (react) {
            // A copy: the reaction may grow `seen`.
            const Seen last = seen.back();
            react(last);
        }
    }
};

struct Played {
    std::vector<Seen> seen;
    std::vector<double> answers;

    /// NaN when it never finished.
    [[nodiscard]] double end_of(std::uint64_t token) const
    {
        for (const Seen& one : seen) {
            if (one.what == Seen::What::finished && one.token == token) {
                return one.at;
            }
        }
        return std::numeric_limits<double>::quiet_NaN();
    }
    [[nodiscard]] std::vector<std::uint64_t> tokens() const
    {
        std::vector<std::uint64_t> order;
        for (const Seen& one : seen) {
            order.push_back(one.token);
        }
        return order;
    }
};

template <class Item>
std::string to_bytes(const std::vector<Item>& items)
{
    return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

template <class Item>
std::vector<Item> from_bytes(const std::string& bytes)
{
    std::vector<Item> items(bytes.size() / sizeof(Item));
    if (!items.empty()) {  // memcpy refuses a null pointer even for no bytes
        std::memcpy(items.data(), bytes.data(), bytes.size());
    }
    return items;
}

/// Sets the stage, runs it to the end and tells what was seen; SimGrid's in a process of its own.
/// `after` is called at the end, while the engine still exists.
inline Played play(Kind kind, const std::function<void(Stage&)>& set,
                   const std::function<void(Stage&)>& after = {})
{
    const auto work = [&] {
        Stage stage{kind};
        set(stage);
        stage.engine->run(stage);
        if (after) {
            after(stage);
        }
        const auto seen = to_bytes(stage.seen);
        return std::to_string(seen.size()) + " " + seen + to_bytes(stage.answers);
    };
    const std::string bytes = kind == Kind::simgrid ? in_child(work) : work();
    const auto size = std::stoul(bytes);
    const auto start = bytes.find(' ') + 1;
    return {from_bytes<Seen>(bytes.substr(start, size)),
            from_bytes<double>(bytes.substr(start + size))};
}

}  // namespace sim::engine::testing
