// Files for tests of named arrays: .npy files, and a kernel that adds a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/own/problem/npy_file.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::array_files {

inline const std::string examples = (cli_test::source_folder / "examples/arrays").string() + "/";

// An array of numbers as a .npy file.
inline void write_array(const std::filesystem::path& path, Scalar scalar,
                        const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
    const NamedArray array{"a", {scalar}, shape, true, true};
    HostField field("a", array.storage(), array.storage_size());
    for (std::size_t i = 0; i < values.size(); ++i)
        put_scalar(field.bytes().data() + i * static_cast<std::size_t>(array.type.bytes()),
                   values[i], scalar);
    write_npy_array(path, array, field);
}

inline const std::string add_text =
    "// camber: add(in.x, out.y, count.x, alpha) block=64 grid=(count.x+63)/64\n"
    "// camber: shape x=100 y=x\n"
    "// camber: scalar alpha=2\n"
    "__global__ void add(const float* x, float* y, int n, float alpha) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = x[i] + alpha;\n"
    "}\n";

inline std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

}  // namespace camber::array_files
