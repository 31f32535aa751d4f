// Cache folders and their files.
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "harness/base/files.hpp"
#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::cache_folder_test {
namespace {

using results_test::TestFolder;
namespace fs = std::filesystem;

TEST_CASE("a cache gives back what was written, and nothing else", "[cache_folder]") {
    const TestFolder folder;
    const CacheFolder cache(folder / "a" / "b");
    CHECK_FALSE(cache.read("one"));
    cache.write("one", "text\n");
    cache.write("one", "another\n");
    CHECK(cache.read("one") == "another\n");
    CHECK_FALSE(cache.read("two"));
    fs::create_directory(folder / "a" / "b" / "three");
    CHECK(cache.read("three").value_or("").empty());
}

TEST_CASE("a cache that cannot be used is none", "[cache_folder]") {
    const TestFolder folder;
    std::ofstream(folder / "file") << "no folder";
    for (const fs::path& path : {fs::path(), folder / "file", folder / "file" / "below"}) {
        const CacheFolder cache(path);
        cache.write("one", "text");
        CHECK_FALSE(cache.read("one"));
    }
    CHECK(folder.entries() == 1);
}

TEST_CASE("files of a cache go when they are old", "[cache_folder]") {
    const TestFolder folder;
    const CacheFolder cache(folder.path());
    cache.write("old", "text");
    cache.write("new", "text");
    fs::last_write_time(folder / "old",
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * 40));
    cache.write("newest", "text");
    CHECK_FALSE(cache.read("old"));
    CHECK(cache.read("new"));
    CHECK(cache.read("newest"));
}

TEST_CASE("the user's cache follows the XDG base directory specification", "[cache_folder]") {
    const TestFolder folder;
    const EnvironmentVariable home("XDG_CACHE_HOME", folder.path().string());
    CacheFolder::of_user().write("one", "text");
    CHECK(fs::exists(folder / "camber" / "one"));
}

TEST_CASE("any text can be a part of a name", "[cache_folder]") {
    CHECK(CacheFolder::part("GPU-12ab/../x y") == "GPU-12ab_.._x_y");
}

}  // namespace
}  // namespace camber::cache_folder_test
