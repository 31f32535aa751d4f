// Files of kernels, CUDA tools as processes, and disassembled kernels.
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/machine/sass/kernel_code.hpp"
#include "harness/machine/sass/tool.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::code_file_test {
namespace {

TEST_CASE("a function tells its file", "[static]") {
    const auto own = code_file_of(reinterpret_cast<const void*>(&code_file_of));
    REQUIRE(own);
    CHECK(own->path == std::filesystem::read_symlink("/proc/self/exe"));
    // Linkers add a build id by default on the systems on which camber is built; some do not.
    CHECK(std::ranges::all_of(own->build_id, [](unsigned char c) { return std::isxdigit(c); }));

    const auto library = code_file_of(reinterpret_cast<const void*>(&::qsort));
    REQUIRE(library);
    CHECK(std::filesystem::exists(library->path));

    const int local = 0;
    CHECK_FALSE(code_file_of(&local));
    CHECK_FALSE(code_file_of(nullptr));
}

}  // namespace
}  // namespace camber::code_file_test

namespace kernel_code_test {

// CUDA tools as processes, and the real disassembler on this program

using namespace camber;
using namespace std::chrono_literals;

TEST_CASE("a tool's output arrives whole, and its arguments as they are", "[static]") {
    CHECK(output_of("/bin/echo", {"a b", "$(id);`id`", "'\"*"}, 10s) == "a b $(id);`id` '\"*\n");
    CHECK(output_of("/bin/true", {}, 10s) == "");
    const auto much = output_of("/usr/bin/head", {"-c", "3000000", "/dev/zero"}, 30s);
    REQUIRE(much);
    CHECK(much->size() == 3000000);
}

TEST_CASE("a tool runs where it is told to", "[static]") {
    const results_test::TestFolder folder;
    CHECK(output_of("/bin/sh", {"-c", "pwd"}, 10s, folder.path()) == folder.path().string() + "\n");
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

// Extracts two files from a program, and lists the requested kernels.
constexpr const char* stand_in = R"sh(#!/bin/sh
if [ "$1" = -xelf ]; then
    echo wanted_kernel > one.sm_90.cubin
    echo other_kernel > two.sm_90.cubin
    exit
fi
echo "$2" >> "$CAMBER_TEST_LISTED"
echo "		Function : $(cat "$2")"
echo "        /*0000*/                   LDG.E R2, desc[UR4][R2.64] ;"
)sh";

// Puts the stand-in before other programs on PATH for the lifetime of this object.
class StandIn {
  public:
    explicit StandIn(const std::filesystem::path& folder) {
        const auto tool = folder / "cuobjdump";
        std::ofstream(tool) << stand_in;
        std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
        const char* path = std::getenv("PATH");
        before_ = path ? path : "";
        setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
        setenv("CAMBER_TEST_LISTED", (folder / "listed").c_str(), 1);
    }
    ~StandIn() { setenv("PATH", before_.c_str(), 1); }

  private:
    std::string before_;
};

TEST_CASE("kernels are disassembled beside other work, each once", "[static]") {
    const results_test::TestFolder folder;
    const StandIn tool(folder.path());
    KernelCode code(9, 0, CacheFolder(""));
    CHECK(code.find("wanted_kernel", own_address()) == nullptr);
    code.start();
    code.start();
    CHECK(code.find("wanted_kernel", own_address()) == nullptr);
    CHECK(code.find("other_kernel", own_address()) == nullptr);
    code.load();
    REQUIRE(code.find("wanted_kernel", own_address()));
    REQUIRE(code.find("other_kernel", own_address()));
    CHECK(code.find("wanted_kernel", own_address())->instructions.at("total") == 1);
    std::ifstream file(folder.path() / "listed");
    std::string line;
    std::vector<std::string> listed;
    while (std::getline(file, line)) listed.push_back(line.substr(line.rfind('/') + 1));
    CHECK(listed == std::vector<std::string>{"one.sm_90.cubin", "two.sm_90.cubin"});
}

TEST_CASE("kernels missed later are disassembled by a later start", "[static]") {
    const results_test::TestFolder folder;
    const StandIn tool(folder.path());
    KernelCode code(9, 0, CacheFolder(""));
    CHECK(code.find("wanted_kernel", own_address()) == nullptr);
    code.start();
    CHECK(code.find("other_kernel", own_address()) == nullptr);
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!code.find("other_kernel", own_address()) && std::chrono::steady_clock::now() < end)
        code.start();
    CHECK(code.find("other_kernel", own_address()));
    CHECK(code.find("wanted_kernel", own_address()));
    // Neither is disassembled again.
    code.load();
    std::ifstream file(folder.path() / "listed");
    CHECK(std::count(std::istreambuf_iterator<char>(file), {}, '\n') == 2);
}

TEST_CASE("only the parts of a program that have the kernels are disassembled", "[static]") {
    const results_test::TestFolder folder;
    const auto listed = folder.path() / "listed";
    KernelCode code(9, 0, CacheFolder(""));
    code.find("wanted_kernel", own_address());
    code.find("no_such_kernel", own_address());
    {
        const StandIn tool(folder.path());
        code.load();
    }

    const results::Kernel* mix = code.find("wanted_kernel", own_address());
    REQUIRE(mix);
    CHECK(mix->instructions.at("total") == 1);
    CHECK(code.find("no_such_kernel", own_address()) == nullptr);
    CHECK(code.find("other_kernel", own_address()) == nullptr);
    std::ifstream file(listed);
    std::string line;
    REQUIRE(std::getline(file, line));
    CHECK(line.ends_with("/one.sm_90.cubin"));
    CHECK_FALSE(std::getline(file, line));
    CHECK_FALSE(std::filesystem::exists(line));
}

TEST_CASE("mixes are kept by the file's build id", "[static]") {
    const auto file = code_file_of(own_address());
    REQUIRE(file);
    if (file->build_id.empty()) skip_test("the linker left no build id");
    const results_test::TestFolder folder;
    const CacheFolder cache(folder.path());
    results::Kernel mix;
    mix.instructions = {{"global_loads", 9}, {"total", 9}};
    cache.write("kernels-" + file->build_id + "-sm_90", to_text({{"known", mix}, {"absent", {}}}));
    KernelCode code(9, 0, cache);
    const results::Kernel* known = code.find("known", own_address());
    REQUIRE(known);
    CHECK(known->instructions == mix.instructions);
    CHECK(code.find("absent", own_address()) == nullptr);

    KernelCode of_another_chip(8, 0, cache);
    CHECK(of_another_chip.find("known", own_address()) == nullptr);
}

TEST_CASE("a cache in another form is passed over", "[static]") {
    results::Kernel mix;
    mix.instructions = {{"shared_stores", 12}, {"total", 12}, {"skippable", 5}, {"cycles", 40}};
    mix.regions = {{0, {{"total", 7}}}, {0, {{"total", 5}, {"global_loads_16", 2}}}};
    mix.basic_blocks = {{0, {1}, true, {{"total", 7}}, {}},
                        {1, {}, true, {{"total", 5}}, {{"global_loads_16", 1}}}};
    const std::string text = to_text({{"a", mix}, {"b", {}}});
    const auto read = parse_mixes(text);
    REQUIRE(read);
    CHECK(read->size() == 2);
    CHECK(read->at("a").instructions == mix.instructions);
    REQUIRE(read->at("a").regions.size() == 2);
    CHECK(read->at("a").regions[1].instructions == mix.regions[1].instructions);
    REQUIRE(read->at("a").basic_blocks.size() == 2);
    CHECK(read->at("a").basic_blocks[0].to == std::vector<int>{1});
    CHECK(read->at("a").basic_blocks[0].ends);
    CHECK(read->at("a").basic_blocks[1].loop == 1);
    CHECK(read->at("a").basic_blocks[1].predicated == mix.basic_blocks[1].predicated);
    CHECK(read->at("b").instructions.empty());
    CHECK(parse_mixes(to_text({})));
    std::string negative = text;
    negative.replace(negative.find("12"), 2, "-1");
    std::string older = text;
    older.replace(older.find(" 11\""), 4, " 10\"");
    for (const std::string& other : {std::string(), std::string("another\n"), text + "c 1 2\n",
                                     text.substr(0, text.size() - 3), negative, older})
        CHECK_FALSE(parse_mixes(other));
}

}  // namespace kernel_code_test
