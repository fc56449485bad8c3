#pragma once

#include <algorithm>

#include "replay/graph_writer.hpp"

namespace sim::replay::test
{

/// 1F1B with equal stages: forward and backward take recorded times, messages have `message` bytes.
struct PipelineShape {
    std::uint32_t stages = 1;
    std::uint32_t micro_batches = 1;
    double forward = 0;
    double backward = 0;
    Bytes message{};
};

namespace pipeline
{

enum Stream : std::uint32_t { compute, forward_in, forward_out, backward_in, backward_out };

inline ProgramId write_stage(workload::TaskGraph& graph, const PipelineShape& shape,
                             std::uint32_t stage)
{
    ProgramWriter writer{graph,
                         {"compute", "forward in", "forward out", "backward in", "backward out"}};
    const auto message = [&](Stream stream, const ProgramWriter::Dependences& dependences) {
        const std::uint32_t slot = stream - 1;
        return writer.collective(stream, {CollectiveKind::send_recv, shape.message, slot, 0},
                                 "message", dependences);
    };
    const auto run = [&](const char* label, double seconds, Stream in, Stream out, bool receives,
                         bool sends) {
        ProgramWriter::Dependences dependences;
        if (receives) {
            dependences.push_back(on(message(in, {})));
        }
        const auto done = writer.recorded(compute, label, seconds, dependences);
        if (sends) {
            message(out, {on(done)});
        }
    };
    const bool first = stage == 0;
    const bool last = stage + 1 == shape.stages;
    const auto forward = [&] { run("F", shape.forward, forward_in, forward_out, !first, !last); };
    const auto backward = [&] {
        run("B", shape.backward, backward_in, backward_out, !last, !first);
    };
    const auto warm_up = std::min(shape.micro_batches, shape.stages - 1 - stage);
    for (std::uint32_t i = 0; i < warm_up; ++i) {
        forward();
    }
    for (std::uint32_t i = warm_up; i < shape.micro_batches; ++i) {
        forward();
        backward();
    }
    for (std::uint32_t i = 0; i < warm_up; ++i) {
        backward();
    }
    return writer.done();
}

}  // namespace pipeline

inline workload::TaskGraph pipeline_graph(const PipelineShape& shape)
{
    workload::TaskGraph graph;
    std::vector<ProgramId> programs;
    for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
        programs.push_back(pipeline::write_stage(graph, shape, stage));
    }
    add_ranks(graph, programs, 4);
    for (std::uint32_t stage = 0; stage + 1 < shape.stages; ++stage) {
        add_communicator(graph, Purpose::pipeline, {stage, stage + 1},
                         {pipeline::forward_out - 1, pipeline::forward_in - 1});
        add_communicator(graph, Purpose::pipeline, {stage + 1, stage},
                         {pipeline::backward_out - 1, pipeline::backward_in - 1});
    }
    return graph;
}

}  // namespace sim::replay::test
