#include "formats/kineto_events.hpp"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/diagnostics.hpp"
#include "formats/json_blocks.hpp"

namespace sim::formats
{

namespace
{

using namespace std::string_view_literals;

// Numbers are exact to the last digit, NaN and Infinity are read (and then not taken for times),
// and nesting costs no stack.
constexpr unsigned kParse = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;

/// Where a value stands.
enum class Place : std::uint8_t {
    nowhere,
    root,
    events,
    event,
    arguments,
    input_shapes,
    input_shape,
    input_types,
    job,     ///< distributedInfo
    groups,  ///< pg_config
    group,
    ranks,
};

using Integer = std::int64_t KinetoEvent::*;
using MessageInteger = std::int64_t KinetoMessage::*;

constexpr std::array<std::pair<std::string_view, Integer>, 5> kIntegers{
    {{"device", &KinetoEvent::device},
     {"stream", &KinetoEvent::stream},
     {"correlation", &KinetoEvent::correlation},
     {"External id", &KinetoEvent::external},
     {"external id", &KinetoEvent::external}}};
constexpr std::array<std::pair<std::string_view, MessageInteger>, 7> kMessageIntegers{
    {{"In msg nelems", &KinetoMessage::elements_in},
     {"Out msg nelems", &KinetoMessage::elements_out},
     {"Group size", &KinetoMessage::group_size},
     {"Global rank start", &KinetoMessage::first_rank},
     {"Global rank stride", &KinetoMessage::rank_stride},
     {"Src Rank", &KinetoMessage::source},
     {"Dst Rank", &KinetoMessage::destination}}};

using Text = std::string KinetoMessage::*;
constexpr std::array<std::pair<std::string_view, Text>, 4> kTexts{
    {{"Collective name", &KinetoMessage::collective},
     {"dtype", &KinetoMessage::type},
     {"Process Group Name", &KinetoMessage::group},
     {"Process Group Ranks", &KinetoMessage::ranks}}};

void clear(KinetoEvent& event)
{
    // The texts keep their memory.
    event.phase.clear();
    event.category.clear();
    event.name.clear();
    event.thread.clear();
    event.first_input_type.clear();
    event.start_us = event.duration_us = 0;
    event.timed = false;
    for (const auto& [key, field] : kIntegers) {
        event.*field = -1;
    }
    event.first_input_elements = -1;
    for (const auto& [key, field] : kMessageIntegers) {
        event.message.*field = -1;
    }
    for (const auto& [key, field] : kTexts) {
        (event.message.*field).clear();
    }
}

/// A whole number in a text, or nothing: PyTorch writes both.
std::optional<std::int64_t> whole(std::string_view text)
{
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    return failure == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

std::optional<std::int64_t> whole(double number)
{
    constexpr double kLimit = 9.2e18;
    return std::isfinite(number) && std::abs(number) < kLimit
               ? std::optional{static_cast<std::int64_t>(number)}
               : std::nullopt;
}

std::optional<std::uint32_t> small(std::optional<std::int64_t> number)
{
    const auto most = std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    return number && *number >= 0 && *number < most
               ? std::optional{static_cast<std::uint32_t>(*number)}
               : std::nullopt;
}

/// RapidJSON's handler: keeps what is of use, place by place.
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler>
{
public:
    explicit Handler(const std::function<void(const KinetoEvent&)>& visit) : visit_{visit}
    {
        clear(event_);
    }

    [[nodiscard]] KinetoHeader take() { return std::move(header_); }
    [[nodiscard]] bool has_events() const { return has_events_; }

    bool Default() { return true; }
    bool Int(int number) { return integer(number); }
    bool Uint(unsigned number) { return integer(number); }
    bool Int64(std::int64_t number) { return integer(number); }
    bool Uint64(std::uint64_t number)
    {
        // Ids of 64 bits are only compared.
        return integer(static_cast<std::int64_t>(number));
    }
    bool Double(double number)
    {
        if (place() == Place::event && (key_ == "ts" || key_ == "dur")) {
            time(number);
        } else if (const auto rounded = whole(number)) {
            integer(*rounded);
        }
        return true;
    }
    bool String(const char* begin, rapidjson::SizeType length, bool)
    {
        text({begin, length});
        return true;
    }
    bool Key(const char* begin, rapidjson::SizeType length, bool)
    {
        key_.assign(begin, length);
        return true;
    }
    bool StartObject()
    {
        const auto at = place();
        if (places_.empty()) {
            enter(Place::root);
        } else if (at == Place::events) {
            clear(event_);
            enter(Place::event);
        } else if (at == Place::event && key_ == "args") {
            enter(Place::arguments);
        } else if (at == Place::root && key_ == "distributedInfo") {
            enter(Place::job);
        } else if (at == Place::groups) {
            header_.groups.emplace_back();
            enter(Place::group);
        } else {
            enter(Place::nowhere);
        }
        return true;
    }
    bool StartArray()
    {
        const auto at = place();
        if (places_.empty() || (at == Place::root && key_ == "traceEvents")) {
            has_events_ = true;
            enter(Place::events);
        } else if (at == Place::arguments && key_ == "Input Dims") {
            enter(Place::input_shapes);
        } else if (at == Place::input_shapes && event_.first_input_elements < 0) {
            event_.first_input_elements = 1;
            enter(Place::input_shape);
        } else if (at == Place::arguments && (key_ == "Input type" || key_ == "Input types")) {
            enter(Place::input_types);
        } else if (at == Place::job && key_ == "pg_config") {
            enter(Place::groups);
        } else if (at == Place::group && key_ == "ranks") {
            enter(Place::ranks);
        } else {
            enter(Place::nowhere);
        }
        return true;
    }
    bool EndObject(rapidjson::SizeType)
    {
        if (place() == Place::event) {
            visit_(event_);
        }
        places_.pop_back();
        return true;
    }
    bool EndArray(rapidjson::SizeType elements)
    {
        if (place() == Place::input_shape && elements == 0) {
            event_.first_input_elements = 0;  // no tensor
        }
        places_.pop_back();
        return true;
    }

private:
    [[nodiscard]] Place place() const { return places_.empty() ? Place::nowhere : places_.back(); }
    void enter(Place place) { places_.push_back(place); }

    void time(double number)
    {
        if (key_ == "dur") {
            event_.duration_us = std::isfinite(number) ? number : 0;
        } else {
            event_.timed = std::isfinite(number);
            event_.start_us = event_.timed ? number : 0;
        }
    }

    bool integer(std::int64_t number)
    {
        switch (place()) {
            case Place::event:
                if (key_ == "ts" || key_ == "dur") {
                    time(static_cast<double>(number));
                } else if (key_ == "tid") {
                    event_.thread = std::to_string(number);
                }
                break;
            case Place::arguments:
                argument(number);
                break;
            case Place::input_shape:
                event_.first_input_elements *= std::max<std::int64_t>(number, 0);
                break;
            case Place::job:
                if (key_ == "rank") {
                    header_.rank = small(number);
                } else if (key_ == "world_size") {
                    header_.ranks = small(number);
                }
                break;
            case Place::ranks:
                if (const auto rank = small(number)) {
                    header_.groups.back().second.push_back(*rank);
                }
                break;
            default:
                break;
        }
        return true;
    }

    void argument(std::int64_t number)
    {
        for (const auto& [key, field] : kIntegers) {
            if (key_ == key) {
                event_.*field = number;
                return;
            }
        }
        for (const auto& [key, field] : kMessageIntegers) {
            if (key_ == key) {
                event_.message.*field = number;
                return;
            }
        }
        if (key_ == "Process Group Name") {
            event_.message.group = std::to_string(number);
        }
    }

    void text(std::string_view value)
    {
        switch (place()) {
            case Place::event:
                event_text(value);
                break;
            case Place::arguments:
                for (const auto& [key, field] : kTexts) {
                    if (key_ == key) {
                        event_.message.*field = value;
                        return;
                    }
                }
                if (const auto number = whole(value)) {
                    argument(*number);
                }
                break;
            case Place::input_types:
                if (event_.first_input_type.empty()) {
                    event_.first_input_type = value;
                }
                break;
            case Place::group:
                if (key_ == "pg_name") {
                    header_.groups.back().first = value;
                }
                break;
            case Place::job:
                if (const auto number = whole(value)) {
                    integer(*number);
                }
                break;
            default:
                break;
        }
    }

    void event_text(std::string_view value)
    {
        if (key_ == "ph") {
            event_.phase = value;
        } else if (key_ == "cat") {
            event_.category = value;
        } else if (key_ == "name") {
            event_.name = value;
        } else if (key_ == "tid") {
            event_.thread = value;
        } else if (key_ == "ts" || key_ == "dur") {
            double number = 0;
            const auto* end = value.data() + value.size();
            if (std::from_chars(value.data(), end, number).ptr == end) {
                time(number);
            }
        }
    }

    const std::function<void(const KinetoEvent&)>& visit_;
    std::vector<Place> places_;
    std::string key_;
    KinetoEvent event_;
    KinetoHeader header_;
    bool has_events_ = false;
};

[[noreturn]] void refuse_file(const std::string& name, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.file = name;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    throw InputError{{diagnostic}};
}

}  // namespace

bool is_kineto(std::string_view beginning)
{
    const auto first = beginning.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return false;
    }
    if (beginning[first] == '[') {
        return beginning.find("\"ph\""sv) != std::string_view::npos;
    }
    constexpr std::array kSigns{"\"traceEvents\""sv, "\"deviceProperties\""sv,
                                "\"distributedInfo\""sv, "\"schemaVersion\""sv};
    for (const auto sign : kSigns) {
        if (beginning[first] == '{' && beginning.find(sign) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

KinetoHeader read_kineto_events(const std::string& name, ByteSource& bytes,
                                const std::function<void(const KinetoEvent&)>& visit)
{
    Handler handler{visit};
    JsonBlocks blocks{bytes};
    rapidjson::Reader reader;
    const auto parsed = reader.Parse<kParse>(blocks, handler);
    if (parsed.IsError()) {
        refuse_file(name,
                    fmt::format("is not whole JSON: {} (at byte {})",
                                rapidjson::GetParseError_En(parsed.Code()), parsed.Offset()),
                    "a file that was cut short cannot be replayed; export it again");
    }
    if (!handler.has_events()) {
        refuse_file(name, "has no traceEvents",
                    "export it with the profiler's export_chrome_trace");
    }
    return handler.take();
}

}  // namespace sim::formats
