#include <chrono>
#include <memory>
#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/launch_library.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::launch_library_test {

// Shared libraries that launch their kernels themselves. These libraries compute on the host, in
// the memory of the executor's queue.

namespace {

// A shared library compiled from C or C++ source code, in a folder of its own.
class Library {
  public:
    explicit Library(const std::string& text, const std::string& suffix = "cpp")
        : source_(text, "library." + suffix),
          path_(source_.path().parent_path() / "my 'kernel\".so") {
        const std::string root = CAMBER_SOURCE_DIR;
        const ToolRun run =
            run_tool(find_gcc(),
                     {"-shared", "-fPIC", "-fvisibility=hidden", "-I" + root + "/include",
                      source_.path().string(), "-o", path_.string()},
                     std::chrono::seconds(60), {source_.path().parent_path()});
        INFO(run.output);
        REQUIRE(run.succeeded());
    }
    const std::filesystem::path& path() const { return path_; }
    Variant variant(const std::string& workload, ElementType cell = ElementType::float32) const {
        return library_variant(path_, *find_workload(workload), cell);
    }

  private:
    KernelText source_;
    std::filesystem::path path_;
};

const std::string life_body =
    "{\n"
    "    const unsigned* in = (const unsigned*)launch->arguments[0].cells;\n"
    "    unsigned* out = (unsigned*)launch->arguments[1].cells;\n"
    "    const int columns = (int)launch->arguments[2].number;\n"
    "    const int rows = (int)launch->arguments[3].number;\n"
    "    const int pitch = (int)launch->arguments[4].number;\n"
    "    if (launch->count != 5 || launch->stream) return 1;\n"
    "    for (int y = 0; y < rows; ++y)\n"
    "        for (int x = 0; x < columns; ++x) {\n"
    "            unsigned sum = 0;\n"
    "            for (int dy = -1; dy <= 1; ++dy)\n"
    "                for (int dx = -1; dx <= 1; ++dx)\n"
    "                    sum += in[(y + dy) * pitch + x + dx];\n"
    "            const unsigned own = in[y * pitch + x];\n"
    "            out[y * pitch + x] = sum == 3 || (sum == 4 && own);\n"
    "        }\n"
    "    return 0;\n"
    "}\n";
const std::string life =
    "#include <camber/launch.h>\n"
    "CAMBER_LAUNCH(\"step(in, out, columns, rows, pitch) block=32x8 halo=1 align=128\") " +
    life_body;

std::string rejected(const std::string& text, const std::string& workload = "life",
                     ElementType cell = ElementType::uint32) {
    const Library library(text);
    try {
        library.variant(workload, cell);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

std::string with_line(const std::string& line) {
    return "#include <camber/launch.h>\nCAMBER_LAUNCH(\"" + line +
           "\") { return launch->count; }\n";
}

}  // namespace

TEST_CASE("a library's launch function is a variant for a GPU", "[candidate][library]") {
    const Library library(life);
    const Variant variant = library.variant("life", ElementType::uint32);
    CHECK(variant.info.name() == "life/my__kernel_.so/32x8/align128");
    CHECK(variant.info.shape.halo == 1);
    CHECK(variant.info.threads_per_block == 256);
    CHECK(variant.info.bytes_per_cell == 8);
    CHECK(variant.factories.contains(Backend::cuda));
    CHECK(variant.factories.size() == 1);
}

TEST_CASE("a launch function gets the cells and the numbers of its line", "[candidate][library]") {
    // The interface also compiles as C.
    for (const std::string suffix : {"cpp", "c"}) {
        const Library library(life, suffix);
        const Variant variant = library.variant("life", ElementType::uint32);
        const Workload& workload = *find_workload("life");
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            CAPTURE(suffix, name(boundary));
            const Problem problem{
                {37, 23}, boundary, ElementType::uint32, ParameterSet(workload.facts().parameters)};
            const InitialConditions conditions{
                .size = problem.size, .cell = problem.cell, .seed = 5};
            State expected = workload.initial(conditions);
            State next = expected;
            State actual = expected;
            simt::HostQueue queue(1);
            const auto execution = variant.factories.at(Backend::cuda)(queue, problem);
            execution->upload(expected);
            execution->advance(3);
            queue.synchronize();
            execution->download(actual);
            for (int i = 0; i < 3; ++i) {
                workload.generation(
                    expected, next,
                    {.boundary = boundary, .parameters = problem.parameters, .threads = 1});
                std::swap(expected, next);
            }
            CHECK(
                std::ranges::equal(actual.field("cells").bytes(), expected.field("cells").bytes()));
        }
    }
}

TEST_CASE("what a launch function returns ends the run", "[candidate][library]") {
    const Library library(with_line("step(in, out) block=8x8"));
    const Variant variant = library.variant("life", ElementType::uint32);
    simt::HostQueue queue(1);
    const Problem problem{{8, 8}, Boundary::dead, ElementType::uint32, {}};
    const auto execution = variant.factories.at(Backend::cuda)(queue, problem);
    try {
        execution->advance(1);
        FAIL("it went on");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unavailable);
        CHECK_THAT(error.what(), contains("my 'kernel\".so returned 2, which as a cudaError_t"));
    }
}

TEST_CASE("a library that is none is refused", "[candidate][library]") {
    const KernelText text("no library", "text.so");
    CHECK_THROWS_WITH(LaunchLibrary(text.path()), contains("cannot be loaded as a shared library"));
    CHECK_THROWS_WITH(LaunchLibrary("/nowhere/a b.so"),
                      contains("there is no file /nowhere/a b.so"));
    CHECK_THROWS_WITH(LaunchLibrary(text.path().parent_path()), contains("there is no file"));
    CHECK_THAT(rejected("int nothing;\n"), contains("does not export camber_launch_version: write "
                                                    "its launch function behind CAMBER_LAUNCH"));
    CHECK_THAT(rejected("#include <camber/launch.h>\nconst int camber_launch_version = 1;\n"),
               contains("does not export camber_launch: "));
    CHECK_THAT(rejected("#include <camber/launch.h>\nconst int camber_launch_version = 1;\n"
                        "int camber_launch(const CamberLaunch*) { return 0; }\n"),
               contains("does not export camber_launch_line: "));
    CHECK_THAT(rejected("#include <camber/launch.h>\nconst int camber_launch_version = 7;\n"),
               contains("has version 7 of the interface, and this camber has version 1: compile it "
                        "with camber's own camber/launch.h"));
}

TEST_CASE("a library's line is read as a file's", "[candidate][library]") {
    const auto says = [](const std::string& line) { return rejected(with_line(line)); };
    CHECK(says("step(in, out) block=8x8").empty());
    CHECK(says("workload life\\nfield tmp uint32\\nstep(in, out, inout.tmp) block=8x8").empty());
    CHECK_THAT(says("step(in, out)"), contains(".so:1: the block of step is missing"));
    CHECK_THAT(says("workload life"),
               contains(".so contains no launch line; try: \"step(in, out, "));
    CHECK_THAT(says("step(in, out) block=64x32"), contains("has 2048 threads, but 1024 is the"));
    CHECK_THAT(says("step(in, width) block=8x8"), contains("argument width is unknown"));
    CHECK_THAT(says("step(in) block=8x8"), contains("no kernel writes field cells"));
    CHECK_THAT(says("workload blur\\nstep(in, out) block=8x8"),
               contains(".so:1: its kernels compute blur, and life is asked for"));
    CHECK_THAT(says("step(in, out) block=8x8\\nstep(in, out) block=8x8"),
               contains(".so:2: a library has one launch function"));
    CHECK_THAT(says("step(tex2d, out) block=8x8"),
               contains("tex2d is made for kernels that camber compiles: take in and make"));
    CHECK_THAT(
        rejected(with_line("step(in, out) block=8x8 constant=w:weights"), "blur",
                 ElementType::float32),
        contains("constant=w:weights fills an array of a file that camber compiles: take the "
                 "numbers as arguments, weights[0] and so on"));
    CHECK_THAT(rejected(with_line("step(in, out) block=8x8"), "sciara_fv2", ElementType::float64),
               contains("takes more than kernels over a board"));
}

TEST_CASE("a torus smaller than the halo is skipped", "[candidate][library]") {
    const Library library(with_line("step(in, out) block=8x8 halo=4"));
    const Variant variant = library.variant("life", ElementType::uint32);
    const auto on = [&](Size size, Boundary boundary) {
        return variant.unsupported({size, boundary, ElementType::uint32, {}});
    };
    CHECK(on({3, 9}, Boundary::torus) ==
          "needs a torus of at least 4 x 4 cells, as wide as its halo");
    CHECK_FALSE(on({4, 4}, Boundary::torus).has_value());
    CHECK_FALSE(on({3, 9}, Boundary::dead).has_value());
}

}  // namespace camber::launch_library_test
