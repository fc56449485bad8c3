#include "replay/hbm_classes.hpp"

#include "memory/access_class.hpp"

namespace sim::replay
{

HbmClasses::HbmClasses(const spec::GpuSpec& gpu) : streaming_{gpu}, reading_{gpu}
{
    if (!gpu.hbm) {
        return;
    }
    const auto table =
        memory::cached_classes(gpu.hbm->device, gpu.hbm->read_factor, memory::cache_folder());
    streaming_.memory_efficiency = table.of(memory::AccessClass::triad);
    reading_.memory_efficiency = table.of(memory::AccessClass::stream_read);
}

}  // namespace sim::replay
