// Candidates that end their process, crash, or never end: camber itself determines its exit code.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "harness/machine/sass/tool.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace camber::candidate_end_test {

namespace {

using namespace camber::cli_test;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;  // sanitizers' own handlers end the process
#else
constexpr bool sanitized = false;
#endif

const std::string halo_kernel = text_of(source_folder / "tests/harness/own/kernels/halo.cu");

// A correct kernel for life. Its threads begin with `statement`, and the file also contains
// `outside`.
std::string kernel_with(const std::string& statement, const std::string& outside = "") {
    std::string text = halo_kernel;
    const std::size_t body = text.find("{", text.find("__global__"));
    text.insert(body + 1, statement);
    const std::size_t line = text.find("__global__");
    text.insert(line,
                "extern \"C\" void exit(int);\nextern \"C\" void _exit(int);\n"
                "extern \"C\" void abort();\nextern \"C\" int raise(int);\n"
                "extern \"C\" unsigned sleep(unsigned);\n" +
                    outside + "\n");
    return text;
}

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

struct Ending {
    std::string statement;
    std::string outside;
    std::string said;  // required message in a build without sanitizers
};

const Ending endings[] = {
    {"exit(0);", "", "called exit(0) while the executor ran it"},
    {"_exit(3);", "", "called exit(3) while the executor ran it"},
    {"abort();", "", "called abort() while the executor ran it"},
    {"raise(9);", "", "was ended by SIGKILL while the executor ran it"},
    {"if (deep(columns) == 7) return;",
     "__device__ int deep(int n) { return n < -1 ? 0 : deep(n + 1) + 1; }",
     "overflowed its stack while the executor ran it"},
    {"volatile char large[1 << 22]; large[columns] = 1;", "",
     "overflowed its stack while the executor ran it"},
    {"out[0] = static_cast<unsigned>(columns) / static_cast<unsigned>(columns - columns);", "",
     "divided an integer by zero (SIGFPE) while the executor ran it"},
    {"__builtin_trap();", "", "executed an invalid instruction (SIGILL) while the executor ran it"},
};

// Sanitizers report a crash differently, so the text is checked only without them.
void check_says(const std::string& text, const std::string& said) {
    if (!sanitized) CHECK_THAT(text, contains(said));
}

}  // namespace

TEST_CASE("a candidate that ends its process fails, whatever it calls",
          "[cli][portable][try][guard]") {
    const TestFolder folder;
    const TestFolder temporary;
    const EnvironmentVariable variable("TMPDIR", temporary.path().string());
    for (const Ending& one : endings) {
        CAPTURE(one.statement);
        write_text(folder.path() / "ends.cu", kernel_with(one.statement, one.outside));
        const Outcome outcome =
            camber_in(folder, {"try", "ends.cu", "--workload", "life", "--size", "64x48"});
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.err, contains("camber: life/ends.cu/32x8/align128 (step) "));
        check_says(outcome.err, one.said + " to verify it: ");
    }
    CHECK(temporary.entries() == 0);
    CHECK(folder.entries() == 1);
}

TEST_CASE("exit() is named, whichever threads of the executor call it",
          "[cli][portable][try][guard]") {
    const TestFolder folder;
    write_text(folder.path() / "ends.cu", kernel_with("exit(0);"));
    for (int run = 0; run < 20; ++run) {
        const Outcome outcome =
            camber_in(folder, {"try", "ends.cu", "--workload", "life", "--size", "64x48"});
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.err, contains("called exit(0) while the executor ran it"));
    }
}

TEST_CASE("on a terminal, the sentence replaces the progress", "[cli][portable][try][guard]") {
    const UsualTerminal terminal;
    const TestFolder folder;
    write_text(folder.path() / "ends.cu", kernel_with("exit(0);"));
    const Outcome outcome = run_on_terminal({"run", "--backend", "simt", "--candidate", "ends.cu",
                                             "--workload", "life", "--size", "64x48"},
                                            folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, contains("\r\033[Kcamber: life/ends.cu/32x8/align128 (step) called "));
}

TEST_CASE("no command passes a candidate that calls exit(0)", "[cli][portable][try][guard]") {
    const TestFolder folder;
    write_text(folder.path() / "good.cu", "// camber: workload life\n" + halo_kernel);
    const Outcome base =
        camber_in(folder, {"model", "--baseline", "base.json", "--candidate", "good.cu"});
    REQUIRE(base.exit_code == 0);
    write_text(folder.path() / "good.cu", "// camber: workload life\n" + kernel_with("exit(0);"));
    for (const Arguments& command :
         {Arguments{"check", "--candidate", "good.cu", "--size", "64x48"},
          Arguments{"model", "--candidate", "good.cu", "--size", "64x48"},
          Arguments{"model", "--candidate", "good.cu", "--baseline", "new.json"},
          Arguments{"compare", "base.json", "--candidate", "good.cu"},
          Arguments{"run", "--candidate", "good.cu", "--backend", "simt", "--size", "64x48"}}) {
        CAPTURE(command);
        const Outcome outcome = camber_in(folder, command);
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.err, contains("life/good.cu/32x8/align128 (step) called exit(0) while "
                                         "the executor ran it to "));
    }
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        CAPTURE(entry.path());  // a lock file would start with a dot
        CHECK_FALSE(entry.path().filename().string().starts_with('.'));
    }
    write_text(folder.path() / "own.cu", halo_kernel);
    write_text(folder.path() / "reference.cu", kernel_with("exit(0);"));
    const Outcome reference =
        camber_in(folder, {"try", "own.cu", "--reference", "reference.cu", "--size", "64x48"});
    CHECK(reference.exit_code == 4);
    CHECK_THAT(reference.err,
               contains("camber: the reference (step) called exit(0) while the executor ran it"));
}

TEST_CASE("the initializers of a candidate's variables are guarded",
          "[cli][portable][try][guard]") {
    const TestFolder folder;
    const TestFolder temporary;
    const EnvironmentVariable variable("TMPDIR", temporary.path().string());
    struct Case {
        std::string statement;
        std::string said;
    };
    for (const Case& one :
         {Case{"exit(0);", "called exit(0)"}, Case{"abort();", "called abort()"},
          Case{"sleep(60);", "was stopped after 0.5 s"},
          Case{"volatile int on = 1; while (on) {}", "was stopped after 0.5 s"}}) {
        CAPTURE(one.statement);
        write_text(folder.path() / "starts.cu",
                   kernel_with("", "struct Start { Start() { " + one.statement +
                                       " } };\nstatic Start start;\n"));
        const auto begin = std::chrono::steady_clock::now();
        const Outcome outcome = camber_in(folder, {"check", "--candidate", "starts.cu",
                                                   "--workload", "life", "--timeout", "0.5"});
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.err, contains("camber: starts.cu " + one.said +
                                         " while its global variables were initialized: "));
    }
    CHECK(temporary.entries() == 0);
}

TEST_CASE("what a candidate waits for without a loop is ended, too",
          "[cli][portable][try][guard][slow]") {
    const TestFolder folder;
    write_text(folder.path() / "sleeps.cu", kernel_with("sleep(60);"));
    const Outcome outcome = camber_in(
        folder, {"check", "--candidate", "sleeps.cu", "--workload", "life", "--timeout", "0.2"});
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, contains("life/sleeps.cu/32x8/align128 (step) was stopped after 0.2 s "
                                     "while the executor ran it to check it for races: mend its "
                                     "loop, or give more time with --timeout"));
}

TEST_CASE("results measured before a candidate ends the process are stored",
          "[cli][portable][try][guard]") {
    const TestFolder folder;
    write_text(folder.path() / "ends.cu", kernel_with("exit(0);"));
    const Arguments command{"run",
                            "--backend",
                            "simt",
                            "--workload",
                            "life",
                            "--size",
                            "64x48",
                            "--out",
                            "r.json",
                            "--candidate",
                            "ends.cu",
                            "--variant",
                            "halo/32x8/align128",
                            "--variant",
                            "ends.cu/*",
                            "--order-seed"};
    // With some seed, the candidate runs last.
    bool stored = false;
    for (int seed = 1; seed < 20 && !stored; ++seed) {
        const Outcome outcome = camber_in(folder, with(command, {std::to_string(seed)}));
        REQUIRE(outcome.exit_code == 4);
        const Json results = results_in(folder.path() / "r.json");
        CHECK(defects(results).empty());
        const Json& last = results.at("benchmarks").back().at("camber");
        CHECK(last.at("status") == "failed");
        CHECK_THAT(last.at("reason").get<std::string>(),
                   contains("called exit(0) while the executor ran it to verify it"));
        stored = results.at("benchmarks").size() == 2;
        if (stored) CHECK(results.at("benchmarks")[0].at("camber").at("status") == "ok");
    }
    CHECK(stored);
    CHECK(folder.entries() == 2);
}

TEST_CASE("with --watch, camber continues after a candidate has ended its process",
          "[cli][portable][try][guard]") {
    const TestFolder folder;
    const fs::path file = folder.path() / "step.cu";
    write_text(file, kernel_with("abort();"));
    Program program({"try", "step.cu", "--workload", "life", "--size", "64x48", "--watch"},
                    folder.path());
    const auto wait_for = [&](const std::string& what) {
        for (int i = 0; i < 600 && program.running(); ++i) {
            if (program.output().find(what) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        UNSCOPED_INFO("output: " << program.output());
        return program.output().find(what) != std::string::npos;
    };
    CHECK(
        wait_for("version 1: life/step.cu/32x8/align128 (step) called abort() while the executor "
                 "ran it to verify it"));
    write_text(file, "");  // as by an editor that has opened it and not yet written
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    write_text(file, kernel_with(""));
    CHECK(wait_for("version 2: every cell agrees; "));
    write_text(file, kernel_with("exit(0);"));
    CHECK(wait_for("version 3: life/step.cu/32x8/align128 (step) called exit(0)"));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGINT);
    CHECK(outcome.err.empty());
}

TEST_CASE("signals reach a guarded run, which ends by them", "[cli][portable][try][guard]") {
    const TestFolder folder;
    write_text(folder.path() / "sleeps.cu", kernel_with("sleep(60);"));
    for (const int signal : {SIGTERM, SIGHUP, SIGKILL}) {
        CAPTURE(signal);
        Program program({"try", "sleeps.cu", "--workload", "life", "--size", "64x48"},
                        folder.path());
        // The guard forwards signals while it compiles and while it runs kernels.
        std::this_thread::sleep_for(std::chrono::seconds(2));
        program.send(signal);
        if (signal != SIGKILL) {  // one signal stops in order, a second one stops immediately
            std::this_thread::sleep_for(std::chrono::milliseconds(400));
            program.send(signal);
        }
        CHECK(program.wait().signal == signal);
    }
}

TEST_CASE("techniques and libraries are guarded as kernels are",
          "[cli][portable][try][guard][technique]") {
    const TestFolder folder;
    std::string technique = text_of(source_folder / "examples/techniques/four_rows.hpp");
    const std::size_t body = technique.find("{", technique.find("__global__"));
    technique.insert(body + 1, " _exit(0);");
    technique.insert(technique.find("#include"), "extern \"C\" void _exit(int);\n");
    write_text(folder.path() / "ends.hpp", technique);
    const Outcome outcome =
        camber_in(folder, {"try", "ends.hpp", "--workload", "blur", "--size", "64x48"});
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, contains("camber: blur/four_rows/") &&
                                contains("called exit(0) while the executor ran it to verify it"));

    write_text(folder.path() / "ends.c",
               "#include <stdlib.h>\n"
               "__attribute__((constructor)) static void start(void) { exit(0); }\n");
    REQUIRE(run_tool(find_gcc(),
                     {"-shared", "-fPIC", "-x", "c", (folder.path() / "ends.c").string(), "-o",
                      (folder.path() / "ends.so").string()},
                     std::chrono::seconds(120), {folder.path()})
                .succeeded());
    const Outcome library = camber_in(folder, {"try", "ends.so", "--workload", "life"});
    CHECK(library.exit_code == 4);
    CHECK_THAT(library.err, contains("camber: ends.so called exit(0) while its global variables "
                                     "were initialized"));
}

}  // namespace camber::candidate_end_test
