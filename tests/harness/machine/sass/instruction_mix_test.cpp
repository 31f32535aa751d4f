// Disassembler listings, and the classes of their instructions.
#include "harness/machine/sass/instruction_mix.hpp"

#include <set>
#include <string>
#include <utility>

#include "harness/machine/sass/instructions.hpp"
#include "harness/record/metric_names.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace instruction_mix_test {

using namespace camber;
using Class = InstructionClass;

namespace {

// "/*0010*/ OPCODE ;" lines after a function's header.
std::string listing(const std::string& function, const std::vector<std::string>& instructions) {
    std::string text = "\t\tFunction : " + function + "\n\t.headerflags\t@\"EF_CUDA_SM90\"\n";
    int address = 0;
    for (const std::string& instruction : instructions) {
        char line[200];
        std::snprintf(line, sizeof line, "        /*%04x*/  %s ;   /* 0x000ea20000002500 */\n",
                      address, instruction.c_str());
        text += line;
        text += "                           /* 0x000fc80000000800 */\n";
        address += 16;
    }
    return text + "\t\t..........\n\n";
}

std::int64_t count_of(const results::Kernel& kernel, const std::string& name) {
    return kernel.instructions.at(name);
}

// Counts of the region without its schedule.
std::map<std::string, std::int64_t> text_of(const results::CodeRegion& region) {
    auto counts = region.instructions;
    std::erase_if(counts, [](const auto& each) { return text_counts::is_of_schedule(each.first); });
    return counts;
}

}  // namespace

TEST_CASE("the listing of a halo kernel, counted by hand", "[static]") {
    const auto mixes = parse_listing(results_test::text_of(
        std::filesystem::path(CAMBER_SOURCE_DIR) / "tests/harness/machine/sass/halo_kernel.sass"));
    REQUIRE(mixes.size() == 1);
    const auto& [symbol, mix] = *mixes.begin();
    CHECK(symbol == "_ZN6camber9on_device11halo_kernelINS_4LifeIjEEEEvNS0_5ViewsIT_EE");
    CHECK(count_of(mix, "global_loads") == 9);
    CHECK(count_of(mix, "global_stores") == 1);
    CHECK(count_of(mix, "integer") == 13);          // 8 LEA, 3 IADD3, 2 VIADD
    CHECK(count_of(mix, "integer_multiply") == 7);  // 4 IMAD.WIDE, 2 IMAD, IMAD.IADD
    CHECK(count_of(mix, "predicates") == 6);        // 4 ISETP, 2 SEL
    CHECK(count_of(mix, "logic") == 1);
    CHECK(count_of(mix, "shifts") == 1);
    CHECK(count_of(mix, "constant_loads") == 1);
    CHECK(count_of(mix, "moves") == 4);    // S2R
    CHECK(count_of(mix, "uniform") == 9);  // ULDC
    CHECK(count_of(mix, "control") == 2);  // EXIT; the branch to itself at the end is padding
    CHECK(count_of(mix, "total") == 54);   // 0x360 / 16
}

TEST_CASE("predicates, modifiers and operands do not hide the opcode", "[static]") {
    const auto mixes = parse_listing(
        listing("kernel",
                {"@P0 LDG.E.128 R0, desc[UR4][R10.64]", "@!P1 STS.64 [R2], R4", "@!UPT UIADD3 UR4",
                 "NOP", "BRA 0x10", "@P0 BRA 0x50", "DFMA R2, R4, R6, R8", "EXIT"}));
    REQUIRE(mixes.count("kernel") == 1);
    const results::Kernel& mix = mixes.at("kernel");
    CHECK(count_of(mix, "global_loads") == 1);
    CHECK(count_of(mix, "shared_stores") == 1);
    CHECK(count_of(mix, "uniform") == 1);
    CHECK(count_of(mix, "other") == 1);    // the NOP in the middle is not padding
    CHECK(count_of(mix, "control") == 3);  // loops are not padding
    CHECK(count_of(mix, "fp64") == 1);
    CHECK(count_of(mix, "total") == 8);
}

TEST_CASE("only the padding at the end does not count", "[static]") {
    const auto total = [](const std::vector<std::string>& instructions) {
        return count_of(parse_listing(listing("kernel", instructions)).at("kernel"), "total");
    };
    CHECK(total({"EXIT", "BRA 0x10", "NOP", "NOP"}) == 1);
    CHECK(total({"EXIT", "BRA 0x0", "NOP", "NOP"}) == 2);
    CHECK(total({"EXIT", "NOP"}) == 1);
    CHECK(total({"NOP", "EXIT"}) == 2);
    CHECK(total({"EXIT", "BRA 0x10", "BRA 0x20"}) == 2);
}

// 35 and 34 instructions: two remainders by the board size, each after a test for the edge.
TEST_CASE("of a torus' halo kernel, branches may skip the remainders of cells beyond the edge",
          "[static]") {
    const auto mixes =
        parse_listing(results_test::text_of(std::filesystem::path(CAMBER_SOURCE_DIR) /
                                            "tests/harness/machine/sass/torus_halo_kernel.sass"));
    REQUIRE(mixes.size() == 1);
    CHECK(count_of(mixes.begin()->second, "total") == 179);
    CHECK(count_of(mixes.begin()->second, "skippable") == 69);
}

TEST_CASE("what a branch may jump over is skippable where nothing there touches memory",
          "[static]") {
    const auto skippable = [](const std::vector<std::string>& instructions) {
        return count_of(parse_listing(listing("kernel", instructions)).at("kernel"), "skippable");
    };
    CHECK(skippable({"@P0 BRA 0x30", "FMUL R0, R1, R2", "FADD R0, R1, R2", "EXIT"}) == 2);
    CHECK(skippable({"@!P0 BRA !P1, 0x20", "FMUL R0, R1, R2", "EXIT"}) == 1);
    CHECK(skippable({"BRA 0x20", "FMUL R0, R1, R2", "EXIT"}) == 0);
    CHECK(skippable({"@P0 BRA 0x30", "LDS R0, [R1]", "FADD R0, R1, R2", "EXIT"}) == 0);
    CHECK(skippable({"@P0 BRA 0x30", "SHFL.UP R0, R1", "FADD R0, R1, R2", "EXIT"}) == 0);
    CHECK(skippable({"@P0 BRA 0x30", "FADD R0, R1, R2", "EXIT", "EXIT"}) == 0);
    // A backward branch is a loop.
    CHECK(skippable({"FADD R0, R1, R2", "@P0 BRA 0x0", "EXIT"}) == 0);
    // Nested branches: each instruction counts once.
    CHECK(skippable({"@P0 BRA 0x40", "MOV R0, R1", "@P1 BRA 0x40", "MOV R0, R1", "EXIT"}) == 3);
    // The first side of an if with an else.
    CHECK(skippable({"@P0 BRA 0x30", "MOV R0, R1", "BRA 0x40", "MOV R0, R1", "EXIT"}) == 2);
    CHECK(skippable({"@P0 CALL.REL 0x30", "MOV R0, R1", "EXIT", "EXIT"}) == 0);
}

TEST_CASE("loops with accesses are regions, and accesses have their width", "[static]") {
    const auto mix =
        parse_listing(listing("kernel", {"S2R R0, SR_TID.X", "LDG.E.128 R4, desc[UR4][R2.64]",
                                         "LDG.E.U8 R5, desc[UR4][R2.64]", "STS.U8 [R1], R5",
                                         "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0x10",
                                         "IADD3 R0, R0, 1, RZ", "@P1 BRA 0x60",
                                         "STG.E.64 desc[UR4][R6.64], R4", "EXIT"}))
            .at("kernel");
    REQUIRE(mix.regions.size() == 3);
    CHECK(text_of(mix.regions[0]) ==
          std::map<std::string, std::int64_t>{
              {"control", 1}, {"global_stores_8", 1}, {"moves", 1}, {"total", 3}});
    // The second loop does not access memory.
    CHECK(mix.regions[2].within == 0);
    CHECK(text_of(mix.regions[2]) ==
          std::map<std::string, std::int64_t>{
              {"control", 1}, {"integer", 1}, {"rounds", 1}, {"total", 2}});
    CHECK(mix.regions[1].within == 0);
    CHECK(text_of(mix.regions[1]) == std::map<std::string, std::int64_t>{{"control", 1},
                                                                         {"global_loads_1", 1},
                                                                         {"global_loads_16", 1},
                                                                         {"predicates", 1},
                                                                         {"shared_stores_4", 1},
                                                                         {"total", 5}});
    // Each instruction in the listing has 4 stall cycles.
    CHECK(mix.regions[0].instructions.at("cycles") == 12);
    CHECK(mix.regions[1].instructions.at("cycles") == 20);
    CHECK(count_of(mix, "cycles") == 40);
    CHECK(parse_listing(listing("kernel", {"LDS R0, [R1]", "EXIT"})).at("kernel").regions.empty());
    // Execution does not continue after an unconditional branch.
    CHECK(parse_listing(listing("kernel", {"LDS R0, [R1]", "BRA 0x0", "EXIT"}))
              .at("kernel")
              .regions.size() == 2);
}

TEST_CASE("a branch over accesses makes basic blocks", "[static]") {
    const auto mix =
        parse_listing(listing("kernel", {"S2R R0, SR_TID.X", "@P1 EXIT", "@P0 BRA 0x50",
                                         "LDG.E R4, desc[UR4][R2.64]", "@P2 STS [R1], R4",
                                         "STG.E desc[UR4][R6.64], R4", "EXIT", "BRA 0x70"}))
            .at("kernel");
    REQUIRE(mix.basic_blocks.size() == 4);
    CHECK(mix.basic_blocks[0].ends);  // a lane's warp may exit here
    CHECK(mix.basic_blocks[0].to == std::vector<int>{1});
    CHECK(mix.basic_blocks[1].to == std::vector<int>{2, 3});
    CHECK(mix.basic_blocks[2].instructions.at("global_loads_4") == 1);
    CHECK(mix.basic_blocks[2].instructions.at("cycles") == 8);
    CHECK(mix.basic_blocks[2].predicated ==
          std::map<std::string, std::int64_t>{{"shared_stores_4", 1}});
    CHECK(mix.basic_blocks[3].ends);
    CHECK(mix.basic_blocks[3].instructions.at("total") == 2);
    CHECK(parse_listing(listing("kernel", {"LDS R0, [R1]", "EXIT"}))
              .at("kernel")
              .basic_blocks.empty());
    // The effect of a called function is unknown.
    CHECK(
        parse_listing(listing("kernel", {"@P0 BRA 0x30", "LDS R0, [R1]", "CALL.REL 0x30", "EXIT"}))
            .at("kernel")
            .basic_blocks.empty());
}

TEST_CASE("each function has its own mix, and noise has none", "[static]") {
    const auto mixes =
        parse_listing("Fatbin elf code:\n================\narch = sm_90\n" +
                      listing("first", {"LDS R0, [R1]", "EXIT"}) + "/*zz*/ LDS R0 ;\n" +
                      listing("second", {"STG.E desc[UR4][R6.64], R5", "EXIT"}) +
                      listing("empty", {}) + "\tFunction : \n/*0000*/ EXIT");
    REQUIRE(mixes.size() == 2);
    CHECK(count_of(mixes.at("first"), "shared_loads") == 1);
    CHECK(count_of(mixes.at("first"), "total") == 2);
    CHECK(count_of(mixes.at("second"), "global_stores") == 1);
    CHECK(count_of(mixes.at("second"), "shared_loads") == 0);
    CHECK(parse_listing("").empty());
}

TEST_CASE("opcodes fall into their classes", "[static]") {
    const std::pair<const char*, Class> expected[] = {
        {"LDG.E.64.CONSTANT", Class::global_loads},
        {"LDGSTS.E.BYPASS.128", Class::global_loads},
        {"STG.E", Class::global_stores},
        {"LDS.U.128", Class::shared_loads},
        {"STS", Class::shared_stores},
        {"LDL.LU", Class::local_loads},
        {"STL.64", Class::local_stores},
        {"TEX.SCR.LL", Class::texture},
        {"RED.E.ADD.STRONG.GPU", Class::atomics},
        {"ATOMS.ADD", Class::atomics},
        {"FFMA.FTZ", Class::fp32},
        {"MUFU.RCP", Class::fp32},
        {"DADD", Class::fp64},
        {"DSETP.GEU.AND", Class::predicates},
        {"IADD3.X", Class::integer},
        {"LEA.HI.X.SX32", Class::integer},
        {"IMAD.WIDE.U32", Class::integer_multiply},
        {"IMAD.IADD", Class::integer_multiply},
        {"IMAD.MOV.U32", Class::moves},
        {"LOP3.LUT", Class::logic},
        {"PRMT", Class::logic},
        {"SHF.R.S32.HI", Class::shifts},
        {"I2F.U32.RP", Class::conversions},
        {"F2I.FTZ.U32.TRUNC.NTZ", Class::conversions},
        {"BSSY", Class::control},
        {"EXIT", Class::control},
        {"BAR.SYNC.DEFER_BLOCKING", Class::barriers},
        {"MEMBAR.SC.GPU", Class::barriers},
        {"S2R", Class::moves},
        {"S2UR", Class::moves},
        {"ISETP.GE.AND", Class::predicates},
        {"SEL", Class::predicates},
        {"FMNMX.FTZ", Class::predicates},
        {"FMNMX3", Class::predicates},
        {"HMNMX2.NAN", Class::predicates},
        {"LDC.64", Class::constant_loads},
        {"ULDC.64", Class::uniform},
        {"USETMAXREG", Class::uniform},
        {"SHFL.UP", Class::other},
        {"VOTE.ALL", Class::other},
        {"HGMMA.64x8x16.F32", Class::other},
        {"FROBNICATE", Class::other},
    };
    for (const auto& [opcode, which] : expected) {
        CAPTURE(opcode);
        CHECK(name(classify(opcode)) == name(which));
    }
}

TEST_CASE("every class has a name of its own", "[static]") {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < instruction_classes; ++i) names.insert(name(static_cast<Class>(i)));
    CHECK(names.size() == instruction_classes);
    CHECK(names.count("") == 0);
    CHECK(name(Class::other) == "other");
}

}  // namespace instruction_mix_test
