// A case that hangs on the device ends the program, which retains its results.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/files.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"

namespace camber::overdue_test {
namespace {

using run_test::Fixture;

// The second launch never ends.
struct Endless final : Execution {
    explicit Endless(std::unique_ptr<Execution> right) : inner(std::move(right)) {}
    void upload(const State& initial) override { inner->upload(initial); }
    void download(State& result) override { inner->download(result); }
    void poison(Poison poison) override { inner->poison(poison); }
    void advance(int) override {
        watch_launch();
        const WatchedWait wait;
        std::this_thread::sleep_for(std::chrono::seconds(600));
    }
    std::unique_ptr<Execution> inner;
};

struct Teller final : SessionObserver {
    explicit Teller(std::string to) : path(std::move(to)) {}
    void overdue(const std::string& sentence) override {
        if (std::FILE* const file = std::fopen(path.c_str(), "w")) {
            std::fputs(sentence.c_str(), file);
            std::fclose(file);
        }
    }
    std::string path;
};

// Variable with the folder in which the test program runs its part of the test below and stores the
// results.
constexpr const char* folder_variable = "CAMBER_TEST_OVERDUE";

// Three cases, of which the second one to run never ends.
void add_cases(Fixture& fixture) {
    fixture.study.launch_limit = 0.2;
    fixture.add("good");
    Variant& endless = fixture.add("endless");
    endless.factories[Backend::cpu] = [right = endless.factories[Backend::cpu]](
                                          Queue& queue, const Problem& problem) {
        return std::make_unique<Endless>(right(queue, problem));
    };
    fixture.add("never reached");
    Study& study = fixture.study;
    while (order_of_round(study, 0)[1].variant != &endless) ++study.order_seed;
}

}  // namespace

// Runs in a separate process, which it ends.
TEST_CASE("part of a test: a run that never ends", "[.]") {
    const char* const folder = std::getenv(folder_variable);
    REQUIRE(folder);
    Fixture fixture;
    add_cases(fixture);
    results::ResultsFile results(std::filesystem::path(folder) / "results.json");
    Teller teller((std::filesystem::path(folder) / "said.txt").string());
    Session session(fixture.study, teller);
    session.run(results, {"camber", "run"});
    FAIL("it came back");
}

TEST_CASE("a device that never ends its work ends the run, and the results are kept", "[session]") {
    const TemporaryFolder folder("test a watch");
    const auto file = folder.path() / "results.json";
    const auto said = folder.path() / "said.txt";
    Fixture fixture;
    add_cases(fixture);

    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (!std::freopen("/dev/null", "w", stdout)) _exit(97);
        setenv(folder_variable, folder.path().c_str(), 1);
        execl("/proc/self/exe", "camber-tests", "part of a test: a run that never ends", nullptr);
        _exit(98);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 4);

    const results::Document document = results::read_document(file);
    REQUIRE(document.cases.size() == 2);
    CHECK(document.cases[0].status == results::Status::ok);
    CHECK(document.cases[1].name == fixture.name_of(1));
    CHECK(document.cases[1].status == results::Status::failed);
    CHECK(document.cases[1].reason == "the device has been busy with it for 0.2 s");
    REQUIRE(document.run()->incomplete);
    CHECK(document.run()->incomplete->cases == 2);
    CHECK(document.run()->incomplete->of_cases == 3);
    CHECK(run_test::violations(document) == std::vector<std::string>{});

    std::string sentence(200, '\0');
    std::FILE* const told = std::fopen(said.c_str(), "r");
    REQUIRE(told);
    sentence.resize(std::fread(sentence.data(), 1, sentence.size(), told));
    std::fclose(told);
    CHECK(sentence == fixture.name_of(1) + ": the device has been busy with it for 0.2 s");
}

}  // namespace camber::overdue_test
