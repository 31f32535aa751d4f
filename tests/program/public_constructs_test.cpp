// Constructs of public kernels, such as NVIDIA's samples, in files to which only `camber:` lines are
// added: templates with unused kernels, headers that are not here, constant memory, textures,
// pipelines, and vectors in shared memory.
#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::public_constructs_test {

namespace {

using namespace camber::cli_test;

// Result of `camber try` of a file that is its own reference.
Outcome tried(const std::string& text, const std::vector<std::string>& more = {}) {
    const TestFolder folder;
    write_text(folder.path() / "kernel.cu", text);
    Arguments command{"try", "kernel.cu", "--reference", "kernel.cu"};
    command.insert(command.end(), more.begin(), more.end());
    return run_program(command, folder.path());
}

void check_clean(const Outcome& outcome) {
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains(": clean") && contains("0 with findings"));
}

const std::string weighted =
    "// camber: weighted(out.y, in.x, count.x) block=64 grid=(count.x+63)/64 constant=c:weights\n"
    "// camber: shape x=300 y=x\n"
    "__constant__ float c[3];\n"
    "__global__ void weighted(float* y, const float* x, int n) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i >= n) return;\n"
    "    float sum = 0;\n"
    "    for (int j = -1; j <= 1; ++j)\n"
    "        if (i + j >= 0 && i + j < n) sum += c[1 + j] * x[i + j];\n"
    "    y[i] = sum;\n"
    "}\n";

// The same with the weights as an argument.
const std::string weighted_plain =
    "// camber: weighted(out.y, in.x, in.weights, count.x) block=64 grid=(count.x+63)/64\n"
    "// camber: shape x=300 y=x weights=3\n"
    "__global__ void weighted(float* y, const float* x, const float* w, int n) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i >= n) return;\n"
    "    float sum = 0;\n"
    "    for (int j = -1; j <= 1; ++j)\n"
    "        if (i + j >= 0 && i + j < n) sum += w[1 + j] * x[i + j];\n"
    "    y[i] = sum;\n"
    "}\n";

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("an array fills constant memory, whose size is its shape", "[cli][portable][arrays]") {
    const Outcome own = tried(weighted);
    check_clean(own);
    CHECK_THAT(own.out, contains("in weights float32[3]"));

    const TestFolder folder;
    write_text(folder.path() / "plain.cu", weighted_plain);
    write_text(folder.path() / "constant.cu", weighted);
    const auto against = [&](const std::string& text) {
        write_text(folder.path() / "constant.cu", text);
        return run_program({"try", "constant.cu", "--reference", "plain.cu"}, folder.path());
    };
    check_clean(against(changed(weighted, "// camber: shape x=300 y=x\n", "\n")));
    const Outcome wrong = against(
        changed(changed(weighted, "// camber: shape x=300 y=x\n", "\n"), "c[1 + j]", "c[1 - j]"));
    CHECK(wrong.exit_code == 4);
    const Outcome small = against(
        changed(changed(weighted, "// camber: shape x=300 y=x\n", "\n"), "float c[3]", "float c[2]"));
    CHECK(small.exit_code == 2);
    CHECK_THAT(small.err, contains("c has 8 bytes, and weights float32[3] has 12"));
    const Outcome type = against(changed(changed(weighted, "// camber: shape x=300 y=x\n", "\n"),
                                         "float c[3]", "int c[3]"));
    CHECK(type.exit_code == 2);
    CHECK_THAT(type.err, contains("c has elements of another type than weights float32[3]"));
    const Outcome unknown = against(changed(changed(weighted, "// camber: shape x=300 y=x\n", "\n"),
                                            "c:weights", "c:wheels"));
    CHECK(unknown.exit_code == 2);
    CHECK_THAT(unknown.err, contains("constant=c:wheels asks for wheels"));
}

TEST_CASE("a named number fills a constant variable", "[cli][portable][arrays]") {
    check_clean(
        tried("// camber: scaled(out.y, in.x, count.x) block=64 grid=(count.x+63)/64 "
              "constant=factor:alpha\n"
              "// camber: shape x=100 y=x\n// camber: scalar alpha=2.5\n"
              "__constant__ float factor;\n"
              "__global__ void scaled(float* y, const float* x, int n) {\n"
              "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "    if (i < n) y[i] = factor * x[i];\n}\n"));
}

TEST_CASE("headers that are not here are left out if the kernels do not need them",
          "[cli][portable][arrays]") {
    const std::string with_headers =
        "// camber: twice(out.y, in.x, count.x) block=64 grid=(count.x+63)/64\n"
        "// camber: shape x=100 y=x\n"
        "#include <of_the_lab/timer.h>\n#include \"helper_of_host.h\"\n"
        "__global__ void twice(int* y, const int* x, int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = 2 * x[i];\n}\n"
        "int main() { timer t = start(); twice<<<1, 64>>>(0, 0, 0); stop(t); }\n";
    const Outcome outcome = tried(with_headers);
    check_clean(outcome);
    CHECK_THAT(outcome.err, contains("kernel.cu: compiled without of_the_lab/timer.h, "
                                     "helper_of_host.h, which were not found"));
    const Outcome needed = tried(changed(with_headers, "2 * x[i]", "doubled(x[i])"));
    CHECK(needed.exit_code == 2);
    CHECK_THAT(needed.err, contains("of_the_lab/timer.h: No such file or directory"));
}

TEST_CASE("templates, dynamic shared memory in a class and unused kernels compile",
          "[cli][portable][arrays]") {
    check_clean(tried(
        "// camber: sums<int>(in.x, out.partial, count.x) block=64 grid=count.partial shared=256\n"
        "// camber: shape x=512 partial=count.x/64\n"
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "/* Dynamic memory of any type. */\n"
        "template <class T> struct Dynamic {\n"
        "    __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; }\n};\n"
        "template <class T> __device__ T sum(unsigned mask, T mine) {\n"
        "    for (int k = warpSize / 2; k > 0; k /= 2) mine += __shfl_down_sync(mask, mine, k);\n"
        "    return mine;\n}\n"
        "#if __CUDA_ARCH__ >= 800\n"
        "template <> __device__ int sum<int>(unsigned mask, int mine) {\n"
        "    return __reduce_add_sync(mask, mine);\n}\n#endif\n"
        "template <class T> __global__ void sums(T* x, T* partial, unsigned n) {\n"
        "    cg::thread_block block = cg::this_thread_block();\n"
        "    T* shared = Dynamic<T>();\n"
        "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"
        "    shared[t] = i < n ? x[i] : 0;\n"
        "    cg::sync(block);\n"
        "    for (unsigned k = blockDim.x / 2; k >= 32; k /= 2) {\n"
        "        if (t < k) shared[t] += shared[t + k];\n"
        "        cg::sync(block);\n    }\n"
        "    if (t >= 32) return;\n"
        "    const T all = sum(~0u, shared[t]);\n"
        "    if (t == 0) partial[blockIdx.x] = all;\n}\n"
        "template <class T, size_t size> __global__ void unused(T* x) {\n"
        "    __shared__ cg::block_tile_memory<size> scratch;\n"
        "    auto block = cg::this_thread_block(scratch);\n}\n"
        "template <class T> void launch(T* x, T* y) { sums<T><<<8, 64, 256>>>(x, y, 512); }\n"
        "template void launch<int>(int* x, int* y);\n"));
}

TEST_CASE("a texture of an array takes its type from the fetch", "[cli][portable][arrays]") {
    const std::string text =
        "// camber: edges(out.y, shape.image[1], tex2d.image) block=32x2 "
        "grid=(shape.image[1]/32)x(shape.image[0]/2)\n"
        "// camber: shape image=16x64 y=image\n"
        "__global__ void edges(unsigned char* y, int width, cudaTextureObject_t tex) {\n"
        "    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 2 + threadIdx.y;\n"
        "    const int d = tex2D<unsigned char>(tex, i + 1.f, (float)j) -\n"
        "                  tex2D<unsigned char>(tex, i - 1.f, (float)j);\n"
        "    y[j * width + i] = d < 0 ? -d : d;\n}\n";
    const Outcome outcome = tried(text);
    check_clean(outcome);
    CHECK_THAT(outcome.out, contains("in image uint8[16][64]"));
    const Outcome rows = tried(changed(text, "image=16x64", "image=16x72"));
    CHECK(rows.exit_code == 2);
    CHECK_THAT(rows.err, contains("the rows of texture image have 72 bytes"));
    const Outcome type =
        tried(changed(changed(text, "tex2D<unsigned char>(tex, i + 1.f", "tex2D<double>(tex, i"),
                      "tex2D<unsigned char>(tex, i - 1.f", "tex2D<double>(tex, i"));
    CHECK(type.exit_code == 2);
    CHECK_THAT(type.err, contains("the element type of tex2d.image is not known"));
}

TEST_CASE("pipelines of threads and of blocks copy to shared memory", "[cli][portable][arrays]") {
    const std::string text =
        "// camber: reversed(out.y, in.x, count.x/64) block=64 grid=4\n"
        "// camber: shape x=1024 y=x\n"
        "#include <cuda/pipeline>\n#include <cooperative_groups.h>\n"
        "__global__ void reversed(float* y, const float* x, int tiles) {\n"
        "    constexpr unsigned stages = 2;\n"
        "    __shared__ float tile[stages][64];\n"
        "    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();\n"
        "    const auto bytes = cuda::aligned_size_t<4>(sizeof(float));\n"
        "    int ahead = blockIdx.x;\n"
        "    int step = 0;\n"
        "    for (int at = blockIdx.x; at < tiles; at += gridDim.x, ++step) {\n"
        "        for (; ahead < tiles && ahead <= at + (int)gridDim.x; ahead += gridDim.x) {\n"
        "            pipe.producer_acquire();\n"
        "            cuda::memcpy_async(&tile[ahead / gridDim.x % stages][threadIdx.x],\n"
        "                               &x[ahead * 64 + threadIdx.x], bytes, pipe);\n"
        "            pipe.producer_commit();\n        }\n"
        "        pipe.consumer_wait();\n"
        "        __syncthreads();\n"
        "        y[at * 64 + threadIdx.x] = tile[step % stages][63 - threadIdx.x];\n"
        "        pipe.consumer_release();\n"
        "        __syncthreads();\n    }\n}\n";
    check_clean(tried(text));
    const TestFolder folder;
    write_text(folder.path() / "sound.cu", text);
    write_text(folder.path() / "early.cu", changed(text, "        pipe.consumer_wait();\n", ""));
    const Outcome early =
        run_program({"try", "early.cu", "--reference", "sound.cu"}, folder.path());
    CHECK(early.exit_code == 4);

    const std::string shared_state =
        changed(changed(text, "cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();",
                        "__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> s;\n"
                        "    auto block = cooperative_groups::this_thread_block();\n"
                        "    auto pipe = cuda::make_pipeline(block, &s);"),
                "        __syncthreads();\n", "");
    check_clean(tried(changed(shared_state, "        __syncthreads();\n", "")));
    const Outcome roles = tried(
        changed(text, "constexpr unsigned stages = 2;",
                "constexpr unsigned stages = 2; auto role = cuda::pipeline_role::producer;"));
    CHECK(roles.exit_code == 2);
    CHECK_THAT(roles.err, contains("kernel.cu:6: a cuda::pipeline whose threads have different "
                                   "roles is not supported on the CPU"));
}

TEST_CASE("threads arrive and wait at a cuda::barrier, which counts bulk copies",
          "[cli][portable][arrays]") {
    // One thread copies a tile and announces its bytes; all arrive and wait.
    const std::string halves =
        "// camber: halves(in.x, out.y) block=128 grid=count.x/1024\n"
        "// camber: shape x=4096 y=x\n"
        "#include <cuda/barrier>\n#include <utility>\n"
        "using barrier = cuda::barrier<cuda::thread_scope_block>;\n"
        "namespace cde = cuda::device::experimental;\n"
        "__global__ void halves(const float* x, float* y) {\n"
        "    __shared__ alignas(128) float tile[1024];\n"
        "    __shared__ barrier arrived;\n"
        "    if (threadIdx.x == 0) {\n"
        "        init(&arrived, blockDim.x);\n"
        "        cde::fence_proxy_async_shared_cta();\n    }\n"
        "    __syncthreads();\n"
        "    barrier::arrival_token token;\n"
        "    if (threadIdx.x == 0) {\n"
        "        cde::cp_async_bulk_global_to_shared(tile, x + blockIdx.x * 1024, sizeof(tile),\n"
        "                                            arrived);\n"
        "        token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof(tile));\n"
        "    } else {\n"
        "        token = arrived.arrive();\n    }\n"
        "    arrived.wait(std::move(token));\n"
        "    for (int i = threadIdx.x; i < 1024; i += blockDim.x)\n"
        "        y[blockIdx.x * 1024 + i] = 0.5f * tile[1023 - i];\n}\n";
    const Outcome bulk = tried(halves);
    check_clean(bulk);
    // 4 blocks copy 8 times 512 bytes each.
    CHECK_THAT(bulk.out, contains("bulk copies                   32 requests"));

    const TestFolder folder;
    write_text(folder.path() / "sound.cu", halves);
    const auto against = [&](const std::string& text) {
        write_text(folder.path() / "kernel.cu", text);
        return run_program({"try", "kernel.cu", "--reference", "sound.cu"}, folder.path());
    };
    const auto fails = [&](const std::string& text, const std::string& sentence) {
        const Outcome outcome = against(text);
        CAPTURE(outcome.out, outcome.err);
        CHECK(outcome.exit_code == 4);
        CHECK_THAT(outcome.out + outcome.err, contains(sentence));
    };
    fails(changed(halves, "    arrived.wait(std::move(token));\n", ""),
          "has begun a bulk copy of 4096 bytes for which nobody has waited");
    fails(changed(halves, "1, sizeof(tile))", "1, 16)"),
          "128 of 128 arrivals have come, and 4096 of 16 bytes");
    fails(changed(halves, "        token = arrived.arrive();\n", "        return;\n"),
          "1 of 128 arrivals have come");
    fails(changed(
              changed(halves, "x + blockIdx.x * 1024, sizeof(tile)", "x + blockIdx.x * 1024, 4096"),
              "float tile[1024];", "float tile[1000];"),
          "begins a bulk copy of 4096 bytes beyond the end of `tile`");
    fails(changed(halves, "x + blockIdx.x * 1024,", "x + blockIdx.x * 1024 + 1024,"),
          "behind the last byte of field `x`");
    fails(changed(halves, "x + blockIdx.x * 1024,", "x + (blockIdx.x ? blockIdx.x * 1024 : 1),"),
          "an address that is 4 bytes past a multiple of 16");
    // Without the barrier, others may use it before its initialization.
    fails(changed(halves, "    __syncthreads();\n", ""), "race");

    // A group copies into two tiles in turn; a thread reads a tile before the copy after next.
    const std::string steps =
        "// camber: turned(in.x, out.y) block=64 grid=count.x/256\n"
        "// camber: shape x=1024 y=x\n"
        "#include <cooperative_groups.h>\n#include <cuda/barrier>\n"
        "namespace cg = cooperative_groups;\n"
        "__global__ void turned(const float* x, float* y) {\n"
        "    __shared__ alignas(16) float tile[2][64];\n"
        "    __shared__ cuda::barrier<cuda::thread_scope_block> bar;\n"
        "    auto block = cg::this_thread_block();\n"
        "    if (block.thread_rank() == 0) init(&bar, block.size());\n"
        "    block.sync();\n"
        "    const int first = blockIdx.x * 256;\n"
        "    for (int k = 0; k < 4; ++k) {\n"
        "        cuda::memcpy_async(block, tile[k % 2], x + first + k * 64,\n"
        "                           cuda::aligned_size_t<16>(256), bar);\n"
        "        bar.arrive_and_wait();\n"
        "        y[first + k * 64 + threadIdx.x] = tile[k % 2][63 - threadIdx.x];\n    }\n}\n";
    check_clean(tried(steps));
    // Smaller units are copied by each thread.
    check_clean(tried(changed(steps, "cuda::aligned_size_t<16>(256)", "256")));
    write_text(folder.path() / "sound.cu", steps);
    fails(changed(changed(steps, "tile[k % 2], x", "tile[0], x"), "tile[k % 2][63", "tile[0][63"),
          "race");

    const Outcome dropped = tried(changed(steps, "arrive_and_wait()", "arrive_and_drop()"));
    CHECK(dropped.exit_code == 2);
    CHECK_THAT(dropped.err,
               contains("kernel.cu:16: arrive_and_drop() is not supported on the CPU"));
}

TEST_CASE("vectors of halves in shared memory are no reads of unwritten memory",
          "[cli][portable][arrays]") {
    check_clean(tried(
        "// camber: dots(in.a, in.b, out.sums, count.a) block=64 grid=count.sums\n"
        "// camber: shape a=640 b=a sums=5\n"
        "#include \"cuda_fp16.h\"\n"
        "__global__ void dots(half2 const* const a, half2 const* const b, float* const sums,\n"
        "                     size_t const n) {\n"
        "    __shared__ half2 part[64];\n"
        "    half2 mine(0.f, 0.f);\n"
        "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * 64)\n"
        "        mine = __hfma2(a[i], b[i], mine);\n"
        "    part[threadIdx.x] = mine;\n"
        "    __syncthreads();\n"
        "    for (int k = 32; k > 0; k /= 2) {\n"
        "        if (threadIdx.x < k) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + k];\n"
        "        __syncthreads();\n    }\n"
        "    if (threadIdx.x == 0) sums[blockIdx.x] = (float)part[0].x + (float)part[0].y;\n}\n"));
}

TEST_CASE("the faster kernels of the convolution are right", "[cli][portable][arrays]") {
    const TestFolder folder;
    const std::string steps = (source_folder / "results/experiments/convolution").string() + "/";
    for (const auto& [step, reference] :
         {std::pair("rows_warp.cu", "plain_rows.cu"), std::pair("rows_four.cu", "plain_rows.cu"),
          std::pair("columns_run.cu", "plain_columns.cu")}) {
        CAPTURE(step);
        check_clean(
            run_program({"try", steps + step, "--reference", steps + reference}, folder.path()));
    }
}

}  // namespace camber::public_constructs_test
