#include "formats/kineto_recording.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace sim::formats
{

namespace
{

using namespace std::string_view_literals;

enum class Category : std::uint8_t { other, kernel, copy, call, host };

/// Of every generation of the profiler, and of its AMD and MTIA back ends.
Category category_of(std::string_view name)
{
    constexpr std::pair<std::string_view, Category> kKnown[] = {
        {"cpu_op", Category::host},
        {"cuda_runtime", Category::call},
        {"kernel", Category::kernel},
        {"gpu_memcpy", Category::copy},
        {"gpu_memset", Category::copy},
        {"cuda_driver", Category::call},
        {"user_annotation", Category::host},
        {"Operator", Category::host},
        {"Runtime", Category::call},
        {"Kernel", Category::kernel},
        {"Memcpy", Category::copy},
        {"Memset", Category::copy},
        {"hip_runtime", Category::call},
        {"mtia_ccp_events", Category::kernel},
        {"mtia_runtime", Category::call},
        {"privateuse1_runtime", Category::call},
        {"concurrent_kernel", Category::kernel}};
    for (const auto& [known, category] : kKnown) {
        if (name == known) {
            return category;
        }
    }
    return Category::other;
}

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::optional<KinetoCallKind> kind_of_call(std::string_view name)
{
    if (holds(name, "Synchronize")) {
        const bool all = holds(name, "Device") || holds(name, "Ctx");
        return all ? KinetoCallKind::await_all : KinetoCallKind::await_some;
    }
    if (holds(name, "StreamWaitEvent")) {
        return KinetoCallKind::order;
    }
    const bool launches = holds(name, "Launch") || holds(name, "Memcpy") || holds(name, "Memset");
    return launches ? std::optional{KinetoCallKind::launch} : std::nullopt;
}

bool is_library_kernel(std::string_view name)
{
    return holds(name, "nccl") || holds(name, "rccl") || holds(name, "NCCL");
}

class Collector
{
public:
    Collector(KinetoRecording& to, TraceLabels& labels) : to_{to}, labels_{labels}
    {
        to_.first_us = std::numeric_limits<double>::infinity();
        to_.last_us = to_.host_last_us = -to_.first_us;
    }

    void add(const KinetoEvent& event)
    {
        const auto category = category_of(event.category);
        if (event.phase != "X" || category == Category::other) {
            return;
        }
        if (!event.timed) {
            ++to_.untimed;
            return;
        }
        to_.negative += event.duration_us < 0 ? 1 : 0;
        const auto end = event.start_us + std::max(0.0, event.duration_us);
        to_.first_us = std::min(to_.first_us, event.start_us);
        to_.last_us = std::max(to_.last_us, end);
        if (category == Category::call || category == Category::host) {
            to_.host_last_us = std::max(to_.host_last_us, end);
        }
        switch (category) {
            case Category::kernel:
            case Category::copy:
                add_work(event, end, category == Category::kernel);
                break;
            case Category::call:
                add_call(event, end);
                break;
            default:
                add_host(event, end);
        }
    }

    void finish()
    {
        if (to_.first_us > to_.last_us) {
            to_.first_us = to_.last_us = to_.host_last_us = 0;
        }
    }

private:
    void add_work(const KinetoEvent& event, double end, bool kernel)
    {
        KinetoWork work{event.start_us, end, event.correlation, event.external};
        work.stream = stream(event);
        work.kernel = kernel;
        work.label = labels_.of(event.name);
        work.communicates =
            kernel && (is_library_kernel(event.name) || !event.message.collective.empty());
        if (!event.message.collective.empty()) {
            work.message = tell(event, end, event.message);
        }
        to_.works.push_back(work);
    }

    void add_call(const KinetoEvent& event, double end)
    {
        if (const auto kind = kind_of_call(event.name)) {
            to_.calls.push_back({event.start_us, end, event.correlation, event.external,
                                 thread(event.thread), *kind});
        }
    }

    void add_host(const KinetoEvent& event, double end)
    {
        constexpr auto kAnnotation = "nccl:"sv;
        constexpr auto kStep = "ProfilerStep#"sv;
        if (event.name == "record_param_comms") {
            auto message = event.message;
            if (message.elements_in < 0 && event.first_input_elements > 0) {
                message.elements_in = event.first_input_elements;
                message.type = event.first_input_type;
            }
            tell(event, end, message);
        } else if (event.name.starts_with(kAnnotation)) {
            KinetoMessage message;
            message.collective = event.name.substr(kAnnotation.size());
            tell(event, end, message);
        } else if (event.name.starts_with(kStep)) {
            to_.steps.push_back(event.name);
        }
    }

    std::uint32_t tell(const KinetoEvent& event, double end, const KinetoMessage& message)
    {
        to_.told.push_back({event.start_us, end, event.external, thread(event.thread), message});
        return static_cast<std::uint32_t>(to_.told.size() - 1);
    }

    std::uint32_t thread(const std::string& name)
    {
        return threads_.emplace(name, static_cast<std::uint32_t>(threads_.size())).first->second;
    }

    std::uint32_t stream(const KinetoEvent& event)
    {
        const auto number = event.stream;
        const auto found = std::find(to_.streams.begin(), to_.streams.end(), number);
        if (found == to_.streams.end()) {
            to_.streams.push_back(number);
            return static_cast<std::uint32_t>(to_.streams.size() - 1);
        }
        return static_cast<std::uint32_t>(found - to_.streams.begin());
    }

    KinetoRecording& to_;
    TraceLabels& labels_;
    std::map<std::string, std::uint32_t> threads_;
};

}  // namespace

KinetoRecording read_kineto(const std::string& name, ByteSource& bytes, TraceLabels& labels)
{
    KinetoRecording recording;
    recording.file = name;
    Collector collector{recording, labels};
    recording.header =
        read_kineto_events(name, bytes, [&](const KinetoEvent& event) { collector.add(event); });
    collector.finish();
    return recording;
}

}  // namespace sim::formats
