// `camber check` on the program and on one with faulty variants.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace check_test {

namespace {

using namespace camber::cli_test;

Outcome check(Arguments arguments, const char* program = built::program) {
    const TestFolder folder;
    arguments.insert(arguments.begin(), "check");
    const Outcome outcome = run_program(arguments, folder.path(), program);
    CHECK(folder.entries() == 0);
    return outcome;
}

}  // namespace

TEST_CASE("check says of clean variants that they are clean", "[cli][check]") {
    const Outcome outcome = check({"shared_tile/16x16/align128", "halo/64x4/*", "--size", "40x30"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out ==
          "life/shared_tile/16x16/align128 on 40x30: clean\n"
          "life/halo/64x4/unaligned on 40x30: clean\n"
          "life/halo/64x4/align128 on 40x30: clean\n"
          "3 checked, 3 clean, 0 with findings, 0 skipped\n");
}

TEST_CASE("check takes two boards and every variant unless told otherwise",
          "[cli][portable][check]") {
    const Outcome one = check({"global/16x16", "--boundary", "torus", "--cell", "uint8"});
    CHECK(one.exit_code == 0);
    CHECK(lines_of(one.out).size() == 3);
    CHECK_THAT(one.out, contains("on 70x50: clean") && contains("on 768x48: clean"));
    const Outcome all = check({"--size", "9x5"});
    CHECK(all.exit_code == 0);
    CHECK(lines_of(all.out).size() == listed_variants("simt").size() + 1);
}

TEST_CASE("check reports races and faults with exit code 4", "[cli][check]") {
    const Outcome outcome = check({"--size", "20x20", "--examples", "1"}, built::faulty_program);
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, contains("life/transposed/16x16/align128 on 20x20: clean\n"));
    CHECK_THAT(outcome.out, contains("life/racy/16x16/align128 on 20x20:\n"));
    CHECK_THAT(outcome.out,
               contains("  race in shared memory, ") && contains(" times: load at rule.hpp:") &&
                   contains(", then store at faulty_variants.cpp:") &&
                   contains("    block (0,0): thread (1,1) loads, thread (2,1) stores: byte "));
    CHECK_THAT(outcome.out,
               contains("  access out of bounds: life/wrong/16x16/align128 (stencil): block (0,0) "
                        "thread (4,2): accesses row -2, column 4"));
    CHECK_THAT(outcome.out, contains("4 checked, 2 clean, 2 with findings, 0 skipped\n"));
}

TEST_CASE("check looks at what places exchange", "[cli][portable][check][group]") {
    const Outcome outcome =
        check({"halo/16x16/*", "--gpus", "3", "--exchange", "all", "--overlap", "both",
               "--halo-depth", "2", "--edge", "sent", "--size", "40x30"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out,
               contains("life/halo/16x16/align128, 3 devices, stores, overlap, depth 2 on 40x30: "
                        "clean\n") &&
                   contains("18 checked, 18 clean, 0 with findings, 8 skipped\n"));
    const Outcome whole = check({"global/16x16", "--gpus", "2", "--size", "40x30"});
    CHECK(whole.exit_code == 2);
    CHECK_THAT(whole.out,
               contains("life/global/16x16, 2 devices, copies, overlap on 40x30: skipped: "
                        "technique global needs the whole board in one place"));
    const Outcome lava =
        check({"one_kernel/16x16", "halo/four_kernels/64x4/align128", "--workload", "sciara_fv2",
               "--gpus", "2", "--overlap", "off", "--size", "40x30"});
    CHECK(lava.exit_code == 0);
    CHECK_THAT(lava.out, contains("2 checked, 2 clean, 0 with findings, 0 skipped\n"));
}

TEST_CASE("check looks at every option of several places", "[cli][portable][check][group]") {
    const auto clean = [](const Arguments& more, const std::string& words) {
        const Outcome outcome = check(with({"--gpus", "3", "--size", "40x36"}, more));
        CAPTURE(more, outcome.out, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, contains(", 3 devices, " + words + " on 40x36: clean\n"));
        CHECK_THAT(outcome.out, contains("1 checked, 1 clean, 0 with findings, 0 skipped\n"));
    };
    const std::string life = "halo/16x16/align128";
    clean({life, "--exchange", "staged", "--border-buffers", "single", "--host-wait", "busy"},
          "staged, overlap, one buffer, busy wait");
    clean({life, "--exchange", "pageable", "--overlap", "off", "--host-wait", "blocking"},
          "pageable, blocking wait");
    clean({life, "--exchange", "stores", "--partition", "transposed", "--halo-depth", "2"},
          "stores, overlap, transposed, depth 2");
    clean({life, "--partition", "columns", "--weights", "1,2,1"}, "copies, columns, weights 1:2:1");
    clean({life, "--balance", "improved", "--balance-every", "1"},
          "copies, overlap, balance improved every 1");
    const Arguments lava{"--workload", "magflow"};
    clean(with(lava, {"halo/four_kernels/64x4/align128", "--minimum", "lagged"}),
          "copies, overlap, lagged minimum");
    clean(with(lava, {"halo/four_kernels/64x4/align128", "--partition", "transposed"}),
          "copies, overlap, transposed");
    clean(with(lava, {"bounding_box/host/64x4/tight/align128", "--start", "progressive",
                      "--start-blocks", "1", "--generations", "8"}),
          "copies, overlap, progressive start at 1 blocks");
}

TEST_CASE("check names rows that places do not send", "[cli][check][group]") {
    const Outcome outcome =
        check({"forgetful/*", "--gpus", "2", "--size", "20x20"}, built::faulty_program);
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out,
               contains("  stale halo: after generation 1 device 0 has row 10 of field `cells` "
                        "that differs from device 1\n") &&
                   contains("  wrong result: after generation 2 row 9, column ") &&
                   contains("of field `cells`, computed by device 0, is "));
}

TEST_CASE("check rejects what it cannot mean", "[cli][check]") {
    for (const Arguments& arguments : {Arguments{"no_such_variant"},
                                       {"--size", "x"},
                                       {"--cell", "float128"},
                                       {"--boundary", "mirror"},
                                       {"--examples", "0"},
                                       {"--workload", "rain"}}) {
        const Outcome outcome = check(arguments);
        CAPTURE(arguments[0]);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
    }
}

TEST_CASE("a check that could run nothing is no success", "[cli][check]") {
    const Outcome outcome = check({"two_generation/*", "--generations", "3", "--size", "20x20"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.out, contains("skipped, it computes 2 generations per launch"));
    CHECK_THAT(outcome.err, contains("no variant was checked"));
}

}  // namespace check_test
