#pragma once

#include "engine/native_engine.hpp"

namespace sim::replay::test
{

/// A native engine that is lied to, or lies: what the audit must find.
class TamperedEngine final : public engine::Engine
{
public:
    struct Lies {
        double amount = 1;    ///< factor on every activity's bytes
        double latency = 1;   ///< factor on every activity's latency
        double capacity = 1;  ///< factor on every resource's capacity
        double served = 1;    ///< factor on what is told as served
    };

    explicit TamperedEngine(const Lies& lies) : lies_{lies} {}

    ResourceId add_resource(const engine::Resource& resource) override
    {
        auto other = resource;
        other.capacity *= lies_.capacity;
        return engine_.add_resource(other);
    }
    engine::ActivityId start(const engine::Activity& activity) override
    {
        auto other = activity;
        other.amount *= lies_.amount;
        other.latency = other.latency * lies_.latency;
        return engine_.start(other);
    }
    void cancel(engine::ActivityId activity) override { engine_.cancel(activity); }
    void reserve(ResourceId resource, double units) override { engine_.reserve(resource, units); }
    void release(ResourceId resource, double units) override { engine_.release(resource, units); }
    void set_timer(Time at, std::uint64_t token) override { engine_.set_timer(at, token); }
    [[nodiscard]] Time now() const override { return engine_.now(); }
    void run(engine::Listener& listener) override { engine_.run(listener); }
    [[nodiscard]] double served(ResourceId resource) const override
    {
        return engine_.served(resource) * lies_.served;
    }
    void set_audit(bool on) override { engine_.set_audit(on); }

private:
    Lies lies_;
    engine::NativeEngine engine_;
};

}  // namespace sim::replay::test
