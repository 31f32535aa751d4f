// Shell completion with the command lines that shells use.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace completion_test {

namespace {

using namespace camber::cli_test;

std::vector<std::string> words_for(Arguments line) {
    const TestFolder folder;
    line.insert(line.begin(), {"completion", "words", "--"});
    const Outcome outcome = run_program(line, folder.path());
    CAPTURE(line, outcome.err);
    CHECK(outcome.exit_code == 0);
    return lines_of(outcome.out);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

bool installed(const char* shell, const fs::path& folder) {
    return run_program({"-c", std::string("command -v ") + shell}, folder, "/bin/sh").exit_code ==
           0;
}

}  // namespace

TEST_CASE("completion knows commands, options and their values", "[cli][portable][completion]") {
    CHECK(words_for({"mo"}) == std::vector<std::string>{"model"});
    CHECK(has(words_for({""}), "reproduce"));
    CHECK(words_for({"run", "--work"}) == std::vector<std::string>{"--workload"});
    CHECK(words_for({"run", "--workload", "water"}) == std::vector<std::string>{"water_flow"});
    CHECK(words_for({"run", "--workload=water"}) ==
          std::vector<std::string>{"--workload=water_flow"});
    CHECK(words_for({"run", "--workload", "=", "water"}) == std::vector<std::string>{"water_flow"});
    CHECK(words_for({"run", "--backend", "s"}) == std::vector<std::string>{"simt"});
    CHECK(words_for({"run", "--sort", "sp"}) == std::vector<std::string>{"spread"});
    CHECK(words_for({"list", "va"}) == std::vector<std::string>{"variants"});
    CHECK(has(words_for({"reproduce", "topa"}), "topa-1"));
    CHECK(has(words_for({"model", "--variant", "halo/64x4/"}), "halo/64x4/align128"));
    CHECK(has(words_for({"run", "--workload", "water_flow", "--variant", "halo/"}),
              "halo/two_kernels/16x16/align128"));
    CHECK(words_for({"compare", "--format", "ju"}) == std::vector<std::string>{"junit"});
    CHECK(words_for({"history", ""}) == std::vector<std::string>{"add", "show", "gate"});
    CHECK(words_for({"history", "gate", "--ag"}) == std::vector<std::string>{"--against"});
    CHECK(words_for({"history", "gate", "--format", "ju"}) == std::vector<std::string>{"junit"});
    CHECK(words_for({"run", "--exc"}) == std::vector<std::string>{"--exchange"});
    CHECK(words_for({"run", "--exchange", "st"}) == std::vector<std::string>{"staged", "stores"});
    CHECK(words_for({"scale", "--exchange=m"}) == std::vector<std::string>{"--exchange=mpi"});
    CHECK(words_for({"run", "--overlap", "b"}) == std::vector<std::string>{"both"});
    CHECK(words_for({"scale", "--over", "g"}) == std::vector<std::string>{"gpus"});
    // Options that a workload declares.
    CHECK(words_for({"run", "--workload", "magflow", "--til"}) ==
          std::vector<std::string>{"--tile"});
    CHECK(words_for({"run", "--workload=magflow", "--ground", "p"}) ==
          std::vector<std::string>{"plane"});
    CHECK(words_for({"run", "--til"}).empty());
    for (const char* option :
         {"--gpus", "--ranks", "--trace", "--resume", "--budget", "--halo-depth"})
        CHECK(words_for({"run", option}) == std::vector<std::string>{option});
    CHECK(words_for({"campaign", "--only", "surf"}).front() == "surface_water");
    CHECK(words_for({"campaign", "--only", "mod"}).empty());
    CHECK(has(words_for({"campaign", "--etna"}), "--etna2001"));
    CHECK(words_for({"compare", "--only", "mod"}) == std::vector<std::string>{"model"});
    // A file name is expected.
    CHECK(words_for({"report", "res"}).empty());
    CHECK(words_for({"run", "--out", ""}).empty());
    // Internal options are not offered.
    CHECK_FALSE(has(words_for({"run", "--"}), "--process-index"));
}

TEST_CASE("bash completes camber's words", "[cli][portable][completion]") {
    const TestFolder folder;
    write_text(folder / "ask.sh",
               "source <(\"$1\" completion bash)\n"
               "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _camber; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"; }\n"
               "complete -p camber\n"
               "ask \"$1\" rep\n"
               "ask \"$1\" run --workload water\n");
    const Outcome outcome = run_program({"ask.sh", built::program}, folder.path(), "/bin/bash");
    CAPTURE(outcome.err);
    CHECK(lines_of(outcome.out) == std::vector<std::string>{"complete -F _camber camber",
                                                            "reproduce", "report", "water_flow"});
}

TEST_CASE("zsh reads the script for it", "[cli][portable][completion]") {
    const TestFolder folder;
    if (!installed("zsh", folder.path())) return;
    write_text(folder / "ask.zsh",
               "autoload -U compinit && compinit -u -d ./dump\n"
               "source <(\"$1\" completion zsh)\n"
               "print $_comps[camber]\n");
    const Outcome outcome =
        run_program({"-f", "ask.zsh", built::program}, folder.path(), "/bin/zsh");
    CHECK_THAT(outcome.out, contains("_camber"));
}

TEST_CASE("a shell that is not known is refused", "[cli][portable][completion]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"completion", "fish"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("choose bash or zsh"));
}

}  // namespace completion_test
