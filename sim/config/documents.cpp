#include "config/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace sim::config
{

namespace
{

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 4 << 20;

/// A name too long for the system, or a circle of links, is left to whoever opens it.
std::string canonical(const std::string& path)
{
    std::error_code problem;
    const auto found = fs::weakly_canonical(path, problem);
    return problem ? path : found.string();
}

/// A file of the same folder whose name is nearly this one.
std::string similar_file(const std::string& path)
{
    const fs::path wanted{path};
    const auto folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path{"."};
    std::error_code ignored;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{folder, ignored}) {
        names.push_back(entry.path().filename().string());
    }
    names.erase(std::remove(names.begin(), names.end(), wanted.filename().string()), names.end());
    std::sort(names.begin(), names.end());
    return closest(wanted.filename().string(), names);
}

[[noreturn]] void refuse(const std::string& path, const Mark& from, const std::string& key,
                         const std::string& problem)
{
    const auto similar = similar_file(path);
    const auto hint = similar.empty() ? similar : fmt::format("did you mean \"{}\"?", similar);
    if (from.source) {
        throw InputError{{diagnostic_at(
            from, key, fmt::format("cannot read \"{}\": {}", tidy_path(path), problem), hint)}};
    }
    Diagnostic diagnostic;
    diagnostic.file = tidy_path(path);
    diagnostic.message = problem;
    diagnostic.hint = hint;
    throw InputError{{diagnostic}};
}

bool well_formed(const std::string& key)
{
    return !key.empty() && key.front() != '.' && key.back() != '.' &&
           key.find("..") == std::string::npos &&
           std::count(key.begin(), key.end(), '.') < Budget{}.depth;
}

void place_at(Node& node, const Mark& mark)
{
    node.mark = mark;
    for (auto& item : node.items) {
        place_at(item, mark);
    }
    for (auto& entry : node.entries) {
        entry.mark = mark;
        place_at(entry.value, mark);
    }
}

/// Lists and mappings are read as YAML and `null` takes a key away; any other text is the value
/// itself, whatever is in it.
Node override_value(const Override& override, const Mark& mark, Budget& budget)
{
    auto value = scalar_node(mark, override.text);
    if (override.text == "null" || override.text == "~") {
        return null_node(mark);
    }
    if (override.text.empty() || (override.text[0] != '[' && override.text[0] != '{')) {
        return value;
    }
    auto text = *mark.source;
    text.text = override.text;
    value = read_yaml(std::make_shared<Source>(std::move(text)), budget);
    place_at(value, mark);
    return value;
}

}  // namespace

std::shared_ptr<const Source> Documents::read(const std::string& path, const Mark& from,
                                              const std::string& key)
{
    const auto identity = canonical(path);
    for (const auto& source : sources_) {
        if (canonical(source->path) == identity) {
            return source;
        }
    }
    std::error_code problem;
    const auto status = fs::status(path, problem);
    if (!fs::exists(status)) {
        refuse(path, from, key, "no such file");
    }
    if (!fs::is_regular_file(status)) {
        refuse(path, from, key, fs::is_directory(status) ? "it is a folder" : "it is not a file");
    }
    if (fs::file_size(path, problem) > kLargestFile) {
        refuse(path, from, key, "it is larger than 4 MiB");
    }
    std::ifstream stream{path, std::ios::binary};
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) {
        refuse(path, from, key, "it cannot be opened");
    }
    Source source{tidy_path(path), path, std::move(text).str()};
    sources_.push_back(std::make_shared<Source>(std::move(source)));
    return sources_.back();
}

const Node& Documents::parsed(const std::string& path, const Mark& from, const std::string& key)
{
    if (const auto* file = known_ == nullptr ? nullptr : known_->find(path)) {
        if (std::find(sources_.begin(), sources_.end(), file->source) == sources_.end()) {
            sources_.push_back(file->source);
        }
        return file->node;
    }
    const auto identity = canonical(path);
    const auto known = nodes_.find(identity);
    if (known != nodes_.end()) {
        return known->second;
    }
    const auto source = read(path, from, key);
    const auto& node = nodes_.emplace(identity, read_yaml(source, budget_)).first->second;
    if (known_ != nullptr) {
        known_->keep(path, {source, node});
    }
    return node;
}

Node Documents::load(const std::string& path, const std::vector<Override>& overrides)
{
    overrides_ = overrides;
    const auto& root = parsed(path, {}, "");
    if (root.kind == Node::Kind::null) {
        throw InputError{{diagnostic_at({root.mark.source, 0, 0}, "", "the file is empty", "")}};
    }
    auto node = resolve(merge(root, overlay(overrides)), {"", {canonical(path)}, 0});
    if (!diagnostics_.empty()) {
        throw InputError{std::exchange(diagnostics_, {})};
    }
    return node;
}

Node Documents::overlay(const std::vector<Override>& overrides)
{
    auto tree = mapping_node({});
    for (const auto& override : overrides) {
        Source source{fmt::format("--set {}={}", override.key, override.text), {}, {}, true};
        const Mark mark{std::make_shared<Source>(std::move(source)), 0, 0};
        if (!well_formed(override.key)) {
            diagnostics_.push_back(diagnostic_at(mark, "", "the key is not a dotted path",
                                                 "write --set cluster.nodes=16"));
            continue;
        }
        try {
            put(tree, override.key, override_value(override, mark, budget_));
        } catch (const InputError& error) {
            for (auto diagnostic : error.diagnostics()) {
                diagnostic.line = 0;
                diagnostics_.push_back(std::move(diagnostic));
            }
        }
    }
    return tree;
}

Node Documents::resolve(Node node, const Place& place)
{
    if (place.depth > budget_.depth || --budget_.values < 0) {
        diagnostics_.push_back(
            diagnostic_at(node.mark, place.key, "the files it extends never end", ""));
        return {};
    }
    std::optional<Entry> extends;
    if (const auto* found = node.find("extends")) {
        extends = *found;
        node.entries.erase(node.entries.begin() + (found - node.entries.data()));
    }
    for (auto& entry : node.entries) {
        const auto key = place.key.empty() ? entry.key : place.key + "." + entry.key;
        entry.value = resolve(std::move(entry.value), {key, place.chain, place.depth + 1});
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const auto key = fmt::format("{}.{}", place.key, i);
        node.items[i] = resolve(std::move(node.items[i]), {key, place.chain, place.depth + 1});
    }
    if (extends) {
        auto base = extended(*extends, place);
        for (auto& entry : base.entries) {
            entry.inherited = true;
        }
        node = merge(base, node);
        node.extends = true;
    }
    return node;
}

Node Documents::extended(const Entry& extends, const Place& place)
{
    const auto key = place.key.empty() ? std::string{"extends"} : place.key + ".extends";
    const auto& value = extends.value;
    auto nothing = mapping_node(extends.mark);
    if (value.kind != Node::Kind::scalar) {
        diagnostics_.push_back(diagnostic_at(extends.mark, key, "must be the path of one file",
                                             "write extends: path/to/file.yaml"));
        return nothing;
    }
    const auto path = path_from(value.mark, value.text);
    if (const auto cycle = cycle_through(path, place.chain); !cycle.empty()) {
        diagnostics_.push_back(
            diagnostic_at(value.mark, key, "the files extend each other: " + cycle, ""));
        return nothing;
    }
    try {
        const auto& base = parsed(path, value.mark, key);
        if (base.kind != Node::Kind::mapping) {
            diagnostics_.push_back(diagnostic_at(
                value.mark, key,
                fmt::format("\"{}\" holds {}, not a mapping", tidy_path(path), kind_words(base)),
                ""));
            return nothing;
        }
        Place inside{place.key, place.chain, place.depth + 1};
        inside.chain.push_back(canonical(path));
        return resolve(base, inside);
    } catch (const InputError& error) {
        diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(),
                            error.diagnostics().end());
        return nothing;
    }
}

std::string Documents::cycle_through(const std::string& path,
                                     const std::vector<std::string>& chain) const
{
    std::string cycle;
    for (auto at = std::find(chain.begin(), chain.end(), canonical(path)); at != chain.end();
         ++at) {
        cycle += nodes_.at(*at).mark.source->name + " -> ";
    }
    return cycle.empty() ? cycle : cycle + tidy_path(path);
}

std::string Documents::input_text() const
{
    std::string text;
    for (const auto& source : sources_) {
        text += fmt::format("# file: {}\n{}", source->name, source->text);
        if (!source->text.empty() && source->text.back() != '\n') {
            text += '\n';
        }
    }
    for (const auto& override : overrides_) {
        text += fmt::format("# --set {}={}\n", override.key, override.text);
    }
    return text;
}

}  // namespace sim::config
