// two_element: like shared_tile, but every thread loads and computes two cells, one block width
// apart. Balasalle 2011, sections 4.3.1 and 5.2.2 (Figure 5.12).
#pragma once

#include "variants/techniques/shared_tile.hpp"

CAMBER_TARGET_BEGIN

struct TwoElement {
    static constexpr TechniqueInfo info{
        "two_element", "shared tile twice as wide as the block, two cells per thread",
        "Balasalle 2011, section 5.2.2, Figure 5.12", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const int alignment : {unaligned, 128}) {
            catalogue.add(info, shared_tile_variant<Rule, 16, 16, 2>(alignment));
            catalogue.add(info, shared_tile_variant<Rule, 64, 4, 2>(alignment));
        }
        if constexpr (!is_large<Rule>()) {
            catalogue.add(info, shared_tile_variant<Rule, 32, 8, 2>(128));
            catalogue.add(info, shared_tile_variant<Rule, 128, 2, 2>(128));
        }
    }
};

CAMBER_TARGET_END
