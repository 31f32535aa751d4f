// Cache of compiled kernels: stored results and their invalidation.
#include "harness/own/source/build_cache.hpp"

#include <fstream>

#include "harness/base/files.hpp"
#include "tests/catch.hpp"

namespace camber::build_cache_test {

TEST_CASE("a build is kept until an included file changes", "[candidate]") {
    const TemporaryFolder folder("test a cache");
    const BuildCache cache(CacheFolder(folder.path() / "cache"));
    const auto header = folder.path() / "a b.h";
    std::ofstream(header) << "one";
    const std::string built("\0binary\n\n\xff", 10);
    CHECK_FALSE(cache.find("recipe"));
    cache.keep("recipe", {header}, built);
    CHECK(cache.find("recipe") == built);
    CHECK_FALSE(cache.find("recipe 2"));
    std::ofstream(header) << "two";
    CHECK_FALSE(cache.find("recipe"));
    std::ofstream(header) << "one";
    CHECK(cache.find("recipe") == built);
    std::filesystem::remove(header);
    CHECK_FALSE(cache.find("recipe"));
}

TEST_CASE("a compiler's list of files is read with its escapes", "[candidate]") {
    const auto files = included_files(
        "unit.o: /tmp/unit.cpp /home/a\\ b/x.h \\\n  ../y.h \\\n  /z/$$w.h\n", "/tmp/unit.cpp");
    REQUIRE(files.size() == 3);
    CHECK(files[0] == "/home/a b/x.h");
    CHECK(files[1] == "../y.h");
    CHECK(files[2] == "/z/$w.h");
}

}  // namespace camber::build_cache_test
