// Kernels over named arrays: scratch arrays, asynchronous copies, half precision, grids, long arrays,
// and predictions beside an H200's counters.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/program/arrays.hpp"

namespace camber::array_kernels_test {

using namespace camber::array_files;
using namespace camber::cli_test;

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

}  // namespace camber::array_kernels_test
