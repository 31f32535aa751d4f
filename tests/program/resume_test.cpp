// Runs with a time budget, and runs that resume from earlier results.
#include <csignal>
#include <set>
#include <thread>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace resume_test {

namespace {

using namespace camber::cli_test;
using namespace std::chrono_literals;

const Arguments command{"run", "--backend", "simt", "--size", "120x90", "--out", "r.json"};

// Facts that do not depend on time, by case name.
std::map<std::string, Json> lasting(const Json& results) {
    std::map<std::string, Json> cases;
    for (const Json& entry : results["benchmarks"]) {
        const Json& camber = entry["camber"];
        Json& kept = cases[entry["name"]];
        for (const char* key : {"status", "verification", "variant", "parameters", "final"})
            if (camber.contains(key)) kept[key] = camber[key];
    }
    return cases;
}

// Kills the run by SIGKILL once it has `cases` cases.
void kill_at(const Arguments& arguments, const TestFolder& folder, std::size_t cases) {
    Program program(arguments, folder.path());
    const fs::path file = folder / "r.json";
    while (program.running() &&
           (!fs::exists(file) || results_in(file)["benchmarks"].size() < cases))
        std::this_thread::sleep_for(1ms);
    program.send(SIGKILL);
    program.wait();
}

}  // namespace

TEST_CASE("a run that is killed and resumed has the cases of one in one piece",
          "[cli][portable][resume][slow]") {
    const TestFolder whole;
    REQUIRE(run_program(command, whole.path()).exit_code == 0);
    const TestFolder folder;
    const Arguments again = with(command, {"--resume"});
    Json before;
    // On a busy machine a run may end before it is killed.
    for (int attempt = 0; attempt < 4; ++attempt) {
        fs::remove(folder / "r.json");
        for (const std::size_t cases : {3, 17, 30}) kill_at(again, folder, cases);
        before = results_in(folder / "r.json");
        if (before["context"]["camber"].contains("incomplete")) break;
    }
    REQUIRE(before["benchmarks"].size() >= 17);
    REQUIRE(before["context"]["camber"].contains("incomplete"));
    const Outcome last = run_program(again, folder.path());
    CHECK(last.exit_code == 0);
    const Json after = results_in(folder / "r.json");
    CHECK(defects(after) == std::vector<std::string>{});
    CHECK_FALSE(after["context"]["camber"].contains("incomplete"));
    CHECK(lasting(after) == lasting(results_in(whole / "r.json")));
    // Existing results are unchanged.
    for (std::size_t i = 0; i < before["benchmarks"].size(); ++i)
        CHECK(after["benchmarks"][i] == before["benchmarks"][i]);
    CHECK(folder.entries() == 1);
    // Nothing is left to measure, and the file is unchanged.
    const std::string text = text_of(folder / "r.json");
    const Outcome more = run_program(again, folder.path());
    CHECK(more.exit_code == 0);
    CHECK_THAT(more.out, contains("all cases in r.json are already measured"));
    CHECK(text_of(folder / "r.json") == text);
}

TEST_CASE("visits of several rounds are gone on with", "[cli][portable][resume]") {
    const TestFolder folder;
    const Arguments rounds{
        "run",   "--backend", "cpu",      "--size",           "40x30", "--rounds", "3",
        "--out", "r.json",    "--resume", "--sample-seconds", "0.01"};
    kill_at(rounds, folder, 2);
    CHECK(run_program(rounds, folder.path()).exit_code == 0);
    const Json results = results_in(folder / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
    REQUIRE(results["benchmarks"].size() == 2);
    for (const Json& entry : results["benchmarks"]) {
        std::multiset<int> seen;
        for (const Json& visit : entry["camber"]["visits"]) seen.insert(visit["round"].get<int>());
        CHECK(seen == std::multiset<int>{0, 1, 2});
    }
}

TEST_CASE("a run ends when its budget does", "[cli][portable][resume]") {
    const TestFolder folder;
    // Short visits, and more of them than the time budget permits.
    const Arguments long_run{
        "run",      "--backend", "cpu",       "--size",      "60x50",
        "--quick",  "--rounds",  "1000",      "--out",       "r.json",
        "--budget", "2s",        "--variant", "reference/*", "--sample-seconds",
        "0.05"};
    const Outcome outcome = run_program(long_run, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, contains("camber: --budget 2s is used up; --resume continues: ") &&
                                contains(" of 2000 visits\n"));
    CHECK_THAT(outcome.out, contains("results: r.json\n"));
    const Json results = results_in(folder / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    CHECK(results["context"]["camber"]["incomplete"]["of_visits"] == 2000);

    const Outcome nothing =
        run_program({"run", "--backend", "cpu", "--size", "3000x3000", "--generations", "1000",
                     "--budget", "1s", "--out", "none.json"},
                    folder.path());
    CHECK(nothing.exit_code == 5);
    CHECK(nothing.err == "camber: --budget 1s ended before a case was measured: give more time\n");
    CHECK(folder.entries() == 1);
}

TEST_CASE("what cannot be gone on with is refused", "[cli][portable][resume]") {
    const TestFolder folder;
    const Arguments small{"run",       "--backend",        "cpu",   "--size", "9x9",
                          "--variant", "reference/serial", "--out", "r.json"};
    REQUIRE(run_program(small, folder.path()).exit_code == 0);
    const std::string text = text_of(folder / "r.json");
    const auto refused = [&](const std::string& why) {
        const Outcome outcome = run_program(with(small, {"--resume"}), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains("camber: --resume cannot continue r.json: " + why));
        CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    };
    const Outcome other = run_program(with(small, {"--resume", "--cell", "uint8"}), folder.path());
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("it belongs to another command, camber run --backend cpu"));
    Json results = of_another_commit(Json::parse(text));
    write_text(folder / "r.json", results.dump());
    refused("it was measured elsewhere, commit 0123456789ab against ");
    results = of_another_card(Json::parse(text));
    write_text(folder / "r.json", results.dump());
    refused("it was measured elsewhere, NVIDIA H100 against no GPU");
    write_text(folder / "r.json", R"({"context": {}, "benchmarks": []})");
    refused("it was not written by camber run");
}

TEST_CASE("a resumed run is one of a single process and without a state to save",
          "[cli][portable][resume]") {
    const TestFolder folder;
    const auto complaint = [&](const Arguments& more) {
        const Outcome outcome =
            run_program(with({"run", "--size", "9x9", "--backend", "cpu"}, more), folder.path());
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(complaint({"--resume", "--save", "x.rle"}) ==
          "camber: --resume cannot be combined with --save: leave out one of the two\n");
    CHECK(complaint({"--budget", "1m", "--processes", "2"}) ==
          "camber: --budget cannot be combined with --processes: leave out one of the two\n");
    CHECK(complaint({"--resume", "--benchmark_repetitions=2"}) ==
          "camber: --resume cannot be combined with --benchmark_repetitions: leave out one of the "
          "two\n");
    for (const char* budget : {"0", "abc", "-3s", "nan", "20x", "", "1e9h"})
        CHECK_THAT(complaint({"--budget", budget}),
                   contains("is no length of time from one second to a thousand hours"));
    CHECK(folder.entries() == 0);
}

}  // namespace resume_test
