#include "formats/simgrid_platform.hpp"

#include <fmt/format.h>

#include <utility>

namespace sim::formats
{

namespace
{

class Parser
{
public:
    explicit Parser(SimgridFile file) : file_{file}
    {
        for (const auto& child : file.xml.root().children()) {
            read(child);
        }
        for (const auto& [what, counted] : left_out_) {
            file.source.warn(counted.second, fmt::format("{} {} left out: not part of a topology",
                                                         counted.first, what));
        }
        if (half_duplex_ > 0) {
            file.source.warn(first_half_duplex_, counted(half_duplex_, "link") +
                                                     " shared by both directions; cables of "
                                                     "ours are full duplex");
        }
    }

    SimgridPlatform platform() && { return std::move(platform_); }

private:
    using Reader = void (Parser::*)(const pugi::xml_node&);

    void read(const pugi::xml_node& node)
    {
        static const std::map<std::string_view, Reader> kReaders{
            {"zone", &Parser::read_zone},
            {"AS", &Parser::read_zone},
            {"host", &Parser::read_host},
            {"router", &Parser::read_router},
            {"link", &Parser::read_link},
            {"route", &Parser::read_route},
            {"zoneRoute", &Parser::read_zone_route},
            {"ASroute", &Parser::read_zone_route},
            {"cluster", &Parser::read_cluster}};
        static const std::set<std::string_view> kRefused{
            "backbone", "host_link", "cabinet", "peer", "bypassRoute", "bypassZoneRoute"};
        const std::string_view name{node.name()};
        const auto reader = kReaders.find(name);
        if (node.type() != pugi::node_element) {
            return;
        }
        if (reader != kReaders.end()) {
            (this->*reader->second)(node);
        } else if (kRefused.count(name) != 0) {
            file_.source.error(file_.xml.place(node), fmt::format("<{}> is not read", name),
                               "describe it by hosts, routers, links and routes of one link");
        } else {
            leave_out(fmt::format("<{}>", name), node);
        }
    }

    void leave_out(const std::string& what, const pugi::xml_node& node)
    {
        const auto [counted, is_new] =
            left_out_.try_emplace(what, std::pair{0, file_.xml.place(node)});
        ++counted->second.first;
    }

    void read_zone(const pugi::xml_node& node)
    {
        static const std::set<std::string_view> kKnown{"Full", "Floyd", "Dijkstra", "DijkstraCache",
                                                       "None"};
        const auto routing = text_of(node, "routing");
        if (kKnown.count(routing) == 0) {
            file_.source.error(file_.xml.place(node, "routing"),
                               fmt::format("zones with routing \"{}\" are not read", routing),
                               "Full, Floyd and Dijkstra are");
        }
        for (const auto& child : node.children()) {
            read(child);
        }
    }

    void note_profiles(const pugi::xml_node& node)
    {
        for (const auto* profile :
             {"state_file", "speed_file", "bandwidth_file", "latency_file", "availability_file"}) {
            if (node.attribute(profile)) {
                leave_out(fmt::format("{} of <{}>", profile, node.name()), node);
            }
        }
    }

    bool add_point(const pugi::xml_node& node, const std::string& name)
    {
        if (name.empty()) {
            file_.source.error(file_.xml.place(node),
                               fmt::format("a <{}> without id", node.name()));
            return false;
        }
        return platform_.add_point(file_, name, file_.xml.place(node));
    }

    void read_host(const pugi::xml_node& node)
    {
        note_profiles(node);
        const std::string name{text_of(node, "id")};
        if (add_point(node, name)) {
            platform_.hosts.push_back(name);
        }
        for (const auto& child : node.children()) {
            if (child.type() == pugi::node_element) {
                leave_out(fmt::format("<{}>", child.name()), child);
            }
        }
    }

    void read_router(const pugi::xml_node& node)
    {
        const std::string name{text_of(node, "id")};
        if (add_point(node, name)) {
            platform_.routers.push_back(name);
        }
    }

    void read_cluster(const pugi::xml_node& node)
    {
        platform_.clusters.push_back(read_simgrid_cluster(file_, node));
    }

    void read_link(const pugi::xml_node& node)
    {
        note_profiles(node);
        SimgridLink link;
        link.bandwidth = simgrid_quantity<Bandwidth>(file_, node, "bandwidth");
        link.latency =
            node.attribute("latency") ? simgrid_quantity<Time>(file_, node, "latency") : Time{};
        link.place = file_.xml.place(node);
        const auto sharing = text_of(node, "sharing_policy");
        link.fatpipe = sharing == "FATPIPE";
        if (!link.fatpipe && sharing != "SPLITDUPLEX") {
            first_half_duplex_ = ++half_duplex_ == 1 ? link.place : first_half_duplex_;
        }
        const std::string id{text_of(node, "id")};
        if (!platform_.links.try_emplace(id, link).second) {
            file_.source.error(link.place, fmt::format("link {} is described twice", id));
        }
    }

    void read_route(const pugi::xml_node& node)
    {
        add_route(node, text_of(node, "src"), text_of(node, "dst"));
    }

    void read_zone_route(const pugi::xml_node& node)
    {
        add_route(node, text_of(node, "gw_src"), text_of(node, "gw_dst"));
    }

    void add_route(const pugi::xml_node& node, std::string_view from, std::string_view to)
    {
        SimgridRoute route;
        route.from = from;
        route.to = to;
        route.place = file_.xml.place(node);
        const auto symmetrical = text_of(node, "symmetrical");
        route.both_ways = symmetrical != "NO" && symmetrical != "no";
        for (const auto& child : node.children("link_ctn")) {
            route.links.emplace_back(text_of(child, "id"));
            if (platform_.links.count(route.links.back()) == 0) {
                file_.source.error(
                    file_.xml.place(child, "id"),
                    fmt::format("there is no link \"{}\" above", route.links.back()));
            }
        }
        if (route.links.empty()) {
            file_.source.error(route.place, "a route without links");
        } else if (from == to) {
            leave_out("routes of a host to itself", node);
        } else {
            platform_.routes.push_back(std::move(route));
        }
    }

    SimgridFile file_;
    SimgridPlatform platform_;
    std::map<std::string, std::pair<int, Place>> left_out_;
    std::size_t half_duplex_ = 0;
    Place first_half_duplex_{};
};

}  // namespace

bool SimgridPlatform::add_point(SimgridFile file, const std::string& name, Place place)
{
    const auto [first, is_new] = points.try_emplace(name, place);
    if (!is_new) {
        file.source.error(place, fmt::format("{} is described twice, first in line {}", name,
                                             first->second.line));
    }
    return is_new;
}

SimgridPlatform parse_simgrid(SimgridFile file) { return Parser{file}.platform(); }

}  // namespace sim::formats
