#include "collective/steps.hpp"

namespace sim::collective
{
namespace
{

/// One turn of the ring: in step s position i sends chunk i - lag - s.
void append_turn(std::vector<Step>& steps, std::uint32_t members, std::uint32_t lag, bool reduce)
{
    const std::uint32_t first = steps.empty() ? 0 : steps.back().step + 1;
    for (std::uint32_t step = 0; step + 1 < members; ++step) {
        for (std::uint32_t from = 0; from < members; ++from) {
            const auto chunk = (from + 2 * members - lag - step) % members;
            steps.push_back({first + step, from, (from + 1) % members, chunk, reduce});
        }
    }
}

}  // namespace

std::uint32_t ring_step_count(Kind kind, std::uint32_t members)
{
    if (members < 2) {
        return 0;
    }
    switch (kind) {
        case Kind::all_reduce:
            return 2 * (members - 1);
        case Kind::all_gather:
        case Kind::reduce_scatter:
            return members - 1;
        case Kind::send_recv:
            return 1;
        case Kind::all_to_all:
        case Kind::broadcast:
        case Kind::reduce:
        case Kind::barrier:
            break;  // no rings of equal chunks
    }
    return 0;
}

std::vector<Step> ring_steps(Kind kind, std::uint32_t members)
{
    std::vector<Step> steps;
    if (kind == Kind::send_recv || ring_step_count(kind, members) == 0) {
        return steps;
    }
    if (kind != Kind::all_gather) {
        append_turn(steps, members, 1, true);
    }
    if (kind != Kind::reduce_scatter) {
        append_turn(steps, members, 0, false);
    }
    return steps;
}

}  // namespace sim::collective
