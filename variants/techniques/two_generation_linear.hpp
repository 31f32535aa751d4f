// two_generation_linear: two generations per launch; all threads sweep the intermediate generation
// as a line of cells. Balasalle 2011, section 5.2.3, Figure 5.18. The published counters match a
// conventional load, the text describes a linear one; two_generation_linear_load is the latter.
#pragma once

#include "variants/stencil/generations.hpp"

CAMBER_TARGET_BEGIN

struct TwoGenerationLinear {
    static constexpr TechniqueInfo info{
        "two_generation_linear", "two generations per launch, the first computed linearly",
        "Balasalle 2011, section 5.2.3, Figure 5.18", Family::several_generations};
    static constexpr TechniqueInfo load_info{
        "two_generation_linear_load", "two generations per launch, loaded and computed linearly",
        "Balasalle 2011, section 5.2.3, Figure 5.18", Family::several_generations};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (iterates<Rule>()) {
            if constexpr (!is_heavy<Rule>()) catalogue.add(info, conventional_load<Rule, 64, 4>());
            catalogue.add(load_info, linear_load<Rule, 64, 4>());
            if constexpr (!is_large<Rule>()) {
                catalogue.add(info, conventional_load<Rule, 16, 16>());
                catalogue.add(load_info, linear_load<Rule, 16, 16>());
            }
        } else {
            catalogue.leave_out(info, needs_iteration);
            catalogue.leave_out(load_info, needs_iteration);
        }
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> conventional_load() {
        return generations_variant<Rule, BX, BY, 1, 2, ConventionalWalk<BX, BY, 1, true>,
                                   LinearWalk<BX, BY, 1>>(128);
    }
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> linear_load() {
        return generations_variant<Rule, BX, BY, 1, 2, LinearWalk<BX, BY, 1>,
                                   LinearWalk<BX, BY, 1>>(128);
    }
};

CAMBER_TARGET_END
