#pragma once

#include <map>
#include <memory>
#include <string>

#include "config/node.hpp"

namespace sim::config
{

/// Files that several loads read: the points of a sweep differ in a few keys and share the rest. A
/// file is read once, so that all points see it as it was then. Not for several threads at once.
class ParsedFiles
{
public:
    struct File {
        std::shared_ptr<const Source> source;
        Node node;
    };

    /// By the path as it is written; nullptr when it was not kept.
    [[nodiscard]] const File* find(const std::string& path) const;
    void keep(const std::string& path, File file);

private:
    std::map<std::string, File> files_;
};

}  // namespace sim::config
