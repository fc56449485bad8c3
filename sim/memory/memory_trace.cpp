#include "memory/memory_trace.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/error.hpp"

namespace sim::memory
{

namespace
{

constexpr std::size_t kMostComplaints = 20;  ///< the rest of a wrong file says the same
/// Refreshes are simulated one by one, also where nothing else happens: ten seconds or so of them.
constexpr std::int64_t kLastClock = 10'000'000'000;

template <class Number>
std::optional<Number> whole(std::string_view text, int base = 10)
{
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const bool all = error == std::errc{} && end == text.data() + text.size();
    return all ? std::optional{value} : std::nullopt;
}

std::optional<std::uint64_t> address_of(std::string_view text)
{
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    return hexadecimal ? whole<std::uint64_t>(text.substr(2), 16) : whole<std::uint64_t>(text);
}

std::optional<bool> is_write(std::string_view word)
{
    if (word == "READ" || word == "LD" || word == "R") {
        return false;
    }
    if (word == "WRITE" || word == "ST" || word == "W") {
        return true;
    }
    return std::nullopt;
}

/// Reads lines one by one and collects what is wrong with them.
class TraceReader
{
public:
    TraceReader(std::string path, const spec::DramSpec& dram, std::uint64_t capacity)
        : path_{std::move(path)}, clock_{dram.timing.tCK}, capacity_{capacity}
    {
    }

    void line(const std::string& text)
    {
        ++number_;
        std::istringstream stream{text};
        std::vector<std::string> words;
        for (std::string word; stream >> word;) {
            words.push_back(word);
        }
        if (words.empty() || words.front().starts_with('#')) {
            return;
        }
        access(text, words);
    }

    [[nodiscard]] MemoryTrace finish()
    {
        if (!complaints_.empty()) {
            throw InputError{complaints_};
        }
        return std::move(trace_);
    }
    [[nodiscard]] bool enough() const { return complaints_.size() >= kMostComplaints; }

private:
    void access(const std::string& text, const std::vector<std::string>& words)
    {
        const bool operation_first = is_write(words.front()).has_value();
        if (words.size() < 2 || words.size() > (operation_first ? 2U : 3U)) {
            return complain(text, "is no access",
                            "write ADDRESS READ|WRITE [CLOCK] or LD|ST ADDRESS");
        }
        const auto write = is_write(words[operation_first ? 0 : 1]);
        const auto address = address_of(words[operation_first ? 1 : 0]);
        if (!write) {
            return complain(text, fmt::format("\"{}\" is no operation", words[1]),
                            "write READ, WRITE, LD, ST, R or W");
        }
        if (!address) {
            return complain(text, "has no address", "write 0x2000D5C0 or 536925632");
        }
        if (*address >= capacity_) {
            return complain(text,
                            fmt::format("address {:#x} is beyond the {:#x} bytes of the memory",
                                        *address, capacity_),
                            "");
        }
        if (words.size() == 3 && !time(text, words[2])) {
            return;
        }
        trace_.accesses.push_back({clock_ * static_cast<double>(last_), {*address, *write}});
    }

    bool time(const std::string& text, const std::string& word)
    {
        const auto clock = whole<std::int64_t>(word);
        if (!clock) {
            complain(text, fmt::format("time \"{}\" is not in whole clocks", word), "");
            return false;
        }
        if (*clock < 0 || *clock < last_) {
            complain(text,
                     *clock < 0
                         ? fmt::format("time {} is before 0", *clock)
                         : fmt::format("time {} is before {} of a line above", *clock, last_),
                     "");
            return false;
        }
        if (*clock > kLastClock) {
            complain(text, fmt::format("time {} is beyond clock {}", *clock, kLastClock),
                     "cut the trace, or let it start at 0");
            return false;
        }
        last_ = *clock;
        trace_.timed = true;
        return true;
    }

    void complain(const std::string& text, std::string message, std::string hint)
    {
        Diagnostic diagnostic;
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostic.file = path_;
        diagnostic.line = number_;
        diagnostic.column = 1;
        diagnostic.source_line = text;
        complaints_.push_back(std::move(diagnostic));
    }

    std::string path_;
    Time clock_;
    std::uint64_t capacity_;
    MemoryTrace trace_;
    Diagnostics complaints_;
    std::int64_t last_ = 0;
    int number_ = 0;
};

}  // namespace

MemoryTrace read_trace(const std::string& path, const spec::DramSpec& dram, std::uint64_t capacity)
{
    std::ifstream file{path};
    if (!file) {
        throw Error{fmt::format("cannot read the trace {}", path)};
    }
    TraceReader reader{path, dram, capacity};
    for (std::string text; !reader.enough() && std::getline(file, text);) {
        reader.line(text);
    }
    return reader.finish();
}

}  // namespace sim::memory
