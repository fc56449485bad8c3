#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "results/file.hpp"
#include "results/hdf5_handle.hpp"

namespace sim::results
{
namespace
{

constexpr std::int64_t kMajor = 1;

using Shape = std::vector<hsize_t>;

Shape shape_of(hid_t space)
{
    Shape shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    if (!shape.empty()) {
        check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "tell a shape");
    }
    return shape;
}

std::size_t count(const Shape& shape)
{
    std::size_t values = 1;
    for (const auto length : shape) {
        values *= length;
    }
    return values;
}

/// Reads a dataset or an attribute, whichever `get` reads.
template <class T, class Get>
std::vector<T> numbers(std::size_t values, Get get, hid_t memory)
{
    std::vector<T> all(values);
    if (values > 0) {
        check(get(memory, all.data()), "read numbers");
    }
    return all;
}

template <class Get>
std::vector<std::string> texts(std::size_t values, Get get, hid_t type, hid_t space)
{
    std::vector<std::string> all;
    if (values == 0) {
        return all;
    }
    if (H5Tis_variable_str(type) > 0) {
        std::vector<char*> pointers(values, nullptr);
        const Handle memory{H5Tcopy(type), H5Tclose, "a text type"};
        check(get(memory.id(), pointers.data()), "read text");
        for (const auto* text : pointers) {
            all.emplace_back(text == nullptr ? "" : text);
        }
        H5Dvlen_reclaim(memory.id(), space, H5P_DEFAULT, pointers.data());
        return all;
    }
    const auto size = H5Tget_size(type);
    std::string bytes(size * values, '\0');
    check(get(type, bytes.data()), "read text");
    for (std::size_t i = 0; i < values; ++i) {
        const auto text = bytes.substr(i * size, size);
        all.push_back(text.substr(0, text.find('\0')));
    }
    return all;
}

template <class Get>
Column column(hid_t type, hid_t space, Get get)
{
    const auto values = count(shape_of(space));
    switch (H5Tget_class(type)) {
        case H5T_STRING:
            return texts(values, get, type, space);
        case H5T_INTEGER:
            return numbers<std::int64_t>(values, get, H5T_NATIVE_INT64);
        default:
            return numbers<double>(values, get, H5T_NATIVE_DOUBLE);
    }
}

std::string text_attribute(hid_t object, const char* name)
{
    if (H5Aexists(object, name) <= 0) {
        return {};
    }
    const Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "an attribute"};
    const Handle type{H5Aget_type(attribute.id()), H5Tclose, "a type"};
    const Handle space{H5Aget_space(attribute.id()), H5Sclose, "a dataspace"};
    if (H5Tget_class(type.id()) != H5T_STRING) {
        return {};
    }
    const auto all = texts(
        count(shape_of(space.id())),
        [&](hid_t memory, void* to) { return H5Aread(attribute.id(), memory, to); }, type.id(),
        space.id());
    return all.empty() ? std::string{} : all.front();
}

std::string name_of(hid_t object)
{
    std::string name(
        static_cast<std::size_t>(std::max<ssize_t>(0, H5Iget_name(object, nullptr, 0))), '\0');
    H5Iget_name(object, name.data(), name.size() + 1);
    return name.substr(name.rfind('/') + 1);
}

herr_t take_name(hid_t, unsigned, hid_t scale, void* names)
{
    static_cast<std::vector<std::string>*>(names)->push_back(name_of(scale));
    return 1;  // the first is enough
}

std::vector<std::string> dimensions_of(hid_t dataset, std::size_t rank, const std::string& name)
{
    if (H5DSis_scale(dataset) > 0) {
        return {name};
    }
    std::vector<std::string> names;
    for (unsigned d = 0; d < rank; ++d) {
        if (H5DSiterate_scales(dataset, d, nullptr, take_name, &names) != 1) {
            throw Error{fmt::format("dimension {} of {} has no scale", d, name)};
        }
    }
    return names;
}

Variable variable(hid_t group, const std::string& name)
{
    const Handle dataset{H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "dataset " + name};
    const Handle type{H5Dget_type(dataset.id()), H5Tclose, "a type"};
    const Handle space{H5Dget_space(dataset.id()), H5Sclose, "a dataspace"};
    const auto get = [&](hid_t memory, void* to) {
        return H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    };
    return {name, dimensions_of(dataset.id(), shape_of(space.id()).size(), name),
            column(type.id(), space.id(), get), text_attribute(dataset.id(), "units"),
            text_attribute(dataset.id(), "long_name")};
}

std::vector<std::string> link_names(hid_t group)
{
    std::vector<std::string> names;
    const auto append = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, append, &names) < 0) {
        names.clear();  // a file of another program may keep no order
        check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, append, &names),
              "list a group");
    }
    return names;
}

Group group(hid_t file, const std::string& name)
{
    const Handle at{H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose, "group " + name};
    Group found{name, {}};
    for (const auto& own : link_names(at.id())) {
        found.variables.push_back(variable(at.id(), own));
    }
    return found;
}

Attribute attribute(hid_t file, const std::string& name)
{
    const Handle id{H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute " + name};
    const Handle type{H5Aget_type(id.id()), H5Tclose, "a type"};
    const Handle space{H5Aget_space(id.id()), H5Sclose, "a dataspace"};
    const auto shape = shape_of(space.id());
    const auto get = [&](hid_t memory, void* to) { return H5Aread(id.id(), memory, to); };
    if (H5Tget_class(type.id()) == H5T_STRING) {
        const auto all = texts(count(shape), get, type.id(), space.id());
        return shape.empty() ? Attribute{name, all.empty() ? std::string{} : all.front()}
                             : Attribute{name, all};
    }
    if (shape.empty()) {
        return {name, numbers<std::uint64_t>(1, get, H5T_NATIVE_UINT64).front()};
    }
    return {name, numbers<std::int64_t>(count(shape), get, H5T_NATIVE_INT64)};
}

std::vector<std::string> attribute_names(hid_t file)
{
    std::vector<std::string> names;
    const auto append = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    check(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, append, &names),
          "list attributes");
    return names;
}

void expect_known(const Document& document)
{
    for (const auto& own : document.attributes) {
        const auto* format = std::get_if<std::vector<std::int64_t>>(&own.value);
        if (own.name == "format" && format != nullptr && format->size() == 2) {
            if ((*format)[0] != kMajor) {
                throw Error{fmt::format("it has format {}.{} and this weftsim reads {}.x",
                                        (*format)[0], (*format)[1], kMajor)};
            }
            return;
        }
    }
    throw Error{"it is no result file of weftsim: it has no attribute `format`"};
}

/// Empty when the file can be opened.
std::string why_unreadable(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return "it is a directory";
    }
    errno = 0;
    const std::ifstream file{path};
    return file ? std::string{} : std::string{std::strerror(errno)};
}

Document read(const std::string& path)
{
    const Handle file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "a file"};
    Document document;
    for (const auto& name : attribute_names(file.id())) {
        document.attributes.push_back(attribute(file.id(), name));
    }
    expect_known(document);
    for (const auto& name : link_names(file.id())) {
        document.groups.push_back(group(file.id(), name));
    }
    return document;
}

}  // namespace

Document read_hdf5(const std::string& path)
{
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "be quiet");
    if (const auto why = why_unreadable(path); !why.empty()) {
        throw Error{fmt::format("cannot read {}: {}", path, why)};
    }
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        throw Error{fmt::format("cannot read {}: it is no HDF5 file", path)};
    }
    try {
        return read(path);
    } catch (const Error& error) {
        throw Error{fmt::format("cannot read {}: {}", path, error.what())};
    }
}

}  // namespace sim::results
