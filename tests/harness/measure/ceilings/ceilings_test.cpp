#include "harness/measure/ceilings/ceilings.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::ceilings_cache_test {
namespace {

Ceilings limits() {
    Ceilings ceilings;
    ceilings.copy_bytes_per_second = 2.5e12;
    ceilings.copy = {{262144, 1e12}, {524288, 2e12}};
    ceilings.launch_seconds = 2e-6;
    ceilings.measured = "2026-01-02T03:04:05+0000";
    return ceilings;
}

TEST_CASE("limits are kept per card and driver", "[ceilings_cache]") {
    const results_test::TestFolder folder;
    const CacheFolder cache(folder.path());
    const CeilingsCache one("GPU-1", "580.1", cache);
    CHECK_FALSE(one.read());
    one.write(limits());
    const auto kept = CeilingsCache("GPU-1", "580.1", cache).read();
    REQUIRE(kept);
    CHECK(kept->copy_bytes_per_second == limits().copy_bytes_per_second);
    CHECK(kept->launch_seconds == limits().launch_seconds);
    CHECK(kept->measured == limits().measured);
    REQUIRE(kept->copy.size() == 2);
    CHECK(kept->copy[1].bytes_per_second == 2e12);
    CHECK_FALSE(CeilingsCache("GPU-2", "580.1", cache).read());
    CHECK_FALSE(CeilingsCache("GPU-1", "580.2", cache).read());
}

TEST_CASE("limits of a card without a name, and files in another form, are not taken",
          "[ceilings_cache]") {
    const results_test::TestFolder folder;
    const CacheFolder cache(folder.path());
    const CeilingsCache nameless("", "580.1", cache);
    nameless.write(limits());
    CHECK_FALSE(nameless.read());
    CHECK(folder.entries() == 0);

    const CeilingsCache one("GPU-1", "580.1", cache);
    one.write(limits());
    for (const std::string text : {"", "{}", "{\"ceilings\": {}}", "no JSON", "[1]"}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            cache.write(entry.path().filename().string(), text);
        CHECK_FALSE(one.read());
    }
}

}  // namespace
}  // namespace camber::ceilings_cache_test
