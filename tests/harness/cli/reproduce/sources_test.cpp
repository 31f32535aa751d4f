// Runs that measure published tables on all of their boards.
#include <algorithm>

#include "harness/cli/reproduce/sources.hpp"
#include "tests/catch.hpp"

namespace measuring_test {

using namespace camber;

namespace {

std::vector<RunOptions> runs(const char* id, const std::string& input = "") {
    const published::Table& table = published::find_table(published::tables(), id);
    RunOptions options = options_of(table, "float32");
    options.input = input;
    return runs_of(table, options);
}

bool has(const std::vector<std::string>& words, const std::string& word, const std::string& next) {
    const auto found = std::ranges::find(words, word);
    return found != words.end() && found + 1 != words.end() && found[1] == next;
}

}  // namespace

TEST_CASE("the plain references run on the CPU, all others on the GPU", "[published]") {
    const auto all = runs("topa-figure-4");
    REQUIRE(all.size() == 2);
    CHECK(all[0].backend == "auto");
    CHECK(all[0].variants ==
          std::vector<std::string>{"water_flow/first_rows/two_kernels/16x16/w19/align128"});
    CHECK(all[1].backend == "cpu");
    CHECK(all[1].variants ==
          std::vector<std::string>{"water_flow/reference/serial", "water_flow/reference/threads"});
    CHECK(all[1].size == "2048x2048");
}

TEST_CASE("a run for every board, without an input and with one", "[published]") {
    CHECK(runs("topa-figure-5").size() == 6);
    const auto generated = runs("sciara-fv3-2");
    REQUIRE(generated.size() == 4);  // two boards, each on the GPU and on the CPU
    CHECK(generated[0].size == "517x378");
    CHECK(generated[0].workload_options.empty());
    CHECK(generated[2].size == "400x400");
    CHECK(has(words_of(generated[2]), "--ground", "plane"));
    CHECK(runs("sciara-fv3-2", "etna2006").size() == 2);
    // Refined cells of 5 m require an eruption's map.
    CHECK(runs("magflow-2").size() == 2);
    const auto divided = runs("magflow-2", "etna2001");
    REQUIRE(divided.size() == 4);
    CHECK(divided[2].size.empty());
    CHECK(has(words_of(divided[2]), "--refine", "2"));
}

TEST_CASE("entries of several GPUs have a run of their own", "[published][group]") {
    const published::Table& table = published::find_table(published::tables(), "sciara-fv2-1");
    const auto all = runs_of(table, options_of(table, "float64"));
    REQUIRE(all.size() == 3);
    CHECK(all[0].group.gpus == 0);
    CHECK(all[1].group.gpus == 2);
    CHECK(all[1].variants ==
          std::vector<std::string>{"sciara_fv2/ringless_tile/four_kernels/8x8/align128",
                                   "sciara_fv2/ringless_tile/four_kernels/16x16/align128",
                                   "sciara_fv2/ringless_tile/four_kernels/32x32/align128"});
    CHECK(all[2].backend == "cpu");
    for (const RunOptions& run : all)
        CHECK(std::ranges::none_of(run.variants, [](const std::string& variant) {
            return variant.find(" on ") != std::string::npos;
        }));
}

TEST_CASE("kernels of runs from the start are timed launch after launch", "[published]") {
    const published::Table& table = published::find_table(published::tables(), "balasalle-6.1");
    const auto all = runs_of(table, options_of(table, "float32"));
    // The table has rows of two workloads.
    REQUIRE(all.size() == 6);
    for (const std::size_t first : {0, 3}) {
        CHECK(all[first].workload == (first == 0 ? "surface_water" : "surface_water_clock"));
        CHECK(all[first].from_start);
        CHECK_FALSE(all[first + 1].from_start);
        CHECK(all[first + 1].size == "463x358");
        CHECK(all[first + 1].variants == all[first].variants);
        CHECK(all[first + 2].backend == "cpu");
        CHECK(all[first + 2].from_start);
        for (const RunOptions& run : {all[first], all[first + 1], all[first + 2]})
            for (const std::string& variant : run.variants)
                CHECK(variant.starts_with(run.workload + "/"));
    }
}

TEST_CASE("a size of one's own is the only one", "[published]") {
    const published::Table& table = published::find_table(published::tables(), "topa-figure-5");
    RunOptions options = options_of(table, "float32");
    options.size = "64x64";
    const auto all = runs_of(table, options);
    REQUIRE(all.size() == 1);
    CHECK(all[0].size == "64x64");
}

}  // namespace measuring_test
