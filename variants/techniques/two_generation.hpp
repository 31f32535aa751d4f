// two_generation: two generations per launch, loaded and computed in the conventional way.
// Balasalle 2011, section 5.2.3. The shape of the block is read from blockDim (two_generation,
// Figures 5.15 and 5.17), or is a compile-time constant (two_generation_const).
#pragma once

#include "variants/stencil/generations.hpp"

CAMBER_TARGET_BEGIN

struct TwoGeneration {
    static constexpr TechniqueInfo info{
        "two_generation", "two generations per launch in shared memory, rings left to edge threads",
        "Balasalle 2011, section 5.2.3, Figures 5.15 and 5.17", Family::several_generations};
    static constexpr TechniqueInfo const_info{
        "two_generation_const", "as two_generation, the block's shape a compile-time constant",
        "Balasalle 2011, section 5.2.3", Family::several_generations};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (is_heavy<Rule>()) {
            catalogue.leave_out(info, too_heavy);
            catalogue.leave_out(const_info, too_heavy);
        } else if constexpr (iterates<Rule>()) {
            add_all<false>(catalogue, info);
            add_all<true>(catalogue, const_info);
        } else {
            catalogue.leave_out(info, needs_iteration);
            catalogue.leave_out(const_info, needs_iteration);
        }
    }

  private:
    template <bool compile_time, class Rule>
    static void add_all(Catalogue<Rule>& catalogue, const TechniqueInfo& technique) {
        catalogue.add(technique, variant<Rule, 64, 4, compile_time>());
        if constexpr (!is_large<Rule>()) {
            catalogue.add(technique, variant<Rule, 16, 16, compile_time>());
            catalogue.add(technique, variant<Rule, 32, 8, compile_time>());
        }
    }

    template <class Rule, int BX, int BY, bool compile_time>
    static StencilVariant<Rule> variant() {
        using Walk = ConventionalWalk<BX, BY, 1, compile_time>;
        return generations_variant<Rule, BX, BY, 1, 2, Walk, Walk>(128);
    }
};

CAMBER_TARGET_END
