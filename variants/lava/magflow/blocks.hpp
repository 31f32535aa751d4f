// The blocks that the authors of MAGFLOW compare, with the plain kernel and either preference of
// cache. Bilotta et al. 2011, sections 6.3 and 6.6, Tables 5 to 7, whose blocks are rows x columns.
#pragma once

#include "variants/techniques/techniques.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

struct MagflowBlocks {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 1}, Region{8, 8}, Region{1, 64}, Region{128, 1},
                                   Region{192, 1}, Region{64, 2}, Region{64, 3}})
            catalogue.add(Halo::info, Halo::variant<Rule>(block, 128));
        for (const Region block : {Region{64, 1}, Region{64, 2}, Region{64, 3}})
            for (const CarveOut wish : CarveOutWish::both)
                CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<Rule>(block, 128));
    }
};

CAMBER_TARGET_END
