#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/node.hpp"
#include "config/parsed_files.hpp"
#include "config/yaml_reader.hpp"

namespace sim::config
{

/// Every file of one load, each read once.
class Documents
{
public:
    Documents() = default;
    /// Takes from `known` what other loads have read, and leaves there what it reads.
    explicit Documents(ParsedFiles& known) : known_{&known} {}

    /// The document at `path`, with `overrides` written into it and every `extends` resolved: the
    /// file it names is read completely, and the mapping that has it is laid over. A mapping with
    /// an `extends` of its own over one that also has it takes the place of what that one
    /// inherited. Throws InputError.
    [[nodiscard]] Node load(const std::string& path, const std::vector<Override>& overrides);

    /// Reads a file that `from` refers to, at `key`; `from` may be nowhere. Throws InputError.
    [[nodiscard]] std::shared_ptr<const Source> read(const std::string& path, const Mark& from,
                                                     const std::string& key);

    /// Every file read, each under "# file: NAME", then every override.
    [[nodiscard]] std::string input_text() const;

private:
    struct Place {
        std::string key;
        std::vector<std::string> chain;  ///< files whose values we are inside of
        int depth = 0;
    };

    [[nodiscard]] const Node& parsed(const std::string& path, const Mark& from,
                                     const std::string& key);
    [[nodiscard]] Node resolve(Node node, const Place& place);
    [[nodiscard]] Node extended(const Entry& extends, const Place& place);
    [[nodiscard]] std::string cycle_through(const std::string& path,
                                            const std::vector<std::string>& chain) const;
    [[nodiscard]] Node overlay(const std::vector<Override>& overrides);

    ParsedFiles* known_ = nullptr;
    Budget budget_;
    std::map<std::string, Node> nodes_;
    std::vector<std::shared_ptr<const Source>> sources_;
    std::vector<Override> overrides_;
    Diagnostics diagnostics_;
};

}  // namespace sim::config
