// Problems of named arrays: the examples, shapes, expected results from files and from a library,
// comparison rules, and bad input.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/program/arrays.hpp"

namespace camber::arrays_test {

using namespace camber::array_files;
using namespace camber::cli_test;

TEST_CASE("every example of arrays is verified, clean and predicted", "[cli][portable][arrays]") {
    struct Example {
        std::string file;
        std::string shapes;
        std::string variant;
        int numbers;
    };
    const Example example = GENERATE(
        Example{"saxpy.cu", "x=4096", "own_saxpy_plain/saxpy.cu/256x1", 8192},
        Example{"transpose_tiled.cu", "a=64x32", "transpose_tiled.cu/32x8", 4096},
        Example{"transpose_padded.cu", "a=64x32", "transpose_padded.cu/32x8", 4096},
        Example{"reduction.cu", "x=8192", "reduction.cu/256x1", 8200},
        Example{"stencil.cu", "u=6x16x32", "stencil.cu/32x8", 6144},
        Example{"histogram.cu", "data=20000", "histogram.cu/256x1", 20256},
        Example{"softmax.cu", "x=2x5x128", "softmax.cu/128x1", 2560},
        Example{"spmv.cu", "y=64", "spmv.cu/128x1", 0},
        Example{"blur_half.cu", "image=8x128", "blur_half.cu/32x4", 2048},
        Example{"matmul_wmma.cu", "a=64x32", "matmul_wmma.cu/32x4", 0});
    CAPTURE(example.file);
    Arguments command{"try", examples + example.file, "--shape", example.shapes, "--out", "r.json"};
    if (example.file == "matmul_wmma.cu") {
        command.insert(command.end(), {"--shape", "b=32x16"});
    }
    const TestFolder folder;
    const Outcome outcome = run_program(command, folder.path());
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains(example.variant) && contains(": clean") &&
                                contains("== What it asks of memory, by the model"));
    const Json results = results_in(folder.path() / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& benchmark : results.at("benchmarks")) {
        const Json& verification = benchmark.at("camber").at("verification");
        CHECK(verification.at("status") == "passed");
        if (example.numbers > 0) CHECK(verification.at("compared_cells") == example.numbers);
    }
}

TEST_CASE("a wrong element of an array is named with its indices", "[cli][portable][arrays]") {
    const TestFolder folder;
    const std::string plain = text_of(examples + "stencil_plain.cu");
    write_text(folder.path() / "plain.cu", plain);
    write_text(folder.path() / "wrong.cu",
               "// camber: reference plain.cu\n" +
                   changed(plain, "v[i] = next;", "v[i] = x == 3 && y == 0 && z == 2 ? 7 : next;"));
    const Outcome wrong =
        run_program({"try", "wrong.cu", "--shape", "u=4x8x32"}, folder.path());
    CHECK(wrong.exit_code == 4);
    CHECK_THAT(wrong.out, contains("1 of 2048 cells differ") &&
                              contains("this is v[2][0][3] of type float32, compared within 1e-05 "
                                       "+ 1e-05 * |expected|; NaN fails"));
    write_text(folder.path() / "skips.cu",
               "// camber: reference plain.cu\n" +
                   changed(plain, "v[i] = next;", "if (x != 3 || y != 0 || z != 2) v[i] = next;"));
    const Outcome skips =
        run_program({"try", "skips.cu", "--shape", "u=4x8x32"}, folder.path());
    CHECK(skips.exit_code == 4);
    CHECK_THAT(skips.out, contains("but the kernel never wrote this cell"));
    CHECK_THAT(skips.out, contains("output that no kernel wrote"));
}

TEST_CASE("a skipped element is found in every element type", "[cli][portable][arrays]") {
    const std::string type = GENERATE(as<std::string>(), "__half", "__nv_bfloat16", "short",
                                      "long long", "signed char", "double", "float3", "uchar4");
    CAPTURE(type);
    const auto copy = [&](const std::string& condition) {
        return "// camber: copy(in.x, out.y, count.x) block=32 grid=(count.x+31)/32\n"
               "// camber: shape x=70 y=x\n"
               "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
               "__global__ void copy(const " +
               type + "* x, " + type +
               "* y, int n) {\n"
               "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (" +
               condition + ") y[i] = x[i];\n}\n";
    };
    const TestFolder folder;
    write_text(folder.path() / "plain.cu", copy("i < n"));
    write_text(folder.path() / "skips.cu", "// camber: reference plain.cu\n" + copy("i < n && i != 33"));
    const Outcome good = run_program({"try", "plain.cu", "--reference", "plain.cu"}, folder.path());
    CAPTURE(good.out, good.err);
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, contains(": clean"));
    for (const std::string fill : {"random", "zeros"}) {
        const Outcome skips = run_program({"try", "skips.cu", "--fill", fill}, folder.path());
        CHECK(skips.exit_code == 4);
        CHECK_THAT(skips.out,
                   contains("never wrote") && contains("y[33]") && contains("output that no kernel"));
    }
    write_text(folder.path() / "holes.cu", copy("i < n && i != 33"));
    const Outcome holes = run_program({"try", "plain.cu", "--reference", "holes.cu"}, folder.path());
    CHECK(holes.exit_code == 2);
    CHECK_THAT(holes.err, contains("never writes") && contains("y[33]"));
}

TEST_CASE("a skipped integer fails although its poison is within the tolerance",
          "[cli][portable][arrays]") {
    const TestFolder folder;
    const std::string text =
        "// camber: fill(out.y, count.y) block=32 grid=(count.y+31)/32\n"
        "// camber: shape y=64\n"
        "__global__ void fill(unsigned char* y, int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = 0xa0;\n}\n";
    write_text(folder.path() / "plain.cu", text);
    write_text(folder.path() / "skips.cu",
               "// camber: reference plain.cu\n" + changed(text, "i < n", "i < n - 1"));
    const Outcome outcome =
        run_program({"try", "skips.cu", "--compare", "y=abs:10"}, folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("y[63]"));
}

TEST_CASE("correct results come from files", "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu", add_text);
    write_array(folder.path() / "x.npy", Scalar::float32, {4}, {0, 1, 2, 3});
    write_array(folder.path() / "y.npy", Scalar::float32, {4}, {2, 3, 4, 5});
    const Arguments command{"try", "add.cu", "--input", "x=x.npy", "--expect", "y=y.npy"};
    const Outcome good = run_program(with(command, {"--out-npy", "out.npy"}), folder.path());
    CAPTURE(good.out, good.err);
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, contains("in x float32[4], out y float32[4]"));
    const NpyArray out = read_npy_array(folder.path() / "out.npy");
    CHECK(out.shape == std::vector<std::int64_t>{4});
    CHECK(number_at(out.bytes.data() + 12, Scalar::float32) == 5);
    const Outcome other = run_program(with(command, {"--scalar", "alpha=2.5"}), folder.path());
    CHECK(other.exit_code == 4);
    CHECK(run_program(with(command, {"--scalar", "alpha=2.5", "--compare", "y=abs:0.5"}),
                      folder.path())
              .exit_code == 0);
    CHECK(run_program(with(command, {"--scalar", "alpha=2.5", "--compare", "ulp:1"}), folder.path())
              .exit_code == 4);
}

TEST_CASE("NaN passes only where the rule and the expected result say so",
          "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu", add_text);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    write_array(folder.path() / "x.npy", Scalar::float32, {3}, {0, nan, 2});
    write_array(folder.path() / "y.npy", Scalar::float32, {3}, {2, nan, 4});
    const Arguments command{"try", "add.cu", "--input", "x=x.npy", "--expect", "y=y.npy"};
    const Outcome fails = run_program(command, folder.path());
    CHECK(fails.exit_code == 4);
    CHECK_THAT(fails.out, contains("1 of 6 cells differ") && contains("y[1]"));
    const Outcome equal =
        run_program(with(command, {"--compare", "y=rel:1e-6+nan:equal"}), folder.path());
    CAPTURE(equal.out, equal.err);
    CHECK(equal.exit_code == 0);
}

TEST_CASE("correct results come from a library with a C function", "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu", add_text);
    const auto build = [&](const std::string& name, const std::string& body) {
        write_text(folder.path() / (name + ".c"),
                   "#include <camber/reference.h>\nCAMBER_REFERENCE {\n" + body + "}\n");
        const std::string file = (folder.path() / name).string();
        const std::string command =
            fmt::format("cc -shared -fPIC -I {} {}.c -o {}.so", (source_folder / "include").string(),
                        file, file);
        REQUIRE(std::system(command.c_str()) == 0);
    };
    build("good",
          "    const CamberReferenceArray* x = camber_array(problem, \"x\");\n"
          "    float* y = (float*)camber_array(problem, \"y\")->data;\n"
          "    for (int64_t i = 0; i < x->shape[0]; ++i) y[i] = ((const float*)x->data)[i] + 2;\n"
          "    return 0;\n");
    build("short",
          "    float* y = (float*)camber_array(problem, \"y\")->data;\n"
          "    y[0] = 1;\n    return 0;\n");
    build("fails", "    return 7;\n");
    const auto tried = [&](const std::string& library) {
        return run_program({"try", "add.cu", "--reference", library}, folder.path());
    };
    const Outcome good = tried("good.so");
    CAPTURE(good.out, good.err);
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, contains("own_good/add.cu/64x1"));
    const Outcome some = tried("short.so");
    CHECK(some.exit_code == 2);
    CHECK_THAT(some.err, contains("short.so never writes 99 of 100 numbers of y, the first of them "
                                  "y[1]"));
    const Outcome fails = tried("fails.so");
    CHECK(fails.exit_code == 4);
    CHECK_THAT(fails.err + fails.out, contains("camber_reference() returned 7"));
    write_text(folder.path() / "empty.so", "no library");
    CHECK(tried("empty.so").exit_code == 2);
}

TEST_CASE("bad input about arrays gets one sentence", "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu", add_text);
    write_array(folder.path() / "x.npy", Scalar::float32, {4}, {0, 1, 2, 3});
    write_array(folder.path() / "y.npy", Scalar::float32, {5}, {2, 3, 4, 5, 6});
    write_array(folder.path() / "d.npy", Scalar::float64, {4}, {0, 1, 2, 3});
    const auto said = [&](const Arguments& more, const std::string& text = add_text) {
        write_text(folder.path() / "k.cu", text);
        Arguments command{"try", "k.cu"};
        if (std::ranges::find(more, "--expect") == more.end())
            command.insert(command.end(), {"--reference", "k.cu"});
        const Outcome outcome = run_program(with(command, more), folder.path());
        CAPTURE(outcome.out);
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        return outcome.err;
    };
    CHECK_THAT(said({"--shape", "z=3"}), contains("there is no array z: the arrays are x, y"));
    CHECK_THAT(said({"--shape", "x"}), contains("--shape x is not NAME=VALUE"));
    CHECK_THAT(said({"--shape", "x=0"}), contains("has an extent of 0"));
    CHECK_THAT(said({"--shape", "x=2.5"}), contains("has an extent of 2.5"));
    CHECK_THAT(said({"--shape", "x=2x2x2x2"}), contains("has 4 dimensions"));
    CHECK_THAT(said({"--shape", "x=y"}), contains("depends on itself"));
    CHECK_THAT(said({"--shape", "x=99999999999"}), contains("an extent is a whole number"));
    CHECK_THAT(said({"--shape", "x=nothing"}), contains("has an unknown word nothing"));
    CHECK_THAT(said({"--size", "8x8"}), contains("give --shape NAME=64x64 instead"));
    CHECK_THAT(said({"--scalar", "alpha=two"}), contains("alpha=two is no number"));
    CHECK_THAT(said({"--compare", "z=exact"}), contains("is for z, and the outputs are y"));
    CHECK_THAT(said({"--compare", "y=ulp:1.5"}), contains("no whole number"));
    CHECK_THAT(said({"--compare", "y=exact+abs:1"}), contains("is exact and has a tolerance"));
    CHECK_THAT(said({"--compare", "y=near"}), contains("has an unknown part 'near'"));
    CHECK_THAT(said({"--compare", "y=abs:-1"}), contains("must be from 0"));
    CHECK_THAT(said({"--input", "x=d.npy"}),
               contains("has elements of float64, and x has float32: save it with "
                        "array.astype('float32')"));
    CHECK_THAT(said({"--input", "y=x.npy"}), contains("an array that no kernel reads"));
    CHECK_THAT(said({"--input", "x=x.npy", "--shape", "x=5"}), contains("contradicts the shape 4"));
    CHECK_THAT(said({"--expect", "x=x.npy"}), contains("is for x, and the outputs are y"));
    CHECK_THAT(said({"--expect", "y=none.npy"}), contains("none.npy"));
    CHECK_THAT(said({}, changed(add_text, " grid=(count.x+63)/64", "")),
               contains("the grid of add is missing"));
    CHECK_THAT(said({}, changed(add_text, "block=64", "block=64 halo=1")),
               contains("halo= is for the rows of a board"));
    CHECK_THAT(said({}, changed(add_text, "count.x, alpha", "columns, alpha")),
               contains("argument columns is unknown"));
    CHECK_THAT(said({}, changed(add_text, "shape x=100 y=x", "shape x=100")),
               contains("the shape of y is missing: give --shape y=64x64"));
    CHECK_THAT(said({}, changed(add_text, "shape x=100 y=x", "shape")),
               contains("shape names nothing"));
    CHECK_THAT(said({}, changed(add_text, "scalar alpha=2", "scratch t float99 8")),
               contains("'float99' is no type of an array"));
    CHECK_THAT(said({}, changed(add_text, "block=64", "block=64x4x8")),
               contains("a block of 64x4x8 has 2048 threads"));
    CHECK_THAT(said({}, changed(add_text, "grid=(count.x+63)/64", "grid=1x1x70000")),
               contains("is 70000 blocks, and a grid has 1 to 65535 along z"));
}

TEST_CASE("a kernel that only a GPU can run gets one sentence without one", "[cli][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu", add_text);
    write_text(folder.path() / "ptx.cu",
               "// camber: reference add.cu\n" +
                   changed(add_text, "y[i] = x[i] + alpha;",
                           "asm(\"add.f32 %0, %1, %2;\" : \"=f\"(y[i]) : \"f\"(x[i]), \"f\"(alpha));"));
    const Outcome outcome = run_program({"try", "ptx.cu", "--backend", "simt"}, folder.path());
    CHECK(outcome.exit_code == 5);
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, contains("ptx.cu:7: inline PTX is not supported on the CPU, so its "
                                     "kernels run on a GPU only"));
    const Outcome reference =
        run_program({"try", "add.cu", "--reference", "ptx.cu"}, folder.path());
    CHECK(reference.exit_code == 2);
    CHECK_THAT(reference.err, contains("and a reference runs there"));
}

}  // namespace camber::arrays_test
