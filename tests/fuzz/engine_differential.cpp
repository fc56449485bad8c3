// Both engines on as many random scenarios as asked for:
//     engine_differential [seed] [scenarios of each kind]
// Prints the seed and, when they disagree, the smallest scenario found.
#include <cstdlib>
#include <iostream>

#include "engine/random_scenario.hpp"

int main(int count, char** arguments)
{
    using sim::engine::testing::ScenarioDraw;
    const auto seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    const int cases = count > 2 ? std::atoi(arguments[2]) : 4000;
    std::cout << "seed " << seed << ", " << cases << " scenarios of each kind\n";
    for (const auto numbers : {ScenarioDraw::Numbers::odd, ScenarioDraw::Numbers::round}) {
        const auto words =
            sim::engine::testing::first_difference(ScenarioDraw{numbers}, seed, cases);
        if (!words.empty()) {
            std::cout << words << "\n";
            return 1;
        }
    }
    std::cout << "no difference\n";
    return 0;
}
