// two_generation: two generations per launch, loaded and computed in the conventional way.
// Balasalle 2011, section 5.2.3: the shape of the block read from blockDim (two_generation,
// Figures 5.15 and 5.17), or a compile-time constant (two_generation_const).
#pragma once

#include "variants/generations.hpp"

CAMBER_TARGET_BEGIN

struct TwoGeneration {
    static constexpr TechniqueInfo info{
        "two_generation", "two generations per launch in shared memory, rings left to edge threads",
        "Balasalle 2011, section 5.2.3, Figures 5.15 and 5.17"};
    static constexpr TechniqueInfo const_info{
        "two_generation_const", "as two_generation, the block's shape a compile-time constant",
        "Balasalle 2011, section 5.2.3"};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (iterates_one_field<Rule>()) {
            add_shape<16, 16>(catalogue);
            add_shape<32, 8>(catalogue);
            add_shape<64, 4>(catalogue);
        }
    }

  private:
    template <int BX, int BY, class Rule>
    static void add_shape(Catalogue<Rule>& catalogue) {
        using Runtime = ConventionalWalk<BX, BY, 1, false>;
        using Constant = ConventionalWalk<BX, BY, 1, true>;
        catalogue.add(info, generations_variant<Rule, BX, BY, 1, 2, Runtime, Runtime>(128));
        catalogue.add(const_info, generations_variant<Rule, BX, BY, 1, 2, Constant, Constant>(128));
    }
};

CAMBER_TARGET_END
