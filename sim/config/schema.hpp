#pragma once

#include <string>
#include <vector>

namespace sim::config
{

/// A kind of file that there is a schema of.
struct SchemaKind {
    std::string name;
    std::string what;
};

[[nodiscard]] std::vector<SchemaKind> schema_kinds();

/// The JSON Schema (draft 2020-12) of a kind, or of a mapping of an experiment by its dotted key
/// ("cluster.gpu"), for files that such a mapping extends. Throws InputError when there is no such.
[[nodiscard]] std::string json_schema(const std::string& kind);

}  // namespace sim::config
