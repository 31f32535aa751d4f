// Problems of named arrays: the examples, shapes, expected results from files and from a library,
// comparison rules, and bad input.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "harness/own/problem/npy_file.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::arrays_test {

namespace {

using namespace camber::cli_test;

const std::string examples = (source_folder / "examples/arrays").string() + "/";

// An array of numbers as a .npy file.
void write_array(const std::filesystem::path& path, Scalar scalar,
                 const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
    const NamedArray array{"a", {scalar}, shape, true, true};
    HostField field("a", array.storage(), array.storage_size());
    for (std::size_t i = 0; i < values.size(); ++i)
        put_scalar(field.bytes().data() + i * static_cast<std::size_t>(array.type.bytes()),
                   values[i], scalar);
    write_npy_array(path, array, field);
}

const std::string add_text =
    "// camber: add(in.x, out.y, count.x, alpha) block=64 grid=(count.x+63)/64\n"
    "// camber: shape x=100 y=x\n"
    "// camber: scalar alpha=2\n"
    "__global__ void add(const float* x, float* y, int n, float alpha) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = x[i] + alpha;\n"
    "}\n";

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

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

TEST_CASE("several kernels pass scratch arrays to each other", "[cli][portable][arrays]") {
    const TestFolder folder;
    const std::string kernels =
        "__global__ void square(const int* x, long long* t, int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) t[i] = 1ll * x[i] * x[i];\n"
        "}\n"
        "__global__ void total(const long long* t, long long* sum, int n) {\n"
        "    extern __shared__ long long own[];\n"
        "    own[threadIdx.x] = 0;\n"
        "    for (int i = threadIdx.x; i < n; i += 64) own[threadIdx.x] += t[i];\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x > 0) return;\n"
        "    *sum = 0;\n"
        "    for (int i = 0; i < 64; ++i) *sum += own[i];\n"
        "}\n";
    const std::string lines =
        "// camber: square(in.x, out.t, count.x) block=64 grid=(count.x+63)/64\n"
        "// camber: total(in.t, out.sum, count.x) block=64 grid=1 shared=512\n"
        "// camber: shape x=300 sum=1\n"
        "// camber: scratch t int64 count.x\n";
    write_text(folder.path() / "two.cu", lines + kernels);
    const Outcome good = run_program({"try", "two.cu", "--reference", "two.cu"}, folder.path());
    CAPTURE(good.out, good.err);
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, contains("in x int32[300], out sum int64[1]") && contains(": clean"));
    // The second kernel reads what the first has left out.
    write_text(folder.path() / "less.cu",
               "// camber: reference two.cu\n" + lines +
                   changed(kernels, "if (i < n) t", "if (i < n - 1) t"));
    const Outcome less = run_program({"try", "less.cu"}, folder.path());
    CHECK(less.exit_code == 4);
    CHECK_THAT(less.out, contains("read of uninitialized global memory"));
}

TEST_CASE("asynchronous copies arrive at the wait", "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "plain.cu",
               "// camber: turn(in.x, out.y) block=128 grid=count.x/128\n"
               "// camber: shape x=512 y=x\n"
               "__global__ void turn(const float* x, float* y) {\n"
               "    y[blockIdx.x * 128 + threadIdx.x] = x[blockIdx.x * 128 + 127 - threadIdx.x];\n"
               "}\n");
    const std::string text =
        "// camber: turn(in.x, out.y) block=128 grid=count.x/128\n"
        "// camber: reference plain.cu\n"
        "#include <cuda_pipeline.h>\n"
        "__global__ void turn(const float* x, float* y) {\n"
        "    __shared__ alignas(16) float tile[128];\n"
        "    const int base = blockIdx.x * 128, t = threadIdx.x;\n"
        "    if (t < 32) __pipeline_memcpy_async(&tile[4 * t], &x[base + 4 * t], 16);\n"
        "    __pipeline_commit();\n"
        "    __pipeline_wait_prior(0);\n"
        "    __syncthreads();\n"
        "    y[base + t] = tile[127 - t];\n"
        "}\n";
    const auto tried = [&](const std::string& kernel) {
        write_text(folder.path() / "tile.cu", kernel);
        return run_program({"try", "tile.cu"}, folder.path());
    };
    const Outcome good = tried(text);
    CAPTURE(good.out, good.err);
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, contains(": clean"));
    CHECK(tried(changed(text, "    __pipeline_wait_prior(0);\n", "")).exit_code == 4);
    const Outcome race = tried(changed(text, "    __syncthreads();\n", ""));
    CHECK(race.exit_code == 4);
    CHECK_THAT(race.out, contains("race in shared memory"));
}

TEST_CASE("half precision rounds every operation once", "[cli][portable][arrays]") {
    const TestFolder folder;
    const Scalar scalar = GENERATE(Scalar::float16, Scalar::bfloat16);
    const bool half = scalar == Scalar::float16;
    const std::string type = half ? "__half" : "__nv_bfloat16";
    const std::string convert = half ? "__float2half" : "__float2bfloat16";
    write_text(folder.path() / "k.cu",
               "// camber: k(in.x, out.sum, out.fused, out.quotient, count.x) block=32 "
               "grid=(count.x+31)/32\n"
               "// camber: shape x=600 sum=x fused=x quotient=x\n"
               "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
               "__global__ void k(const " +
                   type + "* x, " + type + "* sum, " + type + "* fused, " + type +
                   "* quotient, int n) {\n"
                   "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (i >= n) return;\n"
                   "    const " +
                   type + " c = " + convert +
                   "(1.7f);\n"
                   "    sum[i] = x[i] + c;\n    fused[i] = __hfma(x[i], x[i], c);\n"
                   "    quotient[i] = c / x[i];\n}\n");
    std::vector<double> x, sum, fused, quotient;
    const double c = number_at(
        [&] {
            static std::byte bytes[8];
            put_scalar(bytes, 1.7f, scalar);
            return bytes;
        }(),
        scalar);
    for (int i = 0; i < 600; ++i) {
        std::byte bytes[8];
        put_scalar(bytes, std::ldexp(1 + i / 300.0, i % 13 - 8), scalar);
        const double value = number_at(bytes, scalar);
        x.push_back(value);
        sum.push_back(value + c);
        fused.push_back(value * value + c);
        quotient.push_back(c / value);
    }
    write_array(folder.path() / "x.npy", scalar, {600}, x);
    write_array(folder.path() / "sum.npy", scalar, {600}, sum);
    write_array(folder.path() / "fused.npy", scalar, {600}, fused);
    write_array(folder.path() / "quotient.npy", scalar, {600}, quotient);
    const Outcome outcome = run_program(
        {"try", "k.cu", "--input", "x.npy", "--expect", "sum=sum.npy", "--expect",
         "fused=fused.npy", "--expect", "quotient=quotient.npy", "--compare", "exact"},
        folder.path());
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("a grid follows the block's shape", "[cli][portable][arrays]") {
    const TestFolder folder;
    write_text(folder.path() / "add.cu",
               changed(add_text, "(count.x+63)/64", "(count.x+block.x-1)/block.x"));
    const Outcome outcome = run_program({"try", "add.cu", "--reference", "add.cu", "--sweep",
                                         "block=32,128"},
                                        folder.path());
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("2 combinations built, 0 left out"));
}

TEST_CASE("a grid-stride kernel on a large board is predicted from some blocks",
          "[cli][portable][slow]") {
    const TestFolder folder;
    write_text(folder.path() / "life.cu",
               "// camber: life(in, out, columns, rows) block=256 grid=64\n"
               "__global__ void life(const unsigned* in, unsigned* out, int columns, int rows) {\n"
               "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < columns * rows;\n"
               "         i += gridDim.x * blockDim.x) {\n"
               "        const int x = i % columns, y = i / columns;\n"
               "        int n = 0;\n"
               "        for (int dy = -1; dy <= 1; ++dy)\n"
               "            for (int dx = -1; dx <= 1; ++dx)\n"
               "                if ((dx || dy) && x + dx >= 0 && x + dx < columns && y + dy >= 0 &&\n"
               "                    y + dy < rows)\n"
               "                    n += in[(y + dy) * columns + x + dx];\n"
               "        out[i] = n == 3 || (n == 2 && in[i]);\n"
               "    }\n}\n");
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = run_program(
        {"model", "--candidate", "life.cu", "--workload", "life", "--size", "2048x2048"},
        folder.path());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    // Every block stores as often as the others.
    CHECK_THAT(outcome.out, contains("random blocks") && contains("131072 requests"));
    CHECK(taken.count() < 120);  // on a busy machine; otherwise ten
}

TEST_CASE("an array may be longer than a board's side", "[cli][portable][arrays][slow]") {
    const TestFolder folder;
    write_text(folder.path() / "flip.cu",
               "// camber: flip(in.x, out.y) block=256 grid=count.x/4096\n"
               "// camber: shape x=33558528 y=x\n"
               "__global__ void flip(const unsigned char* x, unsigned char* y) {\n"
               "    const int k = blockIdx.x * 256 + threadIdx.x;\n"
               "    uint4 v = ((const uint4*)x)[k];\n"
               "    v.x ^= 1;\n"
               "    ((uint4*)y)[k] = v;\n}\n");
    const Outcome outcome =
        run_program({"run", "--reference", "flip.cu", "--backend", "simt"}, folder.path());
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("in x uint8[33558528]"));
}

TEST_CASE("predictions of the examples equal an H200's counters", "[cli][portable][slow]") {
    const Json counted =
        Json::parse(text_of(source_folder / "results/experiments/arrays/counters.json"));
    const TestFolder folder;
    int kernels = 0;
    for (const auto& [name, counters] : counted.at("kernels").items()) {
        CAPTURE(name);
        Arguments command{"model", "--candidate", examples + name, "--json", "m.json"};
        const bool defines = text_of(examples + name).find("camber: reference") == std::string::npos;
        if (defines) command.insert(command.end(), {"--reference", examples + name});
        const Outcome outcome = run_program(command, folder.path());
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const Json model = Json::parse(text_of(folder.path() / "m.json")).at("models")[0];
        CHECK(model.at("variant") == counters.at("variant"));
        // camber's own kernel fills the outputs of the histograms.
        const bool filled = name.starts_with("histogram");
        for (const std::string quantity :
             {"global_load_requests", "global_load_sectors", "global_store_requests",
              "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts",
              "shared_load_bank_conflicts", "shared_store_bank_conflicts"}) {
            CAPTURE(quantity);
            const int fill = !filled                                ? 0
                             : quantity == "global_store_requests" ? 8
                             : quantity == "global_store_sectors"  ? 32
                                                                   : 0;
            CHECK(model.value(quantity, 0) + fill == counters.at(quantity));
        }
        ++kernels;
    }
    CHECK(kernels == 19);
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
