// two_element_two_generation_linear: two cells per thread and two generations per launch; the
// intermediate generation is computed linearly. Balasalle 2011, section 5.2.3 and Table 5.2; with
// the conventional load that matches the published counters and, as ..._load, with the linear load
// that the text describes.
#pragma once

#include "variants/stencil/generations.hpp"

CAMBER_TARGET_BEGIN

struct TwoElementTwoGeneration {
    static constexpr TechniqueInfo info{
        "two_element_two_generation_linear",
        "two cells per thread, two generations per launch, the first computed linearly",
        "Balasalle 2011, section 5.2.3, Table 5.2", Family::several_generations};
    static constexpr TechniqueInfo load_info{
        "two_element_two_generation_linear_load",
        "two cells per thread, two generations per launch, loaded and computed linearly",
        "Balasalle 2011, section 5.2.3, Table 5.2", Family::several_generations};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (is_heavy<Rule>()) {
            catalogue.leave_out(info, too_heavy);
            catalogue.leave_out(load_info, too_heavy);
        } else if constexpr (iterates<Rule>()) {
            using Conventional = ConventionalWalk<64, 4, 2, true>;
            using Linear = LinearWalk<64, 4, 2>;
            catalogue.add(info, generations_variant<Rule, 64, 4, 2, 2, Conventional, Linear>(128));
            catalogue.add(load_info, generations_variant<Rule, 64, 4, 2, 2, Linear, Linear>(128));
        } else {
            catalogue.leave_out(info, needs_iteration);
            catalogue.leave_out(load_info, needs_iteration);
        }
    }
};

CAMBER_TARGET_END
