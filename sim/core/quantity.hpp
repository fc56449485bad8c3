#pragma once

#include <compare>
#include <cstdint>

namespace sim
{

/// A number that knows what it measures.
///
/// Two quantities mix only through an operator declared in this file, so a latency can never be
/// passed where a bandwidth is due. The base unit is fixed per alias below; every other unit exists
/// only in literals (core/literals.hpp) and in text (core/quantity_text.hpp).
template <class Tag, class Rep>
class Quantity
{
public:
    constexpr Quantity() = default;

    static constexpr Quantity of(Rep base) { return Quantity{base}; }
    [[nodiscard]] constexpr Rep base() const { return base_; }

    friend constexpr auto operator<=>(Quantity, Quantity) = default;
    friend constexpr Quantity operator+(Quantity a, Quantity b)
    {
        return Quantity{a.base_ + b.base_};
    }
    friend constexpr Quantity operator-(Quantity a, Quantity b)
    {
        return Quantity{a.base_ - b.base_};
    }
    friend constexpr Quantity operator*(Quantity q, Rep k) { return Quantity{q.base_ * k}; }
    friend constexpr Quantity operator*(Rep k, Quantity q) { return q * k; }
    friend constexpr Quantity operator/(Quantity q, Rep k) { return Quantity{q.base_ / k}; }
    friend constexpr double operator/(Quantity a, Quantity b)
    {
        return static_cast<double>(a.base_) / static_cast<double>(b.base_);
    }
    constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
    constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

private:
    explicit constexpr Quantity(Rep base) : base_{base} {}

    Rep base_{};
};

using Time = Quantity<struct TimeTag, double>;            ///< seconds
using Bytes = Quantity<struct BytesTag, std::int64_t>;    ///< bytes, exact
using Bandwidth = Quantity<struct BandwidthTag, double>;  ///< bytes per second
using Flops = Quantity<struct FlopsTag, double>;          ///< floating-point operations
using FlopRate = Quantity<struct FlopRateTag, double>;    ///< operations per second
using Frequency = Quantity<struct FrequencyTag, double>;  ///< hertz
using Power = Quantity<struct PowerTag, double>;          ///< watts
using Money = Quantity<struct MoneyTag, double>;          ///< US dollars

constexpr Time operator/(Bytes size, Bandwidth rate)
{
    return Time::of(static_cast<double>(size.base()) / rate.base());
}
constexpr Time operator/(Flops work, FlopRate rate) { return Time::of(work.base() / rate.base()); }
constexpr Bandwidth operator/(Bytes size, Time time)
{
    return Bandwidth::of(static_cast<double>(size.base()) / time.base());
}
constexpr FlopRate operator/(Flops work, Time time)
{
    return FlopRate::of(work.base() / time.base());
}

}  // namespace sim
