#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/quantity_text.hpp"
#include "formats/topology_graph.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

/// The first line of a file, of either flavour.
struct Header {
    bool simai = false;  ///< else HPCC: "nodes switches links"
    int vertices = 0;
    int gpus_per_server = 1;
    int nvswitches = 0;
    int switches = 0;
    int links = 0;
    std::string gpu{};

    /// Numbers below this are GPUs, or hosts.
    [[nodiscard]] int ends() const { return vertices - nvswitches - switches; }
};

struct Line {
    int from = 0;
    int to = 0;
    Bandwidth rate{};
    Time delay{};
    Place place{};
};

class Parser
{
public:
    explicit Parser(TopologySource& source) : source_{source}
    {
        if (next() && read_header() && next()) {
            read_switch_ids();
            while (next()) {
                read_link();
            }
        }
        if (!source.failed()) {
            check_count();
        }
    }

    [[nodiscard]] const Header& header() const { return header_; }
    [[nodiscard]] const std::vector<Line>& links() const { return links_; }

private:
    /// Moves to the next line that is not blank; says once what a file without one lacks.
    bool next()
    {
        while (at_ < source_.lines().size()) {
            words_ = words_of(source_.lines()[at_], static_cast<int>(at_) + 1);
            ++at_;
            if (!words_.empty()) {
                return true;
            }
        }
        if (links_.empty() && !source_.failed()) {
            source_.error(
                {static_cast<int>(at_), 0}, "ends before its first link",
                "the file has a header, a line of switch numbers and a line for each link");
        }
        return false;
    }

    bool read_header()
    {
        std::vector<int> numbers;
        for (const auto& word : words_) {
            const auto number = to_count(word.text);
            if (number) {
                numbers.push_back(*number);
            }
        }
        header_.simai = words_.size() == 6 && numbers.size() == 5;
        if (header_.simai) {
            header_ = {true,
                       numbers[0],
                       numbers[1],
                       numbers[2],
                       numbers[3],
                       numbers[4],
                       std::string{words_[5].text}};
        } else if (words_.size() == 3 && numbers.size() == 3) {
            header_.vertices = numbers[0];
            header_.switches = numbers[1];
            header_.links = numbers[2];
        } else {
            source_.error(words_.front().place, "is not a header",
                          "write \"nodes gpus_per_server nvswitches switches links gpu_type\" "
                          "(SimAI) or \"nodes switches links\" (HPCC)");
            return false;
        }
        check_header();
        return !source_.failed();
    }

    void check_header()
    {
        const auto place = words_.front().place;
        const auto special = static_cast<std::int64_t>(header_.nvswitches) + header_.switches;
        if (special >= header_.vertices) {
            source_.error(place, fmt::format("{} nodes of which {} are switches leave no GPU",
                                             header_.vertices, special));
        } else if (header_.gpus_per_server < 1 || header_.ends() % header_.gpus_per_server != 0) {
            source_.error(place, fmt::format("{} GPUs are not whole servers of {}", header_.ends(),
                                             header_.gpus_per_server));
        }
    }

    void read_switch_ids()
    {
        std::set<int> seen;
        for (const auto& word : words_) {
            const auto id = to_count(word.text);
            if (!id || *id < header_.ends() || *id >= header_.vertices) {
                source_.error(
                    word.place, fmt::format("\"{}\" is not a switch number", word.text),
                    fmt::format("switches are {} to {}", header_.ends(), header_.vertices - 1));
            } else if (!seen.insert(*id).second) {
                source_.error(word.place, fmt::format("switch {} is listed twice", *id));
            }
        }
        const int expected = header_.nvswitches + header_.switches;
        if (!source_.failed() && static_cast<int>(seen.size()) != expected) {
            source_.error(words_.front().place, fmt::format("lists {} switches, the header says {}",
                                                            seen.size(), expected));
        }
    }

    std::optional<int> read_end(const Word& word)
    {
        const auto id = to_count(word.text);
        if (!id || *id >= header_.vertices) {
            source_.error(word.place, fmt::format("\"{}\" is not a node", word.text),
                          fmt::format("nodes are 0 to {}", header_.vertices - 1));
            return std::nullopt;
        }
        return id;
    }

    template <class Q>
    Q read_quantity(const Word& word)
    {
        const auto parsed = parse<Q>(word.text);
        if (!parsed) {
            source_.error(word.place, parsed.message, parsed.hint);
        }
        return parsed.value.value_or(Q{});
    }

    void read_link()
    {
        if (words_.size() != 5) {
            source_.error(words_.front().place,
                          fmt::format("has {} words, a link has 5", words_.size()),
                          "write \"src dst 400Gbps 0.0005ms 0\"");
            return;
        }
        Line line;
        line.place = words_.front().place;
        const auto from = read_end(words_[0]);
        const auto to = read_end(words_[1]);
        line.rate = read_quantity<Bandwidth>(words_[2]);
        line.delay = read_quantity<Time>(words_[3]);
        if (line.rate == Bandwidth{} && !source_.failed()) {
            source_.error(words_[2].place, "a link without bandwidth");
        }
        const auto loss = to_real(words_[4].text);
        if (!loss || *loss < 0 || *loss > 1) {
            source_.error(words_[4].place,
                          fmt::format("\"{}\" is not an error rate", words_[4].text),
                          "write a number from 0 to 1");
        } else if (*loss > 0) {
            source_.warn(words_[4].place,
                         "packet loss is not modelled, the link is taken as clean");
        }
        if (from && to && *from == *to) {
            source_.error(line.place, fmt::format("joins {} to itself", *from));
        }
        if (from && to) {
            line.from = std::min(*from, *to);
            line.to = std::max(*from, *to);
            links_.push_back(line);
        }
    }

    void check_count()
    {
        const auto declared = static_cast<std::size_t>(header_.links);
        if (links_.size() < declared) {
            source_.error(
                {static_cast<int>(source_.lines().size()), 0},
                fmt::format("ends after {} links, the header says {}", links_.size(), declared),
                "the file may be cut off");
        } else if (links_.size() > declared) {
            source_.warn(links_[declared].place,
                         fmt::format("the header says {} links, {} are listed; those from line {} "
                                     "to {} are read too",
                                     declared, links_.size(), links_[declared].place.line,
                                     links_.back().place.line),
                         "programs that believe the header drop them");
        }
    }

    TopologySource& source_;
    std::size_t at_ = 0;
    std::vector<Word> words_;
    Header header_;
    std::vector<Line> links_;
};

/// Servers, switches and cables of the numbered vertices.
class Assembly
{
public:
    Assembly(TopologySource& source, const Parser& parser)
        : source_{source}, header_{parser.header()}
    {
        for (const auto& link : parser.links()) {
            is_nvswitch(link.from) || is_nvswitch(link.to) ? add_nvlink(link) : add_cable(link);
        }
        add_vertices();
    }

    Topology finish()
    {
        Topology topology;
        topology.format = header_.simai ? "SimAI topology" : "HPCC topology";
        topology.gpu = header_.gpu;
        topology.nodes = header_.ends() / header_.gpus_per_server;
        auto& inside = topology.inside;
        if (header_.simai) {
            inside.gpus = header_.gpus_per_server;
        }
        inside.nics = header_.gpus_per_server;
        inside.nic = nic_rate();
        if (header_.nvswitches > 0) {
            inside.nvlink = nvlink_rate();
            inside.scale_up = spec::HgxSpec{nvswitches_per_server()};
            source_.warn({}, fmt::format("its NVSwitch links take {}; nvlink.latency is that of "
                                         "--nvlink, which covers the software too",
                                         to_text(nvlink_delay_)));
        }
        topology.device = ideal_switch(graph_.most_ports(), graph_.most_capacity());
        topology.cable_latency = cable_delay_;
        topology.network = graph_.finish();
        return topology;
    }

private:
    [[nodiscard]] bool is_end(int id) const { return id < header_.ends(); }
    [[nodiscard]] bool is_nvswitch(int id) const
    {
        return !is_end(id) && id < header_.ends() + header_.nvswitches;
    }
    [[nodiscard]] int server(int id) const { return id / header_.gpus_per_server; }
    [[nodiscard]] std::string node_name(int server) const
    {
        return fmt::format("{}{}", header_.simai ? "server" : "host", server);
    }

    void add_nvlink(const Line& link)
    {
        if (!is_end(link.from) || !is_nvswitch(link.to)) {
            source_.error(link.place, "joins an NVSwitch to something that is not a GPU");
            return;
        }
        nvlink_of_gpu_[link.from] += link.rate;
        nvlink_delay_ = std::max(nvlink_delay_, link.delay);
        auto& servers = servers_of_nvswitch_[link.to];
        servers.insert(server(link.from));
        if (servers.size() > 1) {
            source_.error(link.place,
                          fmt::format("NVSwitch {} joins GPUs of two servers", link.to));
        }
    }

    void add_cable(const Line& link)
    {
        if (is_end(link.to)) {
            source_.error(link.place,
                          fmt::format("joins {} to {} without a switch", link.from, link.to));
            return;
        }
        spec::CustomSpec::Cable cable;
        cable.from = is_end(link.from) ? fmt::format("{}/nic{}", node_name(server(link.from)),
                                                     link.from % header_.gpus_per_server)
                                       : fmt::format("switch{}", link.from);
        cable.to = fmt::format("switch{}", link.to);
        cable.bandwidth = link.rate;
        cable.latency = link.delay;
        if (is_end(link.from)) {
            rate_of_nic_[link.from] += link.rate;
        }
        cable_delay_ = std::max(cable_delay_.value_or(Time{}), link.delay);
        graph_.add_cable(std::move(cable));
    }

    void add_vertices()
    {
        for (int i = 0; i < header_.ends(); i += header_.gpus_per_server) {
            graph_.add_node(node_name(server(i)), std::nullopt, std::nullopt);
        }
        for (int i = header_.vertices - header_.switches; i < header_.vertices; ++i) {
            graph_.add_switch(fmt::format("switch{}", i));
        }
    }

    /// The sum over a NIC's ports; a slower one shows in its cables.
    std::optional<Bandwidth> nic_rate()
    {
        std::optional<Bandwidth> fastest;
        int missing = 0;
        for (int i = 0; i < header_.ends(); ++i) {
            const auto rate = rate_of_nic_.find(i);
            missing += rate == rate_of_nic_.end() ? 1 : 0;
            if (rate != rate_of_nic_.end()) {
                fastest = std::max(fastest.value_or(Bandwidth{}), rate->second);
            }
        }
        if (missing > 0) {
            source_.error({}, fmt::format("{} of {} GPUs have no cable to a switch", missing,
                                          header_.ends()));
        }
        return fastest;
    }

    std::optional<Bandwidth> nvlink_rate()
    {
        std::set<Bandwidth> rates;
        for (int i = 0; i < header_.ends(); ++i) {
            rates.insert(nvlink_of_gpu_[i]);
        }
        if (rates.size() > 1) {
            source_.error({},
                          fmt::format("GPUs have NVLink rates from {} to {}; all must be alike",
                                      to_bit_text(*rates.begin()), to_bit_text(*rates.rbegin())));
        }
        return *rates.rbegin();
    }

    int nvswitches_per_server()
    {
        std::map<int, int> per_server;
        for (const auto& [nvswitch, servers] : servers_of_nvswitch_) {
            ++per_server[*servers.begin()];
        }
        const auto most =
            std::max_element(per_server.begin(), per_server.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == per_server.end() ? 1 : most->second;
    }

    TopologySource& source_;
    const Header& header_;
    TopologyGraph graph_;
    std::map<int, Bandwidth> nvlink_of_gpu_;
    std::map<int, std::set<int>> servers_of_nvswitch_;
    std::map<int, Bandwidth> rate_of_nic_;
    std::optional<Time> cable_delay_;
    Time nvlink_delay_{};
};

}  // namespace

Topology read_simai(TopologySource& source)
{
    const Parser parser{source};
    if (source.failed()) {
        return {};
    }
    return Assembly{source, parser}.finish();
}

}  // namespace sim::formats
