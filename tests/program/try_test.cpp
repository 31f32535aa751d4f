// Kernels from files, as users try them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace camber::try_test {

namespace {

using namespace camber::cli_test;

const std::string kernels = (source_folder / "tests/harness/own/kernels").string() + "/";
const std::string examples = (source_folder / "examples/kernels").string() + "/";

// Copies a file into the folder and returns the copy's path.
std::string copy_in(const TestFolder& folder, const std::string& file) {
    const fs::path copy = folder.path() / fs::path(file).filename();
    fs::copy_file(file, copy);
    return copy.string();
}

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

}  // namespace

TEST_CASE("try verifies, checks and models a kernel, and leaves nothing behind", "[cli][try]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"try", kernels + "halo.cu", "--workload", "life", "--against",
                           "halo/32x8/align128", "--size", "64x48"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("life/halo.cu/32x8/align128        1            3072  yes"));
    CHECK_THAT(outcome.out, contains("life/halo.cu/32x8/align128 on 64x48: clean") &&
                                contains("1 checked, 1 clean"));
    // The two rows of the model's table differ only in their names.
    std::string own, built_in;
    for (const std::string& line : lines_of(outcome.out)) {
        if (line.starts_with("halo.cu/32x8/align128")) own = line.substr(line.find(' '));
        if (line.starts_with("halo/32x8/align128")) built_in = line.substr(line.find(' '));
    }
    const auto squeezed = [](std::string text) {
        std::erase(text, ' ');
        return text;
    };
    CHECK(!own.empty());
    CHECK(squeezed(own) == squeezed(built_in));
    CHECK(folder.entries() == 0);
}

TEST_CASE("every starting point is right and clean", "[cli][portable][try][slow]") {
    for (const std::string workload :
         {"life", "larger_than_life", "blur", "gaussian", "dog", "dog_image", "extrema",
          "extrema_stack", "surface_water", "water_flow"}) {
        CAPTURE(workload);
        const TestFolder folder;
        const Outcome start = camber_in(folder, {"try", "--new", workload});
        CHECK(start.exit_code == 0);
        CHECK_THAT(start.out, contains("// camber: "));
        write_text(folder.path() / "start.cu", start.out);
        const Outcome tried =
            camber_in(folder, {"try", "start.cu", "--workload", workload, "--size", "40x30"});
        CHECK(tried.err.empty());
        CHECK(tried.exit_code == 0);
        CHECK_THAT(tried.out, contains(workload + "/start.cu/32x8/align128") &&
                                  contains(" yes\n") && contains("2 checked, 2 clean"));
    }
}

TEST_CASE("a kernel is tried on a board that it takes", "[cli][portable][try]") {
    const TestFolder folder;
    const Arguments command{"try", examples + "blur_rows.cu", "--workload", "blur"};
    const Outcome outcome = camber_in(folder, command);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("blur 768x48") && contains("36864  yes") &&
                                contains("needs a board that blocks of 128x16 cells divide") &&
                                contains("on 768x48: clean"));
    const Outcome none = camber_in(folder, with(command, {"--size", "70x50"}));
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err, contains("nothing was verified, because the kernel needs a board"));
}

TEST_CASE("a file is a candidate of run, check and model", "[cli][try]") {
    const TestFolder folder;
    const Arguments file{"--candidate", examples + "blur_float4.cu", "--workload", "blur"};
    const Outcome run = camber_in(
        folder, with({"run", "--backend", "simt", "--size", "256x64", "--out", "r.json"}, file));
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("blur/blur_float4.cu/64x4/256x4/align128        1"));
    const Json results = results_in(folder.path() / "r.json");
    CHECK(results.at("benchmarks").size() == 1);
    CHECK(defects(results) == std::vector<std::string>{});
    // Compared with other variants, and selected by a glob.
    const Outcome both = camber_in(
        folder,
        with({"run", "--backend", "simt", "--size", "256x64", "--variant", "halo/32x8/*"}, file));
    CHECK_THAT(both.out, contains("blur/halo/32x8/align128") && contains("blur_float4.cu"));
    const Outcome model = camber_in(folder, with({"model", "--size", "256x64"}, file));
    CHECK(model.exit_code == 0);
    CHECK_THAT(model.out, contains("blur_float4.cu:"));
}

TEST_CASE("a race in a kernel of one's own ends with exit code 4", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"check", "--candidate", examples + "life_race.cu", "--size", "70x50"});
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("race in shared memory") && contains("life_race.cu:11"));
}

TEST_CASE("a kernel is not tried on cells of one bit", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"try", kernels + "halo.cu", "--workload", "life", "--cell", "bits"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("kernels from a file take cells of a byte or more") &&
                                contains("choose another --cell"));
}

TEST_CASE("a wrong kernel ends with exit code 4 and the first cell", "[cli][portable][try]") {
    const TestFolder folder;
    write_text(folder.path() / "it's wrong.cu",
               "// camber: step(in, out, columns, rows, pitch) block=32x8\n"
               "__global__ void step(const unsigned* in, unsigned* out, int columns, int rows,\n"
               "                     int pitch) {\n"
               "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "    if (x < columns && y < rows) out[y * pitch + x] = 1 - in[y * pitch + x];\n"
               "}\n");
    const Outcome outcome =
        camber_in(folder, {"try", "it's wrong.cu", "--workload", "life", "--size", "40x30"});
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out + outcome.err,
               contains("life/it_s_wrong.cu/32x8") && contains("cells differ from the reference"));
}

TEST_CASE("try says in one sentence what it cannot take", "[cli][portable][try]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& arguments, int code = 2) {
        const Outcome outcome = camber_in(folder, arguments);
        CHECK(outcome.exit_code == code);
        CHECK(lines_of(outcome.err).size() == 1);
        return outcome.err;
    };
    CHECK_THAT(rejected({"try"}), contains("FILE is required"));
    CHECK_THAT(rejected({"try", "missing.cu", "--workload", "life"}), contains("missing.cu"));
    CHECK_THAT(rejected({"try", kernels + "halo.cu"}), contains("--workload is required"));
    CHECK_THAT(rejected({"try", "--new", "sciara_fv2"}),
               contains("--new has no kernel for 'sciara_fv2': choose blur or"));
    CHECK_THAT(
        rejected({"try", kernels + "halo.cu", "--workload", "blur"}),
        contains("halo.cu:2: parameter 1 of step is `const unsigned*`, but workload blur uses "
                 "float32 for in; missing `--workload`?"));
    CHECK_THAT(rejected({"try", kernels + "halo.cu", "--workload", "life", "--backend", "cpu"}),
               contains("the cpu backend runs the plain reference only"));
    CHECK_THAT(rejected({"run", "--candidate", kernels + "halo.cu", "--candidate",
                         copy_in(folder, kernels + "halo.cu"), "--backend", "simt"}),
               contains("would both be called life/halo.cu/32x8/align128: rename one of the two"));
    CHECK_THAT(rejected({"run", "--candidate", kernels + "halo.cu", "--backend", "simt",
                         "--timeout", "0"}),
               contains("--timeout"));
}

TEST_CASE("without a compiler it is said", "[cli][try]") {
    const TestFolder folder;
    const EnvironmentVariable path("PATH", "/nowhere");
    const EnvironmentVariable compiler("CXX", "");
    const Outcome outcome =
        camber_in(folder, {"run", "--candidate", kernels + "halo.cu", "--backend", "simt"});
    CHECK(outcome.exit_code == 5);
    CHECK_THAT(outcome.err, contains("there is no GCC to compile the kernel for the host"));
}

TEST_CASE("an interrupted compilation leaves nothing behind", "[cli][portable][try]") {
    const TestFolder folder;
    const TestFolder temporary;
    // A compiler that never ends and starts another process.
    const fs::path compiler = folder.path() / "slow g++";
    write_text(compiler,
               "#!/bin/sh\n"
               "test \"$1\" = --version && echo 'Free Software Foundation' && exit\n"
               "touch \"$TMPDIR/cc.s\"\n"
               "sleep 100 & wait\n");
    fs::permissions(compiler, fs::perms::owner_all);
    const EnvironmentVariable path("CXX", compiler.string());
    const EnvironmentVariable place("TMPDIR", temporary.path().string());
    const EnvironmentVariable cache("XDG_CACHE_HOME", (folder.path() / "cache").string());
    for (const std::string& file :
         {kernels + "halo.cu", (source_folder / "examples/techniques/four_rows.hpp").string()})
        for (const int signal : {SIGINT, SIGTERM}) {
            CAPTURE(file, signal);
            Program program({"try", file, "--workload", "life"}, folder.path());
            const auto compiles = [&] {
                for (const auto& entry : fs::recursive_directory_iterator(temporary.path()))
                    if (entry.path().filename() == "cc.s") return true;
                return false;
            };
            for (int i = 0; i < 600 && program.running() && !compiles(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            CHECK(compiles());
            program.send(signal);
            const Outcome outcome = program.wait();
            CHECK(outcome.signal == signal);
            CHECK(temporary.entries() == 0);
        }
}

// A kernel for life whose loop or barrier never ends.
const std::string endless_kernel =
    "// camber: step(in, out, columns, rows, pitch) block=32x1\n"
    "__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {\n"
    "#if KIND == 1\n"
    "    while (in[0] < 2) {}\n"
    "#elif KIND == 2\n"
    "    for (;;) {}\n"
    "#elif KIND == 3\n"
    "    if (threadIdx.x < 7) __syncthreads();\n"
    "#elif KIND == 4\n"
    "    for (;;) __syncthreads();\n"
    "#endif\n"
    "    out[0] = in[0];\n"
    "}\n";

TEST_CASE("what never ends is ended on the executor, with the place", "[cli][portable][try]") {
    const TestFolder folder;
    write_text(folder.path() / "endless.cu", endless_kernel);
    struct Case {
        const char* kind;
        const char* place;
        const char* said;
    };
    for (const Case& one : {Case{"1", "endless.cu:4", "has run for 0.3 s and has not ended"},
                            Case{"2", "endless.cu:6", "has run for 0.3 s and has not ended"},
                            Case{"3", "endless.cu:8", "__syncthreads"},
                            Case{"4", "endless.cu:10", "has run for 0.3 s and has not ended"}}) {
        CAPTURE(one.kind);
        const Arguments kernel{"--workload", "life", "--sweep", std::string("KIND=") + one.kind,
                               "--timeout",  "0.3"};
        const Outcome run = camber_in(folder, with({"run", "--backend", "simt", "--candidate",
                                                    "endless.cu", "--out", "r.json"},
                                                   kernel));
        CHECK(run.exit_code == 4);
        CHECK_THAT(run.out + run.err, contains(one.place) && contains(one.said));
        // The file contains the case with the reason for its failure.
        const Json results = results_in(folder.path() / "r.json");
        REQUIRE(results.at("benchmarks").size() == 1);
        const Json& camber = results.at("benchmarks")[0].at("camber");
        CHECK(camber.at("status") == "failed");
        CHECK_THAT(camber.at("reason").get<std::string>(), contains(one.place));
        CHECK(camber_in(folder,
                        with({"check", "--candidate", "endless.cu", "--size", "32x2"}, kernel))
                  .exit_code == 4);
        CHECK(camber_in(folder,
                        with({"model", "--candidate", "endless.cu", "--size", "32x2"}, kernel))
                  .exit_code == 4);
    }
}

TEST_CASE("with --watch, camber measures a file again when it is saved", "[cli][portable][try]") {
    const TestFolder folder;
    const fs::path file = folder.path() / "step.cu";
    const std::string text = text_of(kernels + "halo.cu");
    write_text(file, text);
    Program program({"try", "step.cu", "--workload", "life", "--size", "64x48", "--watch"},
                    folder.path());
    const auto wait_for = [&](const std::string& what) {
        for (int i = 0; i < 600 && program.running(); ++i) {
            if (program.output().find(what) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return program.output().find(what) != std::string::npos;
    };
    CHECK(wait_for("version 1: every cell agrees; "));
    CHECK(wait_for(" s]\n"));
    // A compile error is reported, and the command waits for the next version.
    write_text(file, text + "\nnonsense\n");
    CHECK(wait_for("version 2: step.cu does not compile for the host"));
    std::string wrong = text;
    REQUIRE(wrong.find("sum == 3") != std::string::npos);
    wrong.replace(wrong.find("sum == 3"), 8, "sum == 4");
    write_text(file, wrong);
    CHECK(wait_for("version 3: "));
    CHECK(wait_for("cells differ from the reference"));
    // Reads every neighbor twice: the change refers to the last correct version.
    write_text(file, "#define TWICE\n" + text);
    CHECK(wait_for("version 4: every cell agrees; "));
    CHECK(wait_for("against version 1: requests the same, sectors the same, bytes moved the same"));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGINT);
    CHECK(outcome.err.empty());

    const Outcome two =
        camber_in(folder, {"try", "step.cu", "step.cu", "--workload", "life", "--watch"});
    CHECK(two.exit_code == 2);
    CHECK_THAT(two.err, contains("--watch follows one file, and 2 are given"));
}

TEST_CASE("with --arch, camber tells registers and spills without a GPU", "[cli][try]") {
    const TestFolder folder;
    const Arguments command{"try", kernels + "halo.cu", "--workload", "life", "--size", "64x48"};
    CHECK_THAT(camber_in(folder, with(command, {"--arch", "pentium"})).err, contains("pentium"));
    const Outcome outcome = camber_in(folder, with(command, {"--arch", "sm_90"}));
    if (outcome.exit_code == 5) {
        CHECK_THAT(outcome.err, contains("neither nvcc nor NVRTC is here"));
        return;
    }
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("== Compiled for sm_90\n") && contains("step: ") &&
                                contains(" registers, no spills"));
}

TEST_CASE("a file may say what its kernels compute", "[cli][portable][try]") {
    const TestFolder folder;
    write_text(folder.path() / "a.cu", "// camber: workload life\n" + text_of(kernels + "halo.cu"));
    const Outcome outcome = camber_in(folder, {"try", "a.cu", "--size", "64x48"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("life/a.cu/32x8/align128"));
    const Outcome other = camber_in(folder, {"try", "a.cu", "--workload", "blur"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("a.cu:1: its kernels compute life, and blur is asked for: give "
                                   "--workload life"));
}

}  // namespace camber::try_test
