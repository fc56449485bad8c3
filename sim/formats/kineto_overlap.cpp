#include "formats/kineto_overlap.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace sim::formats
{

namespace
{

/// Something begins or ends.
struct Edge {
    double at_us = 0;
    int communicating = 0;
    int computing = 0;
};

}  // namespace

TraceOverlap recorded_overlap(const KinetoRecording& recording)
{
    std::vector<Edge> edges;
    for (const auto& work : recording.works) {
        const int communicates = work.communicates ? 1 : 0;
        const int computes = work.kernel && !work.communicates ? 1 : 0;
        if (communicates + computes > 0 && work.end_us > work.start_us) {
            edges.push_back({work.start_us, communicates, computes});
            edges.push_back({work.end_us, -communicates, -computes});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.at_us, a.communicating, a.computing) <
               std::tie(b.at_us, b.communicating, b.computing);
    });
    constexpr double kMicrosecond = 1e-6;
    TraceOverlap overlap;
    int communicating = 0;
    int computing = 0;
    double before = 0;
    for (const auto& edge : edges) {
        const auto seconds = (edge.at_us - before) * kMicrosecond;
        overlap.communication += communicating > 0 ? seconds : 0;
        overlap.hidden += communicating > 0 && computing > 0 ? seconds : 0;
        communicating += edge.communicating;
        computing += edge.computing;
        before = edge.at_us;
    }
    return overlap;
}

}  // namespace sim::formats
