// Shared libraries of kernels on a machine without a GPU.
#include <chrono>
#include <string>

#include "harness/machine/sass/tool.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::launch_library_test {

namespace {

using namespace camber::cli_test;

constexpr std::chrono::seconds limit{120};

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

const std::string includes = "-I" + (source_folder / "include").string();

}  // namespace

TEST_CASE("a library needs a GPU, and says so", "[cli][try][library]") {
    const TestFolder folder;
    const TestFolder sources;
    write_text(sources.path() / "life.c",
               "#include <camber/launch.h>\n"
               "CAMBER_LAUNCH(\"workload life\\nstep(in, out) block=8x8\") { return !launch; }\n");
    REQUIRE(run_tool(find_gcc(),
                     {"-shared", "-fPIC", includes, (sources.path() / "life.c").string(), "-o",
                      (folder.path() / "my life.so").string()},
                     limit, {sources.path()})
                .succeeded());
    for (const Arguments& command :
         {Arguments{"try", "my life.so"}, Arguments{"check", "--candidate", "my life.so"},
          Arguments{"model", "--candidate", "my life.so"},
          Arguments{"profile", "--candidate", "my life.so"},
          Arguments{"run", "--candidate", "my life.so"}}) {
        CAPTURE(command.front());
        const Outcome outcome = camber_in(folder, command);
        CHECK(outcome.exit_code == 5);
        CHECK_THAT(
            outcome.err,
            contains("my life.so is compiled for a GPU, and the simt backend is none: use it "
                     "on a machine with a GPU, with --backend cuda"));
    }
    const auto says = [&](const Arguments& more) {
        const Outcome outcome = camber_in(folder, with({"try", "my life.so"}, more));
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK_THAT(says({"--sweep", "block=8x8"}),
               contains("my life.so is compiled already: leave out --sweep"));
    CHECK_THAT(says({"--watch"}), contains("my life.so is compiled already: leave out --watch"));
    CHECK_THAT(says({"--workload", "blur"}),
               contains("my life.so:1: its kernels compute life, and blur is asked for"));
    write_text(folder.path() / "text.so", "no library");
    const Outcome text = camber_in(folder, {"try", "text.so", "--workload", "life"});
    CHECK(text.exit_code == 2);
    CHECK_THAT(text.err, contains("text.so cannot be loaded as a shared library"));
    CHECK(folder.entries() == 2);
}

TEST_CASE("the example of a library compiles, and its line is understood",
          "[cli][try][library][nvcc]") {
    const auto nvcc = find_cuda_program("nvcc");
    if (!nvcc) skip_test("there is no nvcc");
    const TestFolder folder;
    const TestFolder sources;
    const ToolRun built = run_tool(*nvcc,
                                   {"-shared", "-Xcompiler", "-fPIC", includes,
                                    (source_folder / "examples/libraries/blur.cu").string(), "-o",
                                    (folder.path() / "blur.so").string()},
                                   limit, {sources.path(), sources.path()});
    INFO(built.output);
    REQUIRE(built.succeeded());
    const Outcome outcome = camber_in(folder, {"try", "blur.so"});
    CHECK(outcome.exit_code == 5);
    CHECK_THAT(outcome.err, contains("blur.so is compiled for a GPU"));
    // The library's code is for a board of floats.
    CHECK_THAT(camber_in(folder, {"try", "blur.so", "--workload", "dog"}).err,
               contains("its kernels compute blur"));
}

}  // namespace camber::launch_library_test
