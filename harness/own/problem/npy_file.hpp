// Reading and writing of NumPy's .npy files with one or two dimensions.
//
// Format: "NEP 1 - A simple file format for NumPy arrays" and numpy.lib.format: magic, version,
// length of the header, a Python dictionary with descr, fortran_order and shape, then the elements.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/state.hpp"

namespace camber {

// Reads an array as a field of that name, in C order; a 1D array becomes one row. Supports format
// versions 1 to 3 with float32, float64, int32, uint32 and uint8 elements in little-endian order.
// Throws Error(usage) for all other files, with the unsupported property.
HostField read_npy(const std::filesystem::path& path, const std::string& name);

// Writes the field in format version 1 and replaces an existing file. Throws Error(unavailable) if
// the file cannot be written.
void write_npy(const std::filesystem::path& path, const HostField& field);

}  // namespace camber
