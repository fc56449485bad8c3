#pragma once

#include <hdf5.h>
#include <hdf5_hl.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim::results
{

/// Just enough HDF5 to look at a result file; ids are left to the library to close.
class Hdf5Reader
{
public:
    explicit Hdf5Reader(const std::string& path)
        : file_{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)}
    {
        if (file_ < 0) {
            throw std::runtime_error{"cannot open " + path};
        }
    }
    Hdf5Reader(const Hdf5Reader&) = delete;
    Hdf5Reader& operator=(const Hdf5Reader&) = delete;
    ~Hdf5Reader() { H5Fclose(file_); }

    [[nodiscard]] std::vector<double> doubles(const std::string& path) const
    {
        return read<double>(open(path), H5T_NATIVE_DOUBLE);
    }
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& path) const
    {
        return read<std::int64_t>(open(path), H5T_NATIVE_INT64);
    }
    [[nodiscard]] std::vector<std::string> texts(const std::string& path) const
    {
        const auto dataset = open(path);
        const auto pointers = read<char*>(dataset, H5Dget_type(dataset));
        return {pointers.begin(), pointers.end()};
    }
    [[nodiscard]] std::string attribute(const std::string& object, const std::string& name) const
    {
        const auto id =
            H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        char* text = nullptr;
        if (id < 0 || H5Aread(id, H5Aget_type(id), &text) < 0) {
            return "(none)";
        }
        return text;
    }
    /// Names of the scales attached to each dimension, "a,b".
    [[nodiscard]] std::string dimensions(const std::string& path) const
    {
        const auto dataset = open(path);
        if (H5DSis_scale(dataset) > 0) {
            return path.substr(path.rfind('/') + 1);
        }
        std::string names;
        const int rank = H5Sget_simple_extent_ndims(H5Dget_space(dataset));
        for (unsigned d = 0; d < static_cast<unsigned>(rank); ++d) {
            H5DSiterate_scales(dataset, d, nullptr, add_name, &names);
        }
        return names;
    }
    /// "float64", "int64", "string".
    [[nodiscard]] std::string type(const std::string& path) const
    {
        const auto id = H5Dget_type(open(path));
        if (H5Tget_class(id) == H5T_STRING) {
            return "string";
        }
        return H5Tget_class(id) == H5T_FLOAT ? "float64" : "int64";
    }
    /// Paths of every dataset, in the order they were made.
    [[nodiscard]] std::vector<std::string> datasets() const
    {
        std::vector<std::string> paths;
        H5Ovisit2(file_, H5_INDEX_CRT_ORDER, H5_ITER_INC, add_dataset, &paths, H5O_INFO_BASIC);
        return paths;
    }
    [[nodiscard]] std::vector<std::string> root_attributes() const
    {
        std::vector<std::string> names;
        H5Aiterate2(file_, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add_attribute, &names);
        return names;
    }

private:
    [[nodiscard]] hid_t open(const std::string& path) const
    {
        const auto id = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
        if (id < 0) {
            throw std::runtime_error{"no dataset " + path};
        }
        return id;
    }
    template <class T>
    [[nodiscard]] static std::vector<T> read(hid_t dataset, hid_t type)
    {
        const auto count = H5Sget_simple_extent_npoints(H5Dget_space(dataset));
        std::vector<T> values(static_cast<std::size_t>(count));
        if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
            throw std::runtime_error{"cannot read a dataset"};
        }
        return values;
    }
    static herr_t add_name(hid_t, unsigned, hid_t scale, void* names)
    {
        char name[256] = {};
        H5DSget_scale_name(scale, name, sizeof name);
        auto& all = *static_cast<std::string*>(names);
        all += (all.empty() ? "" : ",") + std::string{name};
        return 0;
    }
    static herr_t add_dataset(hid_t, const char* name, const H5O_info_t* found, void* paths)
    {
        if (found->type == H5O_TYPE_DATASET) {
            static_cast<std::vector<std::string>*>(paths)->push_back("/" + std::string{name});
        }
        return 0;
    }
    static herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names)
    {
        static_cast<std::vector<std::string>*>(names)->emplace_back(name);
        return 0;
    }

    hid_t file_;
};

}  // namespace sim::results
