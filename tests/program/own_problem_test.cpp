// Kernels for problems that are not a workload of camber.
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "harness/own/problem/npy_file.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::own_problem_test {

namespace {

using namespace camber::cli_test;

const std::string examples = (source_folder / "examples/kernels").string() + "/";
const std::string plain = examples + "sharpen.cu";
const std::string tile = examples + "sharpen_tile.cu";

// 50 x 30 pixels of rising numbers.
HostField image() {
    HostField field("image", ElementType::float32, {50, 30});
    float next = 0;
    for (float& pixel : field.cells<float>()) pixel = next += 0.25f;
    return field;
}

}  // namespace

TEST_CASE("a kernel is verified, checked and modelled against another one",
          "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"try", tile, "--reference", plain, "--size", "100x60", "--out", "r.json"}, folder.path());
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(
        outcome.out,
        contains("own_sharpen/sharpen_tile.cu/32x8/align128        1           12000  yes") &&
            contains("own_sharpen/sharpen.cu/32x8/unaligned") &&
            contains("own_sharpen/sharpen_tile.cu/32x8/align128 on 768x48: clean") &&
            contains("== Beside the others, by the model"));
    const Json results = results_in(folder.path() / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results.at("benchmarks").size() == 2);
    const Json& camber = results.at("benchmarks")[0].at("camber");
    CHECK(camber.at("workload") == "own_sharpen");
    CHECK(camber.at("verification").at("status") == "passed");
    CHECK(camber.at("verification").at("compared_cells") == 12000);
}

TEST_CASE("arrays go in, and the result comes out as one", "[cli][portable][try]") {
    const TestFolder folder;
    const HostField pixels = image();
    write_npy(folder.path() / "image.npy", pixels);
    const Outcome outcome = run_program(
        {"try", tile, "--reference", plain, "--input", "image.npy", "--out-npy", "sharp.npy"},
        folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("own_sharpen 50x30 (float32 cells") && contains("3000  yes") &&
                                contains("result: sharp.npy"));
    const HostField sharp = read_npy(folder.path() / "sharp.npy", "sharp");
    REQUIRE(sharp.size() == Size{50, 30});
    const auto in = pixels.cells<float>();
    const auto out = sharp.cells<float>();
    const auto at = [&](int row, int column) {
        return row < 0 || row >= 30 || column < 0 || column >= 50
                   ? 0
                   : in[static_cast<std::size_t>(row * 50 + column)];
    };
    for (int row = 0; row < 30; ++row)
        for (int column = 0; column < 50; ++column) {
            const float around = at(row - 1, column) + at(row, column - 1) + at(row, column + 1) +
                                 at(row + 1, column);
            CHECK(out[static_cast<std::size_t>(row * 50 + column)] ==
                  at(row, column) + 0.5f * (4 * at(row, column) - around));
        }
}

TEST_CASE("a kernel that computes something else than its reference fails",
          "[cli][portable][try]") {
    const TestFolder folder;
    std::string text = text_of(tile);
    text.replace(text.find("pitch.image, 0.5)"), 17, "pitch.image, 0.6)");
    write_text(folder.path() / "wrong.cu", text);
    const Arguments command{"try", "wrong.cu", "--reference", plain, "--size", "64x32"};
    const Outcome outcome = run_program(command, folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("cells differ from the reference"));
    CHECK(run_program(with(command, {"--tolerance", "0.5"}), folder.path()).exit_code == 0);
}

TEST_CASE("combinations are searched for a problem of one's own, too", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"try", plain, "--reference", plain, "--size", "64x32", "--sweep", "block=32x2,64x4"},
        folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("2 combinations built, 0 left out") &&
                                contains("own_sharpen/sharpen.cu/64x4/unaligned"));
}

TEST_CASE("a file is watched against a reference, too", "[cli][portable][try]") {
    const TestFolder folder;
    Program program({"try", tile, "--reference", plain, "--size", "64x32", "--watch"},
                    folder.path());
    for (int i = 0; i < 600 && program.running(); ++i) {
        if (program.output().find(" s]") != std::string::npos) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    CHECK_THAT(program.output(), contains("version 1: every cell agrees; ") && contains(" s]"));
    program.send(SIGTERM);
    CHECK(program.wait().signal == SIGTERM);
}

TEST_CASE("what is wrong with a problem of one's own is named", "[cli][portable][try]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& more) {
        const Outcome outcome = run_program(with({"try", tile}, more), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        return outcome.err;
    };
    write_text(folder.path() / "a.npy", "not an array");
    CHECK_THAT(rejected({"--reference", "nowhere.cu"}), contains("nowhere.cu"));
    CHECK_THAT(rejected({"--reference", plain, "--workload", "blur"}),
               contains("defines what is computed, and so does --workload blur"));
    CHECK_THAT(rejected({"--reference", plain, "--input", "nowhere.npy"}), contains("nowhere.npy"));
    CHECK_THAT(rejected({"--reference", plain, "--input", "a.npy"}),
               contains("\"a.npy\" is no .npy file"));
    CHECK_THAT(rejected({"--reference", plain, "--input", "a.npy,,b.npy"}),
               contains("lacks a file between two commas"));
    CHECK_THAT(rejected({"--reference", plain, "--fill", "ones"}), contains("ones"));
    CHECK_THAT(rejected({"--input", "a.npy"}), contains("--reference"));
    // The fields are those of the reference.
    write_text(folder.path() / "other.cu",
               "// camber: f(in.picture, out.sharp) block=32x8\n"
               "__global__ void f(const float* in, float* out) { out[0] = in[0]; }\n");
    const Outcome other = run_program({"try", "other.cu", "--reference", plain}, folder.path());
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("asks for field picture, which own_sharpen does not have: its "
                                   "fields are image, sharp"));
}

TEST_CASE("from nothing to a prediction for a plain kernel takes three commands and seconds",
          "[cli][portable][try]") {
    const TestFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Outcome start_kernel = run_program({"try", "--new", "blur"}, folder.path());
    write_text(folder.path() / "blur.cu", start_kernel.out);
    const Outcome tried =
        run_program({"try", "blur.cu", "--workload", "blur", "--size", "256x128"}, folder.path());
    const Outcome modelled =
        run_program({"model", "--candidate", "blur.cu", "--workload", "blur"}, folder.path());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    CHECK(tried.exit_code == 0);
    CHECK_THAT(modelled.out, contains("LINE BY LINE"));
    CAPTURE(taken.count());
    CHECK(taken.count() < 60);  // on a busy machine; otherwise less than ten
}

}  // namespace camber::own_problem_test
