#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"

namespace sim::config
{

/// A file that was read, or one `--set`.
struct Source {
    std::string name;  ///< as people see it: "configs/a.yaml", "--set seed=1"
    std::string path;  ///< ready to be opened; empty for a `--set`
    std::string text;  ///< verbatim
    bool command_line = false;
};

/// Where something was written. Without a source it is a default.
struct Mark {
    std::shared_ptr<const Source> source;
    int line = 0;    ///< 1-based; 0: the whole source
    int column = 0;  ///< 1-based
};

struct Entry;

/// One value of a document, with its place. Our own tree, so that no parser's type travels and
/// files can be merged.
struct Node {
    enum class Kind { null, scalar, sequence, mapping };

    Kind kind = Kind::null;
    Mark mark;
    std::string text;            ///< of a scalar
    std::vector<Node> items;     ///< of a sequence
    std::vector<Entry> entries;  ///< of a mapping, in the order written
    bool extends = false;        ///< the mapping was laid over a file it names

    [[nodiscard]] const Entry* find(const std::string& key) const;
};

struct Entry {
    std::string key;
    Mark mark;
    Node value;
    bool inherited = false;  ///< from the file that the mapping extends
    std::string note;        ///< why a default is what it is; only in resolved documents
};

[[nodiscard]] Node null_node(const Mark& mark);
[[nodiscard]] Node scalar_node(const Mark& mark, std::string text);
[[nodiscard]] Node mapping_node(const Mark& mark);

/// `local` over `base`: mappings are merged key by key, anything else replaces. A mapping of
/// indices over a list ("layers.0" of a `--set`) replaces items. A merged mapping is said to stand
/// where the local one does, but never on the command line. A local mapping that extends a file
/// drops what the base's one inherited.
[[nodiscard]] Node merge(const Node& base, const Node& local);

/// Puts `value` at a dotted key ("cluster.nic.bandwidth") of a tree of mappings.
Entry& put(Node& tree, const std::string& dotted, const Node& value);

/// The node as one line of YAML.
[[nodiscard]] std::string flow_text(const Node& node);

/// A word for messages: "a list", "a mapping", "nothing", "a value".
[[nodiscard]] std::string kind_words(const Node& node);

/// A diagnostic at a place, with the text of its line.
[[nodiscard]] Diagnostic diagnostic_at(const Mark& mark, std::string key, std::string message,
                                       std::string hint);

/// `path` as written at `mark`: relative to the folder of the file it stands in; a path of the
/// command line is relative to the working directory.
[[nodiscard]] std::string path_from(const Mark& mark, const std::string& path);

/// A path for people: without "x/..", and unchanged otherwise.
[[nodiscard]] std::string tidy_path(const std::string& path);

}  // namespace sim::config
