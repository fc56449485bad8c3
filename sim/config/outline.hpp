#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/shape.hpp"

namespace sim::config
{

struct MapOutline;

/// When a key must or may not be written: by what stands at another key of its mapping or below.
struct Condition {
    enum class Is : std::uint8_t { absent, present, value };

    std::vector<std::string> key;  ///< names from the mapping down
    Is is = Is::absent;
    std::string value;
};

/// A key as readers asked for it. Filled by MapReader; conditions are found by `explore`.
struct KeyOutline {
    std::string name;
    MapOutline* parent = nullptr;
    std::vector<Shape> shapes;            ///< each once
    std::vector<std::string> spellings;   ///< other names of it
    std::unique_ptr<MapOutline> section;  ///< where it may be a mapping with keys of its own
    std::unique_ptr<MapOutline> items;    ///< where it may be a list of those
    std::string example;                  ///< empty: none
    std::string otherwise;                ///< the default as written; empty: none
    bool raw = false;                     ///< a reader looked at the node itself
    bool ever_asked = false;

    bool always_required = false;
    std::vector<Condition> required_when;
    std::vector<Condition> refused_when;

    // Of the reading under way.
    bool asked = false;
    bool required = false;
    bool mentioned = false;  ///< its presence decided something
    int number = -1;         ///< in the order of the exploration

    void add(const Shape& shape);
    [[nodiscard]] MapOutline& enter_section();
    [[nodiscard]] MapOutline& enter_items();
};

/// The keys of a mapping in the order in which they were first asked for.
struct MapOutline {
    KeyOutline* owner = nullptr;  ///< null: the root of a document
    bool is_item = false;
    std::vector<std::unique_ptr<KeyOutline>> keys;
    bool present = false;  ///< in the reading under way
    KeyOutline closing;    ///< "required" when a reader refuses keys that it did not ask for

    [[nodiscard]] KeyOutline& key(const std::string& name);
    [[nodiscard]] const KeyOutline* find(const std::string& name) const;
};

/// Visits a mapping and all inside it, those around before those inside.
template <class Map, class Visit>
void each_map(Map& map, const Visit& visit)
{
    visit(map);
    for (const auto& key : map.keys) {
        if (key->section) {
            each_map(static_cast<Map&>(*key->section), visit);
        }
        if (key->items) {
            each_map(static_cast<Map&>(*key->items), visit);
        }
    }
}

}  // namespace sim::config
