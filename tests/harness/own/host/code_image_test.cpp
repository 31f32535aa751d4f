#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::code_image_test {

// Symbols and source lines read from a compiled file.
TEST_CASE("a compiled file names its functions, its shared arrays and its lines", "[candidate]") {
    const KernelText file(
        "// camber: step(in, out) block=8x8 constant=weights\n"
        "__constant__ float weights[9];\n"
        "__global__ void step(const float* in, float* out) {\n"
        "    __shared__ float tile[18][34];\n"
        "    tile[1][2] = in[3];\n"
        "    out[3] = tile[1][2] + weights[1];\n"
        "}\n");
    const std::string library = compile_for_host(read_candidate(file.path()),
                                                 BuildCache(CacheFolder(std::filesystem::path())));
    const CodeImage code = read_code_image(library);
    const auto step = std::ranges::find(code.functions, "_Z4stepPKfPf", &CodeSymbol::name);
    REQUIRE(step != code.functions.end());
    CHECK(symbol_at(code.functions, step->address + step->size / 2)->name == step->name);
    std::vector<unsigned> lines;
    for (const CodeLine& line : code.lines)
        if (line.address >= step->address && line.address < step->address + step->size) {
            CHECK(line.file == file.path().string());
            if (lines.empty() || lines.back() != line.line) lines.push_back(line.line);
        }
    CHECK(lines == std::vector<unsigned>{3, 5, 6, 7});
    CHECK(code.constant_bytes == 36);
    const auto tile = std::ranges::find_if(code.thread_local_variables, [](const CodeSymbol& one) {
        return plain_name(one.name) == "tile";
    });
    REQUIRE(tile != code.thread_local_variables.end());
    CHECK(tile->size == 18 * 34 * 4);
    const HostLibrary loaded(library);
    CHECK(loaded.static_shared(loaded.kernel(0)) == tile->size);
    CHECK(loaded.symbol(loaded.kernel(0)) == "_Z4stepPKfPf");
}

TEST_CASE("what is no such file, or cut off, is refused", "[candidate]") {
    CHECK_THROWS_AS(read_code_image(""), std::runtime_error);
    CHECK_THROWS_AS(read_code_image(std::string(200, 'x')), std::runtime_error);
    const KernelText file(
        "// camber: step(in, out) block=8x8\n"
        "__global__ void step(const float* in, float* out) { out[0] = in[0]; }\n");
    const std::string library = compile_for_host(read_candidate(file.path()),
                                                 BuildCache(CacheFolder(std::filesystem::path())));
    for (const std::size_t length : {100u, 1000u, 5000u})
        CHECK_THROWS_AS(read_code_image(library.substr(0, length)), std::runtime_error);
}

TEST_CASE("mangled names are told as people write them", "[candidate]") {
    CHECK(plain_name("_ZZ4stepPKfE4tile") == "tile");
    CHECK(plain_name("tile") == "tile");
    CHECK(function_name("_Z4stepPKfPf") == "step");
    CHECK(function_name("_Z9two_cellsILi64ELi4EEvPKjPjiii") == "two_cells<64, 4>");
}

}  // namespace camber::code_image_test
