#pragma once

#include "core/quantity.hpp"

/// `using namespace sim::literals;` in a .cpp, for constants and tests.
/// Decimal prefixes are powers of 1000, binary ones of 1024; `b` is a bit and `B` a byte.
namespace sim::literals
{

/// The number times `scale` base units, or divided by it: 45 ns is 45 / 1e9 s, the double closest
/// to the truth, where 45 * 1e-9 is not.
template <class Q>
constexpr Q scaled(long double value, double scale)
{
    return Q::of(static_cast<double>(value) * scale);
}

template <class Q>
constexpr Q divided(long double value, double scale)
{
    return Q::of(static_cast<double>(value) / scale);
}

constexpr Time operator""_s(long double v) { return scaled<Time>(v, 1); }
constexpr Time operator""_s(unsigned long long v) { return scaled<Time>(v, 1); }
constexpr Time operator""_ms(long double v) { return divided<Time>(v, 1e3); }
constexpr Time operator""_ms(unsigned long long v) { return divided<Time>(v, 1e3); }
constexpr Time operator""_us(long double v) { return divided<Time>(v, 1e6); }
constexpr Time operator""_us(unsigned long long v) { return divided<Time>(v, 1e6); }
constexpr Time operator""_ns(long double v) { return divided<Time>(v, 1e9); }
constexpr Time operator""_ns(unsigned long long v) { return divided<Time>(v, 1e9); }
constexpr Time operator""_ps(long double v) { return divided<Time>(v, 1e12); }
constexpr Time operator""_ps(unsigned long long v) { return divided<Time>(v, 1e12); }

constexpr Bytes operator""_B(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) * 1);
}
constexpr Bytes operator""_kB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) * 1000);
}
constexpr Bytes operator""_MB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) * 1000000);
}
constexpr Bytes operator""_GB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) * 1000000000);
}
constexpr Bytes operator""_TB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) * 1000000000000);
}
constexpr Bytes operator""_KiB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) << 10U);
}
constexpr Bytes operator""_MiB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) << 20U);
}
constexpr Bytes operator""_GiB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) << 30U);
}
constexpr Bytes operator""_TiB(unsigned long long v)
{
    return Bytes::of(static_cast<std::int64_t>(v) << 40U);
}

constexpr Bandwidth operator""_MBps(long double v) { return scaled<Bandwidth>(v, 1e6); }
constexpr Bandwidth operator""_MBps(unsigned long long v) { return scaled<Bandwidth>(v, 1e6); }
constexpr Bandwidth operator""_GBps(long double v) { return scaled<Bandwidth>(v, 1e9); }
constexpr Bandwidth operator""_GBps(unsigned long long v) { return scaled<Bandwidth>(v, 1e9); }
constexpr Bandwidth operator""_TBps(long double v) { return scaled<Bandwidth>(v, 1e12); }
constexpr Bandwidth operator""_TBps(unsigned long long v) { return scaled<Bandwidth>(v, 1e12); }
constexpr Bandwidth operator""_Mbps(long double v) { return scaled<Bandwidth>(v, 1.25e5); }
constexpr Bandwidth operator""_Mbps(unsigned long long v) { return scaled<Bandwidth>(v, 1.25e5); }
constexpr Bandwidth operator""_Gbps(long double v) { return scaled<Bandwidth>(v, 1.25e8); }
constexpr Bandwidth operator""_Gbps(unsigned long long v) { return scaled<Bandwidth>(v, 1.25e8); }
constexpr Bandwidth operator""_Tbps(long double v) { return scaled<Bandwidth>(v, 1.25e11); }
constexpr Bandwidth operator""_Tbps(unsigned long long v) { return scaled<Bandwidth>(v, 1.25e11); }
constexpr Bandwidth operator""_GiBps(long double v) { return scaled<Bandwidth>(v, 1073741824.0); }
constexpr Bandwidth operator""_GiBps(unsigned long long v)
{
    return scaled<Bandwidth>(v, 1073741824.0);
}

constexpr Flops operator""_FLOP(long double v) { return scaled<Flops>(v, 1); }
constexpr Flops operator""_FLOP(unsigned long long v) { return scaled<Flops>(v, 1); }
constexpr Flops operator""_GFLOP(long double v) { return scaled<Flops>(v, 1e9); }
constexpr Flops operator""_GFLOP(unsigned long long v) { return scaled<Flops>(v, 1e9); }
constexpr Flops operator""_TFLOP(long double v) { return scaled<Flops>(v, 1e12); }
constexpr Flops operator""_TFLOP(unsigned long long v) { return scaled<Flops>(v, 1e12); }
constexpr FlopRate operator""_GFLOPS(long double v) { return scaled<FlopRate>(v, 1e9); }
constexpr FlopRate operator""_GFLOPS(unsigned long long v) { return scaled<FlopRate>(v, 1e9); }
constexpr FlopRate operator""_TFLOPS(long double v) { return scaled<FlopRate>(v, 1e12); }
constexpr FlopRate operator""_TFLOPS(unsigned long long v) { return scaled<FlopRate>(v, 1e12); }
constexpr FlopRate operator""_PFLOPS(long double v) { return scaled<FlopRate>(v, 1e15); }
constexpr FlopRate operator""_PFLOPS(unsigned long long v) { return scaled<FlopRate>(v, 1e15); }

constexpr Frequency operator""_MHz(long double v) { return scaled<Frequency>(v, 1e6); }
constexpr Frequency operator""_MHz(unsigned long long v) { return scaled<Frequency>(v, 1e6); }
constexpr Frequency operator""_GHz(long double v) { return scaled<Frequency>(v, 1e9); }
constexpr Frequency operator""_GHz(unsigned long long v) { return scaled<Frequency>(v, 1e9); }
constexpr Power operator""_W(long double v) { return scaled<Power>(v, 1); }
constexpr Power operator""_W(unsigned long long v) { return scaled<Power>(v, 1); }
constexpr Power operator""_kW(long double v) { return scaled<Power>(v, 1e3); }
constexpr Power operator""_kW(unsigned long long v) { return scaled<Power>(v, 1e3); }
constexpr Money operator""_USD(long double v) { return scaled<Money>(v, 1); }
constexpr Money operator""_USD(unsigned long long v) { return scaled<Money>(v, 1); }

}  // namespace sim::literals
