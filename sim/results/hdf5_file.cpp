#include <hdf5_hl.h>

#include <algorithm>
#include <map>

#include "results/file.hpp"
#include "results/hdf5_handle.hpp"

namespace sim::results
{
namespace
{

constexpr hsize_t kSmall = 128;        ///< values: fewer are stored as they are
constexpr hsize_t kChunk = 1U << 15U;  ///< values in a chunk, about
constexpr unsigned kLevel = 4;

constexpr unsigned kOrdered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

Handle text_type()
{
    Handle type{H5Tcopy(H5T_C_S1), H5Tclose, "a text type"};
    check(H5Tset_size(type.id(), H5T_VARIABLE), "make text of variable length");
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "make UTF-8 text");
    return type;
}

/// No times in any object: the same input gives the same bytes.
Handle timeless(hid_t kind)
{
    Handle properties{H5Pcreate(kind), H5Pclose, "creation properties"};
    check(H5Pset_obj_track_times(properties.id(), false), "leave times out");
    check(H5Pset_attr_creation_order(properties.id(), kOrdered), "order attributes");
    return properties;
}

/// How a C++ value lies in memory and in the file.
struct Layout {
    hid_t file;
    hid_t memory;
};

Layout layout_of(double) { return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE}; }
Layout layout_of(std::int64_t) { return {H5T_STD_I64LE, H5T_NATIVE_INT64}; }
Layout layout_of(std::uint64_t) { return {H5T_STD_U64LE, H5T_NATIVE_UINT64}; }

Handle space_of(const std::vector<hsize_t>& shape)
{
    return {shape.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
            H5Sclose, "a dataspace"};
}

std::vector<const char*> pointers(const std::vector<std::string>& texts)
{
    std::vector<const char*> starts;
    for (const auto& text : texts) {
        starts.push_back(text.c_str());
    }
    return starts;
}

void put_attribute(hid_t object, const std::string& name, const Layout& layout,
                   const std::vector<hsize_t>& shape, const void* values)
{
    const auto space = space_of(shape);
    const Handle attribute{
        H5Acreate2(object, name.c_str(), layout.file, space.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose, "attribute " + name};
    if (H5Sget_simple_extent_npoints(space.id()) > 0) {  // HDF5 refuses to write nothing
        check(H5Awrite(attribute.id(), layout.memory, values), "write attribute " + name);
    }
}

void put_text(hid_t object, const std::string& name, const std::vector<std::string>& texts,
              const std::vector<hsize_t>& shape)
{
    const auto type = text_type();
    const auto starts = pointers(texts);
    put_attribute(object, name, {type.id(), type.id()}, shape, starts.data());
}

struct AttributeWriter {
    hid_t object;
    const std::string& name;

    void operator()(const std::string& value) const { put_text(object, name, {value}, {}); }
    void operator()(const std::vector<std::string>& values) const
    {
        put_text(object, name, values, {values.size()});
    }
    void operator()(const std::vector<std::int64_t>& values) const
    {
        put_attribute(object, name, layout_of(std::int64_t{}), {values.size()}, values.data());
    }
    void operator()(std::uint64_t value) const
    {
        put_attribute(object, name, layout_of(value), {}, &value);
    }
};

/// Makes the dataset of one variable and fills it.
struct DatasetWriter {
    hid_t group;
    const std::string& name;
    std::vector<hsize_t> shape;

    [[nodiscard]] Handle operator()(const std::vector<std::string>& values) const
    {
        const auto type = text_type();
        return make({type.id(), type.id()}, pointers(values).data());
    }
    template <class T>
    [[nodiscard]] Handle operator()(const std::vector<T>& values) const
    {
        return make(layout_of(T{}), values.data());
    }

private:
    /// Chunked along the slowest dimension and deflated, where that is worth a chunk's index.
    void compress(const Handle& properties, const Layout& layout) const
    {
        hsize_t rest = 1;
        for (std::size_t d = 1; d < shape.size(); ++d) {
            rest *= shape[d];
        }
        if (shape.empty() || rest * shape[0] < kSmall) {
            return;
        }
        auto chunk = shape;
        chunk[0] = std::clamp<hsize_t>(kChunk / rest, 1, shape[0]);
        check(H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()),
              "chunk " + name);
        if (H5Tis_variable_str(layout.file) == 0) {  // the words themselves lie in a heap
            check(H5Pset_shuffle(properties.id()), "shuffle " + name);
        }
        check(H5Pset_deflate(properties.id(), kLevel), "compress " + name);
    }
    [[nodiscard]] Handle make(const Layout& layout, const void* values) const
    {
        const auto space = space_of(shape);
        const auto properties = timeless(H5P_DATASET_CREATE);
        compress(properties, layout);
        Handle dataset{H5Dcreate2(group, name.c_str(), layout.file, space.id(), H5P_DEFAULT,
                                  properties.id(), H5P_DEFAULT),
                       H5Dclose, "dataset " + name};
        check(H5Dwrite(dataset.id(), layout.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
              "write dataset " + name);
        return dataset;
    }
};

void put_variable(hid_t at, const Group& group, const Variable& variable,
                  std::map<std::string, Handle>& scales)
{
    std::vector<hsize_t> shape;
    for (const auto& dimension : variable.dimensions) {
        shape.push_back(group.length(dimension));
    }
    Handle dataset = std::visit(DatasetWriter{at, variable.name, shape}, variable.values);
    if (!variable.units.empty()) {
        put_text(dataset.id(), "units", {variable.units}, {});
    }
    put_text(dataset.id(), "long_name", {variable.long_name}, {});
    if (variable.dimensions == std::vector{variable.name}) {
        check(H5DSset_scale(dataset.id(), variable.name.c_str()), "make scale " + variable.name);
        scales.emplace(variable.name, std::move(dataset));
        return;
    }
    for (unsigned d = 0; d < variable.dimensions.size(); ++d) {
        check(H5DSattach_scale(dataset.id(), scales.at(variable.dimensions[d]).id(), d),
              "attach a scale to " + variable.name);
    }
}

void put_group(hid_t file, const Group& group)
{
    const auto properties = timeless(H5P_GROUP_CREATE);
    check(H5Pset_link_creation_order(properties.id(), kOrdered), "order links");
    const Handle at{H5Gcreate2(file, group.name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                    H5Gclose, "group " + group.name};
    std::map<std::string, Handle> scales;
    for (const auto& variable : group.variables) {
        put_variable(at.id(), group, variable, scales);
    }
}

/// A file that lives in memory only, so that what a disk can do wrong is met in one place.
Handle make_file()
{
    constexpr std::size_t kGrowth = std::size_t{1} << 16;
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access properties"};
    check(H5Pset_fapl_core(access.id(), kGrowth, false), "keep a file in memory");
    const auto creation = timeless(H5P_FILE_CREATE);
    check(H5Pset_link_creation_order(creation.id(), kOrdered), "order links");
    return {H5Fcreate("weftsim", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "a file"};
}

std::string bytes_of(hid_t file)
{
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush a file");
    const auto size = H5Fget_file_image(file, nullptr, 0);
    check(size < 0 ? -1 : 0, "measure a file");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file, bytes.data(), bytes.size()) < 0 ? -1 : 0, "copy a file");
    return bytes;
}

}  // namespace

void write_hdf5(const Document& document, const std::string& path)
{
    // HDF5 would print its own words to stderr.
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "be quiet");
    const auto file = make_file();
    for (const auto& attribute : document.attributes) {
        std::visit(AttributeWriter{file.id(), attribute.name}, attribute.value);
    }
    for (const auto& group : document.groups) {
        put_group(file.id(), group);
    }
    write_atomically(path, bytes_of(file.id()));
}

}  // namespace sim::results
