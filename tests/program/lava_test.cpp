// Lava workloads in the program: eruptions as input and output, and conditions that end a run.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/workloads/lava/eruptions.hpp"

namespace lava_test {

namespace {

using namespace camber::cli_test;

Arguments lava(Arguments more, const char* workload = "sciara_fv2") {
    Arguments arguments{"run", "--workload", workload,    "--backend",
                        "cpu", "--quick",    "--variant", "reference/serial"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

Json final_state(const TestFolder& folder) {
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    const Json entry = results["benchmarks"][0]["camber"];
    CHECK(entry["status"] == "ok");
    return entry["final"];
}

}  // namespace

TEST_CASE("an eruption is run, saved and continued", "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    const Outcome first = run_program(
        lava({"--input", ".", "--generations", "4", "--save", "saved/here"}), folder.path());
    INFO(first.err);
    REQUIRE(first.exit_code == 0);
    CHECK_THAT(first.out,
               contains("sciara_fv2 4x3 (float64 cells, ") && contains("final state: saved/here"));
    const Json final = final_state(folder);
    // 1.5 m^3/s on 100 m^2 for four times 120 s.
    CHECK(final["account"]["emitted"].get<double>() == Approx(7.2));
    CHECK(final["mass"].get<double>() + final["account"]["lost"].get<double>() == Approx(7.2));
    CHECK(fs::exists(folder / "saved/here/test_000000000004_Thickness.asc"));

    const Outcome second =
        run_program(lava({"--input", "saved/here", "--param", "cooling=0", "--generations", "2"}),
                    folder.path());
    INFO(second.err);
    REQUIRE(second.exit_code == 0);
    CHECK_THAT(second.out, contains("saved/here") || contains("here, gone on from generation 4"));
    CHECK(final_state(folder)["account"]["emitted"].get<double>() == Approx(10.8));
}

TEST_CASE("a run that knows the real event says how well it fits", "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    write_text(folder / "test_000000000000_RealEvent.stt",
               camber::lava::raster_header + "0 0 0 0 0 1 1 0 0 0 0 0");
    const Outcome outcome =
        run_program(lava({"--input", ".", "--generations", "1"}), folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    // Lava flows from the vent's cell to the north, into the frame, and not into the second cell of
    // the real event.
    CHECK_THAT(outcome.out, contains("fit with the real event: 0.5000 (cells that both cover"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    const Json verification = results["benchmarks"][0]["camber"]["verification"];
    CHECK(verification["method"] == "cells");
    CHECK(verification["statistics"]["event_fit"] == 0.5);
    CHECK(verification["statistics"]["covered_cells"] == 1);
    CHECK(verification["statistics"]["mass_error"] < 1e-12);
    CHECK_FALSE(verification.contains("limits"));
}

TEST_CASE("an eruption of lava with momentum is run and saved, its mass accounted for",
          "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    for (const char* cell : {"float64", "float32"}) {
        const Outcome outcome = run_program(
            lava({"--input", ".", "--cell", cell, "--generations", "5", "--save", "saved"},
                 "sciara_fv3"),
            folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, contains("sciara_fv3 4x3 (" + std::string(cell) + " cells, "));
        const Json final = final_state(folder);
        // 1.5 m^3/s on 100 m^2, for the start's second and for the first four steps.
        CHECK(final["account"]["time"].get<double>() > 5);
        CHECK(final["account"]["emitted"].get<double>() ==
              Approx(0.015 * final["account"]["time"].get<double>()).epsilon(1e-6));
        CHECK(final["mass"].get<double>() ==
              Approx(final["account"]["emitted"].get<double>()).epsilon(1e-5));
        const Json account =
            results_in(folder / "camber-results.json")["context"]["camber"]["account"];
        REQUIRE(account.size() == 6);
        for (const Json& row : account) CHECK(std::abs(row["unaccounted"].get<double>()) < 1e-5);
        CHECK(fs::exists(folder / "saved/test_000000000005_Thickness.asc"));
        fs::remove_all(folder / "saved");
    }
}

TEST_CASE("lava ends by its own rule where it is asked to", "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    const Arguments rule{"--input",      ".",       "--param",       "reference_stop=1", "--param",
                         "max_steps=70", "--param", "threshold=1000"};
    Arguments arguments = lava(rule);
    arguments.insert(arguments.end(), {"--param", "reduce_interval=10"});
    const Outcome outcome = run_program(arguments, folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("after 70 generations: mass "));
    arguments.insert(arguments.end(), {"--generations", "5"});
    const Outcome both = run_program(arguments, folder.path());
    CHECK(both.exit_code == 2);
    CHECK_THAT(both.err, contains("leave out --generations"));
}

TEST_CASE("an eruption that is none is one sentence", "[cli][portable][lava]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& arguments, const std::string& part) {
        const Outcome outcome = run_program(lava(arguments), folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        CHECK_THAT(outcome.err, contains(part));
    };
    rejected({"--input", "."}, "describes no eruption");
    rejected({"--input", "missing"}, "missing");
    camber::lava::write_numbered_event(folder);
    rejected({"--input", ".", "--param", "clock=0"}, "clock = 0 is impossible");
    rejected({"--input", ".", "--param", "emission_rates=1"}, "takes 2 numbers, not 1");
    rejected({"--input", ".", "--save", "test_000000000000.cfg"}, "would overwrite what is read");
    write_text(folder / "file", "");
    rejected({"--input", ".", "--save", "file"}, "is no folder");
    write_text(folder / "test_000000000000_Vents.stt", "nothing");
    rejected({"--input", "."}, "Vents.stt:1:1: ");
}

TEST_CASE("an eruption is run in tiles, with lava added", "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    const Outcome tiled =
        run_program(lava({"--input", ".", "--tile", "8x11", "--generations", "4"}), folder.path());
    INFO(tiled.err);
    REQUIRE(tiled.exit_code == 0);
    CHECK_THAT(tiled.out, contains("sciara_fv2 32x33 (float64 cells, ") &&
                              contains(" in 8x11 tiles), 4 generations"));
    // 88 times 1.5 m^3/s on 100 m^2 for four times 120 s.
    CHECK(final_state(folder)["account"]["emitted"].get<double>() == Approx(88 * 7.2));
    Json entry = results_in(folder / "camber-results.json")["benchmarks"][0]["camber"];
    CHECK(entry["input_tiles"] == Json{{"columns", 8}, {"rows", 11}});
    CHECK(entry["seed"].is_null());
    CHECK_FALSE(entry.contains("added_density"));

    const Outcome covered = run_program(lava({"--input", ".", "--tile", "8x11", "--density", "0.5",
                                              "--seed", "6", "--generations", "2"},
                                             "magflow"),
                                        folder.path());
    INFO(covered.err);
    REQUIRE(covered.exit_code == 0);
    CHECK_THAT(covered.out, contains(" in 8x11 tiles with lava added, seed 6, density 0.5)"));
    CHECK(final_state(folder)["account"]["initial"].get<double>() > 500);
    entry = results_in(folder / "camber-results.json")["benchmarks"][0]["camber"];
    CHECK(entry["added_density"] == 0.5);
    CHECK(entry["seed"] == 6);

    const auto rejected = [&](const Arguments& arguments, const std::string& part) {
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        CHECK_THAT(outcome.err, contains(part));
    };
    rejected(lava({"--input", ".", "--tile", "8"}), "--tile 8 is not COLUMNSxROWS");
    rejected(lava({"--input", ".", "--tile", "0x2"}), "is not COLUMNSxROWS");
    rejected(lava({"--tile", "2x2"}), "give an eruption's folder with --input");
    rejected(lava({"--input", ".", "--tile", "2x2", "--save", "there"}),
             "leave out one of the two");
    rejected(lava({"--input", ".", "--tile", "2x2", "--size", "4x3"}),
             "in 2x2 tiles, the board 4x3");
    rejected(lava({"--input", ".", "--density", "2"}), "density 2 is no share");
}

TEST_CASE("every variant of lava whose arithmetic is the reference's equals it to the last bit",
          "[cli][portable][lava]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--workload", "sciara_fv2", "--backend", "simt", "--size", "37x23",
                     "--density", "0", "--generations", "20"},
                    folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    int canonical = 0;
    for (const Json& entry : results["benchmarks"]) {
        CAPTURE(entry["name"]);
        const bool exact = entry["camber"]["arithmetic"] == "canonical";
        canonical += exact;
        CHECK(entry["camber"]["verification"]["differing_cells"] == 0);
        CHECK(entry["camber"]["verification"]["tolerance"] == (exact ? 0 : 1e-9));
        CHECK(entry["camber"]["final"]["account"]["emitted"].get<double>() > 100);
    }
    CHECK(canonical > 30);
    CHECK(results["benchmarks"].size() > static_cast<std::size_t>(canonical));
}

TEST_CASE("MAGFLOW through the program: an eruption in, results and account out",
          "[cli][portable][lava]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    const Outcome outcome =
        run_program({"run", "--workload", "magflow", "--cell", "float64", "--backend", "cpu",
                     "--quick", "--variant", "reference/serial", "--input", ".", "--generations",
                     "30", "--param", "dt_max=5", "--save", "saved"},
                    folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("magflow 4x3 (float64 cells, ") && contains("unaccounted"));
    const Json final = final_state(folder);
    // 1.5 m^3/s on 100 m^2.
    CHECK(final["account"]["emitted"].get<double>() ==
          Approx(0.015 * final["account"]["time"].get<double>()));
    CHECK(final["mass"].get<double>() == Approx(final["account"]["emitted"].get<double>()));
    CHECK(fs::exists(folder / "saved/test_000000000030_Thickness.asc"));
    const Outcome refused = run_program({"run", "--workload", "magflow", "--backend", "cpu",
                                         "--quick", "--input", ".", "--param", "water=0"},
                                        folder.path());
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, contains("water = 0 is impossible"));
}

TEST_CASE("a flow whose steps are as long as all places allow is divided among places",
          "[cli][portable][lava][group]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run",           "--workload",
                     "magflow",       "--backend",
                     "simt",          "--quick",
                     "--size",        "33x21",
                     "--density",     "0.4",
                     "--generations", "5",
                     "--variant",     "fused_minimum/three_kernels/64x1/align128",
                     "--gpus",        "3",
                     "--exchange",    "all",
                     "--overlap",     "both"},
                    folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    // Four paths with and without overlap, the path `everything`, and four that are unavailable.
    REQUIRE(results["benchmarks"].size() == 13);
    for (const Json& benchmark : results["benchmarks"]) {
        CAPTURE(benchmark["name"].get<std::string>());
        if (benchmark["camber"]["group"]["exchange"] == "kernel" ||
            benchmark["camber"]["group"]["exchange"] == "persistent") {
            CHECK_THAT(benchmark["camber"]["reason"].get<std::string>(),
                       contains("a generation takes several kernels"));
            continue;
        }
        if (benchmark["camber"]["group"]["exchange"] == "nccl") {
            CHECK(benchmark["camber"]["status"] == "skipped");
            continue;
        }
        CHECK(benchmark["camber"]["status"] == "ok");
    }
}

}  // namespace lava_test
