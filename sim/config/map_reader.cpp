#include "config/map_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sim::config
{

MapReader::MapReader(Report& report, const Node& root)
    : MapReader{report, "", &root, report.outline()}
{
    if (root.kind != Node::Kind::mapping) {
        report_.error(root.mark, "", "must be a mapping, not " + kind_words(root), "");
        node_ = nullptr;
        return;
    }
    report_.record("", mapping_node({root.mark.source, 0, 0}));
}

MapReader::MapReader(Report& report, std::string key, const Node* node, MapOutline* outline)
    : report_{report}, key_{std::move(key)}, node_{node}, outline_{outline}
{
    if (outline_ != nullptr && node_ != nullptr && node_->kind == Node::Kind::mapping) {
        outline_->present = true;
    }
}

std::string MapReader::path(const std::string& name) const
{
    return key_.empty() ? name : key_ + "." + name;
}

bool MapReader::written(const std::string& name) const
{
    if (outline_ != nullptr) {
        outline_->key(name).mentioned = true;
    }
    return stands(name);
}

bool MapReader::stands(const std::string& name) const
{
    const auto* entry = node_ == nullptr ? nullptr : node_->find(name);
    return entry != nullptr && entry->value.kind != Node::Kind::null;
}

const Node* MapReader::look(const std::string& name)
{
    asked_.push_back(name);
    report_.offer(path(name));
    if (outline_ != nullptr) {
        auto& key = outline_->key(name);
        key.asked = key.ever_asked = true;
    }
    return stands(name) ? &node_->find(name)->value : nullptr;
}

const Node* MapReader::seek(const std::string& name, const std::string& example)
{
    const auto* node = look(name);
    if (node == nullptr && node_ != nullptr) {
        missing_.push_back({name, example});
    }
    if (outline_ != nullptr) {
        outline_->key(name).required = true;
    }
    return node;
}

const Node* MapReader::ask(const std::string& name)
{
    if (outline_ != nullptr) {
        outline_->key(name).raw = true;
    }
    return look(name);
}

const Node* MapReader::ask(const std::string& name, const Shape& shape)
{
    describe(name, shape, "");
    return ask(name);
}

const Node* MapReader::need(const std::string& name, const std::string& example)
{
    if (outline_ != nullptr) {
        outline_->key(name).raw = true;
    }
    return seek(name, example);
}

const Node* MapReader::need(const std::string& name, const std::string& example, const Shape& shape)
{
    describe(name, shape, example);
    return need(name, example);
}

void MapReader::describe(const std::string& name, const Shape& shape, const std::string& example)
{
    if (outline_ == nullptr) {
        return;
    }
    auto& key = outline_->key(name);
    key.add(shape);
    if (key.example.empty()) {
        key.example = example;
    }
}

void MapReader::describe_default(const std::string& name, const std::string& shown)
{
    if (outline_ != nullptr) {
        outline_->key(name).otherwise = shown;
    }
}

MapOutline* MapReader::outline_of(const std::string& name)
{
    return outline_ == nullptr ? nullptr : &outline_->key(name).enter_section();
}

bool MapReader::is_kind(const std::string& name, const Node& node, Node::Kind kind,
                        const std::string& example)
{
    if (node.kind == kind) {
        return true;
    }
    const char* wanted = kind == Node::Kind::scalar     ? "one value"
                         : kind == Node::Kind::sequence ? "a list"
                                                        : "a mapping";
    report_.error(node.mark, path(name),
                  fmt::format("must be {}, not {}", wanted, kind_words(node)),
                  fmt::format("write {}: {}", name, example));
    return false;
}

MapReader MapReader::enter(const std::string& name, const Node* node)
{
    auto* outline = outline_of(name);
    if (node == nullptr || !is_kind(name, *node, Node::Kind::mapping, "{ ... }")) {
        return {report_, path(name), nullptr, outline};
    }
    const auto& at = node_->find(name)->mark;
    MapReader inside{report_, path(name), node, outline};
    inside.in_list_ = in_list_;
    if (in_list_) {
        report_.stands_at(path(name), at);
    } else {
        report_.record(path(name), mapping_node(at));
    }
    return inside;
}

MapReader MapReader::section(const std::string& name, const std::string& example)
{
    const auto* node = seek(name, example);
    return enter(name, node);
}

MapReader MapReader::optional_section(const std::string& name) { return enter(name, look(name)); }

std::vector<MapReader> MapReader::optional_sections(const std::string& name,
                                                    const std::string& example)
{
    const auto* list = look(name);
    auto* outline = outline_ == nullptr ? nullptr : &outline_->key(name).enter_items();
    std::vector<MapReader> readers;
    if (list == nullptr || !is_kind(name, *list, Node::Kind::sequence, "[" + example + "]")) {
        return readers;
    }
    report_.record(path(name), *list);
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const auto& item = list->items[i];
        const auto key = fmt::format("{}.{}", name, i);
        if (is_kind(key, item, Node::Kind::mapping, example)) {
            report_.stands_at(path(key), item.mark);
            readers.push_back({report_, path(key), &item, outline});
            readers.back().in_list_ = true;
        }
    }
    return readers;
}

void MapReader::record_default(const std::string& name, const std::string& shown,
                               const std::string& note)
{
    if (in_list_) {
        return;
    }
    report_.record(path(name), scalar_node({}, shown), note);
}

void MapReader::record_default(const std::string& name, const std::vector<int>& shown,
                               const std::string& note)
{
    Node list;
    list.kind = Node::Kind::sequence;
    for (const int value : shown) {
        list.items.push_back(scalar_node({}, std::to_string(value)));
    }
    report_.record(path(name), list, note);
}

void MapReader::finish()
{
    if (node_ == nullptr) {
        return;
    }
    if (outline_ != nullptr) {
        outline_->closing.asked = outline_->closing.required = true;
    }
    std::vector<std::string> absent;
    for (const auto& name : asked_) {
        if (node_->find(name) == nullptr) {
            absent.push_back(name);
        }
    }
    for (const auto& entry : node_->entries) {
        if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) {
            continue;
        }
        auto meant = closest(entry.key, absent);
        if (meant.empty()) {
            meant = closest(entry.key, asked_);  // written rightly as well: in a base, say
        }
        report_.error(entry.mark, path(entry.key), "unknown key",
                      meant.empty() ? meant : fmt::format("did you mean \"{}\"?", meant));
        missing_.erase(std::remove_if(missing_.begin(), missing_.end(),
                                      [&](const Missing& m) { return m.name == meant; }),
                       missing_.end());
    }
    for (const auto& missing : missing_) {
        report_.error(report_.place_of(key_), path(missing.name), "missing",
                      fmt::format("write {}: {}", missing.name, missing.example));
    }
}

}  // namespace sim::config
