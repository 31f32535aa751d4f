// Missing folders and compilers: a sentence says what to change, with exit code 5.
#include <chrono>
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace camber::machine_folders_test {

namespace {

using namespace camber::cli_test;

const std::string halo_kernel = (source_folder / "tests/harness/own/kernels/halo.cu").string();
const std::string technique = (source_folder / "examples/techniques/four_rows.hpp").string();

// A program that poses as GCC, and does `work` instead of compiling.
std::string fake_compiler(const TestFolder& folder, const std::string& work) {
    const fs::path path = folder.path() / "fake-g++";
    write_text(path,
               "#!/bin/sh\n"
               "if [ \"$1\" = --version ]; then echo Free Software Foundation; exit; fi\n" +
                   work + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
}

const Arguments kernel_command{"check", "--candidate", halo_kernel, "--workload",
                               "life",  "--size",      "64x48"};
const Arguments technique_command{"check", "--candidate", technique, "--workload",
                                  "blur",  "--size",      "64x48"};

}  // namespace

TEST_CASE("a temporary folder that does not exist is named", "[cli][try]") {
    const TestFolder folder;
    const EnvironmentVariable cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
    const EnvironmentVariable place("TMPDIR", "/nonexistent");
    for (const Arguments& command : {kernel_command, technique_command}) {
        const Outcome outcome = run_program(command, folder.path());
        CHECK(outcome.exit_code == 5);
        CHECK_THAT(outcome.err,
                   contains("in the temporary folder \"/nonexistent\": No such file or directory; "
                            "set TMPDIR to a folder that can be written"));
    }
}

TEST_CASE("a compiler without disk space is told from a faulty kernel", "[cli][try]") {
    const TestFolder folder;
    const TestFolder temporary;
    const EnvironmentVariable cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
    const EnvironmentVariable place("TMPDIR", temporary.path().string());
    const EnvironmentVariable compiler(
        "CXX", fake_compiler(folder,
                             "echo 'unit.cpp:1: fatal error: cannot write to unit.o: No space left "
                             "on device' >&2; exit 1"));
    for (const Arguments& command : {kernel_command, technique_command}) {
        const Outcome outcome = run_program(command, folder.path());
        CHECK(outcome.exit_code == 5);
        CHECK_THAT(outcome.err, contains("in the temporary folder \"" + temporary.path().string() +
                                         "\": fake-g++ says \"No space left on device\"; free "
                                         "some space, or set TMPDIR to a folder on another disk"));
    }
    CHECK(temporary.entries() == 0);
}

TEST_CASE("a working folder that was deleted is named", "[cli]") {
    const TestFolder folder;
    const std::string program = built::program;
    for (const std::string command :
         {"try k.cu --workload life",
          "run --backend simt --quick --variant halo/16x16/* --out r.json",
          "check --candidate k.cu --workload life"}) {
        CAPTURE(command);
        const Outcome outcome = run_program(
            {"-c", "mkdir d && cd d && rmdir ../d && exec \"" + program + "\" " + command},
            folder.path(), "/bin/sh");
        CHECK(outcome.exit_code == 5);
        CHECK_THAT(outcome.err, contains("camber: the working folder cannot be used: No such file "
                                         "or directory; change to a folder that exists"));
    }
}

TEST_CASE("thousands of errors take no longer than a few", "[cli][try]") {
    const TestFolder folder;
    std::string text = text_of(halo_kernel);
    std::string errors = "\n";
    for (int i = 0; i < 20000; ++i) errors += "missing_" + std::to_string(i) + "();\n";
    text.insert(text.find('{', text.find("__global__")) + 1, errors);
    write_text(folder.path() / "errors.cu", text);
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome =
        run_program({"check", "--candidate", "errors.cu", "--workload", "life", "--timeout", "2"},
                    folder.path());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err,
               contains("errors.cu does not compile for the host") && contains("missing_0"));
    CHECK(lines_of(outcome.err).size() <= 13);
}

TEST_CASE("a timeout ends a compiler with all that it started", "[cli][portable][try]") {
    const TestFolder folder;
    const EnvironmentVariable cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
    const EnvironmentVariable compiler(
        "CXX", fake_compiler(folder, "(sleep 70; touch \"" + (folder.path() / "late").string() +
                                         "\") & wait"));
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = run_program(with(kernel_command, {"--timeout", "0.5"}), folder.path());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, contains("fake-g++ has not compiled " + halo_kernel +
                                     " in 10 s: simplify the file, or give more time with "
                                     "--timeout"));
}

}  // namespace camber::machine_folders_test
