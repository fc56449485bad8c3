#include "config/read_trace.hpp"

#include "config/documents.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

spec::TraceSpec read_trace(MapReader reader)
{
    spec::TraceSpec trace;
    const auto* node = reader.need("file", "../traces/job");
    if (node != nullptr && node->kind == Node::Kind::scalar) {
        trace.path = path_from(node->mark, node->text);
    }
    trace.path = reader.required("file", words("../traces/job")).empty() ? "" : trace.path;
    trace.assumed_size = reader.optional("assume_size", quantity<Bytes>("1 MiB"));
    trace.compute_scale = reader.defaulted("compute_scale", real_number("0.5"), "1");
    trace.idle_gpus = reader.defaulted("idle_gpus", truth("true"), "false");
    reader.finish();
    return trace;
}

}  // namespace sim::config
