#include "formats/nvidia_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace sim::formats
{

namespace
{

constexpr std::size_t kMostDevices = 1024;

/// Without the escape sequences that underline the header on a terminal.
std::string plain(std::string_view line)
{
    std::string text{line};
    for (auto escape = text.find('\x1b'); escape != text.npos; escape = text.find('\x1b')) {
        const auto end = std::min(text.find('m', escape), text.size() - 1);
        text.replace(escape, end - escape + 1, end - escape + 1, ' ');
    }
    return text;
}

bool is_gpu(std::string_view name)
{
    return name.substr(0, 3) == "GPU" &&
           to_count(name.substr(std::min<std::size_t>(3, name.size())));
}

class Parser
{
public:
    explicit Parser(TopologySource& source) : source_{source}
    {
        std::size_t at = 0;
        const auto& lines = source.lines();
        while (at < lines.size() && !read_header(plain(lines[at]), static_cast<int>(at) + 1)) {
            ++at;
        }
        if (at == lines.size()) {
            source.error({}, "has no line of GPU0, GPU1, ...",
                         "give what nvidia-smi topo -m prints");
            return;
        }
        for (++at; at < lines.size(); ++at) {
            const auto text = plain(lines[at]);
            const auto words = words_of(text, static_cast<int>(at) + 1);
            if (!words.empty() && words.front().text.find("Legend") != std::string_view::npos) {
                break;
            }
            if (!words.empty() && words.front().text != "NIC") {
                read_row(words);
            }
        }
        finish();
    }

    NvidiaMatrix matrix() && { return std::move(matrix_); }

private:
    bool read_header(const std::string& text, int number)
    {
        const auto words = words_of(text, number);
        if (words.empty() || !is_gpu(words.front().text)) {
            return false;
        }
        for (const auto& word : words) {
            if (word.text == "CPU" || word.text == "NUMA") {
                break;
            }
            const std::string name{word.text};
            if (!index_.try_emplace(name, matrix_.devices.size()).second) {
                source_.error(word.place, fmt::format("{} is named twice", name));
                continue;
            }
            if (is_gpu(name) && matrix_.gpus != matrix_.devices.size()) {
                source_.error(word.place, fmt::format("{} comes after a NIC", name));
            }
            matrix_.gpus += is_gpu(name) ? 1 : 0;
            matrix_.devices.push_back(name);
        }
        if (matrix_.devices.size() > kMostDevices) {
            source_.error(words.front().place, fmt::format("names {} devices, at most {} are read",
                                                           matrix_.devices.size(), kMostDevices));
        }
        place_ = words.front().place;
        matrix_.rows.resize(std::min(matrix_.devices.size(), kMostDevices));
        return true;
    }

    void read_row(const std::vector<Word>& words)
    {
        const auto device = index_.find(std::string{words.front().text});
        if (device == index_.end() || device->second >= matrix_.rows.size()) {
            source_.error(words.front().place,
                          fmt::format("\"{}\" is no device of the first row", words.front().text));
            return;
        }
        auto& row = matrix_.rows[device->second];
        if (row.place.line != 0) {
            source_.error(words.front().place, fmt::format("{} has a row already, in line {}",
                                                           device->first, row.place.line));
            return;
        }
        row.place = words.front().place;
        const auto wanted = matrix_.devices.size();
        if (words.size() < wanted + 1) {
            source_.error(row.place,
                          fmt::format("{} has {} relations, {} are needed", device->first,
                                      words.size() - 1, wanted),
                          "the table may be cut off");
            return;
        }
        for (std::size_t i = 0; i < wanted; ++i) {
            check_word(words[i + 1], device->second == i);
            row.relations.emplace_back(words[i + 1].text);
        }
        if (words.size() > wanted + 2) {
            row.numa = words[wanted + 2].text;
        }
    }

    void check_word(const Word& word, bool own)
    {
        const std::string text{word.text};
        const bool known = own ? text == "X" : nvlinks(text) || pcie_distance(text);
        if (!known) {
            source_.error(word.place,
                          fmt::format("\"{}\" is not a relation{}", text,
                                      own ? " of a device to itself" : ""),
                          own ? "write X" : "write NV#, PIX, PXB, PHB, NODE or SYS");
        }
    }

    void finish()
    {
        for (std::size_t i = 0; i < matrix_.rows.size(); ++i) {
            if (matrix_.rows[i].place.line == 0) {
                source_.error(place_, fmt::format("{} has no row", matrix_.devices[i]),
                              "the table may be cut off");
            }
        }
        if (source_.failed()) {
            return;
        }
        for (std::size_t i = 0; i < matrix_.rows.size(); ++i) {
            for (std::size_t j = i + 1; j < matrix_.rows.size(); ++j) {
                const auto& there = matrix_.rows[i].relations[j];
                const auto& back = matrix_.rows[j].relations[i];
                if (there != back) {
                    source_.error(matrix_.rows[j].place,
                                  fmt::format("{} to {} is {}, the other way it is {}",
                                              matrix_.devices[j], matrix_.devices[i], back, there));
                }
            }
        }
    }

    TopologySource& source_;
    NvidiaMatrix matrix_;
    std::map<std::string, std::size_t> index_;
    Place place_{};
};

}  // namespace

std::optional<int> nvlinks(const std::string& relation)
{
    const bool is_nvlink = relation.size() > 2 && relation.compare(0, 2, "NV") == 0;
    const auto links = is_nvlink ? to_count(std::string_view{relation}.substr(2)) : std::nullopt;
    return links && *links > 0 ? links : std::nullopt;
}

std::optional<int> pcie_distance(const std::string& relation)
{
    constexpr std::array<std::string_view, 5> kNear{"PIX", "PXB", "PHB", "NODE", "SYS"};
    const auto* found = std::find(kNear.begin(), kNear.end(), relation);
    return found == kNear.end() ? std::nullopt
                                : std::optional{static_cast<int>(found - kNear.begin())};
}

NvidiaMatrix parse_nvidia_matrix(TopologySource& source) { return Parser{source}.matrix(); }

}  // namespace sim::formats
