#include "config/measured_gpus.hpp"

#include <fmt/format.h>

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "config/read_gpu.hpp"

namespace sim::config
{

MeasuredGpus read_measured_gpus(MapReader reader)
{
    MeasuredGpus known;
    std::size_t index = 0;
    for (auto& item : reader.optional_sections("gpus", "[{ names: [A100], gpu: ... }]")) {
        const auto names = item.optional_list("names", words("A100"));
        const auto gpu = read_gpu(item.section("gpu", "{ extends: path/to/gpu.yaml }"));
        item.finish();
        reader.report().add_placed(spec::validate(gpu, fmt::format("gpus.{}.gpu", index++)));
        for (const auto& name : names.value_or(std::vector<std::string>{})) {
            known[name] = gpu;
        }
    }
    reader.finish();
    return known;
}

MeasuredGpus load_measured_gpus(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    auto known = read_measured_gpus(MapReader{report, root});
    report.throw_if_failed();
    return known;
}

}  // namespace sim::config
