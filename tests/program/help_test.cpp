// Help pages: groups with the common options first, on a page that fits a screen.

#include <algorithm>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace help_program_test {

using namespace camber::cli_test;

namespace {

std::string help_of(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    REQUIRE(outcome.exit_code == 0);
    return outcome.out;
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

}  // namespace

TEST_CASE("run --help fits a screen and names its groups", "[portable]") {
    const std::string help = help_of({"run", "--help"});
    CHECK(std::ranges::count(help, '\n') <= 100);
    CHECK(longest_line(help) <= 100);
    for (const char* group : {"Problem:", "Variants:", "Measurement:", "Several GPUs:", "Output:"})
        CHECK_THAT(help, contains(std::string("\n") + group + "\n"));
    CHECK_THAT(help, contains("more options: camber run --help-all"));
    CHECK(help.find("--edge") == std::string::npos);
    CHECK(help.find("--variant") < help.find("Measurement:"));
}

TEST_CASE("run --help has the options of the workload that it names", "[portable]") {
    CHECK_THAT(help_of({"run", "--help"}),
               contains("\nOptions of life:\n  --rule RULE=B3/S23") && !contains("--tile"));
    const std::string help = help_of({"run", "--workload", "magflow", "--help"});
    CHECK_THAT(help, contains("\nOptions of magflow:\n") && !contains("--rule") &&
                         contains("  --tile COLUMNSxROWS=1x1") && contains("  --refine N=1") &&
                         contains("  --ground {volcano,plane}=volcano"));
    CHECK(longest_line(help) <= 100);
}

TEST_CASE("run --help-all has every option", "[portable]") {
    const std::string help = help_of({"run", "--help-all"});
    CHECK(longest_line(help) <= 100);
    for (const char* option : {"--workload", "--edge", "--order-seed", "--sweep", "--rank-timeout"})
        CHECK_THAT(help,
                   contains(std::string("\n  ") + option) || contains(std::string(",") + option));
    CHECK(help.find("--process-index") == std::string::npos);
    CHECK(help.find("more options") == std::string::npos);
}

}  // namespace help_program_test
