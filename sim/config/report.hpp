#pragma once

#include <map>
#include <set>
#include <string>

#include "config/node.hpp"
#include "config/outline.hpp"

namespace sim::config
{

/// What reading an experiment found: mistakes, the keys there are, and each value with its place.
class Report
{
public:
    void error(const Mark& mark, const std::string& key, const std::string& message,
               const std::string& hint);
    void add(const Diagnostics& diagnostics);

    /// Errors of a `validate`, each put where its key, or the nearest mapping around it, stands.
    void add_placed(const Diagnostics& diagnostics);
    [[nodiscard]] Diagnostic placed(const Diagnostic& found) const;

    /// A key that may be written, whether or not it is.
    void offer(const std::string& key) { offered_.insert(key); }
    [[nodiscard]] const std::set<std::string>& offered() const { return offered_; }

    /// Readers of this report also say in `outline` what they ask for.
    void outline_into(MapOutline& outline) { outline_ = &outline; }
    [[nodiscard]] MapOutline* outline() const { return outline_; }

    /// The value a key has. A value without a source is a default, `note` says of what kind.
    void record(const std::string& key, const Node& value, const std::string& note = {});

    [[nodiscard]] const Node& resolved() const { return resolved_; }
    [[nodiscard]] bool failed() const { return has_errors(diagnostics_); }
    /// Everything found so far, warnings too.
    [[nodiscard]] const Diagnostics& found() const { return diagnostics_; }

    /// Throws InputError with everything found, in the order of the files; else does nothing.
    void throw_if_failed() const;

    /// Says where a key stands that is not a value of the document (a key of a file it names).
    void stands_at(const std::string& key, const Mark& mark) { places_[key] = mark; }

    /// Where a key, or the nearest mapping around it, was written.
    [[nodiscard]] Mark place_of(const std::string& key) const;

private:
    Diagnostics diagnostics_;
    std::set<std::string> offered_;
    std::map<std::string, Mark> places_;
    Node resolved_ = mapping_node({});
    MapOutline* outline_ = nullptr;
};

/// Block YAML; every value with its origin as a trailing comment.
[[nodiscard]] std::string resolved_text(const Node& resolved);

}  // namespace sim::config
