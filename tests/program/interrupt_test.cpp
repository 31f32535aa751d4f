// A run that is killed or stopped retains the cases it has measured, and leaves no other files.
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace interrupt_test {

namespace {

using namespace camber::cli_test;
using namespace std::chrono_literals;

// Long enough that the signal arrives before its end.
const Arguments long_run{"run",    "--backend", "simt",          "--size",
                         "120x90", "--quick",   "--generations", "40", "--all-rows"};

// Results in the middle of the run, which must be complete at any time.
Json results_now(const TestFolder& folder) {
    const fs::path file = folder / "camber-results.json";
    if (!fs::exists(file)) return Json{{"benchmarks", Json::array()}};
    return results_in(file);
}

struct Interrupted {
    Outcome outcome;
    Json before;  // the file's content shortly before the signal
    Json after;
};

Interrupted interrupt(const TestFolder& folder, int signal, std::size_t cases,
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
    const Json so_far = run.after["context"]["camber"]["incomplete"];
    CHECK(so_far["cases"] == run.after["benchmarks"].size());
    CHECK(so_far["of_cases"] == listed_variants("simt").size());
    Json before = run.before["context"];
    Json after = run.after["context"];
    for (Json* context : {&before, &after})
        for (const char* of_progress : {"incomplete", "wall_seconds"})
            (*context)["camber"].erase(of_progress);
    CHECK(after == before);
}

// Number of processes whose command line names the folder.
int processes_with(const fs::path& folder) {
    int count = 0;
    for (const auto& process : fs::directory_iterator("/proc"))
        count += text_of(process.path() / "cmdline").find(folder.string()) != std::string::npos;
    return count;
}

}  // namespace

TEST_CASE("a killed run keeps what it has", "[cli][portable][interrupt]") {
    std::mt19937 random(7);
    for (int attempt = 0; attempt < 6; ++attempt) {
        const TestFolder folder;
        const std::size_t cases = 1 + random() % 5;
        // The next case is somewhere between its start and its entry in the file.
        const std::chrono::microseconds delay(random() % 40000);
        INFO("after " << cases << " cases and " << delay.count() << " us");
        const Interrupted run = interrupt(folder, SIGKILL, cases, delay);
        CHECK(run.outcome.signal == SIGKILL);
        check_kept(run, cases);
    }
}

TEST_CASE("a run that is told to stop keeps what it has", "[cli][portable][interrupt]") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const TestFolder folder;
        const Interrupted run = interrupt(folder, signal, 3, 5ms);
        CHECK(run.outcome.signal == signal);
        check_kept(run, 3);
        const auto cases = run.after["benchmarks"].size();
        CHECK(run.outcome.err == "camber: stopped: " + std::to_string(cases) + " of " +
                                     std::to_string(listed_variants("simt").size()) +
                                     " cases measured\n");
        // The table contains the cases measured so far.
        for (const Json& entry : run.after["benchmarks"])
            CHECK_THAT(run.outcome.out,
                       contains("\n" + entry["camber"]["variant"].get<std::string>() + " "));
        CHECK(lines_of(run.outcome.out).back() == "results: camber-results.json");
        const Outcome report =
            run_program({"report", "camber-results.json", "--format", "csv"}, folder.path());
        CHECK(report.exit_code == 0);
        CHECK_THAT(report.err, contains("the run of camber-results.json was stopped") &&
                                   contains(std::to_string(cases) + " of "));
        CHECK(folder.entries() == 1);
    }
}

TEST_CASE("a signal that comes twice at once is one wish to stop", "[cli][portable][interrupt]") {
    const TestFolder folder;
    Program program(long_run, folder.path());
    while (results_now(folder)["benchmarks"].size() < 2 && program.running())
        std::this_thread::sleep_for(1ms);
    program.send(SIGTERM);
    std::this_thread::sleep_for(2ms);
    program.send(SIGTERM);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGTERM);
    CHECK_THAT(outcome.err, contains("camber: stopped: "));
    CHECK(lines_of(outcome.out).back() == "results: camber-results.json");
}

TEST_CASE("a run that is stopped before the first case leaves nothing",
          "[cli][portable][interrupt]") {
    const TestFolder folder;
    Program program({"run", "--backend", "cpu", "--size", "3000x3000", "--generations", "1000"},
                    folder.path());
    while (!fs::exists(folder / ".camber-results.json.camber-lock") && program.running())
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(50ms);
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGINT);
    CHECK(outcome.err == "camber: stopped before there was anything to show\n");
    CHECK(outcome.out.empty());
    CHECK(folder.entries() == 0);
}

TEST_CASE("a run that ends has no mark, whatever a signal would have left",
          "[cli][portable][interrupt]") {
    const TestFolder folder;
    const Arguments short_run{"run", "--size", "5x5", "--variant", "global/*"};
    REQUIRE(run_program(short_run, folder.path()).exit_code == 0);
    CHECK_FALSE(results_now(folder)["context"]["camber"].contains("incomplete"));
}

namespace {

Arguments in_three_processes() {
    Arguments arguments = long_run;
    arguments.insert(arguments.end(), {"--processes", "3"});
    return arguments;
}

}  // namespace

TEST_CASE("a measurement in several processes is stopped with all of them",
          "[cli][portable][interrupt]") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const TestFolder folder;
        const TestFolder temporary;
        const camber::EnvironmentVariable here("TMPDIR", temporary.path().string());
        Program program(in_three_processes(), folder.path());
        const auto measured_in_child = [&] {
            for (const auto& entry : fs::directory_iterator(temporary.path()))
                if (fs::exists(entry.path() / "camber-results.json"))
                    return results_in(entry.path() / "camber-results.json")["benchmarks"].size();
            return std::size_t{0};
        };
        while (measured_in_child() < 3 && program.running()) std::this_thread::sleep_for(1ms);
        program.send(signal);
        const Outcome outcome = program.wait();
        CHECK(outcome.signal == signal);
        CHECK(processes_with(temporary.path()) == 0);
        CHECK(fs::is_empty(temporary.path()));
        const Json results = results_now(folder);
        CHECK(defects(results) == std::vector<std::string>{});
        const std::size_t cases = results["benchmarks"].size();
        CHECK(cases >= 3);
        const std::size_t all = listed_variants("simt").size();
        CHECK(results["context"]["camber"]["incomplete"] ==
              Json{{"cases", cases}, {"of_cases", all}, {"visits", cases}, {"of_visits", 3 * all}});
        CHECK_THAT(outcome.err,
                   contains("camber: stopped: " + std::to_string(cases) + " of " +
                            std::to_string(all) + " cases measured, " + std::to_string(cases) +
                            " of " + std::to_string(3 * all) + " visits\n"));
        CHECK(folder.entries() == 1);
    }
}

TEST_CASE("a scaling series that is stopped keeps its points, and can be gone on with",
          "[cli][portable][interrupt]") {
    const TestFolder folder;
    const Arguments series{"scale",  "--over",    "threads",       "--units", "1,2",
                           "--size", "1500x1500", "--generations", "40"};
    Program program(series, folder.path());
    const fs::path file = folder / "camber-scaling.json";
    while (!fs::exists(file) && program.running()) std::this_thread::sleep_for(1ms);
    if (!fs::exists(file)) camber::skip_test("this machine has one core: nothing to scale over");
    program.send(SIGTERM);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGTERM);
    CHECK_THAT(outcome.err, contains("camber: stopped: 1 of 2 cases measured\n"));
    CHECK_THAT(outcome.out, contains("results: camber-scaling.json\n"));
    const Json results = results_in(file);
    CHECK(defects(results) == std::vector<std::string>{});
    CHECK(results["context"]["camber"]["incomplete"]["of_cases"] == 2);
    CHECK(folder.entries() == 1);

    const Arguments again = with(series, {"--resume"});
    const Outcome other = run_program(with(again, {"--mode", "weak"}), folder.path());
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("--resume cannot continue camber-scaling.json: it belongs to "
                                   "another command, camber scale --over threads"));
    CHECK(run_program(again, folder.path()).exit_code == 0);
    const Json whole = results_in(file);
    CHECK(defects(whole) == std::vector<std::string>{});
    CHECK_FALSE(whole["context"]["camber"].contains("incomplete"));
    REQUIRE(whole["benchmarks"].size() == 2);
    CHECK(whole["benchmarks"][0]["camber"]["samples_ns"] ==
          results["benchmarks"][0]["camber"]["samples_ns"]);
    const Outcome nothing = run_program(again, folder.path());
    CHECK(nothing.exit_code == 0);
    CHECK_THAT(nothing.out, contains("all points are already measured\n"));
    CHECK(results_in(file)["benchmarks"] == whole["benchmarks"]);
    CHECK(folder.entries() == 1);
}

TEST_CASE("a check that is stopped sums up what it checked", "[cli][portable][interrupt]") {
    const TestFolder folder;
    for (const int signal : {SIGINT, SIGTERM}) {
        Program program({"check", "--generations", "40"}, folder.path());
        while (lines_of(program.output()).size() < 2 && program.running())
            std::this_thread::sleep_for(1ms);
        program.send(signal);
        const Outcome outcome = program.wait();
        CHECK(outcome.signal == signal);
        auto lines = lines_of(outcome.out);
        REQUIRE(lines.size() >= 3);
        const std::string checked = std::to_string(lines.size() - 1);
        CHECK(lines.back() ==
              checked + " checked, " + checked + " clean, 0 with findings, 0 skipped");
        lines.pop_back();
        for (const std::string& line : lines) CHECK(line.starts_with("life/"));
        CHECK(outcome.err == "camber: stopped: " + checked + " of " +
                                 std::to_string(2 * listed_variants("simt").size()) +
                                 " cases checked\n");
    }
}

TEST_CASE("a model that is stopped shows and keeps the variants it has",
          "[cli][portable][interrupt]") {
    const fs::path schema = source_folder / "results/schema/camber-model.schema.json";
    const std::size_t all = listed_variants("simt").size();
    for (const int signal : {SIGINT, SIGTERM}) {
        const TestFolder folder;
        Outcome outcome;
        // The end of the first variant is not visible from outside.
        for (auto delay = 50ms; outcome.out.empty() && delay < 60s; delay = delay * 3 / 2) {
            Program program({"model", "--json", "m.json"}, folder.path());
            std::this_thread::sleep_for(delay);
            program.send(signal);
            outcome = program.wait();
            CHECK(outcome.signal == signal);
            if (!outcome.out.empty()) break;
            CHECK(folder.entries() == 0);
            if (outcome.err.empty()) continue;  // it did not handle signals yet
            CHECK(outcome.err == "camber: stopped before there was anything to show\n");
        }
        CHECK_THAT(outcome.out, contains("life 2048x2048") && contains("models: m.json\n"));
        const Json document = results_in(folder / "m.json");
        CHECK(camber::schema_violations(document, schema).empty());
        const std::size_t done = document["models"].size();
        CHECK(done > 0);
        CHECK(document["context"]["camber"]["incomplete"] ==
              Json{{"cases", done}, {"of_cases", all}, {"visits", done}, {"of_visits", all}});
        for (const Json& entry : document["models"])
            CHECK_THAT(outcome.out,
                       contains("\n" + entry["variant"].get<std::string>().substr(5) + " "));
        CHECK(outcome.err == "camber: stopped: " + std::to_string(done) + " of " +
                                 std::to_string(all) + " variants modelled\n");
        CHECK(folder.entries() == 1);
    }
}

TEST_CASE("a process of a measurement ends with the one that started it",
          "[cli][portable][interrupt]") {
    const TestFolder folder;
    const TestFolder temporary;
    const camber::EnvironmentVariable here("TMPDIR", temporary.path().string());
    Program program(in_three_processes(), folder.path());
    while (processes_with(temporary.path()) == 0 && program.running())
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(200ms);
    program.send(SIGKILL);
    program.wait();
    for (int wait = 0; wait < 500 && processes_with(temporary.path()) > 0; ++wait)
        std::this_thread::sleep_for(20ms);
    CHECK(processes_with(temporary.path()) == 0);
}

TEST_CASE("the next run replaces what a killed one left", "[cli][portable][interrupt]") {
    const TestFolder folder;
    interrupt(folder, SIGKILL, 2, 3ms);
    const Outcome next =
        run_program({"run", "--size", "5x5", "--variant", "global/16x16"}, folder.path());
    CHECK(next.exit_code == 0);
    CHECK(results_now(folder)["benchmarks"].size() == 1);
    // The new results, and those of the earlier run.
    CHECK(folder.entries() == 2);
    CHECK_THAT(next.out,
               contains("the previous camber-results.json was renamed to camber-results-1.json"));
    CHECK(results_in(folder / "camber-results-1.json")["benchmarks"].size() >= 2);
}

}  // namespace interrupt_test
