// Boards that several places divide, on the executor.
#include <utility>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace group_test {

using namespace camber::cli_test;

namespace {

const Arguments three{"run",    "--backend", "simt",      "--quick",
                      "--gpus", "3",         "--variant", "halo/16x16/*"};

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

bool is_by_kernels(const Json& own) {
    const auto exchange = own["group"]["exchange"].get<std::string>();
    return exchange == "kernel" || exchange == "persistent";
}

}  // namespace

TEST_CASE("places may balance their rows", "[cli][group][balance]") {
    const TemporaryFolder folder;
    for (const std::string rule : {"published", "improved"}) {
        const Outcome outcome =
            run_program(with(three, {"--exchange", "all", "--balance", rule, "--balance-every", "2",
                                     "--balance-rows", "2", "--out", rule + ".json"}),
                        folder.path());
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out,
                   contains("3 places, copies, overlap, balance " + rule + " every 2 by 2 rows"));
        const Json results = results_in(folder / (rule + ".json"));
        CHECK(defects(results) == std::vector<std::string>{});
        CHECK_THAT(outcome.out, contains("rows that changed their place: ") &&
                                    contains("; rows of each place now: "));
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

TEST_CASE("a run divides its board among places in every way", "[cli][group]") {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_program(with(three, {"--exchange", "all", "--overlap", "both", "--weights", "1,2,1"}),
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("life/halo/16x16/align128, 3 places, stores, overlap, "
                                     "weights 1:2:1"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    // Two variants, thirteen ways, of which nine are there without a GPU and for this technique.
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
    // The same on one place.
    const Outcome one = run_program({"run", "--backend", "simt", "--quick", "--variant",
                                     "halo/16x16/align128", "--out", "one.json"},
                                    folder.path());
    CHECK(one.exit_code == 0);
    CHECK(results_in(folder / "one.json")["benchmarks"][0]["camber"]["final"] ==
          results["benchmarks"][0]["camber"]["final"]);
}

TEST_CASE("a divided run exchanges every few generations, and records", "[cli][group]") {
    const TemporaryFolder folder;
    const Outcome outcome = run_program(
        with(three, {"--halo-depth", "4", "--allocation", "whole", "--boundary", "torus", "--graph",
                     "--from-start", "--exchange", "stores", "--workload", "blur"}),
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

TEST_CASE("a divided run exchanges by the steps' own kernels", "[cli][group]") {
    const TemporaryFolder folder;
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
        CHECK(entry.contains("kernel"));  // the only one
        CHECK_FALSE(entry.contains("kernels"));
    }
}

TEST_CASE("a divided run exchanges by kernels that stay", "[cli][group][persistent]") {
    const TemporaryFolder folder;
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
    CHECK(entry.contains("kernel"));  // the only one
}

TEST_CASE("places begin one by one where a box grows", "[cli][group][start]") {
    const TemporaryFolder folder;
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
    CHECK_THAT(outcome.out, contains("3 places, copies, overlap, progressive start at 3 blocks: "
                                     "rows that changed their place: "));
    CHECK_THAT(outcome.out,
               contains("  places at work: 1 from generation 0, 2 from generation 2\n"));
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

    // All at once, and on one place.
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

TEST_CASE("an edge may be exactly the rows that are sent, or a third", "[cli][group]") {
    for (const std::string edge : {"sent", "3"}) {
        const TemporaryFolder folder;
        const Outcome outcome = run_program(
            with(three, {"--edge", edge, "--exchange", "copies", "--exchange", "stores"}),
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

TEST_CASE("places may have columns", "[cli][group][columns]") {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_program(with(three, {"--partition", "columns", "--exchange", "all", "--overlap", "both",
                                 "--weights", "1,2,1", "--halo-depth", "2"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 places, copies, columns, depth 2, weights 1:2:1"));
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
    CHECK(measured == 10);  // two variants, five ways

    const Outcome shared =
        run_program({"run", "--backend", "simt", "--quick", "--workload", "magflow", "--gpus", "2",
                     "--partition", "columns", "--variant", "halo/four_kernels/64x4/align128"},
                    folder.path());
    CHECK_THAT(shared.out, contains("columns cannot be divided: step "));
}

TEST_CASE("places may have columns of a board that is stored transposed",
          "[cli][group][transposed]") {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_program(with(three, {"--partition", "transposed", "--exchange", "all", "--overlap",
                                 "both", "--weights", "1,2,1", "--halo-depth", "2", "--variant",
                                 "row_stream/64x4/v4/r2/*"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 places, copies, overlap, transposed, depth 2"));
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
    CHECK(measured == 3 * 9);  // three variants, four ways with overlap and without, and one

    // Columns are what the board has few of, and rows move as they do elsewhere.
    const Outcome balanced =
        run_program(with(three, {"--partition", "transposed", "--size", "50x70", "--balance",
                                 "improved", "--balance-every", "2"}),
                    folder.path());
    CHECK(balanced.exit_code == 0);
    const Outcome narrow =
        run_program(with(three, {"--partition", "transposed", "--size", "2x20"}), folder.path());
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

TEST_CASE("the host may have one buffer for each edge, and wait as it is told", "[cli][group]") {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_program(with(three, {"--exchange", "staged", "--exchange", "copies", "--border-buffers",
                                 "single", "--host-wait", "busy"}),
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("3 places, staged, overlap, one buffer, busy wait"));
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

TEST_CASE("steps of MAGFLOW on several places may lag", "[cli][group][lagged]") {
    const TemporaryFolder folder;
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

TEST_CASE("what cannot be divided is skipped, and says why", "[cli][group]") {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_program({"run", "--backend", "simt", "--quick", "--gpus", "2", "--variant",
                     "global/16x16", "--variant", "halo/16x16/align128"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("skipped life/global/16x16, 2 places, copies, overlap: "
                                     "technique global needs the whole board in one place"));
    const Outcome low = run_program(
        with(three, {"--size", "20x2", "--variant", "halo/64x4/align128"}), folder.path());
    CHECK_THAT(low.out, contains("has 0 of the board's 2 rows, and its neighbours need 1 of it"));
}

TEST_CASE("groups that make no sense are refused", "[cli][group]") {
    const TemporaryFolder folder;
    const auto refused = [&](const Arguments& arguments, const std::string& sentence) {
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({"run", "--backend", "cpu", "--gpus", "2"},
            "--gpus divides a board among GPUs, and the cpu backend has none");
    refused(with(three, {"--weights", "1,2"}),
            "--weights 1,2 has 2 numbers for 3 GPUs: give one for each");
    refused(with(three, {"--weights", "1,0,2"}), "--weights 1,0,2 is not NUMBER[,NUMBER...]");
    refused(with(three, {"--exchange", "copy"}),
            "exchange 'copy' is unknown: choose everything or staged or pageable or copies or "
            "stores or kernel or persistent or nccl");
    refused(with(three, {"--devices", "0,1"}),
            "--gpus 3 and the 2 devices of --devices 0,1 differ");
    refused(with(three, {"--exchange", "staged", "--graph"}),
            "--exchange staged waits on the host, which no graph can");
    refused(with(three, {"--edge", "1"}),
            "--edge 1 is neither a number from 2 to 1048576 nor sent");
    const auto with_columns = [](const Arguments& more) {
        return with(with(three, {"--partition", "columns"}), more);
    };
    refused(with_columns({"--balance", "improved"}),
            "--balance improved does not go with --partition columns: rows change their place, not "
            "columns; leave out one of the two");
    refused(with_columns({"--allocation", "whole"}),
            "--allocation whole does not go with --partition columns");
    refused(with_columns({"--edge", "3"}), "--edge 3 does not go with --partition columns");
    refused(with(three, {"--exchange", "copies", "--border-buffers", "single"}),
            "--border-buffers single is for the ways staged and pageable, and none of these is "
            "asked for: give --exchange staged, or leave it out");
    refused(with(three, {"--host-wait", "busy"}),
            "--host-wait busy is for the ways everything, staged, pageable and mpi");
    refused(with(three, {"--minimum", "lagged"}),
            "--minimum lagged is for a model whose steps are as long as its cells allow, and "
            "whose reference can lag, and life is none");
    refused({"run", "--backend", "simt", "--workload", "magflow", "--quick", "--param", "lag=1"},
            "parameter lag = 1 is what --minimum lagged sets: give that, with --gpus or --ranks");
    refused({"run", "--backend", "simt", "--workload", "magflow", "--quick", "--gpus", "2",
             "--graph", "--minimum", "lagged"},
            "--minimum lagged has work under way from step to step, and a graph is replayed");
    refused({"run", "--backend", "simt", "--quick", "--partition", "columns"},
            "--partition applies to a board that several GPUs divide: give --gpus too");
    refused({"run", "--backend", "simt", "--quick", "--overlap", "off"},
            "--overlap applies to a board that several GPUs divide: give --gpus too");
    refused({"scale", "--over", "threads", "--exchange", "stores"},
            "--exchange applies to several GPUs: give --over gpus");
}

}  // namespace group_test
