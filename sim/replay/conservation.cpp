#include "replay/conservation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/contract.hpp"

namespace sim::replay
{

namespace
{

/// Relative; sums of fractions of many paths round.
constexpr double kRounding = 1e-9;

struct Passed {
    VertexId vertex;
    double in = 0;
    double out = 0;
};

void expect_equal(double in, double out, const char* where, const std::string& name)
{
    if (!(std::abs(in - out) <= kRounding * std::max(in, out))) {
        throw ContractViolation{fmt::format(
            "audit: bytes are not conserved: a collective brings {} B to {}{} and takes {} B away",
            in, where, name, out)};
    }
}

std::vector<Passed> passed_by_vertex(const collective::Flow& flow, const fabric::Graph& graph)
{
    std::vector<Passed> passed;
    for (const auto& use : flow.links) {
        const auto& link = graph.links()[use.link.index()];
        passed.push_back({link.from, 0, flow.amount * use.consumption});
        passed.push_back({link.to, flow.amount * use.consumption, 0});
    }
    std::stable_sort(passed.begin(), passed.end(),
                     [](const Passed& a, const Passed& b) { return a.vertex < b.vertex; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < passed.size(); ++i) {
        if (passed[i].vertex == passed[kept].vertex) {
            passed[kept].in += passed[i].in;
            passed[kept].out += passed[i].out;
        } else {
            passed[++kept] = passed[i];
        }
    }
    passed.resize(passed.empty() ? 0 : kept + 1);
    return passed;
}

}  // namespace

void expect_conserved(const collective::Schedule& schedule, const fabric::Fabric& fabric)
{
    for (const auto& phase : schedule.phases) {
        for (const auto& flow : phase.flows) {
            Passed gpus{};
            for (const auto& at : passed_by_vertex(flow, fabric.graph)) {
                const auto& vertex = fabric.graph.vertices()[at.vertex.index()];
                if (vertex.kind == fabric::VertexKind::gpu) {
                    gpus.in += at.in;
                    gpus.out += at.out;
                } else {
                    expect_equal(at.in, at.out, "", vertex.name);
                }
            }
            expect_equal(gpus.in, gpus.out, "its GPUs", "");
        }
    }
}

}  // namespace sim::replay
