#include "harness/capture/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/base/text/text.hpp"
#include "harness/machine/binary/code_identity.hpp"
#include "harness/machine/binary/cubin.hpp"
#include "harness/machine/binary/elf.hpp"
#include "harness/machine/binary/machine_code.hpp"

namespace camber::capture {

namespace {

// True if the function's code refers to a symbol of this name.
bool refers_to(const binary::Elf& elf, const std::string& function, std::string_view name) {
    const std::vector<binary::ElfSymbol> symbols = elf.symbols();
    for (const std::string prefix : {".rel.text.", ".rela.text."}) {
        const binary::ElfSection* const section = elf.find(prefix + function);
        if (section == nullptr) continue;
        for (const binary::ElfRelocation& one : binary::Elf::relocations(*section))
            if (one.symbol < symbols.size() && symbols[one.symbol].name == name) return true;
    }
    return false;
}

// Textures and surfaces: instructions whose names begin so.
bool reads_textures(const binary::Elf& elf, const std::string& function, int architecture) {
    constexpr std::array<std::string_view, 8> names{"TEX", "TLD", "TLD4", "TMML",
                                                    "TXD", "TXQ", "SULD", "SUST"};
    const binary::ElfSection* const section = elf.find(".text." + function);
    if (section == nullptr) return false;
    const std::string_view code = section->data().text();
    constexpr unsigned opcode_bits = 0xfff;
    for (std::size_t k = 0; (k + 1) * binary::instruction_bytes <= code.size(); ++k) {
        const auto opcode = static_cast<unsigned>(binary::lower_half(code, k)) & opcode_bits;
        if (std::ranges::find(names, binary::opcode_name(opcode, architecture)) != names.end())
            return true;
    }
    return false;
}

}  // namespace

std::string unsupported_construct(const Capture& capture) {
    const std::string& symbol = capture.file.kernel;
    const std::string kernel = printable(binary::readable_name(symbol), 200);
    for (const std::string_view library : {"nccl", "nvshmem"})
        if (symbol.find(library) != symbol.npos)
            return fmt::format(
                "{} waits for kernels of other processes, which a replay has not: "
                "capture another kernel",
                kernel);
    const binary::Elf elf(binary::Bytes(
        std::string_view(reinterpret_cast<const char*>(capture.code.data()), capture.code.size()),
        fmt::format("the machine code \"{}\"",
                    (capture.folder / capture.file.code.name).string())));
    if (refers_to(elf, symbol, "malloc"))
        return fmt::format(
            "{} allocates memory with malloc() in the kernel, which a capture does "
            "not contain",
            kernel);
    if (reads_textures(elf, symbol, static_cast<int>(capture.file.compute_capability)))
        return fmt::format("{} accesses textures or surfaces, which a capture does not contain",
                           kernel);
    return "";
}

}  // namespace camber::capture
