#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace sim::formats::test
{

/// A trace of PyTorch's profiler by hand, in the form of 2024 unless a line says otherwise. Times
/// are microseconds. The form is that of files which the profiler wrote: see
/// github.com/pytorch/kineto (Chrome trace, libkineto/src/output_json.cpp).
class KinetoText
{
public:
    /// A launch on the host and the kernel that it launches.
    KinetoText& kernel(const std::string& name, double launched, double start, double duration,
                       const std::string& more = {}, int stream = 7)
    {
        const auto id = ++correlation_;
        launch(launched, id);
        gpu(name, start, duration,
            fmt::format(R"("correlation":{}{}{})", id, more.empty() ? "" : ",", more), stream);
        return *this;
    }
    KinetoText& launch(double start, int correlation)
    {
        return event("cuda_runtime", "cudaLaunchKernel", start, 2,
                     fmt::format(R"("correlation":{},"External id":{})", correlation, correlation));
    }
    KinetoText& gpu(const std::string& name, double start, double duration,
                    const std::string& arguments, int stream = 7)
    {
        return event("kernel", name, start, duration,
                     fmt::format(R"("device":0,"stream":{},{})", stream, arguments), stream);
    }
    KinetoText& host(const std::string& name, double start, double duration,
                     const std::string& arguments = {})
    {
        return event("cpu_op", name, start, duration, arguments);
    }
    KinetoText& call(const std::string& name, double start, double duration)
    {
        return event("cuda_runtime", name, start, duration, "");
    }
    KinetoText& event(const std::string& category, const std::string& name, double start,
                      double duration, const std::string& arguments, int thread = 1)
    {
        events_.push_back(fmt::format(
            R"({{"ph":"X","cat":"{}","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
            category, name, thread, start, duration, arguments));
        return *this;
    }
    KinetoText& line(const std::string& text)
    {
        events_.push_back(text);
        return *this;
    }
    KinetoText& job(int rank, int ranks)
    {
        header_ = fmt::format(
            R"("distributedInfo":{{"backend":"nccl","rank":{},"world_size":{}}},)", rank, ranks);
        return *this;
    }

    [[nodiscard]] std::string text() const
    {
        std::string all = R"({"schemaVersion":1,)" + header_ + R"("traceEvents":[)";
        for (std::size_t i = 0; i < events_.size(); ++i) {
            all += (i == 0 ? "" : ",\n") + events_[i];
        }
        return all + R"(],"traceName":"by hand"})";
    }

private:
    std::vector<std::string> events_;
    std::string header_;
    int correlation_ = 100;
};

/// What a kernel of 2024 tells of its collective: n elements of 4 bytes over `ranks`.
inline std::string told(const std::string& collective, long elements, const std::string& ranks)
{
    return fmt::format(R"("Collective name":"{}","dtype":"Float","In msg nelems":{},)"
                       R"("Out msg nelems":{},"Process Group Name":"0","Process Group Ranks":"{}")",
                       collective, elements, elements, ranks);
}

}  // namespace sim::formats::test
