#include "formats/byte_source.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/error.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kBlock = std::size_t{1} << 18U;

struct Close {
    void operator()(archive* opened) const { archive_read_free(opened); }
};
using Archive = std::unique_ptr<archive, Close>;

[[noreturn]] void refuse_damaged(const std::string& file, archive* opened)
{
    const char* why = archive_error_string(opened);
    Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.message = fmt::format("cannot be unpacked: {}", why == nullptr ? "damaged" : why);
    throw InputError{{diagnostic}};
}

class Member final : public ByteSource
{
public:
    Member(archive* opened, std::string file) : opened_{opened}, file_{std::move(file)} {}

    std::size_t read(std::span<char> buffer) override
    {
        const auto count = archive_read_data(opened_, buffer.data(), buffer.size());
        if (count < 0) {
            refuse_damaged(file_, opened_);
        }
        return static_cast<std::size_t>(count);
    }

private:
    archive* opened_;
    std::string file_;
};

Archive open(const std::string& path)
{
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        throw Error{fmt::format("{}: is a folder", path)};
    }
    Archive opened{archive_read_new()};
    archive_read_support_filter_all(opened.get());
    archive_read_support_format_tar(opened.get());
    archive_read_support_format_zip(opened.get());
    archive_read_support_format_empty(opened.get());
    archive_read_support_format_raw(opened.get());
    if (!std::ifstream{path}) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    // A small damaged file is found out here already.
    if (archive_read_open_filename(opened.get(), path.c_str(), kBlock) != ARCHIVE_OK) {
        refuse_damaged(path, opened.get());
    }
    return opened;
}

bool is_companion(std::string_view name)
{
    const auto slash = name.rfind('/');
    return name.substr(slash == std::string_view::npos ? 0 : slash + 1).starts_with("._");
}

}  // namespace

void for_each_file(const std::string& path,
                   const std::function<void(const std::string& name, ByteSource& bytes)>& visit)
{
    const auto opened = open(path);
    archive_entry* entry = nullptr;
    for (bool first = true;; first = false) {
        const auto status = archive_read_next_header(opened.get(), &entry);
        if (status == ARCHIVE_EOF) {
            if (first) {
                Diagnostic diagnostic;
                diagnostic.file = path;
                diagnostic.message = "is empty";
                throw InputError{{diagnostic}};
            }
            return;
        }
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
            refuse_damaged(path, opened.get());
        }
        const bool alone = archive_format(opened.get()) == ARCHIVE_FORMAT_RAW;
        const char* within = archive_entry_pathname(entry);
        const std::string name = alone || within == nullptr ? path : within;
        if (!alone && (archive_entry_filetype(entry) != AE_IFREG || is_companion(name))) {
            continue;
        }
        Member member{opened.get(), alone ? path : fmt::format("{}: {}", path, name)};
        visit(name, member);
    }
}

}  // namespace sim::formats
