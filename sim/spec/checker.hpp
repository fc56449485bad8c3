#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"

namespace sim::spec
{

/// Collects what is wrong with the numbers under one key.
class Checker
{
public:
    Checker(Diagnostics& diagnostics, std::string prefix)
        : diagnostics_{diagnostics}, prefix_{std::move(prefix)}
    {
    }

    void error(std::string_view name, std::string message, std::string hint);
    void warning(std::string_view name, std::string message, std::string hint);

    void at_least(std::string_view name, std::int64_t value, std::int64_t least);
    void within(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most);
    void share(std::string_view name, double value);  ///< in (0, 1]
    void positive(std::string_view name, double value, std::string_view example);
    void not_negative(std::string_view name, double value);

    template <class Q>
    void positive(std::string_view name, Q quantity, std::string_view example)
    {
        if (!(quantity > Q{}) || !finite(quantity)) {
            not_above_zero(name, to_text(quantity), example);
        }
    }

    template <class Q>
    void not_negative(std::string_view name, Q quantity)
    {
        if (!(quantity >= Q{}) || !finite(quantity)) {
            below_zero(name, to_text(quantity));
        }
    }

private:
    template <class Q>
    static bool finite(Q quantity)
    {
        return std::isfinite(static_cast<double>(quantity.base()));
    }

    void add(Diagnostic::Severity severity, std::string_view name, std::string message,
             std::string hint);
    void not_above_zero(std::string_view name, std::string_view value, std::string_view example);
    void below_zero(std::string_view name, std::string_view value);

    Diagnostics& diagnostics_;
    std::string prefix_;
};

}  // namespace sim::spec
