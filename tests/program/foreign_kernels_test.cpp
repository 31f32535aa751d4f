// Kernels from files that were not written for camber, with their own host code, launches and
// sizes.
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::foreign_kernels_test {

namespace {

using namespace camber::cli_test;

const std::string foreign = (source_folder / "tests/harness/own/kernels/foreign").string() + "/";

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

}  // namespace

TEST_CASE("host code and launches beside a kernel do not matter", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome saxpy =
        camber_in(folder, {"try", foreign + "saxpy.cu", "--size", "96x64", "--against", "none"});
    CHECK(saxpy.exit_code == 2);  // there is no such variant
    const Outcome strided = camber_in(folder, {"try", foreign + "saxpy.cu", "--size", "96x64"});
    CHECK(strided.err.empty());
    CHECK(strided.exit_code == 0);
    CHECK_THAT(strided.out, contains("own_saxpy_plain/saxpy.cu/256x1") && contains(" yes\n") &&
                                contains("on 96x64: clean") && contains("saxpy.cu:36"));
    const Outcome life = camber_in(folder, {"try", foreign + "life_main.cu", "--size", "64x48"});
    CHECK(life.err.empty());
    CHECK(life.exit_code == 0);
    CHECK_THAT(life.out, contains("life/life_main.cu/16x16") && contains("3072  yes") &&
                             contains("on 64x48: clean") && contains("on 70x50: clean"));
}

TEST_CASE("files of applications are compiled for a device, too", "[cli][try]") {
    const TestFolder folder;
    for (const char* const file : {"saxpy.cu", "life_main.cu", "wrapper.cu"}) {
        CAPTURE(file);
        const Outcome outcome =
            camber_in(folder, {"try", foreign + file, "--size", "96x64", "--arch", "sm_90"});
        if (outcome.exit_code == 5) return;  // neither nvcc nor NVRTC is available
        CHECK(outcome.err.empty());
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, contains("== Compiled for sm_90\n") && contains(" registers"));
    }
}

TEST_CASE("a missing barrier comes before the cells that it makes wrong", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"try", foreign + "tiled_missing_barrier.cu", "--size", "64x32"});
    CHECK(outcome.exit_code == 4);
    const std::size_t race = outcome.out.find("race in shared memory");
    const std::size_t cells = outcome.out.find("cells differ from the reference");
    const std::size_t model = outcome.out.find("== What it asks of memory");
    REQUIRE(race != std::string::npos);
    REQUIRE(cells != std::string::npos);
    REQUIRE(model != std::string::npos);
    CHECK(race < cells);
    CHECK(cells < model);
    CHECK_THAT(outcome.out, contains("tiled_missing_barrier.cu:10") &&
                                contains("a __syncthreads() may be missing"));
}

TEST_CASE("a kernel is checked on the board that it is for", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome multiples =
        camber_in(folder, {"try", foreign + "multiples.cu", "--size", "64x32"});
    CHECK(multiples.err.empty());
    CHECK(multiples.exit_code == 0);
    CHECK_THAT(multiples.out,
               contains("boards: 64x32, as verified; no other one, because no line says "
                        "overhang=yes\noutputs before a launch: undefined\n") &&
                   contains("1 checked, 1 clean, 0 with findings, 0 skipped"));
    // The file's declaration is checked.
    const Outcome claimed = camber_in(
        folder, {"try", foreign + "multiples.cu", "--size", "64x32", "--set", "overhang=yes"});
    CHECK(claimed.exit_code == 4);
    CHECK_THAT(claimed.out, contains("on 64x32: clean") &&
                                contains("on 70x50:\n  race in global memory between blocks"));
    // A file that declares its size needs no --size.
    const Outcome own = camber_in(folder, {"try", foreign + "own_size.cu"});
    CHECK(own.err.empty());
    CHECK(own.exit_code == 0);
    CHECK_THAT(own.out, contains("on 96x64: clean"));
    CHECK(camber_in(folder, {"check", "--candidate", foreign + "own_size.cu"}).exit_code == 0);
    CHECK(camber_in(folder, {"check", "--candidate", foreign + "multiples.cu"}).exit_code == 0);
}

TEST_CASE("outputs begin as the application has them", "[cli][portable][try]") {
    const TestFolder folder;
    const Arguments command{"try", foreign + "interior.cu", "--size", "40x30"};
    const Outcome outcome = camber_in(folder, command);
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("outputs before a launch: out=copy\n"));
    // The reference does not initialize its output with zeros.
    const Outcome zeros = camber_in(folder, with(command, {"--set", "out=zeros"}));
    CHECK(zeros.exit_code == 4);
    CHECK_THAT(zeros.out, contains("outputs before a launch: out=zeros\n") &&
                              contains("cells differ from the reference"));
    const Outcome other = camber_in(folder, with(command, {"--set", "out=ones"}));
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("out=ones is unknown: choose zeros or copy"));
}

TEST_CASE("a defect of one kernel does not concern another one", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"try", foreign + "two_kernels.cu", "--size", "64x32"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    // A defect counts in the kernel that is launched.
    std::string text = text_of(foreign + "two_kernels.cu");
    text.replace(text.find("copy(in.a, out.b, columns, rows)"), 32, "broken(in.a, out.b)");
    fs::copy_file(foreign + "copy_plain.cu", folder.path() / "copy_plain.cu");
    write_text(folder.path() / "broken.cu", text);
    const Outcome broken = camber_in(folder, {"try", "broken.cu", "--size", "64x32"});
    CHECK(broken.exit_code == 5);
    CHECK_THAT(broken.err, contains("broken.cu:16: inline PTX is not supported on the CPU, so its "
                                    "kernels run on a GPU only"));
}

TEST_CASE("an application's source is included, with -I and -D", "[cli][portable][try]") {
    const TestFolder folder;
    const Outcome plain = camber_in(folder, {"try", foreign + "wrapper.cu", "--size", "40x30"});
    CHECK(plain.err.empty());
    CHECK(plain.exit_code == 0);
    CHECK_THAT(plain.out, contains("scale.cu:10"));  // line number in the included file
    const Outcome defined =
        camber_in(folder, {"try", foreign + "wrapper.cu", "--size", "40x30", "-D", "FACTOR=4"});
    CHECK(defined.exit_code == 4);
    write_text(folder.path() / "short.cu",
               "// camber: scale(in.a, out.b, columns*rows) block=256 "
               "grid=(columns*rows+255)/256\n#include \"scale.cu\"\n");
    const Arguments command{"try",    "short.cu", "--reference", foreign + "scale_plain.cu",
                            "--size", "40x30"};
    const Outcome missing = camber_in(folder, command);
    CHECK(missing.exit_code == 2);
    CHECK_THAT(missing.err, contains("short.cu has no kernel"));
    const Outcome found = camber_in(folder, with(command, {"-I", foreign + "production"}));
    CHECK(found.err.empty());
    CHECK(found.exit_code == 0);
    const auto rejected = [&](const Arguments& more) {
        const Outcome outcome = camber_in(folder, with(command, more));
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK_THAT(rejected({"-I", "nowhere"}), contains("-I nowhere is no folder"));
    CHECK_THAT(rejected({"-D", "4=N"}), contains("-D '4=N' is not NAME or NAME=VALUE"));
}

TEST_CASE("a file without a camber: line gets one for each kernel", "[cli][try]") {
    const TestFolder folder;
    const auto told = [&](const std::string& text) {
        write_text(folder.path() / "plain.cu", text);
        const Outcome outcome = camber_in(folder, {"try", "plain.cu", "--workload", "life"});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK_THAT(told("__global__ void saxpy(float a, const float* x, float* y, int n) {\n"
                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "    if (i < n) y[i] = a * x[i] + y[i];\n}\n"),
               contains("plain.cu: no `// camber:` line. Found `saxpy(float, const float*, float*, "
                        "int)`; try: `// camber: saxpy(0.5, in.x, inout.y, columns*rows) block=256 "
                        "grid=(columns*rows+255)/256`"));
    const std::string two = told(
        "template <class T, int N>\n"
        "__global__ void tile(const T* in, T* out, int width, int height) {\n"
        "    __shared__ T t[16][16 + 1];\n    t[threadIdx.y][threadIdx.x] = in[0];\n"
        "    out[0] = t[0][0];\n}\n"
        "__global__ void __launch_bounds__(128) flat(double* p, size_t count) {\n"
        "    for (int i = threadIdx.x; i < count; i += gridDim.x) p[i] = 1;\n}\n");
    CHECK_THAT(two, contains("Found 2 kernels") &&
                        contains("`// camber: tile<float, 16>(in, out, columns, rows) "
                                 "block=16x16`") &&
                        contains("`// camber: flat(out.p, columns*rows) block=128 grid=64`"));
    CHECK_THAT(told("int x;\n"), contains("no `// camber:` line, which says how"));
}

TEST_CASE("a kernel outside of every workload is raced, modeled and gated",
          "[cli][portable][try]") {
    const TestFolder folder;
    for (const char* const file : {"saxpy_plain.cu", "copy_plain.cu", "multiples.cu", "saxpy.cu"})
        fs::copy_file(foreign + file, folder.path() / file);
    for (const Arguments& how :
         {Arguments{"--candidate", "saxpy.cu"},
          Arguments{"--candidate", "saxpy_plain.cu", "--reference", "saxpy_plain.cu"}}) {
        const Outcome check = camber_in(folder, with({"check", "--size", "64x32"}, how));
        CHECK(check.err.empty());
        CHECK(check.exit_code == 0);
        CHECK_THAT(check.out, contains("own_saxpy_plain/saxpy"));
        const Outcome model = camber_in(folder, with({"model", "--size", "64x32"}, how));
        CHECK(model.err.empty());
        CHECK(model.exit_code == 0);
    }
    const Outcome base = camber_in(folder, {"model", "--baseline", "base.json", "--candidate",
                                            "multiples.cu", "--candidate", "saxpy.cu"});
    CHECK(base.exit_code == 0);
    // Another block shape is the same case, with a change.
    const Arguments gate{"compare",      "base.json",   "--candidate",
                         "multiples.cu", "--candidate", "saxpy.cu"};
    const Outcome same = camber_in(folder, gate);
    CHECK(same.exit_code == 0);
    CHECK_THAT(same.out, contains("3 cases compared"));
    std::string text = text_of(folder.path() / "multiples.cu");
    text.replace(text.find("32x8"), 4, "4x64");
    write_text(folder.path() / "multiples.cu", text);
    const Outcome worse = camber_in(folder, gate);
    CHECK(worse.exit_code == 1);
    CHECK_THAT(worse.out, contains("own_copy_plain/multiples.cu/copy_rows/128x64"));
    const Outcome none =
        camber_in(folder, {"compare", "base.json", "base.json", "--reference", "saxpy_plain.cu"});
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err, contains("name one with --candidate"));
}

TEST_CASE("messages about candidates name the thing in the field's words", "[cli][try]") {
    const TestFolder folder;
    const auto told = [&](const std::string& text, int exit_code) {
        write_text(folder.path() / "k.cu", text);
        const Outcome outcome = camber_in(folder, {"check", "--candidate", "k.cu"});
        CHECK(outcome.exit_code == exit_code);
        return outcome.err;
    };
    CHECK_THAT(told("// camber: k(in, out) block=32\n"
                    "__global__ void k(const float* a, float* b) { b[0] = a[0]; }\n",
                    2),
               contains("k.cu:1: parameter 1 of k is `const float*`, but workload life uses uint32 "
                        "for in; missing `--workload`?"));
    CHECK_THAT(told("// camber: k(in, out) block=32\n"
                    "__global__ void k(const unsigned* a, unsigned* b) {\n"
                    "    cuda::ptx::fence_proxy_async();\n}\n",
                    5),
               contains("k.cu:3: cuda::ptx is not supported on the CPU, so "
                        "its kernels run on a GPU only"));
}

}  // namespace camber::foreign_kernels_test
