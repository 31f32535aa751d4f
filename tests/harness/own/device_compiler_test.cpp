// Kernels compiled for a device if a CUDA compiler is installed; no GPU is needed.
#include <algorithm>
#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::device_compiler_test {
namespace {

const BuildCache no_cache{CacheFolder(std::filesystem::path())};

bool has_function(const CodeImage& code, const std::string& name) {
    return std::ranges::any_of(code.functions,
                               [&](const CodeSymbol& symbol) { return symbol.name == name; });
}

// The compiled code contains every launched kernel under the host compiler's mangled name.
void check_names(const char* file, DeviceCompiler compiler) {
    CAPTURE(file);
    const CandidateSource source = read_candidate(kernel_file(file));
    const HostLibrary host(compile_for_host(source, no_cache));
    const DeviceBuild build = compile_for_device(source, 90, no_cache, compiler);
    const CodeImage code = read_code_image(build.cubin);
    const std::size_t kernels = source.directives.kernels.size() + 3;  // and three torus kernels
    for (std::size_t i = 0; i < kernels; ++i) {
        const std::string symbol = host.symbol(host.kernel(i));
        CAPTURE(symbol);
        CHECK(!symbol.empty());
        CHECK(has_function(code, symbol));
    }
}

constexpr const char* files[] = {"two_element.cu", "packed_float2.cu", "row_stream.cu",
                                 "texture.cu",     "scatter.cu",       "two_generation.cu",
                                 "cooperative.cu"};

}  // namespace

TEST_CASE("nvcc makes every kernel, under the name that the host knows",
          "[candidate][nvcc][slow]") {
    if (!find_cuda_program("nvcc")) skip_test("there is no nvcc");
    for (const char* const file : files) check_names(file, DeviceCompiler::nvcc);
}

TEST_CASE("NVRTC makes every kernel, under the name that the host knows", "[candidate][nvcc]") {
    if (!Nvrtc::find()) skip_test("there is no NVRTC");
    for (const char* const file : {"two_element.cu", "packed_float4.cu", "scatter.cu"})
        check_names(file, DeviceCompiler::nvrtc);
}

TEST_CASE("macros that are set reach both compilers, and both tell registers",
          "[candidate][nvcc]") {
    const KernelText file(
        "// camber: step<ROWS>(in, out) block=32x1 cells=1xROWS\n"
        "#define ROWS 2\n"
        "template <int rows> __global__ void step(const unsigned* in, unsigned* out) {\n"
        "    __shared__ unsigned tile[32 * rows];\n"
        "    tile[threadIdx.x] = in[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] = tile[31 - threadIdx.x] + OFFSET;\n"
        "}\n");
    const CandidateSource source = read_candidate(file.path(), {{"ROWS", "8"}, {"OFFSET", "7"}});
    const auto check = [&](DeviceCompiler compiler) {
        const DeviceBuild build = compile_for_device(source, 90, no_cache, compiler);
        CHECK(has_function(read_code_image(build.cubin), "_Z4stepILi8EEvPKjPj"));
        CHECK_THAT(build.report, contains("step<8>: ") && contains(" registers, no spills, 1024 "
                                                                   "bytes of shared memory"));
    };
    if (find_cuda_program("nvcc")) check(DeviceCompiler::nvcc);
    if (Nvrtc::find()) check(DeviceCompiler::nvrtc);
    if (!find_cuda_program("nvcc") && !Nvrtc::find()) skip_test("there is neither");
}

TEST_CASE("what does not compile for the device is shown with the file's lines",
          "[candidate][nvcc]") {
    const auto check = [](DeviceCompiler compiler) {
        const KernelText file(
            "// camber: step(in, out) block=8x8\n"
            "__global__ void step(const unsigned* in, unsigned* out) {\n"
            "    out[0] = nothing;\n}\n");
        try {
            compile_for_device(read_candidate(file.path()), 90, no_cache, compiler);
            FAIL_CHECK("it compiles");
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            CHECK_THAT(error.what(), contains("kernel.cu does not compile for the device; ") &&
                                         contains("kernel.cu(3)") && contains("nothing"));
        }
    };
    const bool nvcc = find_cuda_program("nvcc").has_value();
    const bool nvrtc = Nvrtc::find().has_value();
    if (nvcc) check(DeviceCompiler::nvcc);
    if (nvrtc) check(DeviceCompiler::nvrtc);
    if (!nvcc && !nvrtc) skip_test("there is neither nvcc nor NVRTC");
}

TEST_CASE("what ptxas says is a line for each kernel", "[candidate]") {
    CHECK(kernel_report("ptxas info    : 0 bytes gmem\n"
                        "ptxas info    : Compiling entry function '_Z4stepPKjPjiii' for 'sm_90'\n"
                        "ptxas info    : Function properties for _Z4stepPKjPjiii\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Used 32 registers, used 1 barriers, 1296 bytes smem\n"
                        "ptxas info    : Compiling entry function '_Z4fastIfEvPT_' for 'sm_90'\n"
                        "    8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n"
                        "ptxas info    : Used 255 registers, used 0 barriers\n"
                        "ptxas info    : Compiling entry function "
                        "'_Z17camber_torus_haloIhEvPT_iiii' for 'sm_90'\n"
                        "ptxas info    : Used 20 registers\n") ==
          "step: 32 registers, no spills, 1296 bytes of shared memory\n"
          "fast<float>: 255 registers, 16 bytes spilled, 24 loaded again\n");
}

}  // namespace camber::device_compiler_test
