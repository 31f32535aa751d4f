// Boards that several devices divide, on the executor: exchange paths and their options.
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/program/group_program.hpp"

namespace group_test {

using namespace camber::cli_test;

TEST_CASE("a run divides its board among places in every way", "[cli][portable][group]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        with(three_places, {"--exchange", "all", "--overlap", "both", "--weights", "1,2,1"}),
        folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("life/halo/16x16/align128, 3 devices, stores, overlap, "
                                     "weights 1:2:1"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    // Two variants, thirteen paths, of which nine are available without a GPU and for this
    // technique.
    REQUIRE(results["benchmarks"].size() == 26);
    for (const Json& entry : results["benchmarks"]) {
        if (is_by_kernels(entry["camber"])) {
            CHECK(entry["camber"]["reason"] ==
                  "the step's own kernel cannot send edge rows: the "
                  "technique has no kernel that does");
            continue;
        }
        if (entry["camber"]["group"]["exchange"] == "nccl") {
            CHECK(entry["camber"]["reason"] ==
                  "NCCL sends messages between GPUs, and this backend has none");
            continue;
        }
        CHECK(entry["camber"]["status"] == "ok");
        CHECK(entry["camber"]["group"]["kind"] == "emulated");
        CHECK(entry["camber"]["group"]["places"] == 3);
        CHECK(entry["camber"]["group"]["weights"] == Json{1, 2, 1});
        CHECK(entry["camber"]["group"]["imbalance"] >= 1.0);
        CHECK(entry["camber"]["group"]["exposed_transfer_ns"] > 0.0);
        CHECK(entry["camber"]["group"]["barrier_wait_ns"] >= 0.0);
        CHECK(entry["camber"]["final"] == results["benchmarks"][0]["camber"]["final"]);
    }
    CHECK(results["benchmarks"][0]["name"] ==
          "life/halo/16x16/unaligned/70x50/uint32/simt/gpus:3/everything/weights:1:2:1");
    // The same run on one device.
    const Outcome one = run_program({"run", "--backend", "simt", "--quick", "--variant",
                                     "halo/16x16/align128", "--out", "one.json"},
                                    folder.path());
    CHECK(one.exit_code == 0);
    CHECK(results_in(folder / "one.json")["benchmarks"][0]["camber"]["final"] ==
          results["benchmarks"][0]["camber"]["final"]);
}

TEST_CASE("a divided run exchanges every few generations, and records", "[cli][portable][group]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program(with(three_places,
                         {"--halo-depth", "4", "--allocation", "whole", "--boundary", "torus",
                          "--graph", "--from-start", "--exchange", "stores", "--workload", "blur"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& entry : results["benchmarks"]) {
        CHECK(entry["camber"]["status"] == "ok");
        CHECK(entry["camber"]["group"]["halo_depth"] == 4);
        CHECK(entry["camber"]["group"]["allocation"] == "whole");
        CHECK(entry["camber"]["generations_per_launch"] == 4);
    }
}

TEST_CASE("a divided run exchanges by the steps' own kernels", "[cli][portable][group]") {
    const TestFolder folder;
    using Pair = std::pair<const char*, const char*>;
    for (const auto& [workload, variant] : {Pair{"life", "row_stream/64x4/*/r2/*"},
                                            Pair{"water_flow", "row_stream/fused/64x4/*/r2/*"}}) {
        const Outcome outcome =
            run_program({"run", "--backend", "simt", "--quick", "--gpus", "3", "--exchange",
                         "kernel", "--overlap", "both", "--graph", "--workload", workload, "--size",
                         "600x70", "--variant", variant},
                        folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 0);
        const Json results = results_in(folder / "camber-results.json");
        CHECK(defects(results) == std::vector<std::string>{});
        REQUIRE(results["benchmarks"].size() == 1);
        const Json& entry = results["benchmarks"][0]["camber"];
        CHECK(entry["status"] == "ok");
        CHECK(entry["group"]["exchange"] == "kernel");
        CHECK(entry["group"]["overlap"] == true);
        CHECK(entry.contains("kernel"));  // there is only one
        CHECK_FALSE(entry.contains("kernels"));
    }
}

TEST_CASE("a divided run exchanges by kernels that stay", "[cli][portable][group][persistent]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--backend", "simt", "--quick", "--gpus", "3", "--exchange",
                     "persistent", "--size", "600x70", "--variant", "row_stream/64x4/*/r2/*"},
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 1);
    const Json& entry = results["benchmarks"][0]["camber"];
    CHECK(entry["status"] == "ok");
    CHECK(entry["group"]["exchange"] == "persistent");
    CHECK_FALSE(entry["group"].contains("barrier_wait_ns"));
    CHECK(entry.contains("kernel"));  // there is only one
}

TEST_CASE("an edge may be exactly the rows that are sent, or a third", "[cli][portable][group]") {
    for (const std::string edge : {"sent", "3"}) {
        const TestFolder folder;
        const Outcome outcome = run_program(
            with(three_places, {"--edge", edge, "--exchange", "copies", "--exchange", "stores"}),
            folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 0);
        const Json results = results_in(folder / "camber-results.json");
        CHECK(defects(results) == std::vector<std::string>{});
        REQUIRE(results["benchmarks"].size() == 4);
        for (const Json& entry : results["benchmarks"]) {
            CHECK(entry["camber"]["status"] == "ok");
            CHECK(entry["camber"]["group"]["edge_share"] == (edge == "sent" ? 0 : 3));
            CHECK_THAT(entry["name"].get<std::string>(), contains("/edge:" + edge));
        }
    }
}

TEST_CASE("the host may have one buffer for each edge, and wait as it is told",
          "[cli][portable][group]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program(with(three_places, {"--exchange", "staged", "--exchange", "copies",
                                        "--border-buffers", "single", "--host-wait", "busy"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 devices, staged, overlap, one buffer, busy wait"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& entry : results["benchmarks"]) {
        const Json& group = entry["camber"]["group"];
        CHECK(entry["camber"]["status"] == "ok");
        const bool staged = group["exchange"] == "staged";
        CHECK(group.contains("border_buffers") == staged);
        CHECK(group.contains("host_wait") == staged);
        if (!staged) continue;
        CHECK(group["border_buffers"] == 1);
        CHECK(group["host_wait"] == "busy");
        CHECK_THAT(entry["name"].get<std::string>(), contains("/overlap/buffers:1/wait:busy"));
    }
}

TEST_CASE("steps of MAGFLOW on several places may lag", "[cli][portable][group][lagged]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--backend", "simt", "--workload", "magflow", "--size", "40x36",
                     "--gpus", "3", "--exchange", "copies", "--exchange", "staged", "--minimum",
                     "lagged", "--variant", "*/halo/four_kernels/64x4/align128", "--variant",
                     "*bounding_box/host/64x4/tight/align128"},
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    int measured = 0;
    for (const Json& entry : results["benchmarks"]) {
        const Json& own = entry["camber"];
        CHECK(own["group"]["minimum"] == "lagged");
        CHECK(own["workload_parameters"]["lag"] == Json{1.0});
        if (own["status"] == "ok") {
            ++measured;
            CHECK(own["verification"]["differing_cells"] == 0);
        } else {
            CHECK_THAT(own["reason"].get<std::string>(), contains("cannot be divided"));
        }
    }
    CHECK(measured == 2);
}

}  // namespace group_test
