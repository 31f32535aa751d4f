// Data files of an installed program.
#include <fstream>

#include "harness/base/files.hpp"
#include "tests/catch.hpp"

namespace installed_files_test {

namespace fs = std::filesystem;
using camber::found_file;

TEST_CASE("a file of the guide is found in the installation", "[base]") {
    // The program PREFIX/bin/PROGRAM has its data in PREFIX/share/camber.
    const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    const fs::path folder = prefix / "share/camber/results/installed-files-test";
    fs::create_directories(folder);
    std::ofstream(folder / "a.json") << "{}";
    CHECK(found_file("results/installed-files-test/a.json") == folder / "a.json");
    CHECK(found_file("./results/installed-files-test/a.json") == folder / "a.json");
    CHECK(found_file("results/installed-files-test") == folder);
    // Other paths are returned unchanged, so that the reader's message names them.
    CHECK(found_file("results/installed-files-test/b.json") ==
          "results/installed-files-test/b.json");
    CHECK(found_file("../results/installed-files-test/a.json") ==
          "../results/installed-files-test/a.json");
    CHECK(found_file("installed-files-test/a.json") == "installed-files-test/a.json");
    CHECK(found_file("/results/a.json") == "/results/a.json");
    CHECK(found_file("").empty());
    fs::remove_all(folder);
}

}  // namespace installed_files_test
