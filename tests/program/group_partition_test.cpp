// Partitions of a board by columns, stored as they are or transposed.
#include "tests/catch.hpp"
#include "tests/program/group_program.hpp"

namespace group_partition_test {

using namespace camber::cli_test;

TEST_CASE("places may have columns", "[cli][portable][group][columns]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program(with(three_places, {"--partition", "columns", "--exchange", "all", "--overlap",
                                        "both", "--weights", "1,2,1", "--halo-depth", "2"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 devices, copies, columns, depth 2, weights 1:2:1"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    int measured = 0;
    for (const Json& entry : results["benchmarks"]) {
        const Json& own = entry["camber"];
        CHECK(own["group"]["partition"] == "columns");
        CHECK(own["group"]["overlap"] == false);
        CHECK_THAT(entry["name"].get<std::string>(), contains("/columns/weights:1:2:1/depth:2"));
        if (own["status"] == "ok")
            ++measured;
        else
            CHECK_THAT(own["reason"].get<std::string>(), contains("columns cannot be divided: "));
    }
    CHECK(measured == 10);  // two variants, five exchange paths

    const Outcome shared =
        run_program({"run", "--backend", "simt", "--quick", "--workload", "magflow", "--gpus", "2",
                     "--partition", "columns", "--variant", "halo/four_kernels/64x4/align128"},
                    folder.path());
    CHECK_THAT(shared.out, contains("columns cannot be divided: step "));
}

TEST_CASE("places may have columns of a board that is stored transposed",
          "[cli][portable][group][transposed]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program(with(three_places, {"--partition", "transposed", "--exchange", "all",
                                        "--overlap", "both", "--weights", "1,2,1", "--halo-depth",
                                        "2", "--variant", "row_stream/64x4/v4/r2/*"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 devices, copies, overlap, transposed, depth 2"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    int measured = 0;
    for (const Json& entry : results["benchmarks"]) {
        const Json& own = entry["camber"];
        CHECK(own["group"]["partition"] == "transposed");
        CHECK_THAT(entry["name"].get<std::string>(), contains("/transposed/weights:1:2:1/depth:2"));
        if (own["status"] != "ok") continue;
        ++measured;
        CHECK(own["final"] == results["benchmarks"][0]["camber"]["final"]);
    }
    // Three variants, four paths with and without overlap, and one further path.
    CHECK(measured == 3 * 9);

    // The board has few columns, and rows can move as with other partitions.
    const Outcome balanced =
        run_program(with(three_places, {"--partition", "transposed", "--size", "50x70", "--balance",
                                        "improved", "--balance-every", "2"}),
                    folder.path());
    CHECK(balanced.exit_code == 0);
    const Outcome narrow = run_program(
        with(three_places, {"--partition", "transposed", "--size", "2x20"}), folder.path());
    CHECK_THAT(narrow.out, contains("has 0 of the board's 2 columns, and its neighbours need 1"));

    const Outcome blur = run_program(
        {"run", "--backend", "simt", "--quick", "--workload", "blur", "--gpus", "2", "--partition",
         "transposed", "--variant", "halo/64x4/align128", "--variant", "shared_tile/64x4/align128"},
        folder.path());
    CHECK(blur.exit_code == 0);
    CHECK_THAT(blur.out, contains("skipped blur/shared_tile/64x4/align128") &&
                             contains("the board cannot be stored transposed: technique "
                                      "shared_tile has no kernel"));
    CHECK(blur.out.find("skipped blur/halo") == std::string::npos);
}

}  // namespace group_partition_test
