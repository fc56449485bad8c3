#include "spec/checker.hpp"

#include <fmt/format.h>

#include <utility>

namespace sim::spec
{

void Checker::add(Diagnostic::Severity severity, std::string_view name, std::string message,
                  std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = prefix_.empty() ? std::string{name} : fmt::format("{}.{}", prefix_, name);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.severity = severity;
    diagnostics_.push_back(std::move(diagnostic));
}

void Checker::error(std::string_view name, std::string message, std::string hint)
{
    add(Diagnostic::Severity::error, name, std::move(message), std::move(hint));
}

void Checker::warning(std::string_view name, std::string message, std::string hint)
{
    add(Diagnostic::Severity::warning, name, std::move(message), std::move(hint));
}

void Checker::at_least(std::string_view name, std::int64_t value, std::int64_t least)
{
    if (value < least) {
        error(name, fmt::format("is {}, but must be at least {}", value, least), {});
    }
}

void Checker::within(std::string_view name, std::int64_t value, std::int64_t least,
                     std::int64_t most)
{
    if (value < least || value > most) {
        error(name, fmt::format("is {}, but must be from {} to {}", value, least, most), {});
    }
}

void Checker::share(std::string_view name, double value)
{
    if (!(value > 0 && value <= 1)) {
        error(name, fmt::format("is {:g}, but must be above 0 and at most 1", value), {});
    }
}

void Checker::positive(std::string_view name, double value, std::string_view example)
{
    if (!(value > 0) || !std::isfinite(value)) {
        not_above_zero(name, fmt::format("{:g}", value), example);
    }
}

void Checker::not_negative(std::string_view name, double value)
{
    if (!(value >= 0) || !std::isfinite(value)) {
        below_zero(name, fmt::format("{:g}", value));
    }
}

void Checker::not_above_zero(std::string_view name, std::string_view value,
                             std::string_view example)
{
    error(name, fmt::format("is {}, but must be above 0", value),
          fmt::format("write a value such as {}", example));
}

void Checker::below_zero(std::string_view name, std::string_view value)
{
    error(name, fmt::format("is {}, but must not be below 0", value), {});
}

}  // namespace sim::spec
