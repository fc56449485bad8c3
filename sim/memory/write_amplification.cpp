#include "memory/write_amplification.hpp"

#include <cmath>

#include "core/contract.hpp"

namespace sim::memory
{

double write_amplification(double room)
{
    SIM_EXPECT(room > 1);
    // In the invalid share s = 1 - v: s = 1 - exp(-room s), whose root above 0 is wanted; the
    // right side is above s to the left of it.
    double low = 0;
    double high = 1;
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (middle < -std::expm1(-room * middle) ? low : high) = middle;
    }
    return 1 / high;
}

}  // namespace sim::memory
