// Reading and writing of NumPy's .npy files: boards with one or two dimensions, and arrays.
//
// Format: "NEP 1 - A simple file format for NumPy arrays" and numpy.lib.format: magic, version,
// length of the header, a Python dictionary with descr, fortran_order and shape, then the elements.
#pragma once

#include <filesystem>
#include <string>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

// Reads an array as a field of that name, in C order; a 1D array becomes one row. Supports format
// versions 1 to 3 with float32, float64, int32, uint32 and uint8 elements in little-endian order.
// Throws Error(usage) for all other files, with the unsupported property.
HostField read_npy(const std::filesystem::path& path, const std::string& name);

// Writes the field in format version 1 and replaces an existing file. Throws Error(unavailable) if
// the file cannot be written.
void write_npy(const std::filesystem::path& path, const HostField& field);

// An array as stored in a file. NumPy has no bfloat16; its bits are stored as uint16.
struct NpyArray {
    Scalar scalar = Scalar::float32;
    std::vector<std::int64_t> shape;  // empty for a single number
    std::vector<std::byte> bytes;     // in C order
};

// Reads an array of any number type, in little-endian C order. Throws Error(usage) for all other
// files.
NpyArray read_npy_array(const std::filesystem::path& path);

// Writes an array from the field that stores it, with a last dimension for the numbers of a vector.
void write_npy_array(const std::filesystem::path& path, const NamedArray& array,
                     const HostField& field);

}  // namespace camber
