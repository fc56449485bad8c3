#pragma once

#include <string>

#include "config/outline.hpp"

namespace sim::config
{

struct SchemaText {
    std::string title;
    bool may_lack = false;  ///< keys that a mapping extending the file adds
};

/// The outline as a JSON Schema.
[[nodiscard]] std::string schema_text(const MapOutline& outline, const SchemaText& about);

}  // namespace sim::config
