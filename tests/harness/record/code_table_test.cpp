// Tables of compiled kernels: reading, look-up, and refusal of other forms.
#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/record/code_inspection.hpp"
#include "tests/catch.hpp"

namespace camber::code_table_test {
namespace {

using namespace results;

const std::string two_variants = R"({
"arch": "9.0", "compiler": "nvcc 13.0.88",
"kernels": [
{"name":"stencil","registers":22,"occupancy":1.0,"instructions":{"total":54,"global_loads":9}},
{"name":"refresh","occupancy":0.5,"instructions":{"total":20}},
{"name":"stencil","occupancy":1.0,"instructions":{"total":30},
 "regions":[{"within":0,"instructions":{"total":10}},{"within":0,"instructions":{"total":20}}],
 "basic_blocks":[{"loop":0,"to":[1],"ends":true,"instructions":{"total":10}},
  {"loop":1,"to":[1,2],"instructions":{"total":12,"global_loads_4":2},"predicated":{"global_loads_4":1}},
  {"loop":0,"ends":true,"instructions":{"total":8}}]}],
"variants": {"life/halo/64x4 uint32 dead": [0], "life/halo/64x4 uint32 torus": [1, 0]}})";

CodeTable parsed(const std::string& text) {
    return parse_code_table(text, "table.json");
}

}  // namespace

TEST_CASE("a table has the kernels of a launch by variant, cell and boundary", "[results]") {
    const CodeTable table = parsed(two_variants);
    CHECK(table.arch == "9.0");
    CHECK(table.origin == "nvcc 13.0.88");
    const auto* dead = table.find("life/halo/64x4", "uint32", Boundary::dead);
    REQUIRE(dead);
    REQUIRE(dead->size() == 1);
    CHECK(dead->front().registers == 22);
    CHECK(dead->front().instructions.at("total") == 54);
    const auto* torus = table.find("life/halo/64x4", "uint32", Boundary::torus);
    REQUIRE(torus);
    CHECK(torus->front().name == "refresh");
    CHECK(torus->back().name == "stencil");
    CHECK_FALSE(table.find("life/halo/64x4", "uint8", Boundary::dead));
    CHECK_FALSE(table.find("life/halo/16x16", "uint32", Boundary::dead));
}

TEST_CASE("a table also has texts that no variant has any more", "[results]") {
    std::vector<Kernel> kernels;
    parsed(two_variants).for_each_text([&](const Kernel& kernel) { kernels.push_back(kernel); });
    REQUIRE(kernels.size() == 3);
    CHECK(kernels[0].regions.empty());
    REQUIRE(kernels[2].regions.size() == 2);
    CHECK(kernels[2].regions[1].instructions.at("total") == 20);
    CHECK(kernels[0].basic_blocks.empty());
    REQUIRE(kernels[2].basic_blocks.size() == 3);
    const BasicBlock& loop = kernels[2].basic_blocks[1];
    CHECK(loop.loop == 1);
    CHECK(loop.to == std::vector<int>{1, 2});
    CHECK_FALSE(loop.ends);
    CHECK(loop.instructions.at("total") == 12);
    CHECK(loop.predicated.at("global_loads_4") == 1);
    CHECK(kernels[2].basic_blocks[2].ends);
    CHECK(kernels[2].basic_blocks[2].to.empty());
}

TEST_CASE("a table of another form is refused by name and place", "[results]") {
    CHECK_THROWS_WITH(parsed(R"({"arch": "9.0"})"), contains("table.json: at "));
    CHECK_THROWS_WITH(parsed("{"), contains("table.json is not a JSON document"));
    std::string text = two_variants;
    text.replace(text.find("[1, 0]"), 6, "[1, 3]");
    CHECK_THROWS_WITH(parsed(text), contains("there is no kernel 3"));
    text = two_variants;
    text.replace(text.find("\"to\":[1,2]"), 10, "\"to\":[1,3]");
    CHECK_THROWS_WITH(parsed(text), contains("/basic_blocks/1: there is no number 3"));
    text = two_variants;
    text.replace(text.find("\"within\":0"), 10, "\"within\":2");
    CHECK_THROWS_WITH(parsed(text), contains("/regions/0: there is no number 2"));
    text = two_variants;
    text.replace(text.find("torus"), 5, "sphere");
    CHECK_THROWS_WITH(parsed(text), contains("it ends in no boundary"));
}

TEST_CASE("a run's cases are a table of their machine code", "[results]") {
    Document document;
    document.source = "run.json";
    Gpu gpu;
    gpu.compute_capability = "9.0";
    document.context.run.emplace().gpu = gpu;
    CaseRecord complete;
    complete.identity.variant = "life/halo/64x4";
    complete.identity.cell = "uint32";
    Kernel kernel;
    kernel.occupancy = 1;
    kernel.instructions = {{"total", 54}};
    complete.kernels = {kernel};
    CaseRecord without = complete;
    without.identity.variant = "life/global/16x16";
    without.kernels.front().instructions.clear();
    document.cases = {complete, without};
    const CodeTable table = CodeTable::of(document);
    CHECK(table.arch == "9.0");
    CHECK(table.find("life/halo/64x4", "uint32", Boundary::dead));
    CHECK_FALSE(table.find("life/global/16x16", "uint32", Boundary::dead));
}

TEST_CASE("the program has the machine code of the measured variants", "[results]") {
    REQUIRE_FALSE(embedded_code_tables().empty());
    for (const auto& [name, text] : embedded_code_tables()) {
        const CodeTable table = parse_code_table(text, std::string(name));
        CHECK(name == fmt::format("sm_{}{}.json", table.arch.front(), table.arch.back()));
        const auto* code = table.find("life/halo/64x4/align128", "uint32", Boundary::dead);
        REQUIRE(code);
        CHECK(code->size() == 1);
        CHECK(code->front().instructions.at("global_loads") == 9);
        CHECK(code->front().instructions.at("skippable") == 0);
        // Eighteen remainders by the board size, for cells beyond the edge.
        const auto* torus = table.find("life/global/64x4", "uint32", Boundary::torus);
        REQUIRE(torus);
        CHECK(torus->front().instructions.at("total") == 833);
        CHECK(torus->front().instructions.at("skippable") == 630);
    }
}

}  // namespace camber::code_table_test
