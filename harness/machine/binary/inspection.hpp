// Inspection of a file with compiled code: a program, a shared library, an object file, an archive
// of object files, a cubin, a fat binary or PTX.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "harness/record/code_inspection.hpp"

namespace camber::binary {

// Receives the part of the file that has been read, 0 to 1.
using InspectionProgress = std::function<void(double)>;

// Lists the kernels of a file. Members of archives and entries of fat binaries are read one after
// the other, so that memory is bounded by the largest of them and by the list. Throws Error(usage)
// if the file is damaged or if it contains no code for a GPU.
results::CodeInspection inspect_file(const std::filesystem::path& path,
                                     const InspectionProgress& progress = {});

// True if the file begins as one of the supported binary formats does.
bool is_compiled_code(const std::filesystem::path& path);

}  // namespace camber::binary
