// A run that is killed keeps the cases it has measured.
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace interrupt_test {

namespace {

using namespace camber::cli_test;
using namespace std::chrono_literals;

// Long enough that the signal comes before its end.
const Arguments long_run{"run",    "--backend", "simt",          "--size",
                         "120x90", "--quick",   "--generations", "8"};

// The results as they are in the midst of the run, which must be complete at every moment.
Json results_now(const TemporaryFolder& folder) {
    const fs::path file = folder / "camber-results.json";
    if (!fs::exists(file)) return Json{{"benchmarks", Json::array()}};
    return results_in(file);
}

struct Interrupted {
    Outcome outcome;
    Json before;  // the file's content shortly before the signal
    Json after;
};

Interrupted interrupt(const TemporaryFolder& folder, int signal, std::size_t cases,
                      std::chrono::microseconds delay) {
    Program program(long_run, folder.path());
    Json before;
    do {
        std::this_thread::sleep_for(1ms);
        before = results_now(folder);
    } while (before["benchmarks"].size() < cases && program.running());
    std::this_thread::sleep_for(delay);
    program.send(signal);
    const Outcome outcome = program.wait();
    return {outcome, before, results_now(folder)};
}

void check_kept(const Interrupted& run, std::size_t cases) {
    CHECK(defects(run.after) == std::vector<std::string>{});
    REQUIRE(run.before["benchmarks"].size() >= cases);
    REQUIRE(run.after["benchmarks"].size() >= run.before["benchmarks"].size());
    CHECK(run.after["benchmarks"].size() < listed_variants("simt").size());
    for (std::size_t i = 0; i < run.before["benchmarks"].size(); ++i)
        CHECK(run.after["benchmarks"][i] == run.before["benchmarks"][i]);
    for (const Json& entry : run.after["benchmarks"])
        CHECK(entry["camber"]["verification"]["status"] == "passed");
    CHECK(run.after["context"] == run.before["context"]);
}

}  // namespace

TEST_CASE("a killed run keeps what it has", "[cli][interrupt]") {
    std::mt19937 random(7);
    for (int attempt = 0; attempt < 6; ++attempt) {
        const TemporaryFolder folder;
        const std::size_t cases = 1 + random() % 5;
        // The next case is somewhere between its start and its place in the file.
        const std::chrono::microseconds delay(random() % 40000);
        INFO("after " << cases << " cases and " << delay.count() << " us");
        const Interrupted run = interrupt(folder, SIGKILL, cases, delay);
        CHECK(run.outcome.signal == SIGKILL);
        check_kept(run, cases);
    }
}

TEST_CASE("a run that is told to stop keeps what it has", "[cli][interrupt]") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        const Interrupted run = interrupt(folder, signal, 3, 5ms);
        CHECK(run.outcome.signal == signal);
        check_kept(run, 3);
        CHECK(run.outcome.out.empty());
    }
}

TEST_CASE("the next run replaces what a killed one left", "[cli][interrupt]") {
    const TemporaryFolder folder;
    interrupt(folder, SIGKILL, 2, 3ms);
    const Outcome next =
        run_program({"run", "--size", "5x5", "--variant", "global/16x16"}, folder.path());
    CHECK(next.exit_code == 0);
    CHECK(results_now(folder)["benchmarks"].size() == 1);
    CHECK(folder.entries() == 1);
}

}  // namespace interrupt_test
