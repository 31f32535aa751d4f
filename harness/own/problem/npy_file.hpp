// NumPy's .npy files of one or two dimensions.
//
// Format: "NEP 1 - A simple file format for NumPy arrays" and numpy.lib.format: magic, version,
// length of the header, a Python dictionary with descr, fortran_order and shape, then the elements.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/state.hpp"

namespace camber {

// The array as a field of that name: rows first, as C lays them; an array of one dimension is one
// row. Takes versions 1 to 3, float32, float64, int32, uint32 and uint8 elements, the least
// significant byte first. Throws Error(usage) for all else, naming what the file has instead.
HostField read_npy(const std::filesystem::path& path, const std::string& name);

// Writes the field as version 1, which replaces the file. Throws Error(unavailable) where that
// cannot be done.
void write_npy(const std::filesystem::path& path, const HostField& field);

}  // namespace camber
