// Techniques that compute several generations per launch in shared memory: two_generation,
// two_generation_linear, two_element_two_generation_linear and n_generations.
#pragma once

#include "variants/stencil/generations.hpp"

CAMBER_TARGET_BEGIN

// two_generation: two generations per launch, loaded and computed in the conventional way.
// Balasalle 2011, section 5.2.3. The shape of the block is read from blockDim (two_generation,
// Figures 5.15 and 5.17), or is a compile-time constant (two_generation_const).
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

// two_generation_linear: two generations per launch; all threads sweep the intermediate generation
// as a line of cells. Balasalle 2011, section 5.2.3, Figure 5.18. The published counters match a
// conventional load, the text describes a linear one; two_generation_linear_load is the latter.
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

// two_element_two_generation_linear: two cells per thread and two generations per launch; the
// intermediate generation is computed linearly. Balasalle 2011, section 5.2.3 and Table 5.2; with
// the conventional load that matches the published counters and, as ..._load, with the linear load
// that the text describes.
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

// n_generations: G generations per launch, from 3 to 8. Two shared tiles serve alternately as input
// and output while the region shrinks; loads and generations sweep the tile linearly. Balasalle
// 2011, section 4.3.3, where G is left open.
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
