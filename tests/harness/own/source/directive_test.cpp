// Parsing of `camber:` lines, and error messages for invalid ones.
#include "harness/own/source/directive.hpp"

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

namespace camber::directive_test {
namespace {

KernelDirective only(const std::string& line) {
    return parse_directives("// camber: " + line, "a.cu").kernels.front();
}

std::string rejected(const std::string& text) {
    try {
        parse_directives(text, "a.cu");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a line names a kernel, its arguments and its launch", "[candidate]") {
    const KernelDirective full = only(
        "ns::step<float, 32>(in, out.level ,weights[4]) block=32x8 cells=2x4 halo=1 align=128 "
        "generations=2 shared=4096 arithmetic=canonical constant=w:weights constant=sigma");
    CHECK(full.line == 1);
    CHECK(full.kernel == "ns::step<float, 32>");
    CHECK(full.function() == "ns::step");
    CHECK(full.arguments == std::vector<std::string>{"in", "out.level", "weights[4]"});
    CHECK(full.block == Region{32, 8});
    CHECK(full.region == Region{64, 32});
    CHECK(full.halo == 1);
    CHECK(full.alignment == 128);
    CHECK(full.generations == 2);
    CHECK(full.shared_bytes == 4096);
    CHECK(full.arithmetic == Arithmetic::canonical);
    CHECK(full.constants ==
          std::vector<std::pair<std::string, std::string>>{{"w", "weights"}, {"sigma", "sigma"}});

    const KernelDirective plain = only("step() block=64x1");
    CHECK(plain.arguments.empty());
    CHECK(plain.region == Region{64, 1});
    CHECK(plain.arithmetic == Arithmetic::reordered);
    CHECK(only("step(in) block=32x4 region=4x32").region == Region{4, 32});
    CHECK_FALSE(plain.overhang);  // the line does not say
    CHECK(only("step(in) block=32x4 overhang=no").overhang == false);
    CHECK(only("step(in) block=32x4 overhang=yes").overhang == true);
    CHECK(only("step(in) block=256").block == Region{256, 1});
    CHECK(only("step(in) block=256 cells=4").region == Region{1024, 1});
    CHECK(only("step(in) block=64 grid=(columns*rows+63)/64").grid ==
          std::vector<std::string>{"(columns*rows+63)/64"});
    CHECK(only("step(in) block=64 grid=(columns/64)x8").grid ==
          std::vector<std::string>{"(columns/64)", "8"});
    CHECK(only("step(in) block=64 out=zeros out.b=copy").outputs ==
          std::vector<std::pair<std::string, OutputStart>>{{"", OutputStart::zeros},
                                                           {"b", OutputStart::copy}});
    CHECK_FALSE(plain.cooperative);
    CHECK(only("step(in) block=32x4 cooperative=yes").cooperative);
}

TEST_CASE("lines name the problem: a workload or a reference, and the board", "[candidate]") {
    const Directives said = parse_directives(
        "// camber: reference ../a b.cu  \n// camber: size 512x256\n#define N 4\n"
        "// camber: size(in, N*columns) block=32 grid=N\n",
        "a.cu");
    CHECK(said.reference == "../a b.cu");
    CHECK(said.size == Size{512, 256});
    REQUIRE(said.kernels.size() == 1);
    CHECK(said.kernels[0].kernel == "size");
    CHECK(said.kernels[0].arguments[1] == "4*columns");
    CHECK(said.kernels[0].grid == std::vector<std::string>{"4"});
}

TEST_CASE("several lines are several kernels, and fields", "[candidate]") {
    const Directives directives = parse_directives(
        "#include \"x.h\"\n"
        "/* camber: first(in, out) block=8x8 */\n"
        "   // camber: second(in, out) block=16x16\n"
        "int camber = 1;  // camber: this is no such line\n"
        " * camber: field tmp float64 outside=-1e30\n",
        "a.cu");
    REQUIRE(directives.kernels.size() == 2);
    CHECK(directives.kernels[0].line == 2);
    CHECK(directives.kernels[1].kernel == "second");
    REQUIRE(directives.fields.size() == 1);
    CHECK(directives.fields[0].name == "tmp");
    CHECK(directives.fields[0].element == ElementType::float64);
    CHECK(directives.fields[0].outside == -1e30);
}

TEST_CASE("a line that means nothing is named with its remedy", "[candidate]") {
    CHECK(parse_directives("__global__ void step() {}\n", "a.cu").kernels.empty());
    CHECK_THAT(rejected("\n// camber:\n"), contains("a.cu:2: the name of a kernel is missing"));
    CHECK_THAT(rejected("// camber: step block=8x8"),
               contains("a.cu:1: the arguments of step are missing"));
    CHECK_THAT(rejected("// camber: step(in, block=8x8"), contains("a ')' is missing"));
    CHECK_THAT(rejected("// camber: step(in,,out) block=8x8"),
               contains("an argument between two commas is missing"));
    CHECK_THAT(rejected("// camber: step(in)"), contains("the block of step is missing"));
    CHECK_THAT(rejected("// camber: step(in) block=8y"), contains("block=8y is not COLUMNSxROWS"));
    CHECK_THAT(rejected("// camber: step(in) block=8 grid=columns*"),
               contains("grid=columns*: a number or a word is missing at the end"));
    CHECK_THAT(rejected("// camber: step(in) block=8 grid=1x2x3x4"), contains("at most 3"));
    CHECK_THAT(rejected("// camber: step(in) block=8 out=ones"), contains("choose zeros or copy"));
    CHECK_THAT(rejected("// camber: workload a\n// camber: reference b.cu"),
               contains("a.cu:2: reference b.cu says what is computed, and so does workload a"));
    CHECK_THAT(rejected("// camber: reference"), contains("the file behind reference is missing"));
    CHECK_THAT(rejected("// camber: step(in) block=0x8"), contains("is not COLUMNSxROWS"));
    CHECK_THAT(rejected("// camber: step(in) block=64x32"),
               contains("a block of 64x32 has 2048 threads, but 1024 is the most"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 halo=-1"),
               contains("halo=-1 is no whole number from 0 to 64"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 align=100"),
               contains("align=100 is no power of two"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 blok=1"),
               contains("'blok' is unknown: choose block or cells"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 fast"), contains("'fast' is not KEY=VALUE"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 block=8x8"),
               contains("block is given twice"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 arithmetic=fast"),
               contains("arithmetic=fast is unknown: choose canonical, reordered or unordered"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 overhang=1"),
               contains("overhang=1 is neither yes nor no"));
    CHECK_THAT(rejected("// camber: step(in) block=8x8 cooperative=1"),
               contains("cooperative=1 is neither yes nor no"));
    CHECK_THAT(rejected("// camber: a(in) block=8x8 generations=2\n// camber: b(in) block=8x8"),
               contains("a.cu:1: generations=2 is of a file with one kernel"));
    CHECK_THAT(rejected("// camber: field tmp half"), contains("choose uint8 or uint32 or"));
    CHECK_THAT(rejected("// camber: field tmp float32 inside=1"),
               contains("only outside=NUMBER can stand"));
}

}  // namespace camber::directive_test
