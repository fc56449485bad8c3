#include "formats/timeline.hpp"

#include <fmt/format.h>
#include <rapidjson/filewritestream.h>
#include <rapidjson/writer.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "core/error.hpp"

namespace sim::formats
{

namespace
{

constexpr double kMicroseconds = 1e6;
constexpr double kPercent = 100;
constexpr int kDigits = 4;  // of a microsecond, and of a percent

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

using Json = rapidjson::Writer<rapidjson::FileWriteStream>;

class EventWriter
{
public:
    explicit EventWriter(Json& json) : json_{json} { json_.SetMaxDecimalPlaces(kDigits); }

    void write(const Timeline& timeline)
    {
        json_.StartObject();
        text("displayTimeUnit", "ms");
        json_.Key("traceEvents");
        json_.StartArray();
        for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
            name_track(timeline.tracks[i], i);
        }
        for (const auto& span : timeline.spans) {
            write(timeline, span);
        }
        const auto resources = timeline.tracks.size();
        if (!timeline.counters.empty()) {
            metadata("process_name", "resources", {resources, 0});
        }
        for (const auto& counter : timeline.counters) {
            for (const auto& sample : counter.samples) {
                count(counter.name, resources, sample);
            }
        }
        json_.EndArray();
        json_.EndObject();
    }

private:
    struct Place {
        std::size_t process;
        std::size_t thread;
    };

    void text(const char* key, const std::string& value)
    {
        json_.Key(key);
        json_.String(value.c_str(), static_cast<rapidjson::SizeType>(value.size()));
    }
    void number(const char* key, double value)
    {
        json_.Key(key);
        json_.Double(value);
    }
    void begin(const char* phase, const std::string& name, Place place)
    {
        json_.StartObject();
        text("ph", phase);
        text("name", name);
        json_.Key("pid");
        json_.Uint64(place.process);
        json_.Key("tid");
        json_.Uint64(place.thread);
    }

    void metadata(const char* what, const std::string& name, Place place)
    {
        begin("M", what, place);
        json_.Key("args");
        json_.StartObject();
        text("name", name);
        json_.EndObject();
        json_.EndObject();
    }

    void name_track(const TimelineTrack& track, std::size_t index)
    {
        metadata("process_name", track.name, {index, 0});
        for (std::size_t stream = 0; stream < track.streams.size(); ++stream) {
            metadata("thread_name", track.streams[stream], {index, stream});
        }
    }

    void write(const Timeline& timeline, const TimelineSpan& span)
    {
        begin("X", timeline.labels[span.label], {span.track, span.stream});
        text("cat", Timeline::kCategories[span.category]);
        number("ts", span.begin * kMicroseconds);
        number("dur", (span.end - span.begin) * kMicroseconds);
        json_.EndObject();
    }

    void count(const std::string& name, std::size_t process, const TimelineSample& sample)
    {
        begin("C", name + " %", {process, 0});
        number("ts", sample.begin * kMicroseconds);
        json_.Key("args");
        json_.StartObject();
        number("mean", sample.mean * kPercent);
        number("busiest", sample.busiest * kPercent);
        json_.EndObject();
        json_.EndObject();
    }

    Json& json_;
};

}  // namespace

void write_timeline(const Timeline& timeline, const std::string& path)
{
    const auto temporary = fmt::format("{}.{}.part", path, getpid());
    File file{std::fopen(temporary.c_str(), "wb")};
    if (file == nullptr) {
        throw Error{fmt::format("cannot write {}", path)};
    }
    constexpr std::size_t kBuffer = std::size_t{1} << 16U;
    std::vector<char> buffer(kBuffer);
    rapidjson::FileWriteStream stream{file.get(), buffer.data(), buffer.size()};
    Json json{stream};
    EventWriter{json}.write(timeline);
    stream.Flush();
    const bool failed = std::ferror(file.get()) != 0;
    const bool closed = std::fclose(file.release()) == 0;
    if (failed || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        throw Error{fmt::format("cannot write {}", path)};
    }
}

}  // namespace sim::formats
