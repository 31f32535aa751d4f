// n_generations: G generations per launch, from 3 to 8. Two shared tiles serve alternately as input
// and output while the region shrinks; loads and generations sweep the tile linearly. Balasalle
// 2011, section 4.3.3, where G is left open.
#pragma once

#include "variants/stencil/generations.hpp"

CAMBER_TARGET_BEGIN

struct NGenerations {
    static constexpr TechniqueInfo info{
        "n_generations", "n generations per launch between two shared tiles, swept linearly",
        "Balasalle 2011, section 4.3.3", Family::several_generations};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (iterates<Rule>()) {
            catalogue.add(info, variant<Rule, 32, 8, 2, 4>());
            if constexpr (!is_large<Rule>()) {
                catalogue.add(info, variant<Rule, 64, 4, 2, 4>());
                catalogue.add(info, variant<Rule, 32, 8, 2, 8>());
                catalogue.add(info, variant<Rule, 64, 4, 2, 8>());
            }
        } else {
            catalogue.leave_out(info, needs_iteration);
        }
    }

  private:
    template <class Rule, int BX, int BY, int Elements, int G>
    static StencilVariant<Rule> variant() {
        using Walk = LinearWalk<BX, BY, Elements>;
        auto result = generations_variant<Rule, BX, BY, Elements, G, Walk, Walk>(128);
        result.shape.path += "/n" + std::to_string(G);
        return result;
    }
};

CAMBER_TARGET_END
