// The list of techniques. A new one is a file beside this and a line in each half here.
#pragma once

#include "variants/carve_out.hpp"
#include "variants/column_stream.hpp"
#include "variants/constant.hpp"
#include "variants/first_rows.hpp"
#include "variants/global.hpp"
#include "variants/halo.hpp"
#include "variants/interleaved.hpp"
#include "variants/n_generations.hpp"
#include "variants/packed.hpp"
#include "variants/read_only.hpp"
#include "variants/row_stream.hpp"
#include "variants/shared_tile.hpp"
#include "variants/texture.hpp"
#include "variants/thread_per_input.hpp"
#include "variants/two_element.hpp"
#include "variants/two_element_two_generation.hpp"
#include "variants/two_generation.hpp"
#include "variants/two_generation_linear.hpp"

CAMBER_TARGET_BEGIN

template <class... Techniques>
struct TechniqueList {
    template <class Rule>
    static void add_to(Catalogue<Rule> catalogue) {
        (Techniques::add(catalogue), ...);
    }
};

using AllTechniques = TechniqueList<Global, Halo, SharedTile, TwoElement, TwoGeneration,
                                    TwoGenerationLinear, TwoElementTwoGeneration, ThreadPerInput,
                                    NGenerations, FirstRows, Packed, RowStream, ColumnStream,
                                    TextureFetch, ReadOnly, Constant, ArrayOfStructures, CarveOuts>;

// Those that work as one step among others, on fields that all steps share.
using StepTechniques =
    TechniqueList<Global, Halo, SharedTile, TwoElement, FirstRows, Packed, RowStream, ColumnStream,
                  TextureFetch, ReadOnly, Constant, CarveOuts>;

// The choices of a list of techniques, and some more, for one step.
template <class Rule, class List = StepTechniques, class... More>
std::vector<StepPlan> step_choices() {
    std::vector<StepPlan> choices;
    List::add_to(Catalogue<Rule>(choices));
    TechniqueList<More...>::add_to(Catalogue<Rule>(choices));
    return choices;
}

CAMBER_TARGET_END
