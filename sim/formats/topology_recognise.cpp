#include <algorithm>
#include <array>

#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kLooked = 400;  ///< lines; comments may come first

bool starts_with(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

/// Any other root is left to the reader of NCCL's files, which names it.
std::string_view recognise_xml(const std::string& text)
{
    const auto simgrid = text.find("<platform");
    const auto nccl = text.find("<system");
    return simgrid < nccl ? "simgrid" : "nccl";
}

std::string_view recognise_words(const std::vector<Word>& words)
{
    const auto first = words.front().text;
    const bool is_device = first == "Switch" || first == "Ca" || first == "Hca";
    if (starts_with(first, "vendid=") || (is_device && words.size() > 2)) {
        return "ibnetdiscover";
    }
    if (starts_with(first, "SwitchName=") || starts_with(first, "BlockName=")) {
        return "slurm";
    }
    if (first == "GPU0" || starts_with(first, "\x1b[")) {
        return "nvidia-smi";
    }
    constexpr std::array<std::string_view, 5> kAstra{
        "topology:", "npus_count:", "num-npus:", "\"topology-name\":", "\"logical-dims\":"};
    if (std::find(kAstra.begin(), kAstra.end(), first) != kAstra.end()) {
        return "astra-sim";
    }
    if (first == "switches:" || first == "blocks:") {
        return "topograph";
    }
    const auto numbers = std::count_if(words.begin(), words.end(),
                                       [](const Word& word) { return to_count(word.text); });
    const bool simai = words.size() == 6 && numbers == 5;
    return simai || (words.size() == 3 && numbers == 3) ? "simai" : "";
}

}  // namespace

std::string_view recognise_topology(const TopologySource& source)
{
    const auto& text = source.text();
    if (text[text.find_first_not_of(" \t\r\n")] == '<') {
        return recognise_xml(text);
    }
    for (std::size_t i = 0; i < std::min(source.lines().size(), kLooked); ++i) {
        const auto words = words_of(source.lines()[i], static_cast<int>(i) + 1);
        if (words.empty() || words.front().text[0] == '#') {
            continue;
        }
        const auto word = recognise_words(words);
        if (!word.empty()) {
            return word;
        }
    }
    return {};
}

}  // namespace sim::formats
