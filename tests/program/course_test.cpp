// `camber course` as students and teachers use it.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::course_test {

namespace {

using namespace camber::cli_test;

const fs::path solutions = source_folder / "tests/harness/cli/course/solutions";

// One sentence on standard error, nothing on standard output, and exit code 2.
void check_refused(const Outcome& outcome, const std::string& sentence) {
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, contains(sentence));
}

}  // namespace

TEST_CASE("a student starts, grades and solves an exercise", "[course][portable]") {
    const TestFolder folder;
    const auto camber = [&](const Arguments& arguments) {
        return run_program(arguments, folder.path());
    };
    const Outcome list = camber({"course", "list"});
    CHECK(list.exit_code == 0);
    CHECK(lines_of(list.out).size() == 11);

    const Outcome start = camber({"course", "start", "missing-barrier", "six"});
    CHECK(start.exit_code == 0);
    CHECK_THAT(start.out, contains("camber course grade six/kernel.cu"));
    for (const char* const name : {"exercise.html", "kernel.cu", "reference.cu"})
        CHECK(fs::exists(folder.path() / "six" / name));
    CHECK_THAT(text_of(folder.path() / "six/exercise.html"), contains("</html>"));
    check_refused(camber({"course", "start", "6", "six"}), "exists already");

    const Outcome race = camber({"course", "grade", "six/kernel.cu", "--seed", "4"});
    CHECK(race.exit_code == 4);
    CHECK_THAT(race.out, contains("--seed 4 repeats them") && contains("Race in shared memory") &&
                             contains("Not passed: 0 of 100 points"));

    // The starting kernel is a candidate of other commands, too.
    const Outcome tried = camber({"try", "six/kernel.cu", "--size", "64x8"});
    CHECK(tried.exit_code == 4);
    CHECK_THAT(tried.out, contains("race in shared memory"));

    fs::copy_file(solutions / "06-missing-barrier.cu", folder.path() / "six/kernel.cu",
                  fs::copy_options::overwrite_existing);
    const Outcome solved = camber({"course", "grade", "six", "--out", "scores.json"});
    CHECK(solved.exit_code == 0);
    CHECK_THAT(solved.out, contains("Passed: 100 of 100 points") && contains("scores.json"));
    const Json scores = results_in(folder.path() / "scores.json");
    CHECK(schema_violations(scores, source_folder / "results/schema/camber-course.schema.json")
              .empty());
    CHECK(scores["submissions"][0]["verdict"] == "passed");
}

TEST_CASE("bad input of a course is refused in one sentence", "[course][portable]") {
    const TestFolder folder;
    const auto camber = [&](const Arguments& arguments) {
        return run_program(arguments, folder.path());
    };
    write_text(folder.path() / "plain.cu", "__global__ void f() {}\n");
    write_text(folder.path() / "eleven.cu", "// camber: exercise 11\n");
    fs::create_directories(folder.path() / "empty");
    check_refused(camber({"course"}), "choose list, start or grade");
    check_refused(camber({"course", "solve"}), "course --help");
    check_refused(camber({"course", "start", "11", "x"}), "there is no exercise '11'");
    check_refused(camber({"course", "start", "1"}), "folder is required");
    check_refused(camber({"course", "grade", "none.cu"}), "none.cu");
    check_refused(camber({"course", "grade", "plain.cu"}), "`// camber: exercise N`");
    check_refused(camber({"course", "grade", "eleven.cu"}), "there is no exercise '11'");
    check_refused(camber({"course", "grade", "empty"}), "\"empty\" has no file with a line");
    check_refused(camber({"course", "grade", "plain.cu", "--out", "plain.cu"}), "plain.cu");
    check_refused(camber({"course", "grade", "plain.cu", "--memory", "1"}), "--memory");
    check_refused(camber({"course", "list", "--exercises", "empty"}), "has no exercises");
    CHECK(!fs::exists(folder.path() / "x"));
}

TEST_CASE("without a compiler a course says so", "[course][portable]") {
    const TestFolder folder;
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    const Outcome start = run_program({"course", "start", "1", "one"}, folder.path());
    const fs::path solution = solutions / "01-coalescing.cu";
    const Outcome grade = run_program({"course", "grade", solution.string()}, folder.path());
    setenv("PATH", path.c_str(), 1);
    for (const Outcome* outcome : {&start, &grade}) {
        CHECK(outcome->exit_code == 5);
        CHECK_THAT(outcome->err, contains("there is no GCC"));
    }
    CHECK(!fs::exists(folder.path() / "one"));
}

}  // namespace camber::course_test
