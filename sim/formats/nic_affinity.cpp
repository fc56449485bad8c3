#include "formats/nic_affinity.hpp"

#include <tuple>

namespace sim::formats
{

std::vector<int> nearest_nics(const std::vector<std::vector<int>>& distance)
{
    std::vector<int> nic_of_gpu;
    std::vector<int> served(distance.empty() ? 0 : distance.front().size(), 0);
    for (const auto& row : distance) {
        std::size_t best = 0;
        for (std::size_t nic = 1; nic < row.size(); ++nic) {
            if (std::tie(row[nic], served[nic]) < std::tie(row[best], served[best])) {
                best = nic;
            }
        }
        if (!row.empty()) {
            ++served[best];
            nic_of_gpu.push_back(static_cast<int>(best));
        }
    }
    return nic_of_gpu;
}

}  // namespace sim::formats
