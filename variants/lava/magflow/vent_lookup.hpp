// vent_table, vent_cpu: pipelines without Erupt; the flux kernel itself looks up the emission of a
// vent in its cell. vent_table uses a table of all rates and the time on the device. vent_cpu uses
// the rates of this step, which the host computes and uploads after waiting for the time; Bilotta
// et al. 2011 found it slower.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/flux_stage.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Emission of a vent in this step; vents are counted from 1.
template <class R>
struct TableOfRates {
    Grid<const double> rates;
    magflow::CurveShape shape;
    Grid<const double> time;

    CAMBER_DEVICE R operator()(int vent, Site site) const {
        const double now = time(0, 0, site);
        return emission_at<R>(vent, now, rates, shape, site);
    }
};
template <class R>
struct RatesOfStep {
    Grid<const R> rates;

    CAMBER_DEVICE R operator()(int vent, Site site) const { return rates(0, vent - 1, site); }
};

// Same as halo. The first thread resets the step length for the minimum, which a later kernel
// computes.
template <class Rule, class Rates>
__global__ void vent_lookup_kernel(const Views<Rule> views, const Rates rates,
                                   const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    using R = typename FluxTraits<Rule>::Real;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    if (row == 0 && column == 0) dt(0, 0) = magflow::bits_of(views.parameters.longest_step);
    int vent = 0;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (std::is_same_v<Tag, magflow::Emission<R>>) {
            return rates(vent, site);
        } else {
            const typename Tag::Type value = views.input(tag)(row + drow, column + dcol, site);
            if constexpr (std::is_same_v<Tag, magflow::Vents>) vent = value;
            return value;
        }
    };
    store(views, row, column, apply(views, read));
}

enum class VentRates { table, host };

template <class Rule, VentRates from>
class VentLookupStage final : public RuleStage<Rule> {
    using R = typename FluxTraits<Rule>::Real;

  public:
    VentLookupStage(const StageContext& context, Region block)
        : RuleStage<Rule>(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block)),
          rates_(context.queue, context.problem.parameters),
          of_step_(from == VentRates::host ? vents() : 0),
          uploaded_(from == VentRates::host ? Memory(context.queue, bytes()) : Memory()) {}

    void enqueue(int number) override {
        if constexpr (from == VentRates::table)
            start(number, TableOfRates<R>{rates_.table(), rates_.effusion().shape,
                                          clock_.template time<const double>()});
        else
            start(number, rates_of_step());
    }

  private:
    std::size_t vents() const {
        const int vents = rates_.effusion().vents;
        return static_cast<std::size_t>(vents > 0 ? vents : 1);  // allocations must not be empty
    }
    std::size_t bytes() const { return of_step_.size() * sizeof(R); }

    template <class Rates>
    void start(int number, const Rates& rates) {
        launch(this->queue(), kernel_label<Rule>(), shape_, vent_lookup_kernel<Rule, Rates>,
               this->views(number), rates, clock_.dt());
    }
    RatesOfStep<R> rates_of_step() {
        double now = 0;
        this->queue().download(&now, sizeof(now), this->store().current("time"), sizeof(now),
                               {sizeof(now), 1});
        for (int vent = 0; vent < rates_.effusion().vents; ++vent)
            of_step_[static_cast<std::size_t>(vent)] =
                static_cast<R>(rates_.effusion().at(vent, now));
        this->queue().upload(uploaded_.get(), bytes(), of_step_.data(), bytes(), {bytes(), 1});
        const int count = static_cast<int>(of_step_.size());
        return {Grid<const R>(static_cast<const R*>(uploaded_.get()),
                              Layout::make(count, 1, 0, sizeof(R), sizeof(R)), "rates")};
    }

    Clock<R> clock_;
    LaunchShape shape_;
    MagflowRates rates_;
    std::vector<R> of_step_;
    Memory uploaded_;
};

template <VentRates from>
struct VentLookup {
    static constexpr TechniqueInfo info =
        from == VentRates::table
            ? TechniqueInfo{"vent_table", "as halo, the flux kernel looks up the vents' rates",
                            "after Bilotta et al. 2011, whose vents have a kernel of their own",
                            Family::global_memory}
            : TechniqueInfo{"vent_cpu",
                            "as halo, the vents' rates computed and uploaded by the host",
                            "Bilotta et al. 2011", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 3}, Region{64, 4}}) {
            StepPlan plan =
                Catalogue<Rule>::plan_of(info, {.block = block, .halo = 1, .alignment = 128});
            plan.make = makes<VentLookupStage<Rule, from>>(block);
            catalogue.add(std::move(plan));
        }
    }
};

CAMBER_TARGET_END
