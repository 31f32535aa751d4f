// The keys of a loop and of a basic block of a program text
// (results/schema/camber-results.schema.json, definitions "region" and "basic_block").
#include "harness/record/region_fields.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

namespace camber::results {

void fields(Writer& a, const CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

void fields(Reader& a, CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

namespace {

template <class Archive>
void fields_of(Archive& a, Of<Archive, BasicBlock>& block) {
    a("loop", block.loop);
    a.some("to", block.to);
    a.flag("ends", block.ends);
    a("instructions", block.instructions);
    a.some("predicated", block.predicated);
}

}  // namespace

void fields(Writer& a, const BasicBlock& block) {
    fields_of(a, block);
}

void fields(Reader& a, BasicBlock& block) {
    fields_of(a, block);
}

void check_text(const Kernel& kernel) {
    const auto check = [](const char* list, std::size_t place, int number, std::size_t size) {
        if (number < 0 || static_cast<std::size_t>(number) >= size)
            throw FormError(fmt::format("/{}/{}", list, place),
                            fmt::format("there is no number {}", number));
    };
    for (std::size_t r = 0; r < kernel.regions.size(); ++r)
        check("regions", r, kernel.regions[r].within, kernel.regions.size());
    for (std::size_t b = 0; b < kernel.basic_blocks.size(); ++b)
        for (const int to : kernel.basic_blocks[b].to)
            check("basic_blocks", b, to, kernel.basic_blocks.size());
}

}  // namespace camber::results
