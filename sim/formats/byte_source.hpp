#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace sim::formats
{

/// Bytes of one file in order, unpacked on the way.
class ByteSource
{
public:
    virtual ~ByteSource() = default;
    /// Fills `buffer` as far as the file reaches; 0 at its end. Throws InputError when what is
    /// packed is damaged.
    virtual std::size_t read(std::span<char> buffer) = 0;
};

/// Calls `visit` with the name and the bytes of every file in `path`: the file itself, or the
/// members of a tar or zip archive in their order. Packing (gzip, zstd, xz, bzip2) is recognised by
/// content, whatever the name; nothing is written to disk and members' names are names only.
/// Folders, links and macOS's "._" companions are left out. Throws Error when the file cannot be
/// opened, InputError when it is damaged.
void for_each_file(const std::string& path,
                   const std::function<void(const std::string& name, ByteSource& bytes)>& visit);

}  // namespace sim::formats
