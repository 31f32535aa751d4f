// What kernels of the Gaussian blur are made of that are compiled for each radius: sums of N places
// side by side, each value read once for all of them, and the table of a kernel's instantiations.
#pragma once

#include <array>
#include <utility>

#include "variants/stencil/plans.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/gaussian/rule.hpp"

CAMBER_WORKLOAD_BEGIN(gaussian)

template <int N>
struct Sums {
    float sum[N] = {};
};

// The weighted sums around N places, of values from Radius before the first to Radius behind the
// last: at(0) to at(N - 1 + 2 * Radius), each asked for once. In the order of GaussianBlur.
template <int Radius, int N, class At>
CAMBER_DEVICE Sums<N> weighted_sums(const GaussianWeights& weights, const At& at) {
    Sums<N> sums;
#pragma unroll
    for (int i = 0; i < N + 2 * Radius; ++i) {
        const float value = at(i);
#pragma unroll
        for (int n = 0; n < N; ++n)
            if (i - n >= 0 && i - n <= 2 * Radius)
                sums.sum[n] = fmaf(weights.weights[i - n], value, sums.sum[n]);
    }
    return sums;
}

inline constexpr int pack_cells = 4;  // of an access of 16 bytes

// A thread's four columns of one row after the other, and what lies within the radius of them, by
// accesses of four cells.
template <class Rule, int Radius, Fit fit>
class WideRows {
  public:
    static constexpr int N = pack_cells;

    // `column`: the first one, a multiple of four. With Fit::exact all four are on the board.
    CAMBER_DEVICE WideRows(const Views<Rule>& views, int column)
        : views_(views),
          cells_(views.input(Tag{})),
          columns_(views.columns + cells_.halo()),
          column_(column) {}

    // The sums along a row, which the board or its halo has.
    CAMBER_DEVICE Sums<N> operator()(int row, Site site = Site::current()) const {
        const CallPath path(site);
        float cells[N + 2 * reach];
#pragma unroll
        for (int i = 0; i < N + 2 * reach; i += N) load(row, column_ - reach + i, cells + i);
        return weighted_sums<Radius, N>(views_.parameters,
                                        [&](int i) { return cells[reach - Radius + i]; });
    }

    // Four cells from a column that four divides; those beyond the halo nobody adds to a sum that
    // is stored.
    CAMBER_DEVICE void load(int row, int column, float* cells, Site site = Site::current()) const {
        const CallPath path(site);
        const Site whole = Site::current();
        const Site single = Site::current();
        if (fit == Fit::exact || column + N <= columns_) {
            const Pack<float, N> loaded = pack<N>(cells_, row, column, whole);
#pragma unroll
            for (int i = 0; i < N; ++i) {
                cells[i] = loaded[i];
                if constexpr (fit == Fit::overhang) skip(single);
            }
        } else {
            skip(whole);
#pragma unroll
            for (int i = 0; i < N; ++i)
                cells[i] =
                    load_if(column + i < columns_, cells_, row, column + i, Tag::outside(), single);
        }
    }

  private:
    using Tag = typename Rule::Inputs::template At<0>;
    static constexpr int reach = (Radius + N - 1) / N * N;
    static_assert(reach <= largest_gaussian_radius);

    const Views<Rule>& views_;
    const InputGrid<Tag>& cells_;
    int columns_;
    int column_;
};

// A kernel that is told how many rows a block's region has.
template <class Rule>
using RegionKernel = void (*)(Views<Rule>, int rows);

// Launches the one of a kernel's instantiations that is compiled for the run's radius.
template <class Rule>
class RadiusStage final : public RuleStage<Rule> {
  public:
    // The kernel of radius 1 first.
    using Kernels = std::array<RegionKernel<Rule>, largest_gaussian_radius>;

    RadiusStage(const StageContext& context, const Shape& shape, const Kernels& kernels)
        : RuleStage<Rule>(context),
          shape_(covering(context.problem.size, shape)),
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
    shape.halo = largest_gaussian_radius;
    shape.alignment = 128;
    StepPlan plan = Catalogue<Rule>::plan_of(info, shape);
    plan.stand_in = {"halo", "64x4", 128};
    const auto kernels =
        kernels_of<Source, Rule>(std::make_integer_sequence<int, largest_gaussian_radius>());
    plan.make = StageMaker(makes<RadiusStage<Rule>>(plan.shape, kernels), largest_gaussian_radius);
    return plan;
}

CAMBER_TARGET_END
