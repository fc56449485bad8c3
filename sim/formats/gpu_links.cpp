#include "formats/gpu_links.hpp"

#include <algorithm>

namespace sim::formats
{

namespace
{

constexpr int kMostLinks = 18;

}  // namespace

spec::ScaleUp scale_up_of(int gpus, const std::vector<GpuPair>& pairs)
{
    if (pairs.empty()) {
        return spec::PcieNodeSpec{};
    }
    const bool all_pairs = pairs.size() == static_cast<std::size_t>(gpus) * (gpus - 1) / 2;
    const bool alike = std::all_of(pairs.begin(), pairs.end(), [&](const GpuPair& pair) {
        return pair.links == pairs.front().links;
    });
    if (all_pairs && alike && pairs.front().links * (gpus - 1) > kMostLinks) {
        return spec::HgxSpec{};
    }
    spec::MeshSpec mesh;
    std::vector<int> used(static_cast<std::size_t>(gpus), 0);
    for (const auto& pair : pairs) {
        mesh.pairs.push_back({{pair.first, pair.second}, pair.links});
        for (const int gpu : {pair.first, pair.second}) {
            mesh.links_per_gpu =
                std::max(mesh.links_per_gpu, used[static_cast<std::size_t>(gpu)] += pair.links);
        }
    }
    return mesh;
}

}  // namespace sim::formats
