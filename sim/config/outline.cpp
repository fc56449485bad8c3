#include "config/outline.hpp"

#include <algorithm>

namespace sim::config
{

void KeyOutline::add(const Shape& shape)
{
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
        shapes.push_back(shape);
    }
}

MapOutline& KeyOutline::enter_section()
{
    if (!section) {
        section = std::make_unique<MapOutline>();
        section->owner = this;
    }
    return *section;
}

MapOutline& KeyOutline::enter_items()
{
    if (!items) {
        items = std::make_unique<MapOutline>();
        items->owner = this;
        items->is_item = true;
    }
    return *items;
}

KeyOutline& MapOutline::key(const std::string& name)
{
    for (const auto& known : keys) {
        if (known->name == name) {
            return *known;
        }
    }
    keys.push_back(std::make_unique<KeyOutline>());
    keys.back()->name = name;
    keys.back()->parent = this;
    return *keys.back();
}

const KeyOutline* MapOutline::find(const std::string& name) const
{
    for (const auto& known : keys) {
        if (known->name == name) {
            return known.get();
        }
    }
    return nullptr;
}

}  // namespace sim::config
