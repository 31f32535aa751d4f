// Runs that resume from a saved state give bit-identical results to an uninterrupted run.
#include <fstream>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace go_on_test {

namespace {

using namespace camber::cli_test;

struct Simulation {
    const char* workload;
    const char* cell;
    const char* file;  // "" where a folder is saved
    int whole, first;  // numbers of generations
    Arguments variants;
};

// Variants whose state consists of fields only, and variants with additional state.
const Simulation simulations[] = {
    {"sciara_fv2",
     "float64",
     "",
     24,
     9,
     {"--variant", "one_kernel/*", "--variant", "global/*16x16"}},
    {"sciara_fv3", "float64", "", 24, 9, {"--variant", "global/*16x16", "--variant", "boxes/3/*"}},
    {"sciara_fv3", "float32", "", 24, 9, {"--variant", "swap_hand_over/*"}},
    {"magflow", "float32", "", 24, 9, {"--variant", "published/*", "--variant", "persistent/*"}},
    {"magflow", "float64", "", 24, 9, {"--variant", "bounding_box/device/64x4/tight/*"}},
    {"water_flow", "float32", ".asc", 24, 9, {"--variant", "global/*16x16"}},
    {"surface_water", "float32", ".asc", 300, 200, {"--variant", "global/*16x16"}},
};

class Runs {
  public:
    Runs(const Simulation& simulation, std::string backend)
        : simulation_(simulation), backend_(std::move(backend)) {}

    Outcome run(int generations, const std::string& save, Arguments more) {
        Arguments arguments{"run",
                            "--workload",
                            simulation_.workload,
                            "--cell",
                            simulation_.cell,
                            "--backend",
                            backend_,
                            "--quick",
                            "--generations",
                            std::to_string(generations),
                            "--save",
                            name(save)};
        if (backend_ == "simt")
            arguments.insert(arguments.end(), simulation_.variants.begin(),
                             simulation_.variants.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments, folder.path());
    }
    std::string name(const std::string& stem) const { return stem + simulation_.file; }
    fs::path state(const std::string& stem) const {
        return *simulation_.file == 0 ? folder / stem / "camber.state"
                                      : folder / (name(stem) + ".state");
    }

    TestFolder folder;

  private:
    const Simulation& simulation_;
    std::string backend_;
};

std::string final_line(const std::string& out) {
    for (const std::string& line : lines_of(out))
        if (const auto at = line.find(": "); line.starts_with("after ")) return line.substr(at);
    return "";
}

}  // namespace

TEST_CASE("a run that is saved and gone on with ends as one that is not interrupted",
          "[cli][portable][go-on][slow]") {
    for (const Simulation& simulation : simulations)
        for (const std::string backend : {"simt", "cpu"}) {
            CAPTURE(simulation.workload, simulation.cell, backend);
            Runs runs(simulation, backend);
            // Rain stops and vents change their rates during the run.
            Arguments board{"--size", "37x29"};
            if (*simulation.file == 0) board.insert(board.end(), {"--density", "0.1"});
            const Outcome whole = runs.run(simulation.whole, "whole", board);
            CAPTURE(whole.err);
            REQUIRE(whole.exit_code == 0);
            REQUIRE(runs.run(simulation.first, "first", board).exit_code == 0);
            const Outcome rest = runs.run(simulation.whole - simulation.first, "rest",
                                          {"--input", runs.name("first")});
            CAPTURE(rest.err);
            REQUIRE(rest.exit_code == 0);
            CHECK_THAT(rest.out,
                       contains("gone on from generation " + std::to_string(simulation.first)));
            CHECK(final_line(rest.out) == final_line(whole.out));
            CHECK((text_of(runs.state("rest")) == text_of(runs.state("whole"))));
        }
}

TEST_CASE("what three places have saved goes on on one, two or three",
          "[cli][portable][go-on][group]") {
    const Simulation divided[] = {
        {"life", "uint32", ".rle", 24, 9, {"--variant", "halo/16x16/align128"}},
        {"water_flow", "float32", ".asc", 24, 9, {"--variant", "halo/fused/16x16/align128"}},
        {"magflow", "float32", "", 24, 9, {"--variant", "halo/four_kernels/64x4/align128"}},
        {"sciara_fv2",
         "float64",
         "",
         24,
         9,
         {"--variant", "halo/four_kernels/64x4/align128", "--variant", "one_kernel/16x16"}},
        {"sciara_fv3", "float64", "", 24, 9, {"--variant", "halo/six_kernels/64x4/align128"}},
    };
    for (const Simulation& simulation : divided) {
        CAPTURE(simulation.workload);
        Runs runs(simulation, "simt");
        const Arguments board{"--size", "37x29", "--density", "0.3"};
        const Outcome whole = runs.run(simulation.whole, "whole", board);
        CAPTURE(whole.err);
        REQUIRE(whole.exit_code == 0);
        REQUIRE(runs.run(simulation.first, "first",
                         with(board, {"--gpus", "3", "--overlap", "off", "--weights", "1,2,1"}))
                    .exit_code == 0);
        CHECK_FALSE(final_line(whole.out).empty());
        for (const std::string devices : {"1", "2", "3"}) {
            CAPTURE(devices);
            Arguments how{"--input", runs.name("first"), "--size", "37x29"};
            if (devices != "1")
                how = with(how,
                           {"--gpus", devices, "--overlap", "off", "--exchange", "stores"});
            const std::string rest_name = "rest" + devices;
            const Outcome rest =
                runs.run(simulation.whole - simulation.first, rest_name, std::move(how));
            CAPTURE(rest.err);
            REQUIRE(rest.exit_code == 0);
            CHECK(final_line(rest.out) == final_line(whole.out));
            if (fs::exists(runs.state("whole")))
                CHECK((text_of(runs.state(rest_name)) == text_of(runs.state("whole"))));
            else
                CHECK(simulation.workload == std::string("life"));
        }
    }
}

TEST_CASE("a run goes on more than once", "[cli][portable][go-on]") {
    for (const int which : {0, 6}) {
        const Simulation& simulation = simulations[which];
        CAPTURE(simulation.workload);
        Runs runs(simulation, "cpu");
        REQUIRE(runs.run(6, "whole", {"--size", "37x29"}).exit_code == 0);
        REQUIRE(runs.run(2, "one", {"--size", "37x29"}).exit_code == 0);
        REQUIRE(runs.run(2, "two", {"--input", runs.name("one")}).exit_code == 0);
        REQUIRE(runs.run(2, "three", {"--input", runs.name("two")}).exit_code == 0);
        CHECK((text_of(runs.state("three")) == text_of(runs.state("whole"))));
    }
}

TEST_CASE("without its state a folder is a start like any other, and the run says so",
          "[cli][portable][go-on]") {
    Runs runs(simulations[1], "cpu");
    REQUIRE(runs.run(4, "first", {"--size", "37x29"}).exit_code == 0);
    const auto anew = [&](const Arguments& more) {
        Arguments arguments{"--input", "first"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = runs.run(2, "rest", arguments);
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out,
                   contains("with its lava; time and all that its rasters do not hold begin anew"));
    };
    // With options that change the ground, the saved state is not resumed.
    anew({"--density", "0.1"});
    anew({"--refine", "2"});
    fs::remove(runs.state("first"));
    anew({});
    CHECK(fs::exists(runs.state("rest")));
}

TEST_CASE("a damaged state is one sentence", "[cli][portable][go-on]") {
    Runs runs(simulations[1], "cpu");
    REQUIRE(runs.run(2, "first", {"--size", "37x29"}).exit_code == 0);
    const std::string good = text_of(runs.state("first"));
    const auto refused = [&](const std::string& text, const std::string& reason) {
        write_text(runs.state("first"), text);
        const Outcome outcome = runs.run(2, "rest", {"--input", "first"});
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains("the saved state first/camber.state is damaged: ") &&
                                    contains(reason) && contains("delete it to start from"));
        CHECK(lines_of(outcome.err).size() == 1);
    };
    std::string flipped = good;
    flipped[good.size() - 100] = static_cast<char>(flipped[good.size() - 100] ^ 1);
    refused(flipped, "its checksum is of other cells");
    refused(good.substr(0, good.size() / 2), "it ends within the field");
    refused(good + "x", "it goes on behind its last field");
    refused(good.substr(0, good.find("parameter")), "its head does not end");
    refused("", "its head does not end");
    refused("something else\n", "it does not begin as one");
    std::string odd = good;
    odd.replace(odd.find("generations 2"), 13, "generations x");
    refused(odd, "its line 4, 'generations x', makes no sense");

    write_text(runs.state("first"), good);
    const Outcome other = run_program({"run", "--workload", "sciara_fv3", "--cell", "float32",
                                       "--backend", "cpu", "--input", "first"},
                                      runs.folder.path());
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err,
               contains("is of float64 cells, the run of float32: choose --cell float64"));
}

TEST_CASE("a plane has one crater, and lava where it is asked for", "[cli][portable][lava]") {
    const TestFolder folder;
    const auto run = [&](Arguments more) {
        Arguments arguments{"run",           "--workload", "sciara_fv3", "--backend",
                            "cpu",           "--quick",    "--size",     "41x41",
                            "--generations", "8",          "--ground",   "plane"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 0);
        return outcome.out;
    };
    const std::string bare = run({});
    CHECK_THAT(bare, contains("sciara_fv3 41x41 (float64 cells, a plane with a crater), 8"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(results["benchmarks"][0]["camber"]["workload_parameters"]["vents"][0] == 1);
    CHECK_THAT(run({"--density", "0.25"}), contains("a plane with a crater and lava, seed 1"));
    for (const std::string workload : {"sciara_fv2", "magflow"})
        CHECK(run_program({"run", "--workload", workload, "--backend", "cpu", "--quick", "--size",
                           "41x41", "--generations", "8", "--ground", "plane"},
                          folder.path())
                  .exit_code == 0);
    const auto refused = [&](const Arguments& arguments, const std::string& reason) {
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(reason));
    };
    refused(
        {"run", "--ground", "plane"},
        "workload life has no option --ground: leave it out, or choose --workload sciara_fv2 or");
    refused({"run", "--refine", "2"}, "workload life has no option --refine");
    refused({"scale", "--over", "threads", "--workload", "blur", "--tile=2x2"},
            "workload blur has no option --tile: leave it out, or choose --workload sciara_fv2 or");
    refused({"run", "--workload", "nope", "--refine", "2"}, "workload 'nope' is unknown");
    refused({"run", "--workload", "magflow", "--refine", "17"},
            "--refine 17 is not a number from 1 to 16");
    refused({"run", "--workload", "magflow", "--ground", "hill"},
            "--ground hill is unknown: choose volcano or plane");
    refused({"run", "--workload", "magflow", "--refine", "2"}, "give an eruption's folder with --input");
}

}  // namespace go_on_test
