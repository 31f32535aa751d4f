// Tools of the toolkit as processes, and the real disassembler on this very program.
#include "harness/static/kernel_code.hpp"

#include <chrono>
#include <string>

#include "harness/static/tool.hpp"
#include "tests/catch.hpp"
#include "tests/harness/results/results_file_fixture.hpp"

namespace kernel_code_test {

using namespace camber;
using namespace std::chrono_literals;

TEST_CASE("a tool's output arrives whole, and its arguments as they are", "[static]") {
    CHECK(output_of("/bin/echo", {"a b", "$(id);`id`", "'\"*"}, 10s) == "a b $(id);`id` '\"*\n");
    CHECK(output_of("/bin/true", {}, 10s) == "");
    const auto much = output_of("/usr/bin/head", {"-c", "3000000", "/dev/zero"}, 30s);
    REQUIRE(much);
    CHECK(much->size() == 3000000);
}

TEST_CASE("a tool that is absent, fails or hangs has no output", "[static]") {
    CHECK_FALSE(output_of("/nonexistent/tool", {}, 10s));
    CHECK_FALSE(output_of("/bin/false", {}, 10s));
    CHECK_FALSE(output_of("/bin/sh", {"-c", "echo text; exit 3"}, 10s));
    CHECK_FALSE(output_of("/bin/sh", {"-c", "echo text; kill -9 $$"}, 10s));
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(output_of("/bin/sleep", {"60"}, 100ms));
    CHECK(std::chrono::steady_clock::now() - start < 20s);
}

const void* own_address() {
    return reinterpret_cast<const void*>(&parse_listing);
}

TEST_CASE("without machine code there is no mix", "[static]") {
    KernelCode code(9, 0, CacheFolder(""));
    CHECK(code.find("no_such_kernel", own_address()) == nullptr);
    CHECK(code.find("no_such_kernel", nullptr) == nullptr);
    CHECK(code.find("", own_address()) == nullptr);
    code.load();
    CHECK(code.find("no_such_kernel", own_address()) == nullptr);
}

TEST_CASE("mixes are kept by the file's build id", "[static]") {
    const auto file = code_file_of(own_address());
    REQUIRE(file);
    if (file->build_id.empty()) skip_test("the linker left no build id");
    const results_test::TemporaryFolder folder;
    const CacheFolder cache(folder.path());
    InstructionMix mix;
    mix.count[0] = 9;
    cache.write("kernels-" + file->build_id + "-sm_90", to_text({{"known", mix}, {"absent", {}}}));
    KernelCode code(9, 0, cache);
    const InstructionMix* known = code.find("known", own_address());
    REQUIRE(known);
    CHECK(known->count == mix.count);
    CHECK(code.find("absent", own_address()) == nullptr);

    KernelCode of_another_chip(8, 0, cache);
    CHECK(of_another_chip.find("known", own_address()) == nullptr);
}

TEST_CASE("a cache in another form is passed over", "[static]") {
    InstructionMix mix;
    mix.count[3] = 12;
    const std::map<std::string, InstructionMix> mixes{{"a", mix}, {"b", {}}};
    const std::string text = to_text(mixes);
    const auto read = parse_mixes(text);
    REQUIRE(read);
    CHECK(read->size() == 2);
    CHECK(read->at("a").count == mix.count);
    CHECK(parse_mixes(to_text({})));
    for (const std::string& other :
         {std::string(), std::string("another\n"), text + "c 1 2\n", text + "c\n",
          text.substr(0, text.size() - 3), text + "d -1\n"})
        CHECK_FALSE(parse_mixes(other));
}

}  // namespace kernel_code_test
