#include "config/trial_document.hpp"

#include <algorithm>
#include <utility>

namespace sim::config
{

namespace
{

/// Numbers below, where a reader may do something else: 3 tiers, 0 for none.
constexpr const char* kNumbers[] = {"1", "2", "3", "0"};

Mark nowhere()
{
    static const auto source = std::make_shared<const Source>(Source{"", "", "", true});
    return {source, 0, 0};
}

Node list_of(Node item)
{
    Node list;
    list.kind = Node::Kind::sequence;
    list.mark = nowhere();
    list.items.push_back(std::move(item));
    return list;
}

/// The keys from the root down to this one.
std::vector<const KeyOutline*> chain(const KeyOutline& key)
{
    std::vector<const KeyOutline*> keys{&key};
    while (keys.back()->parent->owner != nullptr) {
        keys.push_back(keys.back()->parent->owner);
    }
    std::reverse(keys.begin(), keys.end());
    return keys;
}

void add_ways(const Shape& shape, std::vector<Node>& ways)
{
    if (shape.kind == Shape::Kind::either) {
        for (const auto& one : shape.of) {
            add_ways(one, ways);
        }
    } else if (shape.kind == Shape::Kind::word) {
        for (const auto& word : shape.words) {
            ways.push_back(scalar_node(nowhere(), word));
        }
    } else if (shape.kind == Shape::Kind::whole) {
        for (const auto* number : kNumbers) {
            ways.push_back(scalar_node(nowhere(), number));
        }
    } else {
        ways.push_back(sample_of(shape));
    }
}

/// Samples fit the shape that they were made for; only the placeholder may fit none.
bool fits(const Shape& shape, const Node& value)
{
    switch (shape.kind) {
        case Shape::Kind::unknown:
            return false;
        case Shape::Kind::any:
            return true;
        case Shape::Kind::either:
            return std::any_of(shape.of.begin(), shape.of.end(),
                               [&](const Shape& one) { return fits(one, value); });
        case Shape::Kind::list:
            return value.kind == Node::Kind::sequence;
        case Shape::Kind::map:
        case Shape::Kind::fields:
            return value.kind == Node::Kind::mapping;
        default:
            return value.kind == Node::Kind::scalar &&
                   (shape.kind == Shape::Kind::text || value.text != kPlaceholder);
    }
}

}  // namespace

const Node* value_at(const Node& document, const KeyOutline& key)
{
    const Node* at = &document;
    for (const auto* step : chain(key)) {
        if (step->parent->is_item) {
            if (at->kind != Node::Kind::sequence || at->items.empty()) {
                return nullptr;
            }
            at = &at->items.front();
        }
        const auto* entry = at->find(step->name);
        if (entry == nullptr || entry->value.kind == Node::Kind::null) {
            return nullptr;
        }
        at = &entry->value;
    }
    return at;
}

void write_at(Node& document, const KeyOutline& key, Node value)
{
    Node* at = &document;
    for (const auto* step : chain(key)) {
        if (step->parent->is_item) {
            if (at->kind != Node::Kind::sequence || at->items.empty()) {
                *at = list_of(mapping_node(nowhere()));
            }
            at = &at->items.front();
        }
        if (at->kind != Node::Kind::mapping) {
            *at = mapping_node(nowhere());
        }
        auto same = std::find_if(at->entries.begin(), at->entries.end(),
                                 [&](const Entry& entry) { return entry.key == step->name; });
        if (same == at->entries.end()) {
            at->entries.push_back({step->name, nowhere(), mapping_node(nowhere()), false, {}});
            same = std::prev(at->entries.end());
        }
        at = &same->value;
    }
    *at = std::move(value);
}

Node sample_of(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::list:
            return list_of(sample_of(shape.of.front()));
        case Shape::Kind::either:
            return sample_of(shape.of.front());
        case Shape::Kind::map:
            return mapping_node(nowhere());
        case Shape::Kind::fields: {
            auto mapping = mapping_node(nowhere());
            for (std::size_t i = 0; i < shape.words.size(); ++i) {
                const auto& name = shape.words[i];
                if (std::find(shape.needed.begin(), shape.needed.end(), name) !=
                    shape.needed.end()) {
                    mapping.entries.push_back({name, nowhere(), sample_of(shape.of[i]), false, {}});
                }
            }
            return mapping;
        }
        case Shape::Kind::whole:
            return scalar_node(nowhere(), kNumbers[0]);
        default:
            return scalar_node(nowhere(), shape.sample.empty() ? kPlaceholder : shape.sample);
    }
}

std::vector<Node> ways_to_write(const KeyOutline& key)
{
    std::vector<Node> ways;
    for (const auto& shape : key.shapes) {
        add_ways(shape, ways);
    }
    const bool unknown = key.shapes.empty() && !key.section && !key.items;
    if (key.raw || unknown) {
        ways.push_back(scalar_node(nowhere(), kPlaceholder));
    }
    if (key.section || key.raw || unknown) {
        ways.push_back(mapping_node(nowhere()));
    }
    if (key.items) {
        ways.push_back(list_of(mapping_node(nowhere())));
    }
    return ways;
}

Node first_way_to_write(const KeyOutline& key)
{
    const auto ways = ways_to_write(key);
    const auto possible =
        std::find_if(ways.begin(), ways.end(), [&](const Node& way) { return may_be(key, way); });
    return possible == ways.end() ? ways.front() : *possible;
}

bool may_be(const KeyOutline& key, const Node& value)
{
    if (value.kind == Node::Kind::null || (value.kind == Node::Kind::mapping && key.section) ||
        (value.kind == Node::Kind::sequence && key.items)) {
        return true;
    }
    return std::any_of(key.shapes.begin(), key.shapes.end(),
                       [&](const Shape& shape) { return fits(shape, value); });
}

}  // namespace sim::config
