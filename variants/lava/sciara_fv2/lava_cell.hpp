// Cell of SCIARA-fv2 in a thread that computes the cell's outflows and keeps them in registers.
#pragma once

#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Surroundings of a kernel's rows: the board's edge, for which the kernel tests, or a halo with
// rows of other devices.
enum class Surroundings { edge, halo };

struct LavaCell {
    bool inside;      // on the board, or in the part of its halo whose flows are needed
    bool takes_part;  // and not on the frame
    double h = 0;     // m
    double t = 0;     // K
    double out[sciara_fv2::neighbours] = {};  // towards each neighbor, m

    // `Rule` is Transport; it is a template parameter because nvcc requires that for functions that
    // each_neighbour() calls.
    template <class Rule>
    CAMBER_DEVICE LavaCell(const Views<Rule>& views, int row, int column,
                           Surroundings around = Surroundings::edge) {
        const Grid<const double>& altitude = views.input(Altitude<2>{});
        const Grid<const double>& thickness = views.input(Thickness<2>{});
        inside = around == Surroundings::edge
                     ? views.inside(row, column)
                     : row >= -1 && row <= views.rows && column >= -1 && column <= views.columns;
        takes_part = inside && views.input(Frame<1>{})(row, column) == 0;
        if (inside) {
            h = thickness(row, column);
            t = views.input(Temperature<1>{})(row, column);
        }
        if (!takes_part || !(h > 0)) return;
        double heads[neighbours + 1];
        heads[0] = altitude(row, column);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const int r = row + row_offset(k);
            const int c = column + column_offset(k);
            const double z_k = altitude(r, c);
            const double h_k = thickness(r, c);
            heads[k] = head(k, heads[0], z_k, h_k);
        });
        outflows(heads, h, t, views.parameters, out);
    }

    // Sum of all outflows, m.
    CAMBER_DEVICE double outflow() const {
        double sum = 0;
        for (int k = 1; k <= sciara_fv2::neighbours; ++k) sum += out[k - 1];
        return sum;
    }
};

// Kernel with an edge test and kernel with a halo.
struct TransportKernels {
    Kernel<sciara_fv2::Transport> edge, halo;
};

// Adds a kernel in which every thread of a block has a cell, threads at the rim compute outflows
// only, and shared memory contains `planes` numbers per thread.
inline void add_transport(Catalogue<sciara_fv2::Transport>& catalogue, const TechniqueInfo& info,
                          Region block, int planes, const TransportKernels& kernels) {
    using Rule = sciara_fv2::Transport;
    const int threads = block.columns * block.rows;
    const Region others = threads == 512 ? Region{32, 8} : block;
    const StencilVariant<Rule> variant{.shape = {.block = block,
                                                 .region = {block.columns - 2, block.rows - 2},
                                                 .shared_bytes = sizeof(double) * planes * threads},
                                       .kernel = {kernels.edge},
                                       .stand_in = {"global", others.name()}};
    StepPlan plan = Catalogue<Rule>::plan_of(info, variant.shape);
    plan.stand_in = variant.stand_in;
    plan.unsupported = unsupported_on_torus;
    const auto make = [variant,
                       halo = kernels.halo](const StageContext& context) -> std::unique_ptr<Stage> {
        StencilVariant<Rule> chosen = variant;
        if (context.store.layout(NewThickness::field).halo >= Rule::Inputs::radius)
            chosen.kernel = chosen.torus_kernel = {halo};
        return std::make_unique<StencilStage<Rule>>(context, chosen);
    };
    plan.make = StageMaker(make, Rule::Inputs::radius);
    catalogue.add(std::move(plan));
}

CAMBER_TARGET_END
