// `camber init`: a starting point for gates, written into a project. tests/foreign/ tests the
// written files with CMake, CTest and the action, by an installed program.
#include <algorithm>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace init_program_test {

namespace {

using namespace camber::cli_test;

const fs::path project_source = source_folder / "tests/foreign/project";

void copy_project(const TestFolder& folder) {
    fs::copy(project_source, folder.path(), fs::copy_options::recursive);
}

// Number of files of the project, with those that init has written.
std::ptrdiff_t file_count(const TestFolder& folder) {
    return std::count_if(fs::recursive_directory_iterator(folder.path()),
                         fs::recursive_directory_iterator(),
                         [](const fs::directory_entry& entry) { return entry.is_regular_file(); });
}

bool lists_inspect(const std::string& help) {
    return help.find("\n  inspect ") != help.npos;
}

Outcome init(Arguments arguments, const TestFolder& folder) {
    arguments.insert(arguments.begin(), "init");
    return run_program(arguments, folder.path());
}

}  // namespace

TEST_CASE("init gates the kernels that it can launch, and overwrites no file without --force",
          "[cli][portable][init]") {
    const TestFolder folder;
    copy_project(folder);
    const Outcome first = init({}, folder);
    CAPTURE(first.err, first.out);
    REQUIRE(first.exit_code == 0);
    CHECK_THAT(first.out, contains("2 gated, 1 to finish"));
    CHECK_THAT(first.out, contains("to finish in camber/unfinished/advance.cu"));
    CHECK_THAT(text_of(folder / "camber/kernels/smooth.cu"),
               contains("#include \"../../src/smooth.cu\""));
    CHECK_THAT(text_of(folder / "camber/reference/smooth_reference.cu"),
               contains("#include \"../../src/detail/index.cuh\""));
    CHECK(text_of(folder / ".github/actions/camber/action.yml") ==
          text_of(source_folder / "action.yml"));

    write_text(folder / "camber/README.md", "mine");
    const Outcome again = init({}, folder);
    CHECK(again.exit_code == 2);
    CHECK_THAT(again.err, contains("exists already: nothing was written; give --force"));
    CHECK(text_of(folder / "camber/README.md") == "mine");
    CHECK(init({"--force"}, folder).exit_code == 0);
    CHECK(text_of(folder / "camber/README.md") != "mine");

    const Outcome gate = run_program(
        {"compare", "camber/baseline.json", "--candidate", "camber/kernels"}, folder.path());
    CHECK(gate.exit_code == 0);
    CHECK_THAT(gate.out, contains("4 cases compared"));
}

TEST_CASE("bad input of init is one sentence, and nothing is written", "[cli][portable][init]") {
    const TestFolder folder;
    copy_project(folder);
    const auto before = file_count(folder);
    const auto refuses = [&](const Arguments& arguments, int code, const std::string& sentence) {
        const Outcome outcome = init(arguments, folder);
        CAPTURE(arguments, outcome.err);
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(sentence));
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    };
    refuses({"nowhere"}, 2, "the folder 'nowhere' does not exist");
    refuses({"--source", "none.cu"}, 2, "--source is 'none.cu', which");
    refuses({"--source", "CMakeLists.txt"}, 2, "has no kernel");
    const bool can_inspect = lists_inspect(run_program({"--help"}, folder.path()).out);
    refuses({"--binary", "none.so"}, can_inspect ? 2 : 5, "--binary ");
    CHECK(file_count(folder) == before);
    const Outcome no_compiler = run_program(
        {"-c", "PATH= CXX= " + std::string(built::program) + " init"}, folder.path(), "/bin/sh");
    CHECK(no_compiler.exit_code == 5);
    CHECK_THAT(no_compiler.err, contains("install g++"));
    CHECK(file_count(folder) == before);
}

}  // namespace init_program_test
