// Several processes started by mpirun give the results of one process. If one of them dies or
// hangs, the run ends with the results so far.
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/program/ranks_program.hpp"

namespace ranks_test {
namespace {

using namespace camber::cli_test;
using namespace std::chrono_literals;

Arguments rank_words(int ranks, const Arguments& arguments) {
    Arguments words{"-n", std::to_string(ranks), built::program, "run", "--ranks"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

Arguments started(Arguments words) {
    words.insert(words.begin(), {"--allow-run-as-root", "--oversubscribe"});
    return words;
}

Outcome run_ranks(int ranks, const Arguments& arguments, const fs::path& folder) {
    return run_program(started(rank_words(ranks, arguments)), folder, require_mpirun().c_str());
}

// Process of the given rank whose working directory is `folder`; 0 if there is none.
pid_t process_of(int rank, const fs::path& folder) {
    const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::error_code error;
        if (fs::read_symlink(entry.path() / "cwd", error) != folder || error) continue;
        const std::string environment = text_of(entry.path() / "environ");
        if (environment.find(variable + '\0') != std::string::npos)
            return std::stoi(entry.path().filename());
    }
    return 0;
}

// Many short cases.
const Arguments long_run{"--size", "61x47", "--generations", "400", "--workload", "life"};

// Sends the signal to one of three ranks after the first case was measured.
Outcome disturb(const TestFolder& folder, int rank, int signal, Arguments arguments) {
    arguments.insert(arguments.end(), long_run.begin(), long_run.end());
    const std::string starter = require_mpirun();
    Program program(started(rank_words(3, arguments)), folder.path(), starter.c_str());
    while (!fs::exists(folder / "camber-results.json") && program.running())
        std::this_thread::sleep_for(1ms);
    const pid_t process = process_of(rank, fs::canonical(folder.path()));
    REQUIRE(process > 0);
    kill(process, signal);
    return program.wait();
}

TEST_CASE("ranks compute what one process computes", "[cli][portable][ranks][slow]") {
    for (const std::string boundary : {"dead", "torus"}) {
        const TestFolder folder;
        const Arguments problem{
            "--size", "70x50",     "--boundary",         boundary,    "--generations",
            "12",     "--variant", "halo/64x4/align128", "--variant", "shared_tile/16x16/align128"};
        Arguments alone{"run", "--save", "one.rle", "--out", "one.json"};
        alone.insert(alone.end(), problem.begin(), problem.end());
        REQUIRE(run_program(alone, folder.path()).exit_code == 0);
        for (const int ranks : {1, 2, 3}) {
            CAPTURE(boundary, ranks);
            Arguments together{"--save",     "several.rle", "--out",     "several.json",
                               "--exchange", "all",         "--overlap", "both"};
            if (ranks == 3) together.insert(together.end(), {"--halo-depth", "2"});
            together.insert(together.end(), problem.begin(), problem.end());
            const Outcome outcome = run_ranks(ranks, together, folder.path());
            CAPTURE(outcome.err);
            REQUIRE(outcome.exit_code == 0);
            CHECK(outcome.out.find("results: several.json") ==
                  outcome.out.rfind("results: several.json"));
            const Json results = results_in(folder / "several.json");
            CHECK(defects(results) == std::vector<std::string>{});
            REQUIRE(results["benchmarks"].size() == 6);  // everything; mpi with overlap and without
            for (const Json& entry : results["benchmarks"]) {
                CHECK(entry["camber"]["verification"]["status"] == "passed");
                CHECK(entry["camber"]["group"]["kind"] == "ranks");
                CHECK(entry["camber"]["group"]["places"] == ranks);
                CHECK(entry["camber"]["group"]["imbalance"] >= 1.0);
            }
            const auto cells = [&](const char* file) {
                const std::string text = text_of(folder / file);
                return text.substr(text.find("\nx = "));
            };
            CHECK(cells("several.rle") == cells("one.rle"));
        }
    }
}

TEST_CASE("ranks agree on the steps of lava", "[cli][portable][ranks]") {
    const TestFolder folder;
    const Outcome outcome = run_ranks(
        3,
        {"--workload", "magflow", "--size", "40x36", "--variant",
         "*/halo/four_kernels/64x4/align128", "--variant",
         "*/shared_tile/four_kernels/64x4/align128", "--exchange", "all", "--generations", "20"},
        folder.path());
    CAPTURE(outcome.err, outcome.out);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    REQUIRE(results["benchmarks"].size() == 4);
    for (const Json& entry : results["benchmarks"])
        CHECK(entry["camber"]["verification"]["status"] == "passed");
}

TEST_CASE("ranks compute lava of every model", "[cli][portable][ranks][lava]") {
    struct Divided {
        const char* workload;
        const char* variant;
    };
    for (const auto& [workload, variant] :
         {Divided{"sciara_fv2", "halo/four_kernels/64x4/align128"},
          Divided{"sciara_fv2", "one_kernel/16x16"},
          Divided{"sciara_fv3", "halo/six_kernels/64x4/align128"}}) {
        CAPTURE(workload, variant);
        const TestFolder folder;
        const Outcome outcome = run_ranks(
            3,
            {"--workload", workload, "--backend", "simt", "--size", "40x36", "--density", "0.4",
             "--generations", "6", "--variant", variant, "--exchange", "all", "--overlap", "both"},
            folder.path());
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const Json results = results_in(folder / "camber-results.json");
        CHECK(defects(results) == std::vector<std::string>{});
        REQUIRE(results["benchmarks"].size() == 3);  // everything; mpi with overlap and without
        for (const Json& entry : results["benchmarks"]) {
            const Json& camber = entry["camber"];
            if (camber["group"]["overlap"] == true && std::string(variant) == "one_kernel/16x16") {
                CHECK(camber["status"] == "skipped");
                continue;
            }
            CHECK(camber["verification"]["status"] == "passed");
            CHECK(camber["group"]["kind"] == "ranks");
        }
    }
}

// Water gathers in the corridor, so that it crosses the borders between ranks.
TEST_CASE("ranks share particles", "[cli][portable][ranks][sph][slow]") {
    const TestFolder folder;
    const Arguments problem{"--workload", "sph",
                            "--backend",  "simt",
                            "--variant",  "neighbour_list/float4/read_only/b128",
                            "--variant",  "cell_visit/float4/plain/b128"};
    const Arguments scene{"--param", "dp=0.06", "--param", "scene=2", "--param", "rebuild=4"};
    const auto state = [&](const char* file) {
        return text_of(folder / (std::string(file) + ".state"));
    };
    const auto alone = [&](const char* generations, const char* file) {
        const Outcome outcome =
            run_program(with(with({"run"}, problem),
                             with(scene, {"--generations", generations, "--save", file})),
                        folder.path());
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
    };
    const auto together = [&](int ranks, const Arguments& more) {
        const Outcome outcome = run_ranks(
            ranks, with(with(problem, more), {"--save", "several.vtk", "--overlap", "both"}),
            folder.path());
        CAPTURE(ranks, outcome.err, outcome.out);
        REQUIRE(outcome.exit_code == 0);
        const Json results = results_in(folder / "camber-results.json");
        CHECK(defects(results) == std::vector<std::string>{});
        REQUIRE(results["benchmarks"].size() == 4);
        for (const Json& entry : results["benchmarks"]) {
            CHECK(entry["camber"]["verification"]["status"] == "passed");
            CHECK(entry["camber"]["group"]["kind"] == "ranks");
            CHECK(entry["camber"]["group"]["places"] == ranks);
        }
    };
    alone("62", "whole.vtk");
    for (const int ranks : {1, 2, 3}) {
        together(ranks, with(scene, {"--generations", "62"}));
        CHECK((state("several.vtk") == state("whole.vtk")));
    }
    // Resumes between two list updates, with other shares.
    alone("30", "first.vtk");
    together(3, {"--input", "first.vtk", "--generations", "32", "--weights", "2,1,1"});
    CHECK((state("several.vtk") == state("whole.vtk")));

    const auto skipped = [&](int ranks, const Arguments& more) {
        const Outcome outcome =
            run_ranks(ranks, with(with(problem, {"--param", "dp=0.1", "--generations", "2"}), more),
                      folder.path());
        CAPTURE(outcome.err);
        return outcome.out;
    };
    CHECK_THAT(skipped(8, {}), contains("each of 8 places needs a slice of cells, and with dp = "
                                        "0.1 m there are at most 7 along an axis"));
    CHECK_THAT(skipped(2, {"--exchange", "everything"}),
               contains("forces of edges travel, and never all that places have: choose mpi"));
}

TEST_CASE("the timeline of ranks has all of them on one clock",
          "[cli][portable][ranks][timeline]") {
    const TestFolder folder;
    const Outcome outcome = run_ranks(3,
                                      {"--backend", "simt", "--size", "60x48", "--variant",
                                       "halo/64x4/align128", "--trace", "t.json"},
                                      folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("trace: t.json (1 timeline"));
    const Json trace = results_in(folder / "t.json");
    const Json& timeline = trace["otherData"]["timelines"][0];
    REQUIRE(timeline["places"].size() == 3);
    CHECK(timeline["places"][2]["name"] == "rank 2, simt");
    CHECK(timeline["clock_residual_ns"] > 0.0);
    // The trace contains the kernels of every rank, but no barriers.
    std::map<int, int> kernels;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "X") continue;
        CHECK(event["name"] != "ranks meet");
        CHECK(event["ts"] >= 0.0);
        if (event["cat"] == "kernel") ++kernels[event["pid"].get<int>()];
    }
    CHECK(kernels.size() == 3);
    for (const auto& [process, count] : kernels) CHECK(count >= 12);
    CHECK(!fs::exists(folder / "t-1.json"));
}

TEST_CASE("a rank that dies ends the run with what was measured", "[cli][portable][ranks]") {
    const TestFolder folder;
    const Outcome outcome = disturb(folder, 2, SIGKILL, {});
    CHECK(outcome.exit_code != 0);
    CAPTURE(outcome.err);
    CHECK_THAT(outcome.err, contains("camber: stopped by a signal, which mpirun sends when a rank "
                                     "dies: "));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    CHECK(results["context"]["camber"]["incomplete"]["cases"].get<int>() > 0);
}

TEST_CASE("a rank that hangs ends the run with what was measured", "[cli][portable][ranks]") {
    const TestFolder folder;
    const Outcome outcome = disturb(folder, 1, SIGSTOP, {"--rank-timeout", "1"});
    CHECK(outcome.exit_code == 5);
    CAPTURE(outcome.err);
    CHECK_THAT(outcome.err, contains("has not answered rank 0 for 1 s"));
    CHECK_THAT(outcome.err,
               contains("; camber-results.json contains ") && contains(" measured before"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(results["context"]["camber"]["incomplete"]["cases"].get<int>() > 0);
}

TEST_CASE("what ranks cannot do is one sentence", "[cli][portable][ranks]") {
    const TestFolder folder;
    const auto count = [](const std::string& text, const std::string& part) {
        int found = 0;
        for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    for (const char* option : {"--processes=2", "--gpus=2", "--budget=1m", "--graph"}) {
        const Outcome outcome = run_program({"run", "--ranks", option}, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains("--ranks cannot be combined with --"));
    }
    SECTION("other arguments") {
        Arguments words = rank_words(1, {"--seed", "1"});
        const Arguments others = rank_words(1, {"--seed", "2"});
        words.emplace_back(":");
        words.insert(words.end(), others.begin(), others.end());
        const Outcome outcome =
            run_program(started(words), folder.path(), require_mpirun().c_str());
        CHECK(outcome.exit_code == 2);
        CHECK(count(outcome.err, "camber: rank 1 was started with other arguments than rank 0") ==
              1);
    }
    SECTION("another build") {
        // Changes the build ID in the linker's note.
        std::string program = text_of(built::program);
        const std::string note("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU", 16);
        const std::size_t mark = program.find(note);
        if (mark == std::string::npos) camber::skip_test("the program has no mark of its build");
        program[mark + note.size()] ^= 1;
        const fs::path other = folder / "camber";
        std::ofstream(other, std::ios::binary) << program;
        fs::permissions(other, fs::perms::owner_all);
        // The MPI library is in the program's folder.
        const fs::path library = fs::path(built::program).parent_path() / "camber-mpi.so";
        if (fs::exists(library)) fs::create_symlink(library, folder / "camber-mpi.so");
        Arguments words = rank_words(1, {});
        words.insert(words.end(), {":", "-n", "1", other.string(), "run", "--ranks"});
        const Outcome outcome =
            run_program(started(words), folder.path(), require_mpirun().c_str());
        CHECK(outcome.exit_code == 2);
        CHECK(count(outcome.err,
                    "camber: rank 1 is another build of camber than rank 0: start "
                    "the same one on all") == 1);
    }
    SECTION("another exchange") {
        const Outcome outcome = run_ranks(2, {"--exchange", "copies"}, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(count(outcome.err, "exchange 'copies' is unknown: choose everything or mpi") == 1);
    }
    SECTION("more ranks than rows") {
        const Outcome outcome = run_ranks(
            3, {"--size", "20x2", "--variant", "halo/64x4/align128", "--generations", "2"},
            folder.path());
        CHECK_THAT(outcome.out, contains("of the board's 2 rows"));
    }
    CHECK(!fs::exists(folder / "camber-results-1.json"));
}

}  // namespace
}  // namespace ranks_test
