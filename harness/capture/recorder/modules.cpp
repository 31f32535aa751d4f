#include "harness/capture/recorder/recorder.hpp"

#include <elf.h>

#include <algorithm>
#include <ranges>

#include "harness/base/error.hpp"
#include "harness/machine/binary/elf.hpp"

namespace camber::capture {

namespace {

constexpr std::string_view text_prefix = ".text.";

std::vector<std::string> kernels_in(std::string_view image) {
    std::vector<std::string> kernels;
    try {
        const binary::Elf elf(binary::Bytes(image, "a module"));
        for (const binary::ElfSection& section : elf.sections())
            if (section.name.starts_with(text_prefix))
                kernels.emplace_back(section.name.substr(text_prefix.size()));
    } catch (const Error&) {
        // Not a cubin: its kernels are found in none.
    }
    return kernels;
}

}  // namespace

void Modules::add(std::string_view image) {
    std::vector<std::string> kernels = kernels_in(image);
    if (std::ranges::none_of(kernels, wanted_)) return;
    const std::lock_guard lock(mutex_);
    modules_.push_back({std::move(kernels), ByteVector(image.begin(), image.end())});
}

const ByteVector* Modules::with_kernel(const std::string& kernel) const {
    const std::lock_guard lock(mutex_);
    for (const Module& module : modules_ | std::views::reverse)
        if (std::ranges::find(module.kernels, kernel) != module.kernels.end()) return &module.image;
    return nullptr;
}

std::vector<std::string> variables_in(const ByteVector& cubin) {
    std::vector<std::string> names;
    const binary::Elf elf(binary::Bytes(
        std::string_view(reinterpret_cast<const char*>(cubin.data()), cubin.size()), "a cubin"));
    for (const binary::ElfSymbol& symbol : elf.symbols()) {
        if (symbol.type != STT_OBJECT || symbol.size == 0 ||
            symbol.section >= elf.sections().size())
            continue;
        const std::string_view section = elf.sections()[symbol.section].name;
        if (section.starts_with(".nv.global") || section == ".nv.constant3")
            names.emplace_back(symbol.name);
    }
    return names;
}

}  // namespace camber::capture
