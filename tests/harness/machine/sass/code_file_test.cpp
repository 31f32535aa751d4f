#include "harness/machine/sass/code_file.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "tests/catch.hpp"

namespace camber::code_file_test {
namespace {

TEST_CASE("a function tells its file", "[static]") {
    const auto own = code_file_of(reinterpret_cast<const void*>(&code_file_of));
    REQUIRE(own);
    CHECK(own->path == std::filesystem::read_symlink("/proc/self/exe"));
    // Linkers leave one by default on the systems that camber is built on; some do not.
    CHECK(std::ranges::all_of(own->build_id, [](unsigned char c) { return std::isxdigit(c); }));

    const auto library = code_file_of(reinterpret_cast<const void*>(&::qsort));
    REQUIRE(library);
    CHECK(std::filesystem::exists(library->path));

    const int local = 0;
    CHECK_FALSE(code_file_of(&local));
    CHECK_FALSE(code_file_of(nullptr));
}

}  // namespace
}  // namespace camber::code_file_test
