// Compiled code in all of its containers, compared with what cuobjdump 13.0 prints for it, and
// damaged files.
#include "harness/machine/binary/inspection.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/binary/code_identity.hpp"
#include "harness/machine/binary/cubin.hpp"
#include "harness/machine/binary/fat_binary.hpp"
#include "harness/machine/binary/machine_code.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/binary/containers.hpp"

namespace inspection_test {

namespace {

using namespace camber;
using namespace camber::binary_test;
using results::CodeInspection;
using results::CompiledKernel;
using results_test::TestFolder;
using results_test::write_text;

const CompiledKernel& kernel_in(const CodeInspection& inspection, const std::string& architecture,
                                const std::string& part_of_name) {
    const auto found = std::ranges::find_if(inspection.kernels, [&](const CompiledKernel& kernel) {
        return kernel.architecture == architecture &&
               kernel.name.find(part_of_name) != std::string::npos;
    });
    if (found == inspection.kernels.end())
        throw std::runtime_error("no " + part_of_name + " for " + architecture);
    return *found;
}

CodeInspection inspect_text(const std::string& text, const TestFolder& folder,
                            const std::string& name = "code.bin") {
    write_text(folder / name, text);
    return binary::inspect_file(folder / name);
}

std::vector<std::string> hashes_of(const CodeInspection& inspection) {
    std::vector<std::string> hashes;
    for (const CompiledKernel& kernel : inspection.kernels)
        hashes.push_back(kernel.architecture + " " + kernel.name + " " + kernel.hash);
    return hashes;
}

std::string refusal(const std::string& text, const TestFolder& folder) {
    try {
        inspect_text(text, folder);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a fat binary's kernels have the figures that cuobjdump prints", "[binary]") {
    const CodeInspection before = binary::inspect_file(compiled / "before.fatbin");
    CHECK(before.cubins == 3);
    CHECK(before.ptx_modules == 1);
    CHECK(before.kernels.size() == 16);
    struct Figures {
        const char* architecture;
        const char* name;
        int registers;
        std::int64_t stack, shared, parameters, instructions;
    };
    const Figures figures[] = {
        {"sm_75", "blur", 30, 0, 0, 24, 47},       {"sm_75", "histogram", 39, 0, 0, 20, 334},
        {"sm_75", "reverse", 10, 0, 1024, 8, 16},  {"sm_75", "scale", 8, 0, 0, 16, 12},
        {"sm_90a", "blur", 28, 0, 0, 24, 55},      {"sm_90a", "histogram", 39, 0, 0, 20, 334},
        {"sm_90a", "reverse", 10, 0, 1024, 8, 24}, {"sm_90a", "scale", 8, 0, 0, 16, 16},
        {"sm_120", "blur", 28, 0, 0, 24, 50},      {"sm_120", "histogram", 39, 0, 0, 20, 234},
        {"sm_120", "reverse", 10, 0, 1024, 8, 25}, {"sm_120", "scale", 8, 0, 0, 16, 16},
    };
    for (const Figures& expected : figures) {
        const CompiledKernel& kernel = kernel_in(before, expected.architecture, expected.name);
        INFO(expected.architecture << " " << expected.name);
        CHECK(kernel.registers == expected.registers);
        CHECK(kernel.stack_bytes == expected.stack);
        CHECK(kernel.shared_bytes == expected.shared);
        CHECK(kernel.parameter_bytes == expected.parameters);
        CHECK(kernel.instructions == expected.instructions);
        CHECK_FALSE(kernel.mix.contains("unknown"));
        CHECK(kernel.kind == results::CodeKind::kernel);
    }
    const CompiledKernel& reverse = kernel_in(before, "sm_90a", "reverse");
    CHECK(reverse.max_block == std::array<int, 3>{256, 1, 1});
    CHECK(reverse.mix.at("shared_loads") == 1);
    CHECK(reverse.mix.at("shared_stores") == 1);
    CHECK(reverse.mix.at("barriers") == 1);
    CHECK(kernel_in(before, "compute_120", "reverse").max_block == std::array<int, 3>{256, 1, 1});
    CHECK_FALSE(kernel_in(before, "compute_120", "reverse").registers);
    const CodeInspection after = binary::inspect_file(compiled / "after.fatbin");
    const CompiledKernel& histogram = kernel_in(after, "sm_90a", "histogram");
    CHECK(histogram.local_loads > 0);
    CHECK(histogram.local_stores > 0);
    CHECK(histogram.stack_bytes == 64);
}

TEST_CASE("equal kernels of different files have equal hashes", "[binary]") {
    const CodeInspection before = binary::inspect_file(compiled / "before.fatbin");
    const CodeInspection after = binary::inspect_file(compiled / "after.fatbin");
    const auto equal = [&](const char* architecture, const char* name) {
        const CompiledKernel& old = kernel_in(before, architecture, name);
        const CompiledKernel& now = kernel_in(after, architecture, name);
        CHECK(old.name == now.name);
        return old.hash == now.hash;
    };
    // blur is in an anonymous namespace, and its constants are elsewhere in the bank.
    for (const char* architecture : {"sm_75", "sm_90a"}) CHECK(equal(architecture, "blur"));
    for (const char* architecture : {"sm_75", "sm_90a", "sm_120"}) {
        CHECK(equal(architecture, "scale"));
        CHECK(equal(architecture, "reverse"));
        CHECK_FALSE(equal(architecture, "histogram"));
    }
    CHECK(kernel_in(before, "sm_75", "blur").symbol != kernel_in(after, "sm_75", "blur").symbol);
    // With other alignment, sm_120 loads them with other instructions.
    CHECK_FALSE(equal("sm_120", "blur"));
    CHECK(equal("compute_120", "blur"));
    CHECK_FALSE(equal("compute_120", "reverse"));
}

TEST_CASE("containers do not change what is listed", "[binary]") {
    const TestFolder folder;
    const std::string fat = text_of(compiled / "before.fatbin");
    const std::string other = text_of(compiled / "after.fatbin");
    const std::vector<std::string> expected =
        hashes_of(binary::inspect_file(compiled / "before.fatbin"));
    CHECK(hashes_of(inspect_text(fat, folder)) == expected);
    CHECK(hashes_of(inspect_text(object_file(".nv_fatbin", fat), folder)) == expected);
    CHECK(hashes_of(inspect_text(object_file("__nv_relfatbin", fat), folder)) == expected);
    // Several containers with padding between them: equal kernels are listed once.
    const CodeInspection twice = inspect_text(
        object_file(".nv_fatbin", fat + std::string((8 - fat.size() % 8) % 8 + 16, '\0') + fat),
        folder);
    CHECK(hashes_of(twice) == expected);
    CHECK(twice.kernels.front().copies == 2);
    // cuFFT has its fat binaries among other data.
    CHECK(hashes_of(inspect_text(object_file(".ldata", std::string(40, 'x') + fat), folder)) ==
          expected);

    const CodeInspection archived = inspect_text(
        archive(object_file(".nv_fatbin", fat), object_file(".nv_fatbin", other)), folder);
    CHECK(kernel_in(archived, "sm_75", "shift").members ==
          std::vector<std::string>{"a_name_with_more_letters.o"});
    CHECK(kernel_in(archived, "sm_75", "scale").members ==
          std::vector<std::string>{"one.o", "a_name_with_more_letters.o"});
    CHECK(kernel_in(archived, "sm_75", "scale").copies == 2);

    // A single cubin: its own flags tell the architecture.
    const std::string cubin = entry_of(fat, 1);
    const CodeInspection alone = inspect_text(cubin, folder);
    REQUIRE(alone.kernels.size() == 4);
    CHECK(alone.kernels.front().architecture == "sm_90a");
    CHECK(kernel_in(alone, "sm_90a", "scale").hash ==
          kernel_in(binary::inspect_file(compiled / "before.fatbin"), "sm_90a", "scale").hash);
    CHECK(inspect_text(entry_of(fat, 0), folder).kernels.front().architecture == "sm_75");
    CHECK(inspect_text(entry_of(fat, 2), folder).kernels.front().architecture == "sm_120");
    CHECK(hashes_of(inspect_text(lz4_fat_binary(entry_of(fat, 0), 75), folder)) ==
          hashes_of(inspect_text(entry_of(fat, 0), folder)));

    const CodeInspection ptx = inspect_text(entry_of(fat, 3), folder);
    CHECK(ptx.ptx_modules == 1);
    CHECK(ptx.kernels.size() == 4);
    CHECK(ptx.kernels.front().architecture == "compute_120");
}

TEST_CASE("files that are no compiled code are refused in one sentence", "[binary]") {
    const TestFolder folder;
    const std::string fat = text_of(compiled / "before.fatbin");
    CHECK_THAT(refusal("hello", folder), contains("code.bin\", offset 0x0: this is no ELF file"));
    CHECK_THAT(refusal("", folder), contains("it is empty"));
    CHECK_THAT(refusal(object_file(".data", "nothing"), folder), contains("no code for a GPU"));
    CHECK_THAT(refusal("!<thin>\n", folder), contains("thin archive"));
    CHECK_THAT(refusal("!<arch>\n" + archive_member("a.o/", archive("", "")), folder),
               contains("archive within an archive"));
    CHECK_THAT(refusal("!<arch>\nrubbish", folder), contains("offset 0x8"));
    std::string elf = object_file(".nv_fatbin", fat);
    elf[4] = 1;
    CHECK_THAT(refusal(elf, folder), contains("no 64-bit little-endian"));
    std::string container = fat;
    container[4] = 9;
    CHECK_THAT(refusal(container, folder), contains("version 9 is unknown"));
    // Sizes that overflow.
    container = fat;
    for (std::size_t k = 8; k < 16; ++k) container[k] = '\xff';
    CHECK_THAT(refusal(container, folder),
               contains("18446744073709551615 bytes ends beyond the last byte"));
    container = fat;
    for (std::size_t k = 24; k < 32; ++k) container[k] = '\xff';
    CHECK_THAT(refusal(container, folder), contains("ends beyond the last byte"));
    // An entry that claims to be huge after decompression.
    container = fat;
    container[16 + 60] = '\x7f';
    CHECK_THAT(refusal(container, folder), contains("more than the supported"));
    container = fat;
    container[16 + 56] ^= 1;
    CHECK_THAT(refusal(container, folder), contains("compressed code has"));
    // A header of no bytes would repeat forever.
    container = fat;
    for (std::size_t k = 20; k < 24; ++k) container[k] = '\0';
    CHECK_THAT(refusal(container, folder), contains("header of 0 bytes is too short"));
}

TEST_CASE("every truncation ends in a sentence with file and offset", "[binary]") {
    const TestFolder folder;
    for (const std::string& whole :
         {text_of(compiled / "before.fatbin"), entry_of(text_of(compiled / "before.fatbin"), 1),
          object_file(".nv_fatbin", text_of(compiled / "before.fatbin"))})
        for (std::size_t size = 1; size < whole.size(); size += 1 + whole.size() / 150) {
            const std::string sentence = refusal(whole.substr(0, size), folder);
            INFO(size << ": " << sentence);
            CHECK_THAT(sentence, contains("code.bin\""));
            CHECK_THAT(sentence, contains("offset 0x") || contains("no code for a GPU"));
        }
}

TEST_CASE("a thousand damaged cubins end in a list or in a sentence", "[binary]") {
    const std::string fat = text_of(compiled / "after.fatbin");
    std::vector<std::string> whole;
    for (std::size_t k = 0; k < 4; ++k) whole.push_back(entry_of(fat, k));
    std::mt19937 random(1);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    std::size_t refused = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        std::string damaged = whole[below(whole.size())];
        for (std::size_t k = 0; k <= below(4); ++k) {
            // Whole words hit sizes and offsets; the ELF header and the tables at the end are hit
            // more often than the code.
            const std::size_t at = below(3) == 0   ? below(64)
                                   : below(2) == 0 ? damaged.size() - 1 - below(4000)
                                                   : below(damaged.size());
            if (below(2) == 0) {
                damaged[at] = static_cast<char>(below(256));
            } else {
                const std::uint64_t value =
                    below(2) == 0 ? below(1 << 16) : ~std::uint64_t(0) >> below(60);
                for (std::size_t byte = 0; byte < 8 && at + byte < damaged.size(); ++byte)
                    damaged[at + byte] = static_cast<char>(value >> 8 * byte);
            }
        }
        try {
            if (binary::is_ptx(damaged))
                binary::kernels_in_ptx(binary::Bytes(damaged, "\"damaged\""));
            else
                binary::kernels_in_cubin(binary::Bytes(damaged, "\"damaged\""), "");
        } catch (const Error& error) {
            ++refused;
            CHECK(error.code() == ExitCode::usage);
            CHECK_THAT(error.what(), contains("\"damaged\", offset 0x"));
        }
    }
    CHECK(refused > 100);
    CHECK(refused < 1000);
}

TEST_CASE("names are the same in every compilation", "[binary]") {
    using binary::readable_name;
    using binary::stable_symbol;
    CHECK(readable_name("_ZN36_GLOBAL__N__8c81b857_4_a_cu_ed5afa424anonEPf") ==
          "(anonymous namespace)::anon(float*)");
    CHECK(readable_name("_ZN34_INTERNAL_8c81b857_4_a_cu_ed5afa4236_GLOBAL__N__8c81b857_4_a_cu_"
                        "ed5afa426hiddenE") == "(anonymous namespace)::hidden");
    CHECK(readable_name("__nv_static_26__f31b86d5_6_one_cu__Z2swPi__Z4statPfi") ==
          "stat(float*, int)");
    CHECK(readable_name("_Z3genIZ4hostPfPiiEUliE_EvT_S1_") ==
          "void gen<host(float*, int*, int)::{lambda(int)#1}>(host(float*, int*, "
          "int)::{lambda(int)#1}, int*)");
    CHECK(readable_name("plain_c_name") == "plain_c_name");
    CHECK(stable_symbol("_Z999999999999999999999x") == "_Z999999999999999999999x");
    CHECK(stable_symbol("__nv_static_99__short") == "__nv_static_99__short");
    CHECK(stable_symbol("") == "");
}

TEST_CASE("opcodes with two meanings depend on the architecture", "[binary]") {
    using binary::opcode_name;
    CHECK(opcode_name(0x981, 90) == "LDG");
    CHECK(opcode_name(0x235, 80) == "HFMA2");
    CHECK(opcode_name(0x235, 120) == "IADD");
    CHECK(opcode_name(0x24a, 100) == "FMUL2");
    CHECK(opcode_name(0x24a, 120) == "UVIMNMX");
    CHECK(opcode_name(0x235, 100) == "");
    // ULDC.64 UR4, c[0x4][0x10] and LDCU.64 UR10, c[0x0][0x438].
    CHECK(binary::constant_operand(0x0100040000047ab9)->bank == 4);
    CHECK(binary::constant_operand(0x0100040000047ab9)->offset == 0x10);
    CHECK(binary::constant_operand(0x00008700ff0a77ac)->offset == 0x438);
    CHECK_FALSE(binary::constant_operand(0x0000000000007b1d));
}

}  // namespace inspection_test
