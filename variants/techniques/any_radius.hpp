// Techniques that take a rule's radius at run time, and the reasons for excluding the others.
#pragma once

#include <string>

#include "variants/techniques/box_tile.hpp"
#include "variants/techniques/techniques.hpp"

CAMBER_TARGET_BEGIN

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
