#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/play.hpp"

namespace sim::engine::testing
{

/// A run as data: everything the seam can be asked for.
struct Scenario {
    struct Work {
        double earliest;                 ///< seconds; starts then or when all of `after` have ended
        std::vector<std::size_t> after;  ///< earlier works
        double latency;
        double amount;
        std::vector<Use> uses;
        double share;
        double cap;
    };
    struct Reservation {
        std::size_t resource;
        double units;
        double from;
        double until;
    };
    struct Cancellation {
        std::size_t work;
        double at;  ///< no effect unless it has started and not ended
    };

    std::vector<Resource> resources;
    std::vector<Work> works;
    std::vector<Reservation> reservations;
    std::vector<Cancellation> cancellations;
};

struct Outcome {
    std::vector<double> ends;    ///< by work; NaN: cancelled, or never
    std::vector<double> served;  ///< by resource
    std::string stalled;         ///< words of Stalled from the number of activities on
};

/// Starts works when their last dependence ends. Timers are numbered: starts, then reservations'
/// beginnings, their ends, and cancellations.
class Director final : public Listener
{
public:
    Director(const Scenario& scenario, Engine& engine)
        : scenario_{scenario},
          engine_{engine},
          ends(scenario.works.size(), std::numeric_limits<double>::quiet_NaN()),
          waits_(scenario.works.size(), 1),
          handles_(scenario.works.size()),
          over_(scenario.works.size(), false),
          followers_(scenario.works.size())
    {
        for (const Resource& resource : scenario.resources) {
            engine_.add_resource(resource);
        }
        for (std::size_t i = 0; i < scenario.works.size(); ++i) {
            waits_[i] += scenario.works[i].after.size();
            for (const std::size_t before : scenario.works[i].after) {
                followers_[before].push_back(i);
            }
        }
        std::uint64_t token = 0;
        const auto at = [&](double time) { engine_.set_timer(Time::of(time), token++); };
        for (const auto& work : scenario.works) {
            at(work.earliest);
        }
        for (const auto& reservation : scenario.reservations) {
            at(reservation.from);
        }
        for (const auto& reservation : scenario.reservations) {
            at(reservation.until);
        }
        for (const auto& cancellation : scenario.cancellations) {
            at(cancellation.at);
        }
    }

    void finished(std::uint64_t token) override
    {
        ends[token] = engine_.now().base();
        end(token);
    }

    void timer(std::uint64_t token) override
    {
        const auto reservations = scenario_.reservations.size();
        if (token < scenario_.works.size()) {
            one_less(token);
        } else if ((token -= scenario_.works.size()) < reservations) {
            const auto& one = scenario_.reservations[token];
            engine_.reserve(ResourceId{one.resource}, one.units);
        } else if ((token -= reservations) < reservations) {
            const auto& one = scenario_.reservations[token];
            engine_.release(ResourceId{one.resource}, one.units);
        } else {
            cancel(scenario_.cancellations[token - reservations].work);
        }
    }

private:
    const Scenario& scenario_;
    Engine& engine_;

public:
    std::vector<double> ends;

private:
    void one_less(std::size_t work)
    {
        if (--waits_[work] > 0) {
            return;
        }
        const auto& one = scenario_.works[work];
        handles_[work] = engine_.start({.amount = one.amount,
                                        .latency = Time::of(one.latency),
                                        .uses = one.uses,
                                        .share = one.share,
                                        .rate_cap = one.cap,
                                        .token = work});
    }

    void cancel(std::size_t work)
    {
        if (handles_[work] && !over_[work]) {
            engine_.cancel(*handles_[work]);
            end(work);
        }
    }

    void end(std::size_t work)
    {
        over_[work] = true;
        for (const std::size_t follower : followers_[work]) {
            one_less(follower);
        }
    }

    std::vector<std::size_t> waits_;
    std::vector<std::optional<ActivityId>> handles_;
    std::vector<bool> over_;
    std::vector<std::vector<std::size_t>> followers_;
};

inline Outcome direct(const Scenario& scenario, Engine& engine)
{
    Director director{scenario, engine};
    Outcome outcome;
    try {
        engine.run(director);
    } catch (const Stalled& stalled) {
        const std::string words = stalled.what();
        outcome.stalled = words.substr(words.find(": ") + 2);
    }
    outcome.ends = director.ends;
    for (std::size_t i = 0; i < scenario.resources.size(); ++i) {
        outcome.served.push_back(engine.served(ResourceId{i}));
    }
    return outcome;
}

/// SimGrid in a process of its own.
inline Outcome outcome_of(const Scenario& scenario, Kind kind)
{
    if (kind != Kind::simgrid) {
        const auto engine = make_engine(kind);
        engine->set_audit(true);
        return direct(scenario, *engine);
    }
    const auto bytes = in_child([&] {
        const auto engine = make_engine(kind);
        const auto outcome = direct(scenario, *engine);
        return to_bytes(outcome.ends) + to_bytes(outcome.served) + outcome.stalled;
    });
    const auto ends = scenario.works.size() * sizeof(double);
    const auto served = scenario.resources.size() * sizeof(double);
    return {from_bytes<double>(bytes.substr(0, ends)),
            from_bytes<double>(bytes.substr(ends, served)), bytes.substr(ends + served)};
}

/// `floor` is what a difference of larger numbers may leave.
inline bool same(double a, double b, double floor = 0)
{
    constexpr double kRelative = 1e-9;
    return (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= floor + kRelative * std::max(std::abs(a), std::abs(b));
}

/// Empty when both say the same; else the first difference.
inline std::string difference(const Outcome& a, const Outcome& b)
{
    const auto differs = [](const char* what, std::size_t i, double x, double y) {
        const auto text = [](double number) {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.17g", number);
            return std::string{digits};
        };
        return std::string{what} + " " + std::to_string(i) + ": " + text(x) + " and " + text(y);
    };
    for (std::size_t i = 0; i < a.ends.size(); ++i) {
        if (!same(a.ends[i], b.ends[i])) {
            return differs("end of work", i, a.ends[i], b.ends[i]);
        }
    }
    constexpr double kServedFloor = 1e-3;  // units, of amounts around 1e9 not yet moved
    for (std::size_t i = 0; i < a.served.size(); ++i) {
        if (!same(a.served[i], b.served[i], kServedFloor)) {
            return differs("units served by resource", i, a.served[i], b.served[i]);
        }
    }
    return a.stalled == b.stalled ? "" : "stalled: \"" + a.stalled + "\" and \"" + b.stalled + "\"";
}

/// As it would be written down in a test.
inline std::ostream& operator<<(std::ostream& out, const Scenario& scenario)
{
    out.precision(17);
    for (const auto& resource : scenario.resources) {
        out << "resource " << resource.name << " " << resource.capacity;
        for (const auto& change : resource.schedule) {
            out << ", from " << change.at.base() << " " << change.capacity;
        }
        out << "\n";
    }
    for (const auto& work : scenario.works) {
        out << "work from " << work.earliest << " after";
        for (const auto before : work.after) {
            out << " " << before;
        }
        out << ": latency " << work.latency << " amount " << work.amount << " share " << work.share
            << " cap " << work.cap << " uses";
        for (const auto& use : work.uses) {
            out << " " << use.consumption << "*" << use.resource.index();
        }
        out << "\n";
    }
    for (const auto& one : scenario.reservations) {
        out << "reserve " << one.units << " of " << one.resource << " from " << one.from << " to "
            << one.until << "\n";
    }
    for (const auto& one : scenario.cancellations) {
        out << "cancel " << one.work << " at " << one.at << "\n";
    }
    return out;
}

}  // namespace sim::engine::testing
