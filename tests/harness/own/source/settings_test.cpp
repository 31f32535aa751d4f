// Settings of a kernel file from the command line: combinations, macros, keys of its lines.
#include "harness/own/source/settings.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/source/unit.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::settings_test {
namespace {

std::vector<std::string> texts_of(const std::vector<std::string>& sweeps) {
    std::vector<std::string> texts;
    for (const Settings& settings : combinations(sweeps)) texts.push_back(text_of(settings));
    return texts;
}

template <class Work>
std::string rejected(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

const std::string text =
    "// camber: step<ROWS>(in, out) block=BXx4 cells=1xROWS shared=BYTES\n"
    "#define ROWS 2  // of a thread\n"
    "#ifndef BX\n"
    "  # define  BX 32\n"
    "#endif\n"
    "#define BYTES 128\n"
    "template <int n> __global__ void step(const unsigned* in, unsigned* out) {\n"
    "#ifdef FAST\n"
    "    out[0] = FAST;\n"
    "#endif\n"
    "    out[threadIdx.x] = in[n];  // UNUSED\n"
    "}\n";

CandidateSource source_with(const Settings& settings) {
    return candidate_from("a.cu", text, settings);
}

}  // namespace

TEST_CASE("sweeps are combined, the last one changing first", "[candidate]") {
    CHECK(texts_of({}) == std::vector<std::string>{""});
    CHECK(texts_of({"block=32x4,64x4", "UNROLL=1,2"}) ==
          std::vector<std::string>{"block=32x4 UNROLL=1", "block=32x4 UNROLL=2",
                                   "block=64x4 UNROLL=1", "block=64x4 UNROLL=2"});
}

TEST_CASE("what is no sweep is named", "[candidate]") {
    const auto say = [](const std::vector<std::string>& sweeps) {
        return rejected([&] { combinations(sweeps); });
    };
    for (const char* wrong : {"UNROLL", "=4", "4=4", "A B=1", "UNROLL=", "UNROLL=1,", "N=1,,2"})
        CHECK_THAT(say({wrong}), contains(std::string("'") + wrong + "' is not NAME=VALUE"));
    CHECK_THAT(say({"N=1\n#include \"x\""}), contains("is not NAME=VALUE"));
    CHECK_THAT(say({"N=1,2,1"}), contains("value 1 occurs twice in --sweep N=1,2,1"));
    CHECK_THAT(say({"N=1", "N=2"}), contains("--sweep gives N twice"));
    const std::string many =
        "=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,"
        "26,27,28,29,30,31,32";
    CHECK_THAT(say({"A" + many, "B" + many}), contains("--sweep means 1024 combinations or more"));
}

TEST_CASE("macros stand in camber: lines for their numbers", "[candidate]") {
    const KernelDirective own = source_with({}).directives.kernels.front();
    CHECK(own.block == Region{32, 4});
    CHECK(own.region == Region{32, 8});
    CHECK(own.shared_bytes == 128);
    const KernelDirective set =
        source_with({{"BX", "64"}, {"ROWS", "8"}}).directives.kernels.front();
    CHECK(set.block == Region{64, 4});
    CHECK(set.region == Region{64, 32});
    // A key's value is replaced as a whole.
    const KernelDirective block =
        source_with({{"block", "128x2"}, {"cells", "ROWSx1"}}).directives.kernels.front();
    CHECK(block.block == Region{128, 2});
    CHECK(block.region == Region{256, 2});
}

TEST_CASE("a macro's definition gets the value, in its line", "[candidate]") {
    const CandidateSource source = source_with({{"ROWS", "4"}, {"BX", "128"}, {"FAST", "1"}});
    CHECK_THAT(source.text,
               contains("#define ROWS 4  // of a thread\n") && contains("  # define  BX 128\n"));
    CHECK(source.defined == "#define FAST 1\n");
    // Line numbers do not change.
    CHECK(std::count(source.text.begin(), source.text.end(), '\n') ==
          std::count(text.begin(), text.end(), '\n'));
    const std::string unit = device_unit(source, true);
    CHECK(unit.starts_with("#define FAST 1\n#line 1 \"a.cu\"\n"));
    CHECK_THAT(host_unit(source), contains("#define FAST 1\n#line 1 \"a.cu\"\n"));
}

TEST_CASE("a macro that the file does not have is named", "[candidate]") {
    CHECK_THAT(rejected([] {
                   source_with({{"UNROLL", "4"}});
               }),
               contains("nothing in a.cu is called UNROLL, which --sweep sets"));
    CHECK_THAT(rejected([] {
                   source_with({{"UNUSED", "4"}});
               }),
               contains("nothing in a.cu is called UNUSED"));
    CHECK_THAT(rejected([] {
                   source_with({{"block", "2048x1"}});
               }),
               contains("a.cu:1: a block of 2048x1 has 2048 threads"));
    CHECK_THAT(rejected([] {
                   source_with({{"ROWS", "two"}});
               }),
               contains("a.cu:1: cells=1xROWS is not COLUMNSxROWS"));
}

TEST_CASE("candidates of one file are told apart by what is set", "[candidate]") {
    const KernelText file(
        "// camber: step(in, out) block=32x1 halo=1\n"
        "#define N 1\n"
        "__global__ void step(const unsigned* in, unsigned* out) { out[N] = in[N]; }\n");
    const Workload& life = *find_workload("life");
    const auto named = [&](const Settings& settings) {
        CandidateOptions options = uncached();
        options.settings = settings;
        const Variant variant = candidate_variant(file.path(), life, ElementType::uint32, options);
        return variant.info.name();
    };
    CHECK(named({}) == "life/kernel.cu/32x1/unaligned");
    CHECK(named({{"N", "2"}}) == "life/kernel.cu/32x1/N=2/unaligned");
    CHECK(named({{"N", "1+1"}, {"block", "64x2"}, {"align", "128"}, {"halo", "2"}}) ==
          "life/kernel.cu/64x2/N=1_1/halo=2/align128");
}

}  // namespace camber::settings_test
