// Techniques that take a rule's radius at run time, and the reasons for excluding the others.
#pragma once

#include <string>

#include "variants/techniques/techniques.hpp"

CAMBER_TARGET_BEGIN

// box_tile: the block stages its cells and a halo of the rule's radius in shared memory, and every
// thread adds its whole square from there. It is shared_tile (Balasalle 2011, section 5.2.2) for a
// radius known only at run time. All threads load, row by row of the tile.
//
// For rules with one input and a parameter `radius`, which is at most the input's radius.
template <class Rule, int BX, int BY>
__global__ void box_tile_kernel(const Views<Rule> views) {
    using Tag = typename Rule::Inputs::template At<0>;
    __shared__ Tile<typename Tag::Type, BY + 2 * Tag::radius, BX + 2 * Tag::radius> tile;

    const int radius = views.parameters.radius;
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    const int width = BX + 2 * radius;
    const int height = BY + 2 * radius;
    const Loader<Fit::overhang, Rule, Tag> load(views, Tag{}, first_row - radius,
                                                first_column - radius);
    const Site from = Site::current();
    const Site to = Site::current();
    // All lanes execute the same number of iterations; a lane without a cell skips the load.
    for (int top = 0; top < height; top += BY)
        for (int left = 0; left < width; left += BX) {
            const int row = top + threadIdx.y;
            const int column = left + threadIdx.x;
            if (row < height && column < width) {
                tile(row, column, to) = load(row, column, from);
            } else {
                skip(from);
                skip(to);
            }
        }
    __syncthreads();

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!on_board<Fit::overhang>(views, row, column)) return;
    const auto read = [&](auto, int dcol, int drow, Site site) -> typename Tag::Type {
        return tile(threadIdx.y + radius + drow, threadIdx.x + radius + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

struct BoxTile {
    static constexpr TechniqueInfo info{
        "box_tile", "a tile as large as the radius in shared memory, whole squares added from it",
        "after Balasalle 2011, section 5.2.2", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, 16, 16>());
        catalogue.add(info, variant<Rule, 32, 8>());
        catalogue.add(info, variant<Rule, 64, 4>());
        catalogue.add(info, variant<Rule, 32, 32>());
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant() {
        constexpr int ring = 2 * Rule::Inputs::radius;
        return {.shape = {.block = {BX, BY},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .shared_bytes = staged_bytes<Rule>({BX + ring, BY + ring})},
                .kernel = {box_tile_kernel<Rule, BX, BY>}};
    }
};

// Adds techniques for a rule that sums the whole square around a cell, with any radius.
template <class Rule>
void add_any_radius(Registry& registry, const std::string& workload, Catalogue<Rule>& catalogue) {
    TechniqueList<Global, Halo, ReadOnly, TextureFetch>::add_to(catalogue);
    for (const CarveOut wish : CarveOutWish::both)
        CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<Rule>({64, 4}, 128));
    BoxTile::add(catalogue);
    for (const TechniqueInfo& technique :
         {SharedTile::info, TwoElement::info, TwoGeneration::info, TwoGeneration::const_info,
          TwoGenerationLinear::info, TwoGenerationLinear::load_info, TwoElementTwoGeneration::info,
          TwoElementTwoGeneration::load_info, ThreadPerInput::info, NGenerations::info,
          FirstRows::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info,
          Constant::info, ArrayOfStructures::info, ArrayOfStructures::packed_info})
        registry.leave_out(workload, technique.name,
                           "is compiled for one radius, and this rule has any up to 16");
}

CAMBER_TARGET_END
