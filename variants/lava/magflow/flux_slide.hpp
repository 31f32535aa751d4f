// Flux kernel of MAGFLOW that slides down the rows of a strip: yield strength and viscosity are
// computed once per cell, and every pair of neighbors once.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "variants/lava/magflow/flux_stage.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/core/arithmetic.hpp"

// flux_slide: a warp moves down a strip of columns with two rows in registers. A lane owns a column
// and receives that of the next lane by shuffles; it computes the pairs among these four cells that
// the row above did not contain: right, below and both diagonals. Results for the next lane's
// column travel by shuffles, too. The additions of a cell follow when all its pairs are complete,
// in the order of the gathering kernels, so the bits are equal. The first and the last lane own
// columns of the adjacent strips and store nothing.
//
// Performance, counted on an H200 (results/h200/magflow-tiled.txt, 1910 x 2457 cells, 95 %
// of them active): 831 instructions for 32 cells with eight rows per warp (r8), 707 with as many
// rows as make all blocks resident, where fused_minimum takes 1800. Warps issue in 78 % and in 62 %
// of the cycles: with 72 registers per thread, an SM has 28 warps, and the longer strips all end at
// the same time. The fluxes take 153 us (r8) instead of 280, and a step with flux_slide_vents 205
// us instead of 347. r16 is between: about 750 instructions, and several waves of blocks on large
// boards.
CAMBER_WORKLOAD_BEGIN(magflow)

// Cell with the properties of its lava that depend on temperature only. Dry cells have values that
// lead to no special case of a division.
template <class R>
struct SlidingCell {
    Lava<R> lava{};
    R strength = 1, resistance = 1;

    CAMBER_DEVICE void find_rheology(const FlowParameters<R>& p) {
        strength = yield_strength(lava.temperature, p);
        resistance = magflow::resistance(lava.temperature, p);
    }
    CAMBER_DEVICE SlidingCell of_next_lane() const {
        return {{from_lane_after(lava.ground, 1), from_lane_after(lava.thickness, 1),
                 from_lane_after(lava.temperature, 1)},
                from_lane_after(strength, 1),
                from_lane_after(resistance, 1)};
    }
};

// Exchange of a pair as one of its cells sees it; negative if the cell gives.
template <class R>
struct Inflow {
    R volume = 0;  // m^3/s
    R heat = 0;    // m^3 K/s

    CAMBER_DEVICE Inflow reversed() const { return {-volume, -heat}; }
    CAMBER_DEVICE Inflow of_lane_before() const {
        return {from_lane_before(volume, 1), from_lane_before(heat, 1)};
    }
    // Same bits as CellFlux::add(): a sum never is -0, so that zeros of both signs are equal.
    template <bool compensated>
    CAMBER_DEVICE void add_to(CellFlux<R, compensated>& sum) const {
        sum.volume.add(volume);
        sum.heat.add(heat);
        if (volume < 0) sum.outflow = sum.outflow - volume;
    }
};

// Inflow of `own`; same bits as exchange(). Neither a giver without lava nor equal surfaces, for
// which the critical thickness is infinite, need a test of their own.
template <class R>
CAMBER_DEVICE Inflow<R> inflow(const SlidingCell<R>& own, const SlidingCell<R>& other, R distance,
                               const FlowParameters<R>& p) {
    const R bed = own.lava.ground - other.lava.ground;
    const R surface = bed + (own.lava.thickness - other.lava.thickness);
    const bool gives = surface > 0;
    const R h = gives ? own.lava.thickness : other.lava.thickness;
    const R strength = gives ? own.strength : other.strength;
    const R drop = static_cast<R>(::fabs(surface));  // not -0
    const R critical = critical_thickness(strength, bed, drop, distance, p);
    if (!(h > critical)) return {};
    const R resistance = gives ? own.resistance : other.resistance;
    const R temperature = gives ? own.lava.temperature : other.lava.temperature;
    const R q = flux_above(critical, h, strength, resistance, distance);
    const Inflow<R> taken{q, q * temperature};
    return gives ? taken.reversed() : taken;
}

// Incoming rows of a column, each loaded while the previous one is processed.
template <class Rule>
class ComingLava {
    using R = typename FluxTraits<Rule>::Real;

  public:
    CAMBER_DEVICE ComingLava(const Views<Rule>& views, int row, int column)
        : views_(views), row_(row), column_(column) {
        load_next();
    }
    CAMBER_DEVICE Lava<R> lava() const {
        return {altitude_ + solidified_, thickness_, temperature_};
    }

    // Beyond the halo, its last row is loaded again.
    CAMBER_DEVICE void load_next(Site site = Site::current()) {
        const CallPath path(site);
        altitude_ = views_.input(Altitude<R, 1>{})(row_, column_);
        solidified_ = views_.input(Solidified<R, 1>{})(row_, column_);
        thickness_ = views_.input(Thickness<R, 1>{})(row_, column_);
        temperature_ = views_.input(Temperature<R, 1>{})(row_, column_);
        if (row_ < views_.rows) ++row_;
    }

  private:
    const Views<Rule>& views_;
    int row_, column_;
    R altitude_, solidified_, thickness_, temperature_;
};

inline constexpr Region flux_slide_block{32, 4};
inline constexpr int flux_slide_lanes = 30;  // that store

// The board's rows are divided evenly among the warps of a strip.
template <class Rule>
__global__ void __launch_bounds__(flux_slide_block.columns* flux_slide_block.rows,
                                  sizeof(typename FluxTraits<Rule>::Real) == 4 ? 7 : 4)
    flux_slide_kernel(const Views<Rule> views,
                      const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    using R = typename FluxTraits<Rule>::Real;
    constexpr unsigned all = 0xffffffffu;
    const FlowParameters<R>& p = views.parameters;
    const int warps = gridDim.y * blockDim.y;
    const int share = (views.rows + warps - 1) / warps;
    const int first_row = (blockIdx.y * blockDim.y + threadIdx.y) * share;
    const int end_row = smaller(first_row + share, views.rows);
    const int lane = threadIdx.x;
    const int column = static_cast<int>(blockIdx.x) * flux_slide_lanes + lane - 1;
    const bool stores = lane > 0 && lane <= flux_slide_lanes && column < views.columns;
    Word<R> least = word_of(p.longest_step);

    if (first_row < end_row) {
        // Lanes beyond the halo load its last column again; their results are unused.
        ComingLava<Rule> coming(views, first_row - 1, smaller(column, views.columns));
        SlidingCell<R> upper{}, upper_right{};
        bool upper_wet = false;
        Inflow<R> west, east, north_west, north, north_east;  // of `upper`
#pragma unroll 1
        for (int row = first_row - 1; row <= end_row; ++row) {
            SlidingCell<R> lower{coming.lava()};
            if (row < end_row) coming.load_next();
            const bool wet = __any_sync(all, lower.lava.thickness > 0);
            if (wet) lower.find_rheology(p);
            const SlidingCell<R> lower_right = lower.of_next_lane();
            Inflow<R> south, south_east, south_west, rising, right, left, down;
            if (wet || upper_wet) {
                south = inflow(upper, lower, p.distance[0], p);
                south_east = inflow(upper, lower_right, p.distance[1], p);
                rising = inflow(lower, upper_right, p.distance[1], p);
                south_west = rising.reversed().of_lane_before();
                down = south_east.reversed().of_lane_before();
            }
            if (wet) {
                right = inflow(lower, lower_right, p.distance[0], p);
                left = right.reversed().of_lane_before();
            }
            if (row > first_row && stores) {
                const auto own = [&]<class Tag>(Tag tag, int, int, Site site) {
                    return views.input(tag)(row - 1, column, site);
                };
                CellFlux<R, FluxTraits<Rule>::compensated> sum(
                    Rule::emission(Neighbourhood<Rule, decltype(own)>(own)), p);
                west.add_to(sum);
                east.add_to(sum);
                south_west.add_to(sum);
                north_east.add_to(sum);
                south.add_to(sum);
                north.add_to(sum);
                south_east.add_to(sum);
                north_west.add_to(sum);
                const R limit = step_limit(upper.lava.thickness, sum.outflow, p);
                least = smaller(least, word_of(limit));
                store(views, row - 1, column,
                      Values<R, R, R>{sum.volume.value, {sum.heat.value, {limit, {}}}});
            }
            upper = lower;
            upper_right = lower_right;
            upper_wet = wet;
            west = left;
            east = right;
            north = south.reversed();
            north_east = rising;
            north_west = down;
        }
    }
    lower_to_least(least, dt, word_of(p.longest_step));
}

// Rows per warp. 0: as many as make all blocks resident at the same time, so that all warps end
// together; at least four.
template <class Rule, int Rows>
LaunchShape flux_slide_shape(const StageContext& context) {
    constexpr int rows = Rows == 0 ? 4 : Rows;
    LaunchShape shape = covering(context.problem.size, flux_slide_block,
                                 {flux_slide_lanes, flux_slide_block.rows * rows});
    if (Rows > 0) return shape;
    const auto resident =
        static_cast<unsigned>(resident_blocks(context.queue, flux_slide_kernel<Rule>, shape));
    shape.grid.y = std::clamp(resident / shape.grid.x, 1u, shape.grid.y);
    return shape;
}

struct FluxSlide {
    static constexpr TechniqueInfo info{
        "flux_slide", "rows pass through a warp's registers, each pair and viscosity computed once",
        "camber's, after Bilotta et al. 2011, section 6.5, and Rawat et al. 2016",
        Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        add_rows<Rule, 0>(catalogue);
        add_rows<Rule, 8>(catalogue);
        add_rows<Rule, 16>(catalogue);
    }

  private:
    template <class Rule, int Rows>
    static void add_rows(Catalogue<Rule>& catalogue) {
        constexpr int usual = Rows == 0 ? 32 : Rows;
        StepPlan plan = Catalogue<Rule>::plan_of(
            info,
            {.block = flux_slide_block,
             .region = {flux_slide_lanes, flux_slide_block.rows * usual},
             .halo = 1,
             .alignment = 128,
             .elements_per_thread = usual,
             .path = flux_slide_block.name() + (Rows == 0 ? "" : "/r" + std::to_string(Rows))});
        plan.stand_in = {"halo", "64x4", 128};
        const auto make = [](const StageContext& context) {
            return std::make_unique<FluxStage<Rule>>(context, flux_slide_kernel<Rule>,
                                                     flux_slide_shape<Rule, Rows>(context));
        };
        plan.make = StageMaker(make, 1);
        catalogue.add(std::move(plan));
    }
};

CAMBER_TARGET_END
