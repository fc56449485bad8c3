#pragma once

#include <string>

#include "results/document.hpp"

namespace sim::results
{

/// Throws Error with the path and the reason when no file can be made beside `path`, or when
/// `path` is something else than a file. To be asked before work that takes long.
void check_writable(const std::string& path);

/// Writes under a temporary name in the same directory, then renames: `path` holds the old bytes
/// or the new ones, whatever happens. Throws Error with the path and the reason.
void write_atomically(const std::string& path, const std::string& bytes);

/// What `write_hdf5` wrote, or a later version of it: the major number of `format` must be known,
/// what a higher minor number added is kept. Throws Error with the path and the reason.
[[nodiscard]] Document read_hdf5(const std::string& path);

/// The document as an HDF5 file that xarray, h5py and netCDF-4 open as it is.
void write_hdf5(const Document& document, const std::string& path);

}  // namespace sim::results
