// Rows that move between devices that compute one board.
#include <optional>

#include "tests/catch.hpp"
#include "tests/program/group_program.hpp"

namespace group_movement_test {

using namespace camber::cli_test;

TEST_CASE("places may balance their rows", "[cli][portable][group][balance]") {
    const TestFolder folder;
    for (const std::string rule : {"published", "improved"}) {
        const Outcome outcome = run_program(
            with(three_places, {"--exchange", "all", "--balance", rule, "--balance-every", "2",
                                "--balance-rows", "2", "--out", rule + ".json"}),
            folder.path());
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out,
                   contains("3 devices, copies, overlap, balance " + rule + " every 2 by 2 rows"));
        const Json results = results_in(folder / (rule + ".json"));
        CHECK(defects(results) == std::vector<std::string>{});
        CHECK_THAT(outcome.out, contains("rows moved between devices: ") &&
                                    contains("; rows of each device now: "));
        int measured = 0;
        for (const Json& entry : results["benchmarks"]) {
            const Json& own = entry["camber"];
            if (is_by_kernels(own)) {
                CHECK_THAT(own["reason"].get<std::string>(),
                           contains("rows cannot change their place"));
                continue;
            }
            if (own["status"] != "ok") continue;
            ++measured;
            CHECK(own["group"]["balancing"] == Json{{"rule", rule}, {"every", 2}, {"rows", 2}});
            CHECK(own["group"]["allocation"] == "whole");
            const auto rows = own["group"]["rows"].get<std::vector<int>>();
            CHECK(rows.size() == 3);
            CHECK(rows[0] + rows[1] + rows[2] == 50);
            CHECK(own["group"]["moved_rows"] >= 0);
            CHECK(own["final"] == results["benchmarks"][0]["camber"]["final"]);
        }
        CHECK(measured == 10);
        CHECK_THAT(results["benchmarks"][0]["name"].get<std::string>(),
                   contains("/balance:" + rule + ":2:2"));
    }
}

TEST_CASE("a flow makes the second and the third place join", "[cli][portable][group][start]") {
    const TestFolder folder;
    struct Joined {
        const char* places;
        const char* blocks;
        const char* sentence;
    };
    std::optional<Json> first;
    for (const auto& [places, blocks, sentence] :
         {Joined{"1", "3", "active devices: 1 from generation 0\n"},
          Joined{"2", "3", "active devices: 1 from generation 0, 2 from generation 2\n"},
          Joined{"3", "2", "active devices: 2 from generation 0, 3 from generation 2\n"}}) {
        CAPTURE(places);
        const Outcome outcome = run_program(
            {"run", "--backend", "simt", "--quick", "--workload", "magflow", "--size", "24x40",
             "--density", "0", "--generations", "20", "--gpus", places, "--start", "progressive",
             "--start-blocks", blocks, "--exchange", "copies", "--variant",
             "bounding_box/host/64x4/tight/*", "--out", "joined.json"},
            folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, contains(sentence));
        const Json own = results_in(folder / "joined.json")["benchmarks"][0]["camber"];
        CHECK(own["verification"]["status"] == "passed");
        if (!first) first = own["final"];
        CHECK(own["final"] == *first);
    }
}

TEST_CASE("places begin one by one where a box grows", "[cli][portable][group][start]") {
    const TestFolder folder;
    const Arguments eruption{"run",        "--backend",
                             "simt",       "--quick",
                             "--gpus",     "3",
                             "--size",     "24x40",
                             "--workload", "magflow",
                             "--density",  "0",
                             "--variant",  "bounding_box/host/64x4/tight/*"};
    const Outcome outcome =
        run_program(with(eruption, {"--start", "progressive", "--start-blocks", "3", "--exchange",
                                    "copies", "--exchange", "stores", "--out", "progressive.json"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 devices, copies, overlap, progressive start at 3 blocks: "
                                     "rows moved between devices: "));
    CHECK_THAT(outcome.out,
               contains("  active devices: 1 from generation 0, 2 from generation 2\n"));
    const Json results = results_in(folder / "progressive.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 2);
    for (const Json& entry : results["benchmarks"]) {
        const Json& own = entry["camber"];
        CHECK(own["status"] == "ok");
        CHECK(own["group"]["start"] ==
              Json{{"rule", "progressive"}, {"blocks_per_multiprocessor", 3}});
        CHECK(own["group"]["allocation"] == "whole");
        const Json& divisions = own["group"]["divisions"];
        REQUIRE(divisions.size() >= 2);
        CHECK(divisions[0]["generation"] == 0);
        CHECK(divisions[0]["rows"].size() == 1);
        CHECK(divisions.back()["rows"].size() >= 2);
        CHECK(own["group"]["rows"].size() == divisions.back()["rows"].size());
        int moved = 0;
        for (const Json& division : divisions) moved += division["moved_rows"].get<int>();
        CHECK(own["group"]["moved_rows"] == moved);
        CHECK(own["final"] == results["benchmarks"][0]["camber"]["final"]);
    }
    CHECK_THAT(results["benchmarks"][0]["name"].get<std::string>(), contains("/progressive:3"));

    // All devices from the start, and a single device.
    const Outcome all = run_program(
        with(eruption, {"--start", "all", "--allocation", "whole", "--out", "all.json"}),
        folder.path());
    CHECK(all.exit_code == 0);
    const Json at_once = results_in(folder / "all.json")["benchmarks"][0]["camber"];
    CHECK(at_once["status"] == "ok");
    CHECK_FALSE(at_once["group"].contains("start"));
    CHECK(at_once["group"].contains("divisions"));
    CHECK(at_once["final"] == results["benchmarks"][0]["camber"]["final"]);

    // Variants without such a box are skipped.
    const Outcome others =
        run_program({"run", "--backend", "simt", "--quick", "--gpus", "2", "--workload", "magflow",
                     "--start", "progressive", "--variant", "halo/four_kernels/64x4/align128",
                     "--variant", "bounding_box/device/64x4/tight/*"},
                    folder.path());
    CHECK(others.exit_code == 0);
    CHECK_THAT(others.out, contains("divides the whole board, and no box of cells at work"));
    CHECK_THAT(others.out, contains("does not read where they are: bounding_box/host does"));
}

}  // namespace group_movement_test
