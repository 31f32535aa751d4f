// Search over combinations of a kernel's settings.
#include <algorithm>
#include <string>

#include "harness/machine/sass/tool.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::sweep_test {

namespace {

using namespace camber::cli_test;

const std::string columns = (source_folder / "examples/kernels/blur_columns.cu").string();
const std::string limits = (source_folder / "results/h200/ceilings.json").string();

Outcome search(const TestFolder& folder, const Arguments& more) {
    return run_program(with({"try", columns, "--workload", "blur", "--size", "256x64"}, more),
                       folder.path());
}

}  // namespace

TEST_CASE("all combinations are verified, and the best of them is named", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome =
        search(folder, {"--sweep", "block=32x4,64x2,1024x2", "--sweep", "ROWS=1,8"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out,
               contains("4 combinations built, 2 left out") &&
                   contains("left out block=1024x2 ROWS=8: ") &&
                   contains("a block of 1024x2 has 2048 threads, but 1024 is the most") &&
                   contains("blur/blur_columns.cu/32x4/ROWS=1/align128") &&
                   contains("blur/blur_columns.cu/64x2/64x16/ROWS=8/align128"));
    // Eight rows per thread need the fewest loads.
    CHECK_THAT(outcome.out, contains("it moves the fewest bytes, by the model; only a GPU tells") &&
                                contains("ROWS=8/align128 on 70x50: clean"));
    CHECK_THAT(outcome.out,
               contains("what limits it: camber profile --workload blur --candidate") &&
                   contains("--sweep block=") && contains("--sweep ROWS=8"));
    const Json results = results_in(folder.path() / "camber-sweep.json");
    CHECK(results.at("benchmarks").size() == 4);
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& one : results.at("benchmarks")) CHECK(one.at("camber").at("status") == "ok");
}

// A device whose ceilings lack a figure that predicted times require.
std::string limits_for_bounds(const TestFolder& folder) {
    Json some = Json::parse(text_of(limits));
    some["ceilings"].erase("fp64_flops_per_second");
    write_text(folder / "bounds.json", some.dump());
    return (folder / "bounds.json").string();
}

// The same blur, repeated several times.
void write_repeated_blur(const TestFolder& folder) {
    write_text(folder.path() / "blur.cu",
               "// camber: blur(in, out, columns, rows, pitch) block=32x8 halo=1 align=128 "
               "constant=weights\n"
               "#define TIMES 1\n"
               "__constant__ float weights[9];\n"
               "__global__ void blur(const float* in, float* out, int columns, int rows,\n"
               "                     int pitch) {\n"
               "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "    if (x >= columns || y >= rows) return;\n"
               "    float sum = 0;\n"
               "    for (int i = 0; i < TIMES; ++i) {\n"
               "        sum = 0;\n"
               "        for (int k = 0; k < 9; ++k)\n"
               "            sum = fmaf(weights[k],\n"
               "                       in[(y + k / 3 - 1) * pitch + x + k % 3 - 1], sum);\n"
               "    }\n"
               "    out[y * pitch + x] = fabsf(sum);\n"
               "}\n");
}

TEST_CASE("what a device's limits show to be hopeless is left out, and kept in the file",
          "[cli][portable][try]") {
    const TestFolder folder;
    write_repeated_blur(folder);
    const Outcome outcome =
        run_program({"try", "blur.cu", "--workload", "blur", "--size", "128x128", "--sweep",
                     "TIMES=1,2,20", "--ceilings", limits_for_bounds(folder), "--out", "all.json"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("1 of 3 left out as hopeless by bounds, as no times are "
                                     "predicted: the device's limits lack fp64_flops_per_second") &&
                                contains("even at the device's limits") &&
                                contains("blur/blur.cu/32x8/TIMES=1/align128: ") &&
                                contains("at least, by the model"));
    const Json results = results_in(folder.path() / "all.json");
    REQUIRE(results.at("benchmarks").size() == 3);
    int skipped = 0;
    for (const Json& one : results.at("benchmarks")) {
        const Json& camber = one.at("camber");
        if (camber.at("status") != "skipped") continue;
        ++skipped;
        CHECK_THAT(camber.at("variant").get<std::string>(), contains("TIMES=20"));
        CHECK_THAT(camber.at("reason").get<std::string>(),
                   contains("times as long as blur/blur.cu/32x8/TIMES=1/align128"));
    }
    CHECK(skipped == 1);
}

TEST_CASE("predicted times leave out combinations where a CUDA Toolkit tells the machine code",
          "[cli][try][time][slow]") {
    const TestFolder folder;
    write_repeated_blur(folder);
    const Outcome outcome =
        run_program({"try", "blur.cu", "--workload", "blur", "--size", "512x512", "--sweep",
                     "TIMES=1,60", "--generations", "1", "--ceilings", limits, "--out", "all.json"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    const bool toolkit = camber::find_cuobjdump() && camber::find_cuda_program("nvcc");
    if (toolkit)
        CHECK_THAT(outcome.out,
                   contains("1 of 2 left out as hopeless by predicted times; the best, "
                            "blur/blur.cu/32x8/TIMES=1/align128, is predicted to take ") &&
                       contains("TIMES=60/align128: predicted ") &&
                       contains(" predicted; only a GPU tells the time"));
    else
        CHECK_THAT(outcome.out,
                   contains("1 of 2 left out as hopeless by bounds, as no times are predicted: ") &&
                       contains(" is not here; the least bound is "));
}

// Otherwise a kernel that skips its work would leave no other kernel to measure.
TEST_CASE("what was left out for a wrong combination is judged anew",
          "[cli][portable][try]") {
    const TestFolder folder;
    write_repeated_blur(folder);
    const Outcome outcome = run_program(
        {"try", "blur.cu", "--workload", "blur", "--size", "128x128", "--sweep", "TIMES=0,8",
         "--generations", "1", "--ceilings", limits_for_bounds(folder), "--out", "all.json"},
        folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out,
               contains("blur/blur.cu/32x8/TIMES=0/align128 is wrong: what was left out for it is "
                        "judged anew") &&
                   contains("blur/blur.cu/32x8/TIMES=8/align128: "));
    const Json results = results_in(folder / "all.json");
    for (const Json& one : results.at("benchmarks"))
        CHECK(one.at("camber").at("status") ==
              (one.at("name").get<std::string>().find("TIMES=0") == std::string::npos ? "ok"
                                                                                      : "failed"));
}

TEST_CASE("a combination that computes something else is named, and the others stay",
          "[cli][portable][try]") {
    const TestFolder folder;
    write_text(folder.path() / "step.cu",
               "// camber: step(in, out, columns, rows, pitch) block=32x4 halo=1\n"
               "#define BORN 3\n"
               "__global__ void step(const unsigned* in, unsigned* out, int columns, int rows,\n"
               "                     int pitch) {\n"
               "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "    if (x >= columns || y >= rows) return;\n"
               "    unsigned n = 0;\n"
               "    for (int k = 0; k < 9; ++k)\n"
               "        if (k != 4) n += in[(y + k / 3 - 1) * pitch + x + k % 3 - 1];\n"
               "    out[y * pitch + x] = n == BORN || (n == 2 && in[y * pitch + x]);\n"
               "}\n");
    const Outcome outcome = run_program(
        {"try", "step.cu", "--workload", "life", "--size", "40x30", "--sweep", "BORN=3,4"},
        folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("life/step.cu/32x4/BORN=4/unaligned") &&
                                contains("cells differ from the reference") &&
                                contains("life/step.cu/32x4/BORN=3/unaligned: it moves"));
}

TEST_CASE("blocks that must divide the board get one that they all divide",
          "[cli][portable][try]") {
    const TestFolder folder;
    const Arguments command{"try",     (source_folder / "examples/kernels/blur_rows.cu").string(),
                            "--sweep", "ROWS=2,8",
                            "--sweep", "block=32x2,64x4"};
    const Outcome outcome = run_program(with(command, {"--workload", "blur"}), folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out,
               contains("4 combinations built, 0 left out") && contains("blur 256x160"));
    const Json results = results_in(folder.path() / "camber-sweep.json");
    for (const Json& one : results.at("benchmarks")) CHECK(one.at("camber").at("status") == "ok");
    const Outcome none =
        run_program(with(command, {"--workload", "blur", "--size", "70x50"}), folder.path());
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err, contains("nothing was verified, because the kernel needs a board"));
}

TEST_CASE("the option --sweep says what it cannot take", "[cli][portable][try]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& arguments) {
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        return outcome.err;
    };
    const Arguments tried{"try", columns, "--workload", "blur"};
    CHECK_THAT(rejected(with(tried, {"--sweep", "ROWS"})), contains("'ROWS' is not NAME=VALUE"));
    CHECK_THAT(rejected(with(tried, {"--sweep", "LINES=1,2"})),
               contains("nothing in") && contains("is called LINES"));
    CHECK_THAT(rejected(with(tried, {"--sweep", "ROWS=1", "--ceilings", "nowhere.json"})),
               contains("nowhere.json"));
    CHECK_THAT(rejected({"run", "--sweep", "ROWS=1", "--backend", "simt"}),
               contains("name one with --candidate"));
    // If each setting has one value, a single point is chosen.
    const Outcome chosen = run_program({"model", "--workload", "blur", "--candidate", columns,
                                        "--sweep", "ROWS=2", "--size", "256x64"},
                                       folder.path());
    CHECK(chosen.exit_code == 0);
    CHECK_THAT(chosen.out, contains("blur/blur_columns.cu/32x4/32x8/ROWS=2/align128"));
}

}  // namespace camber::sweep_test
