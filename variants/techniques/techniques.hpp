// List of techniques. To add one, create a file in this folder and add a line to each half of this
// file.
#pragma once

#include <type_traits>
#include <utility>

#include "variants/techniques/column_stream.hpp"
#include "variants/techniques/constant.hpp"
#include "variants/techniques/first_rows.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/halo.hpp"
#include "variants/techniques/interleaved.hpp"
#include "variants/techniques/packed.hpp"
#include "variants/techniques/read_only.hpp"
#include "variants/techniques/row_stream.hpp"
#include "variants/techniques/shared_generations.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "variants/techniques/texture.hpp"
#include "variants/techniques/thread_per_input.hpp"

#ifdef CAMBER_TRIED_TECHNIQUES  // the module has no other kernels than the file's
    #include "variants/techniques/constant_stage.hpp"
#endif

CAMBER_TARGET_BEGIN

template <class... Techniques>
struct TechniqueList {
    template <class Rule>
    static void add_to(Catalogue<Rule> catalogue) {
        (Techniques::add(catalogue), ...);
    }
    // Same without `Excluded`, for rules with which these techniques lose at every size.
    template <class Rule, class... Excluded>
    static void add_others_to(Catalogue<Rule> catalogue) {
        (add_unless<is_among<Techniques, Excluded...>, Techniques>(catalogue), ...);
    }

  private:
    template <class Technique, class... Others>
    static constexpr bool is_among = (std::is_same_v<Technique, Others> || ...);
    template <bool excluded, class Technique, class Rule>
    static void add_unless(Catalogue<Rule>& catalogue) {
        if constexpr (!excluded) Technique::add(catalogue);
    }
};

// `List` without `Excluded`, as a list for step_choices().
template <class List, class... Excluded>
struct Without {
    template <class Rule>
    static void add_to(Catalogue<Rule> catalogue) {
        List::template add_others_to<Rule, Excluded...>(std::move(catalogue));
    }
};

#ifdef CAMBER_TRIED_TECHNIQUES

// Techniques of a user's file (harness/own/technique). In a workload with several steps, the list
// also includes substitutes for techniques that do not fit a step.
using AllTechniques = TechniqueList<CAMBER_TRIED_TECHNIQUES>;
using StepTechniques = TechniqueList<Global, Halo, Packed, CAMBER_TRIED_TECHNIQUES>;

#else

using AllTechniques = TechniqueList<Global, Halo, SharedTile, TwoElement, TwoGeneration,
                                    TwoGenerationLinear, TwoElementTwoGeneration, ThreadPerInput,
                                    NGenerations, FirstRows, Packed, RowStream, ColumnStream,
                                    TextureFetch, ReadOnly, Constant, ArrayOfStructures, CarveOuts>;

// Techniques that work as one step among others, on fields that all steps share.
using StepTechniques =
    TechniqueList<Global, Halo, SharedTile, TwoElement, FirstRows, Packed, RowStream, ColumnStream,
                  TextureFetch, ReadOnly, Constant, CarveOuts>;

#endif

// Excludes techniques that workloads with several kernels per generation cannot use.
inline void leave_out_whole_generations(Registry& registry, const std::string& workload) {
    for (const TechniqueInfo& technique :
         {TwoGeneration::info, TwoGeneration::const_info, TwoGenerationLinear::info,
          TwoGenerationLinear::load_info, TwoElementTwoGeneration::info,
          TwoElementTwoGeneration::load_info, NGenerations::info})
        registry.leave_out(workload, technique.name, needs_one_kernel);
    registry.leave_out(workload, ThreadPerInput::info.name, ThreadPerInput::needs_one_field);
}

// Excludes further techniques that such workloads cannot use in double precision.
inline void leave_out_records_and_textures(Registry& registry, const std::string& workload) {
    for (const TechniqueInfo& technique : {ArrayOfStructures::info, ArrayOfStructures::packed_info})
        registry.leave_out(workload, technique.name, needs_one_kernel);
    for (const TechniqueInfo& technique : {TextureFetch::pitched_info, TextureFetch::linear_info})
        registry.leave_out(workload, technique.name,
                           "reads elements of eight bytes, which textures do not have");
}

// Choices for one step from a list of techniques and from further ones.
template <class Rule, class List = StepTechniques, class... More>
std::vector<StepPlan> step_choices() {
    std::vector<StepPlan> choices;
    List::add_to(Catalogue<Rule>(choices));
    TechniqueList<More...>::add_to(Catalogue<Rule>(choices));
    return choices;
}

CAMBER_TARGET_END
