// Plans of the SCIARA models with plain kernels, for tests that inject faults.
#pragma once

#include <type_traits>
#include <vector>

#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/techniques/halo.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

namespace camber::lava_plans {

// The technique halo in blocks of one row, so that stripes can be as narrow as possible.
struct RowBlocks {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(Halo::info, Halo::variant<Rule>({64, 1}, 128));
    }
};

inline std::vector<StepPlan> four_kernels_of_sciara_fv2() {
    const auto plan = []<class Rule>(std::type_identity<Rule>) {
        return step_choices<Rule, TechniqueList<RowBlocks>>().front();
    };
    const StepPlan cooling = plan(std::type_identity<sciara_fv2::Cooling>{});
    return {sciara_fv2::emission_plan(cooling), plan(std::type_identity<sciara_fv2::Outflows>{}),
            plan(std::type_identity<sciara_fv2::Exchange>{}), cooling};
}

inline std::vector<StepPlan> six_kernels_of_sciara_fv3() {
    using R = double;
    constexpr auto branching = sciara_fv3::Trigonometry::branching;
    const auto plan = []<class Rule>(std::type_identity<Rule>) {
        return sciara_fv3::choices_of<Rule, RowBlocks>().front();
    };
    const StepPlan cooling = plan(std::type_identity<sciara_fv3::Cooling<R>>{});
    return {sciara_fv3::emission_fv3_plan<R>(cooling),
            plan(std::type_identity<sciara_fv3::Candidates<R, branching>>{}),
            sciara_fv3::clock_plan<R>(cooling),
            plan(std::type_identity<sciara_fv3::Outflow<R, branching>>{}),
            plan(std::type_identity<sciara_fv3::Exchange<R>>{}),
            cooling};
}

}  // namespace camber::lava_plans
