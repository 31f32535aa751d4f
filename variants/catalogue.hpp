// How a technique describes its variants, and how they enter the registry.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/registry/registry.hpp"
#include "variants/stencil.hpp"
#include "variants/stencil_execution.hpp"

CAMBER_TARGET_BEGIN

struct TechniqueInfo {
    const char* name;
    const char* summary;  // one line: how memory is touched
    const char* source;   // author year, section
};

// Blocks of threads of the published kernels and their like, 256 threads each.
inline constexpr std::array<Region, 4> published_blocks{{{16, 16}, {32, 8}, {64, 4}, {128, 2}}};

// Bytes of shared memory for one tile per field that `Rule` reads beyond its own cell.
template <class Rule>
std::size_t staged_bytes(Region tile) {
    std::size_t bytes = 0;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if (Tag::radius > 0) bytes += sizeof(typename Tag::Type) * tile.columns * tile.rows;
    });
    return bytes;
}

// Bytes of the smallest element among the fields that `Rule` reads or writes.
template <class Rule>
int smallest_element() {
    std::size_t bytes = 16;
    const auto take = [&]<class Tag>(Tag) { bytes = std::min(bytes, sizeof(typename Tag::Type)); };
    Rule::Inputs::for_each(take);
    Rule::Outputs::for_each(take);
    return static_cast<int>(bytes);
}

// CUDA C++ Programming Guide, table of compute capabilities: a grid has at most 65535 rows of
// blocks.
inline std::optional<std::string> too_many_block_rows(int rows, int rows_per_block) {
    constexpr int limit = 65535;
    const int needed = (rows + rows_per_block - 1) / rows_per_block;
    if (needed <= limit) return std::nullopt;
    return "needs " + std::to_string(needed) + " rows of blocks, a grid has at most " +
           std::to_string(limit);
}

// Collects the variants of one rule. `cell` distinguishes instantiations of a workload.
template <class Rule>
class Catalogue {
  public:
    Catalogue(Registry& registry, std::string workload, ElementType cell)
        : registry_(registry), workload_(std::move(workload)), cell_(cell) {}

    void add(const TechniqueInfo& technique, const StencilVariant<Rule>& variant) {
        VariantInfo info;
        info.workload = workload_;
        info.cell = cell_;
        info.technique = technique.name;
        info.path = variant.path;
        if (variant.halo > 0) {
            info.path += variant.alignment == unaligned
                             ? std::string("/unaligned")
                             : "/align" + std::to_string(variant.alignment);
        }
        info.parameters = {{"block", variant.block.name()},
                           {"region", variant.region.name()},
                           {"halo", variant.halo},
                           {"alignment_bytes", variant.alignment},
                           {"elements_per_thread", variant.elements_per_thread}};
        info.summary = technique.summary;
        info.source = technique.source;
        info.generations_per_launch = variant.generations;
        info.threads_per_block = variant.block.columns * variant.block.rows;
        info.shared_bytes = variant.shared_bytes;
        info.geometry = {{variant.region.columns, variant.region.rows},
                         std::max(1, variant.alignment),
                         smallest_element<Rule>()};
        registry_.add(
            std::move(info), CAMBER_ON_DEVICE ? Backend::cuda : Backend::simt,
            [variant](Queue& queue, const Problem& problem) {
                return std::make_unique<StencilExecution<Rule>>(queue, problem, variant);
            },
            [rows = variant.region.rows](const Problem& problem) {
                return too_many_block_rows(problem.size.rows, rows);
            });
    }

  private:
    Registry& registry_;
    std::string workload_;
    ElementType cell_;
};

CAMBER_TARGET_END
