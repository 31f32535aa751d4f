// `camber report` on committed results, and its errors.
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace report_test {

namespace {

using namespace camber::cli_test;

const std::string life = (source_folder / "results/measurement/life-16384.json").string();
const std::string counters =
    (source_folder / "results/measurement/life-2048-counters.json").string();
const std::string limits = (source_folder / "results/h200/ceilings.json").string();

Outcome report(Arguments arguments, const fs::path& folder) {
    arguments.insert(arguments.begin(), "report");
    return run_program(arguments, folder);
}

void check_error(const Arguments& arguments, int exit_code, const std::string& part) {
    const TestFolder folder;
    const Outcome outcome = report(arguments, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, contains(part));
    CHECK(folder.entries() == 0);
}

}  // namespace

TEST_CASE("report prints tables of all cases", "[cli][report]") {
    const TestFolder folder;
    const Outcome csv = report({life, counters, limits, "--format", "csv"}, folder.path());
    CHECK(csv.exit_code == 0);
    CHECK(csv.err.empty());
    CHECK(lines_of(csv.out).size() == 1 + 47 + 47);
    const Outcome markdown = report({life, "--format", "markdown", "-o", "-"}, folder.path());
    CHECK_THAT(markdown.out, contains("### life, 16384 x 16384, uint32"));
    CHECK(folder.entries() == 0);
    const Outcome latex = report({life, "--format", "latex", "-o", "t.tex"}, folder.path());
    CHECK_THAT(latex.out, contains("report: t.tex"));
    CHECK_THAT(text_of(folder.path() / "t.tex"), contains("\\begin{longtable}"));
}

TEST_CASE("report takes a folder of results files", "[cli][report]") {
    const TestFolder folder;
    fs::copy(life, folder.path() / "a.json");
    fs::create_directory(folder.path() / "of");
    fs::copy(life, folder.path() / "of/a.json");
    fs::copy(counters, folder.path() / "of/b.json");
    const Outcome outcome = report({"of", "--format", "csv"}, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == report({"of/a.json", "of/b.json", "--format", "csv"}, folder.path()).out);
    fs::create_directory(folder.path() / "none");
    const Outcome empty = report({"none", "--format", "csv"}, folder.path());
    CHECK(empty.exit_code == 2);
    CHECK_THAT(empty.err, contains("has no results file"));
}

TEST_CASE("report writes one page that carries all it needs, or says what is missing",
          "[cli][report]") {
    const TestFolder folder;
    const Outcome outcome = report({life, counters, "-o", "r.html"}, folder.path());
    if (outcome.exit_code == 5) {
        CHECK_THAT(outcome.err, contains("libjs-vega"));
        return;
    }
    CHECK(outcome.exit_code == 0);
    CHECK(folder.entries() == 1);
    const std::string page = text_of(folder.path() / "r.html");
    CHECK(page.size() < 3'000'000);
    CHECK_THAT(page, contains("modules[\"vega-view\"]") && contains("Copyright"));
    CHECK_THAT(page, contains("two_element_two_generation_linear_load/64x4/align128"));
    CHECK(page.find("{{") == page.find("{{", page.find("<script>")));
}

TEST_CASE("bad input of a report is one sentence", "[cli][report]") {
    check_error({}, 2, "files");
    check_error({life}, 2, "-o report.html");
    check_error({"nowhere.json", "-o", "r.html"}, 2, "nowhere.json");
    check_error({life, "--format", "htm", "-o", "r"}, 2, "'htm' is no format");
    check_error({limits, "--format", "csv"}, 2, "no case");
    check_error({(source_folder / "LICENSE").string(), "--format", "csv"}, 2, "LICENSE");
    check_error({life, "--format", "csv", "-o", "missing/r.csv"}, 5, "missing");
}

}  // namespace report_test
