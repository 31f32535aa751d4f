// Scaling series over ranks: the program starts the ranks, collects the results for each number of
// them, and reports missing requirements.
#include <fstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"
#include "tests/program/ranks_program.hpp"

namespace scale_ranks_test {
namespace {

using namespace camber::cli_test;

Outcome scale(const Arguments& arguments, const TestFolder& folder) {
    return run_program(with({"scale", "--over", "ranks"}, arguments), folder.path());
}

// A replacement for mpirun that writes prepared results for each number of ranks.
std::string fake_launcher(const TestFolder& folder) {
    const fs::path file = folder / "fake-mpirun";
    std::ofstream(file) << "#!/bin/sh\n"
                           "[ \"$1\" = -n ] || exit 9\n"
                           "for word; do case $word in --out=*) out=${word#--out=};; esac; done\n"
                           "cp \"$0-$2.json\" \"$out\"\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

}  // namespace

TEST_CASE("a series over ranks starts them and gathers what they verified", "[cli][scale][ranks]") {
    require_mpirun();
    const TestFolder folder;
    const Outcome outcome = scale({"--units", "1,2,3", "--size", "70x50", "--launcher",
                                   launcher_anywhere, "--halo-depth", "2", "--out", "s.json"},
                                  folder);
    CAPTURE(outcome.err, outcome.out);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("The simt backend has no times"));
    CHECK_THAT(outcome.out, contains("results: s.json"));
    const Json results = results_in(folder / "s.json");
    CHECK(defects(results) == std::vector<std::string>{});
    CHECK(!results["context"]["camber"].contains("incomplete"));
    REQUIRE(results["benchmarks"].size() == 3);
    for (int i = 0; i < 3; ++i) {
        const Json& one = results["benchmarks"][static_cast<std::size_t>(i)]["camber"];
        CHECK(one["scaling"]["unit"] == "rank");
        CHECK(one["scaling"]["units"] == i + 1);
        CHECK(one["group"]["kind"] == "ranks");
        CHECK(one["group"]["places"] == i + 1);
        CHECK(one["group"]["halo_depth"] == 2);
        CHECK(one["verification"]["status"] == "passed");
        CHECK(one["verification"]["compared_cells"] == 70 * 50);
        CHECK(one["variant"] == results["benchmarks"][0]["camber"]["variant"]);
    }
}

TEST_CASE("a weak series over ranks grows the board with them", "[cli][scale][ranks]") {
    require_mpirun();
    const TestFolder folder;
    const Outcome outcome = scale(
        {"--units", "1,2", "--size", "40x24", "--mode", "weak", "--launcher", launcher_anywhere,
         "--workload", "magflow", "--variant", "halo/four_kernels/64x3/align128", "--minimum",
         "lagged", "--host-wait", "busy", "--out", "w.json"},
        folder);
    CAPTURE(outcome.err, outcome.out);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "w.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 2);
    const Json& second = results["benchmarks"][1]["camber"];
    CHECK(second["size"]["rows"] == 48);
    CHECK(second["verification"]["status"] == "passed");
    CHECK(second["group"]["minimum"] == "lagged");
    CHECK(second["group"]["host_wait"] == "busy");
    CHECK(second["scaling"]["mode"] == "weak");
}

TEST_CASE("too few slots leave what was measured, and --resume goes on", "[cli][scale][ranks]") {
    require_mpirun();
    const TestFolder folder;
    const Arguments problem{"--units", "1,2", "--size", "70x50", "--out", "s.json"};
    const Outcome few = scale(with(problem, {"--launcher", launcher_of_one}), folder);
    CAPTURE(few.err, few.out);
    CHECK(few.exit_code == 5);
    CHECK_THAT(few.err, contains("mpirun has no room for 2 ranks: give fewer as --units"));
    CHECK_THAT(few.err, contains("--launcher 'mpirun --oversubscribe'"));
    CHECK_THAT(few.err, contains("s.json has the numbers of ranks before"));
    const Json part = results_in(folder / "s.json");
    REQUIRE(part["benchmarks"].size() == 1);
    CHECK(part["context"]["camber"].contains("incomplete"));
    const Outcome rest =
        scale(with(problem, {"--launcher", launcher_anywhere, "--resume"}), folder);
    CAPTURE(rest.err);
    CHECK(rest.exit_code == 0);
    const Json whole = results_in(folder / "s.json");
    REQUIRE(whole["benchmarks"].size() == 2);
    CHECK(whole["benchmarks"][0] == part["benchmarks"][0]);
    CHECK(!whole["context"]["camber"].contains("incomplete"));
}

TEST_CASE("ranks with times make the series that GPUs make", "[cli][scale][ranks]") {
    require_mpi();
    const TestFolder folder;
    const std::string launcher = fake_launcher(folder);
    REQUIRE(run_program({"run", "--backend", "cpu", "--size", "64x64", "--quick", "--variant",
                         "reference/serial", "--out", "cpu.json"},
                        folder.path())
                .exit_code == 0);
    for (const int ranks : {1, 2, 4}) {
        Json results = results_in(folder / "cpu.json");
        Json& one = results["benchmarks"][0];
        one["name"] = one["run_name"] = "life/x/ranks:" + std::to_string(ranks);
        Json& camber = one["camber"];
        camber["group"] = {{"kind", "ranks"},
                           {"places", ranks},
                           {"weights", std::vector<int>(static_cast<std::size_t>(ranks), 1)},
                           {"partition", "rows"},
                           {"allocation", "slab"},
                           {"exchange", "mpi"},
                           {"overlap", true},
                           {"halo_depth", 1},
                           {"edge_share", 16}};
        const double per_generation = 800.0 / ranks + 100;
        const double sample = per_generation * camber["generations_per_sample"].get<double>();
        for (Json& time : camber["samples_ns"]) time = sample;
        for (const char* ns : {"min_ns", "median_ns", "max_ns", "mean_ns"})
            if (camber["statistics"].contains(ns)) camber["statistics"][ns] = sample;
        write_text(fs::path(launcher + "-" + std::to_string(ranks) + ".json"), results.dump());
    }
    const Outcome outcome = scale(
        {"--units", "1,2,4", "--size", "64x64", "--launcher", launcher, "--out", "s.json"}, folder);
    CAPTURE(outcome.err, outcome.out);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("strong scaling over ranks"));
    const Json document = results_in(folder / "s.json");
    CHECK(defects(document) == std::vector<std::string>{});
    REQUIRE(document["scaling"].size() == 1);
    CHECK(document["scaling"][0]["unit"] == "rank");
    REQUIRE(document["scaling"][0]["points"].size() == 3);
    CHECK(document["scaling"][0]["points"][2]["speedup"].get<double>() == Approx(900.0 / 300.0));
    const Outcome again = run_program({"scale", "--from", "s.json"}, folder.path());
    CHECK(again.exit_code == 0);
    CHECK(outcome.out == again.out + "results: s.json\n");
}

TEST_CASE("what keeps a series over ranks from starting is said in one sentence",
          "[cli][scale][ranks]") {
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, int code, const char* words) {
        const Outcome outcome = scale(arguments, folder);
        CAPTURE(arguments, outcome.out);
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(words));
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK(!fs::exists(folder / "camber-scaling.json"));
    };
    refused({"--gpus", "2"}, 2, "--gpus 2 is for --over gpus");
    refused({"--exchange", "all"}, 2, "a series has one exchange");
    {
        const camber::EnvironmentVariable inside("OMPI_COMM_WORLD_RANK", "0");
        refused({}, 2, "starts its ranks itself, and was started as one of several");
    }
    require_mpi();
    refused({"--launcher", "no-such-mpirun"}, 5, "there is no program no-such-mpirun");
    {
        const camber::EnvironmentVariable launcher("CAMBER_LAUNCHER", "no-other-mpirun -x");
        refused({}, 5, "there is no program no-other-mpirun");
        refused({"--launcher", "no-such-mpirun"}, 5, "there is no program no-such-mpirun");
    }
    refused({"--launcher", "false", "--units", "1"}, 2, "at least one larger number of ranks");
    refused({"--launcher", "false", "--units", "1,2"}, 5,
            "false did not start 1 rank, and ended with exit code 1");
    require_mpirun();
    refused({"--launcher", launcher_anywhere, "--units", "1,2", "--exchange", "copies"}, 2,
            "with 1 rank: exchange 'copies' is unknown: choose everything or mpi");
    refused({"--launcher", launcher_anywhere, "--units", "1,2", "--border-buffers", "single"}, 2,
            "--border-buffers single applies to the ways staged and pageable only");
}

}  // namespace scale_ranks_test
