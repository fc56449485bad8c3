#pragma once

#include <vector>

#include "engine/engine.hpp"

namespace sim::replay::test
{

/// Remembers what it was given and lets no time pass.
class RecordingEngine final : public engine::Engine
{
public:
    ResourceId add_resource(const engine::Resource& resource) override
    {
        resources.push_back(resource);
        return ResourceId{resources.size() - 1};
    }
    engine::ActivityId start(const engine::Activity& activity) override
    {
        activities.push_back(activity);
        return {activities.size() - 1};
    }
    void cancel(engine::ActivityId) override {}
    void reserve(ResourceId, double) override {}
    void release(ResourceId, double) override {}
    void set_timer(Time, std::uint64_t) override {}
    [[nodiscard]] Time now() const override { return {}; }
    void run(engine::Listener&) override {}
    [[nodiscard]] double served(ResourceId) const override { return 0; }

    std::vector<engine::Resource> resources;
    std::vector<engine::Activity> activities;
};

}  // namespace sim::replay::test
