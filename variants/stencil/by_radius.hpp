// Compiles kernels per radius, for rules whose radius is a run parameter, up to the radius of their
// input.
#pragma once

#include <array>
#include <utility>

#include "variants/stencil/plans.hpp"

CAMBER_TARGET_BEGIN

// Kernel that takes the number of rows of a block's region.
template <class Rule>
using RegionKernel = void (*)(Views<Rule>, int rows);

// Launches the one of a kernel's instantiations that is compiled for the run's radius.
template <class Rule>
class RadiusStage final : public RuleStage<Rule> {
  public:
    // The kernel of radius 1 first.
    using Kernels = std::array<RegionKernel<Rule>, Rule::Inputs::radius>;

    RadiusStage(const StageContext& context, const Shape& shape, const Kernels& kernels)
        : RuleStage<Rule>(context),
          shape_(covering(this->board(), shape)),
          rows_(shape.region.rows),
          kernel_(kernels[Rule::parameters(context.problem.parameters).radius - 1]) {}

    void enqueue(int number) override {
        launch(this->queue(), kernel_label<Rule>(), shape_, kernel_, this->views(number), rows_);
    }

  private:
    LaunchShape shape_;
    int rows_;
    RegionKernel<Rule> kernel_;
};

// Source::kernel<radius>() for each.
template <class Source, class Rule, int... radius>
constexpr typename RadiusStage<Rule>::Kernels kernels_of(std::integer_sequence<int, radius...>) {
    return {Source::template kernel<radius + 1>()...};
}

// A plan whose stage launches the kernels of `Source`.
template <class Source, class Rule>
StepPlan radius_plan(const TechniqueInfo& info, Shape shape) {
    constexpr int largest = Rule::Inputs::radius;
    shape.halo = largest;
    shape.alignment = 128;
    StepPlan plan = Catalogue<Rule>::plan_of(info, shape);
    plan.stand_in = {"halo", "64x4", 128};
    const auto kernels = kernels_of<Source, Rule>(std::make_integer_sequence<int, largest>());
    plan.make = StageMaker(makes<RadiusStage<Rule>>(plan.shape, kernels), largest);
    return plan;
}

CAMBER_TARGET_END
