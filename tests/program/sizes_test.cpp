// `camber run` over several sizes.
#include <set>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace sizes_test {

namespace {

using namespace camber::cli_test;

}  // namespace

TEST_CASE("a run over sizes verifies and times all of them, in one file",
          "[cli][portable][sizes]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--quick", "--backend", "cpu", "--size", "8x4..32x16,20x30", "--out",
                     "r.json", "--save", "end.rle"},
                    folder.path());
    CHECK(outcome.err.empty());
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    std::set<std::string> sizes;
    for (const Json& entry : results["benchmarks"]) {
        CHECK(entry["camber"]["status"] == "ok");
        const Json& size = entry["camber"]["size"];
        sizes.insert(size["columns"].dump() + "x" + size["rows"].dump());
        CHECK(entry["camber"]["verification"]["compared_cells"] ==
              size["columns"].get<int>() * size["rows"].get<int>());
    }
    CHECK(sizes == std::set<std::string>{"8x4", "16x8", "32x16", "20x30"});
    CHECK(results["benchmarks"].size() == 8);
    CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
    CHECK_THAT(outcome.out, contains("life 8x4, 16x8, 32x16, 20x30 (uint32"));
    // Sorted by number of cells.
    const std::string header = lines_of(outcome.out).at(1);
    CHECK(header.starts_with("variant "));
    CHECK(header.find(" 16x8") < header.find(" 32x16"));
    CHECK(header.ends_with(" 20x30"));
    for (const char* file : {"end-8x4.rle", "end-20x30.rle"}) {
        CHECK(fs::exists(folder / file));
        CHECK_THAT(outcome.out, contains("final state: " + std::string(file)));
    }
    CHECK_FALSE(fs::exists(folder / "end.rle"));
}

TEST_CASE("each size is a data set of a report and of a comparison", "[cli][portable][sizes]") {
    const TestFolder folder;
    REQUIRE(run_program({"run", "--quick", "--backend", "cpu", "--size", "8x4,16x8", "--out",
                         "r.json", "--processes", "2"},
                        folder.path())
                .exit_code == 0);
    const Json results = results_in(folder / "r.json");
    CHECK(results["benchmarks"].size() == 4);
    CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
    const Outcome report = run_program({"report", "r.json", "--format", "markdown"}, folder.path());
    CHECK_THAT(report.out, contains("### life, 16 x 8, uint32") && contains("life, 8 x 4, uint32"));
    const Outcome same = run_program({"compare", "r.json", "r.json"}, folder.path());
    CHECK(same.exit_code == 0);
    CHECK_THAT(same.out, contains("8x4") && contains("16x8"));
}

TEST_CASE("a size that does not fit is skipped, the others run", "[cli][portable][sizes]") {
    const TestFolder folder;
    for (const std::string list : {"8x4,400000x20000000", "400000x20000000,8x4"}) {
        const Outcome outcome =
            run_program({"run", "--quick", "--backend", "cpu", "--size", list, "--out", "r.json"},
                        folder.path());
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out,
                   contains("skipped life/reference/serial at 400000x20000000: a board of"));
        const Json results = results_in(folder / "r.json");
        CHECK(defects(results) == std::vector<std::string>{});
        CHECK(results["benchmarks"].size() == 4);
        CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
    }
    const Outcome none = run_program({"run", "--quick", "--backend", "cpu", "--size",
                                      "400000x20000000,400000x10000000", "--out", "none.json"},
                                     folder.path());
    CHECK(none.exit_code == 5);
    CHECK_THAT(none.err, contains("choose a smaller --size"));
}

TEST_CASE("lists of sizes that mean nothing are refused", "[cli][portable][sizes]") {
    const TestFolder folder;
    const auto refused = [&](const std::string& list, const std::string& reason) {
        const Outcome outcome = run_program({"run", "--size", list}, folder.path());
        INFO(list << ": " << outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(reason));
    };
    refused("64x64..100x100", "sizes 64x64..100x100 do not double");
    refused("64x64..32x32", "do not double");
    refused("64x64,", "size '' is not COLUMNSxROWS");
    refused("64x64,64x64", "size 64x64 is given twice");
    refused("64x64..128x128,128x128", "size 128x128 is given twice");
    const Outcome scale =
        run_program({"scale", "--over", "threads", "--size", "8x8,16x16"}, folder.path());
    CHECK(scale.exit_code == 2);
}

TEST_CASE("kernels are verified on several sizes, and checked on them", "[cli][portable][sizes]") {
    const TestFolder folder;
    const Outcome run = run_program(
        {"run", "--backend", "simt", "--size", "20x10,9x7", "--variant", "global/16x16"},
        folder.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("life 20x10 (") && contains("life 9x7 ("));
    const Outcome check =
        run_program({"check", "global/16x16", "--size", "20x10,9x7"}, folder.path());
    CHECK(check.exit_code == 0);
    CHECK_THAT(check.out, contains("20x10") && contains("9x7"));
}

}  // namespace sizes_test
