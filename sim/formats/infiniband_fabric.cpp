#include "formats/infiniband_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "formats/infiniband_rate.hpp"

namespace sim::formats
{

namespace
{

constexpr int kMostPorts = 255;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A line that is eaten from the left.
class Cursor
{
public:
    Cursor(std::string_view line, int number) : line_{line}, number_{number} {}

    [[nodiscard]] Place place() const { return {number_, static_cast<int>(at_) + 1}; }
    [[nodiscard]] bool done() const { return at_ >= line_.size(); }
    void skip_blanks()
    {
        while (!done() && is_blank(line_[at_])) {
            ++at_;
        }
    }
    /// What stands between `open` here and the next `close`.
    std::optional<std::string_view> enclosed(char open, char close)
    {
        if (done() || line_[at_] != open) {
            return std::nullopt;
        }
        const auto end = line_.find(close, at_ + 1);
        if (end == line_.npos) {
            return std::nullopt;
        }
        const auto inside = line_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return inside;
    }
    std::string_view word()
    {
        skip_blanks();
        const auto start = at_;
        while (!done() && !is_blank(line_[at_])) {
            ++at_;
        }
        return line_.substr(start, at_ - start);
    }
    [[nodiscard]] std::string_view rest() const
    {
        return line_.substr(std::min(at_, line_.size()));
    }

private:
    std::string_view line_;
    int number_;
    std::size_t at_ = 0;
};

/// Programs print GUIDs with and without leading zeros.
std::string normal_id(std::string_view id)
{
    if (id.size() < 3 || id[1] != '-') {
        return std::string{id};
    }
    const auto start = std::min(id.find_first_not_of('0', 2), id.size() - 1);
    return std::string{id.substr(0, 2)} + std::string{id.substr(start)};
}

/// The last text in quotes after "#".
std::string description_in(std::string_view comment)
{
    const auto end = comment.rfind('"');
    if (end == comment.npos || end == 0) {
        return {};
    }
    const auto start = comment.rfind('"', end - 1);
    return start == comment.npos ? std::string{}
                                 : std::string{comment.substr(start + 1, end - start - 1)};
}

class Parser
{
public:
    explicit Parser(TopologySource& source) : source_{source}
    {
        for (std::size_t i = 0; i < source.lines().size(); ++i) {
            line(source.lines()[i], static_cast<int>(i) + 1);
        }
        if (!source.failed()) {
            check_ends();
        }
        leave_out_unplugged();
        if (fabric_.devices.empty() && !source.failed()) {
            source.error({}, "lists no cable between devices",
                         "the file may be cut off: give all that ibnetdiscover prints");
        }
    }

    IbFabric fabric() && { return std::move(fabric_); }

private:
    void line(std::string_view text, int number)
    {
        Cursor cursor{text, number};
        cursor.skip_blanks();
        if (cursor.done()) {
            return;
        }
        const auto place = cursor.place();
        const char first = cursor.rest().front();
        if (first == '#') {
            return;
        }
        if (first == '[') {
            port(cursor);
            return;
        }
        const auto word = cursor.word();
        if (word == "Switch") {
            device(cursor, place, true);
        } else if (word == "Ca" || word == "Hca") {
            device(cursor, place, false);
        } else if (!is_identity(word)) {
            current_ = nullptr;
            source_.error(place, fmt::format("\"{}\" starts no line of ibnetdiscover", word),
                          "its lines start with Switch, Ca, [port], vendid=, devid=, sysimgguid=, "
                          "switchguid= or caguid=");
        }
    }

    static bool is_identity(std::string_view word)
    {
        constexpr std::array<std::string_view, 6> kKeys{
            "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "switchport="};
        return std::any_of(kKeys.begin(), kKeys.end(),
                           [&](auto key) { return word.substr(0, key.size()) == key; });
    }

    void device(Cursor& cursor, Place place, bool is_switch)
    {
        current_ = nullptr;
        const auto ports = to_count(cursor.word());
        cursor.skip_blanks();
        const auto id = cursor.enclosed('"', '"');
        if (!ports || *ports < 1 || *ports > kMostPorts || !id || id->empty()) {
            source_.error(place, "is not a device",
                          "write Switch 65 \"S-0002c9\", as ibnetdiscover does");
            return;
        }
        IbDevice device;
        device.is_switch = is_switch;
        device.id = normal_id(*id);
        device.ports = *ports;
        device.description = description_in(cursor.rest());
        device.place = place;
        const auto [entry, is_new] = fabric_.devices.try_emplace(device.id, std::move(device));
        if (!is_new) {
            source_.error(place, fmt::format("{} is described twice, first in line {}",
                                             entry->first, entry->second.place.line));
            return;
        }
        fabric_.order.push_back(entry->first);
        current_ = &entry->second;
    }

    void port(Cursor& cursor)
    {
        const auto place = cursor.place();
        if (current_ == nullptr) {
            if (!source_.failed()) {
                source_.error(place, "is a port of no device",
                              "a line Switch or Ca must come first");
            }
            return;
        }
        const auto own = cursor.enclosed('[', ']');
        (void)cursor.enclosed('(', ')');
        cursor.skip_blanks();
        const auto peer = cursor.enclosed('"', '"');
        const auto other = cursor.enclosed('[', ']');
        const auto own_port = to_count(own.value_or(""));
        const auto other_port = to_count(other.value_or(""));
        if (!own_port || !peer || !other_port) {
            source_.error(place, "is cut off or not a port",
                          "write [1] \"S-0002c9\"[35], as ibnetdiscover does");
            return;
        }
        if (*own_port < 1 || *own_port > current_->ports) {
            source_.error(place, fmt::format("port {} of {}, which has {}", *own_port, current_->id,
                                             current_->ports));
            return;
        }
        IbLink link{normal_id(*peer), *other_port, rate_in(cursor.rest(), place), place};
        const auto [entry, is_new] = current_->links.try_emplace(*own_port, std::move(link));
        if (!is_new) {
            source_.error(place, fmt::format("port {} of {} is listed twice, first in line {}",
                                             *own_port, current_->id, entry->second.place.line));
        }
    }

    std::optional<Bandwidth> rate_in(std::string_view comment, Place place)
    {
        const auto words = words_of(comment, place.line);
        if (words.empty() || words.back().text.find('x') == std::string_view::npos ||
            words.back().text.find('"') != std::string_view::npos) {
            ++fabric_.links_without_rate;
            return std::nullopt;
        }
        const auto rate = infiniband_rate(words.back().text);
        if (!rate) {
            const auto start = comment.size() - words.back().text.size();
            place.column =
                static_cast<int>(
                    source_.lines()[static_cast<std::size_t>(place.line) - 1].find(comment) +
                    start) +
                1;
            source_.error(place, fmt::format("\"{}\" is not a rate", words.back().text),
                          "rates are lanes and speed, as 4xNDR");
        }
        return rate;
    }

    void check_ends()
    {
        for (const auto& id : fabric_.order) {
            for (const auto& [port, link] : fabric_.devices.at(id).links) {
                check_end(id, port, link);
            }
        }
    }

    void check_end(const std::string& id, int port, const IbLink& link)
    {
        const auto peer = fabric_.devices.find(link.peer);
        if (peer == fabric_.devices.end()) {
            source_.error(link.place, fmt::format("{} is not described in this file", link.peer),
                          "the file may be cut off: discover the whole fabric");
            return;
        }
        const auto back = peer->second.links.find(link.peer_port);
        if (back == peer->second.links.end()) {
            source_.error(link.place, fmt::format("port {} of {} does not list the other end",
                                                  link.peer_port, link.peer));
            return;
        }
        if (back->second.peer != id || back->second.peer_port != port) {
            source_.error(link.place, fmt::format("port {} of {} leads to port {} of {} (line {})",
                                                  link.peer_port, link.peer, back->second.peer_port,
                                                  back->second.peer, back->second.place.line));
            return;
        }
        if (back->second.rate != link.rate && link.place.line < back->second.place.line) {
            source_.error(link.place, fmt::format("the two ends have different rates (line {})",
                                                  back->second.place.line));
        }
    }

    void leave_out_unplugged()
    {
        const auto unplugged = [&](const std::string& id) {
            return fabric_.devices.at(id).links.empty();
        };
        const auto first = std::find_if(fabric_.order.begin(), fabric_.order.end(), unplugged);
        if (first == fabric_.order.end()) {
            return;
        }
        const auto count = std::count_if(first, fabric_.order.end(), unplugged);
        source_.warn(fabric_.devices.at(*first).place,
                     counted(static_cast<std::size_t>(count), "device") +
                         " left out: no cable is plugged in");
        auto& order = fabric_.order;
        order.erase(std::remove_if(order.begin(), order.end(), unplugged), order.end());
        for (auto device = fabric_.devices.begin(); device != fabric_.devices.end();) {
            device =
                device->second.links.empty() ? fabric_.devices.erase(device) : std::next(device);
        }
    }

    TopologySource& source_;
    IbFabric fabric_;
    IbDevice* current_ = nullptr;
};

}  // namespace

IbFabric parse_infiniband(TopologySource& source) { return Parser{source}.fabric(); }

}  // namespace sim::formats
