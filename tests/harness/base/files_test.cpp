// Cache folders and their files, and compressed files.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
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

TEST_CASE("a file of the suffix is compressed, and read by either name", "[compression]") {
    const TestFolder folder;
    std::string text(5 << 20, 'x');
    text += "\nend\n";
    const fs::path file = folder / "a.json.zst";
    AtomicFile(file, "file").replace(text);
    CHECK(fs::file_size(file) < 10'000);
    CHECK(read_file(file, "file", "a text") == text);
    CHECK(read_file(folder / "a.json", "file", "a text") == text);
    CHECK(read_file(file, "file", "a text", 7) == "xxxxxxx");
    CHECK(found_file(folder / "a.json") == file);
    CHECK(found_file(folder / "b.json") == folder / "b.json");
    // The plain file comes first.
    std::ofstream(folder / "a.json") << "plain";
    CHECK(read_file(folder / "a.json", "file", "a text") == "plain");
}

TEST_CASE("frames follow one another, and damaged ones are refused", "[compression]") {
    const std::string first = compressed("first "), second = compressed("second");
    CHECK(decompressed(first + second) == "first second");
    CHECK(decompressed(compressed("")) == "");
    const std::string data = compressed(std::string(100'000, 'a') + "b");
    for (std::size_t size = 4; size < data.size(); ++size)
        CHECK_FALSE(decompressed(std::string_view(data).substr(0, size)));
    for (std::size_t at = 0; at < data.size(); ++at) {
        std::string other = data;
        other[at] = static_cast<char>(other[at] ^ 0x10);
        const auto text = decompressed(other);
        INFO("byte " << at);
        CHECK((!text || *text == std::string(100'000, 'a') + "b"));
    }
    const TestFolder folder;
    std::ofstream(folder / "cut.json.zst") << data.substr(0, data.size() / 2);
    CHECK_THROWS_WITH(read_file(folder / "cut.json.zst", "results file", "a results file"),
                      contains("damaged or cut off; copy or write"));
}

}  // namespace
}  // namespace camber::cache_folder_test
