// `camber ceilings` without a GPU, as in all tests of the program.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace ceilings_test {

using namespace camber::cli_test;

TEST_CASE("ceilings without a GPU is one sentence and exit code 5", "[cli]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"ceilings", "--json", "limits.json"}, folder.path());
    CHECK(outcome.exit_code == 5);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err,
               contains("camber: the ceilings of a GPU cannot be measured without a GPU: "));
    CHECK(folder.entries() == 0);
}

TEST_CASE("ceilings rejects what it does not know", "[cli]") {
    const TestFolder folder;
    const Arguments wrong =
        GENERATE(Arguments{"ceilings", "--size", "1"}, Arguments{"ceilings", "--device", "first"},
                 Arguments{"ceilings", "--json", ""});
    const Outcome outcome = run_program(wrong, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, contains("camber ceilings --help"));
}

TEST_CASE("ceilings explains itself with examples", "[cli]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"ceilings", "--help"}, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("camber ceilings --json ceilings.json"));
    CHECK_THAT(outcome.out, contains("--device"));
}

}  // namespace ceilings_test
