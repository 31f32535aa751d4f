// Error messages for kernel files that camber cannot run.
#include <string>

#include "harness/base/error.hpp"
#include "harness/own/source/source.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::bad_kernels_test {
namespace {

std::string rejected(const std::string& text, const std::string& workload = "life",
                     ElementType cell = ElementType::uint32) {
    const KernelText file(text);
    try {
        file.variant(workload, cell);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

const std::string line = "// camber: step(in, out, columns) block=32x8\n";
const std::string kernel =
    "__global__ void step(const unsigned* in, unsigned* out, int columns) { out[0] = in[0]; }\n";

}  // namespace

TEST_CASE("a kernel that is not there is named with those that are", "[candidate]") {
    CHECK_THAT(rejected("// camber: stp(in, out) block=8x8\n" + kernel),
               contains("kernel.cu:1: the file has no kernel stp: name one of its kernels: step"));
    CHECK_THAT(rejected(line + "void step(int) {}\n"), contains("has no kernel: declare"));
    CHECK(rejected(line + kernel).empty());
}

TEST_CASE("a template's line names the instantiation", "[candidate]") {
    const std::string text =
        "struct Other {};\ntemplate <class Cell>\n__global__ void __launch_bounds__(256)\n"
        "step(const Cell* in, Cell* out, int) { out[0] = in[0]; }\n";
    CHECK_THAT(rejected(line + text),
               contains("kernel.cu:1: step is a template: name the instantiation with its "
                        "arguments, such as step<4>(...)"));
    CHECK(rejected("// camber: step<unsigned>(in, out, columns) block=32x8\n" + text).empty());
}

TEST_CASE("arguments must fit the parameters", "[candidate]") {
    CHECK_THAT(rejected("// camber: step(in, out) block=8x8\n" + kernel),
               contains("kernel.cu:1: step has 3 parameters, and the line gives 2 arguments"));
    CHECK_THAT(rejected("// camber: step(out, in, columns) block=8x8\n" + kernel),
               contains("parameter 1 of step points to constants, and out is to be written"));
    CHECK_THAT(rejected("// camber: step(in, out, in) block=8x8\n" + kernel),
               contains("parameter 3 of step is an integer of 32 bits, and in is the cells"));
    CHECK_THAT(rejected("// camber: step(in, rows, out) block=8x8\n" + kernel),
               contains("parameter 2 of step is a pointer, and rows is a number"));
    CHECK_THAT(rejected(line + kernel, "blur", ElementType::float32),
               contains("parameter 1 of step is `const unsigned*`, but workload blur uses float32 "
                        "for in; missing `--workload`?"));
    CHECK_THAT(rejected("// camber: step(in, out, columns*in) block=8x8\n" + kernel),
               contains("argument columns*in computes with in, which is a field"));
    CHECK_THAT(rejected("// camber: step(in, out, columns*) block=8x8\n" + kernel),
               contains("argument columns* is no expression, because a number or a word is "
                        "missing"));
    CHECK_THAT(rejected("// camber: step(in, out, 1) block=8x8 grid=in\n" + kernel),
               contains("grid=in is a field"));
    CHECK_THAT(rejected("// camber: step(in, out, 1) block=8x8 out.other=copy\n" + kernel),
               contains("out.other is no output of step"));
    CHECK_THAT(rejected("// camber: step(in, out, width) block=8x8\n" + kernel),
               contains("argument width is unknown"));
    CHECK_THAT(rejected("// camber: step(in.level, out, columns) block=8x8\n" + kernel),
               contains("asks for field level, which life does not have: its fields are cells"));
    CHECK_THAT(rejected("// camber: step(in, in, columns) block=8x8\n" + kernel),
               contains("no kernel writes field cells"));
}

TEST_CASE("numbers of the workload are named where one is meant that is not there", "[candidate]") {
    const std::string blur =
        "__global__ void blur(const float* in, float* out, float w) { out[0] = in[0] * w; }\n";
    const auto say = [&](const std::string& argument, const std::string& more = "") {
        return rejected("// camber: blur(in, out, " + argument + ") block=8x8" + more + "\n" + blur,
                        "blur", ElementType::float32);
    };
    CHECK(say("sigma").empty());
    CHECK(say("weights[8]").empty());
    CHECK(say("0.5").empty());
    CHECK_THAT(say("weights"), contains("argument weights is 9 numbers, and an argument is one"));
    CHECK_THAT(say("weights[9]"), contains("argument weights[9] is none of the 9 numbers"));
    CHECK_THAT(say("sigma", " constant=w:colour"),
               contains("constant=w:colour asks for colour, which blur does not have: its numbers "
                        "are sigma, weights"));
    CHECK_THAT(rejected("// camber: step(in, out) block=8x8\n__global__ void step(int, int) {}\n",
                        "dog", ElementType::float32),
               contains("argument in can be any of several fields: write in.NAME, of "
                        "more_blurred, less_blurred, difference"));
    CHECK_THAT(rejected(line + kernel, "sciara_fv2", ElementType::float64),
               contains("a generation of sciara_fv2 takes more than kernels over a board"));
}

TEST_CASE("what the executor does not have is named with its line", "[candidate]") {
    // A kernel that calls f().
    const std::string caller =
        "__global__ void step(const unsigned* in, unsigned* out, int columns) { f(); }\n";
    const auto say = [&](const std::string& more) { return rejected(line + more + kernel); };
    const auto called = [&](const std::string& more) {
        const KernelText file(line + more + caller);
        const Variant variant = file.variant();
        const std::string why = read_candidate(file.path()).device_only;
        // The kernel's types are known, but only a GPU can run it.
        CHECK(variant.factories.contains(Backend::simt) == why.empty());
        CHECK(variant.factories.contains(Backend::cuda));
        return why;
    };
    CHECK_THAT(called("inline void f() { asm(\"nop;\"); }\n"),
               contains("kernel.cu:2: inline PTX is not supported on the CPU"));
    CHECK_THAT(called("#define PTX(x) asm(x)\n__device__ void f() { PTX(\"nop;\"); }\n"),
               contains("kernel.cu:2: inline PTX is not supported on the CPU"));
    CHECK_THAT(called("inline auto f() { return cooperative_groups::coalesced_threads(); }\n"),
               contains("kernel.cu:2: the set of active lanes is not defined on the CPU"));
    CHECK(called("inline auto f() {\n    return cooperative_groups::tiled_partition<4>(\n        "
                 "cooperative_groups::this_thread_block());\n}\n")
              .empty());
    CHECK_THAT(rejected(line + "\n__device__ void f() { step<<<1, 32>>>(0, 0, 0); }\n" + caller),
               contains("kernel.cu:3: launches a kernel from a kernel"));
    // An uncalled function is ignored.
    CHECK(say("inline void f() { asm(\"nop;\"); }\n").empty());
    CHECK(say("int main() { step<<<1, 32>>>(0, 0, 0); }\n").empty());
    CHECK(say("#include <cooperative_groups.h>\n").empty());
    // Ignored in comments and strings.
    CHECK(say("// asm <<<\n/* nvcuda */ const char* text() { return \"asm\"; }\n").empty());
}

TEST_CASE("the compiler's messages have the file's own lines", "[candidate]") {
    const std::string said = rejected(
        line + "#include <cuda_runtime.h>\n" +
        "__global__ void step(const unsigned* in, unsigned* out, int columns) {\n    out[0] = "
        "nothing;\n}\n");
    CHECK_THAT(said, contains("kernel.cu does not compile for the host; ") &&
                         contains("kernel.cu:4:") && contains("nothing"));
    CHECK_THAT(rejected(line + kernel +
                        "extern void missing();\n"
                        "__device__ void more() { missing(); }\n"
                        "auto* const use = &more;\n"),
               contains("does not compile for the host") && contains("missing"));
}

TEST_CASE("more shared memory than a kernel can declare is refused", "[candidate]") {
    CHECK_THAT(
        rejected("// camber: step(in, out) block=8x8\n"
                 "__global__ void step(const unsigned* in, unsigned* out) {\n"
                 "    __shared__ float tile[20000];\n"
                 "    tile[0] = in[0];\n    out[0] = tile[0];\n}\n"),
        contains("kernel.cu:1: the __shared__ arrays of step have 80000 bytes, and 49152 are "
                 "the most"));
}

TEST_CASE("a kernel whose blocks must divide the board is skipped on others", "[candidate]") {
    const KernelText file("// camber: step(in, out, columns) block=32x8 overhang=no\n" + kernel);
    const Variant variant = file.variant();
    const auto on = [&](Size size) {
        return variant.unsupported({size, Boundary::dead, ElementType::uint32, {}});
    };
    CHECK(on({70, 48}) == "needs a board that blocks of 32x8 cells divide (overhang=no)");
    CHECK(on({64, 50}).has_value());
    CHECK_FALSE(on({64, 48}).has_value());
}

TEST_CASE("a file that is not there is named", "[candidate]") {
    try {
        candidate_variant("/nowhere/a b'\"c.cu", *find_workload("life"), ElementType::uint32,
                          uncached());
        FAIL("it was read");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK_THAT(error.what(), contains("/nowhere/a b'\"c.cu"));
    }
}

TEST_CASE("a file's name may have blanks and quotes, and nothing runs in a shell", "[candidate]") {
    const KernelText file(line + kernel, "a 'b\" $(touch x) \\.cu");
    const Variant variant = file.variant();
    CHECK(variant.info.name() == "life/a__b____touch_x___.cu/32x8");
}

}  // namespace camber::bad_kernels_test
