// Campaign parts that time or count the variants of a workload, and parts with lava flows on Etna.
#pragma once

#include "harness/cli/campaign/part_list.hpp"

// Campaign parts that time or count all or many variants of a workload.

// clang-format off

#define STRATEGIES_OF_SCIARA_FV3                                                    \
    " --variant global/*/16x16 --variant global/*/32x8 --variant global/*/8x8"      \
    " --variant halo/*/16x16/align128 --variant shared_tile/*/16x16/align128"       \
    " --variant read_only/*/16x16* --variant l1_preferred/*"                        \
    " --variant shared_preferred/* --variant if_free/16x16"                         \
    " --variant fused_minimum/16x16 --variant fused_minimum/32x8"                   \
    " --variant cell_major/16x16 --variant substate_major/16x16"                    \
    " --variant warp_tiled/16x16 --variant *hand_over/16x16"                        \
    " --variant atomics*/16x16 --variant atomics_bounding_box/device/64x4*"         \
    " --variant atomics_active_list/128x1*"                                         \
    " --variant atomics_sorted_list/256x1/m16* --variant active_list/128x1*"        \
    " --variant sorted_list/* --variant bounding_box/*64x4/* --variant boxes/*"

namespace camber {

constexpr ListedPart workload_time_parts[] = {
    {"ceilings", "The device's limits: bandwidths, arithmetic, launches.",
     "ceilings"},
    {"life", "Which way of touching memory is the fastest, on a board larger than all caches.",
     "run --size 16384x16384"},
    {"life-counters", "Why: hardware counters of the Game of Life, and what the model predicts.",
     "run --size 2048x2048 --generations 4 --counters all"},

    {"blur", "Times of a 3x3 blur.",
     "run --workload blur --size 16384x16384"},
    {"surface_water", "Times of surface water.",
     "run --workload surface_water --size 4096x4096 --generations 8 --quick"},
    {"water_flow", "Times of water flow.",
     "run --workload water_flow --size 4096x4096 --generations 8 --quick"},
    {"extrema", "Times of extrema among 26 neighbours.",
     "run --workload extrema --size 4096x4096 --generations 8"},
    {"dog", "Times of a difference of Gaussians.",
     "run --workload dog --size 4096x4096 --generations 8"},

    {"magflow", "The strategies of MAGFLOW, on its synthetic volcano.",
     "run --workload magflow --cell float32 --param pulse=30 --density 0 --generations 2000 "
     "--from-start --quick"},
    {"sciara_fv2", "The strategies of SCIARA-fv2, on its synthetic volcano.",
     "run --workload sciara_fv2 --density 0 --generations 1000 --from-start --rounds 1"},
    {"sciara_fv3-float64", "The strategies of SCIARA-fv3, on its synthetic volcano.",
     "run --workload sciara_fv3 --cell float64 --density 0 --generations 500 --from-start "
     "--rounds 1"},
    {"sciara_fv3-float32", "The same in single precision.",
     "run --workload sciara_fv3 --cell float32 --density 0 --generations 500 --from-start "
     "--rounds 1" STRATEGIES_OF_SCIARA_FV3},

    {"transfer_overlap", "How much of its transfers a pass over an array hides under its kernels.",
     "run --workload transfer_overlap --generations 2 --quick"},
};

constexpr ListedPart workload_counter_parts[] = {
    {"blur-counters", "Why: hardware counters of the blur, and what the model predicts.",
     "run --workload blur --size 2048x2048 --generations 4 --quick --counters all"},
    {"surface_water-counters", "Why: hardware counters of surface water.",
     "run --workload surface_water --size 2048x2048 --generations 4 --quick --counters all"},
    {"water_flow-counters", "Why: hardware counters of water flow.",
     "run --workload water_flow --size 2048x2048 --generations 4 --quick --counters all"},
    {"extrema-counters", "Why: hardware counters of the extrema.",
     "run --workload extrema --size 2048x2048 --generations 4 --quick --counters all"},
    {"extrema_stack-counters", "Why: hardware counters of the extrema in a stack of layers.",
     "run --workload extrema_stack --size 2048x2048 --generations 4 --quick --counters all"},
    {"dog-counters", "Why: hardware counters of the difference of Gaussians.",
     "run --workload dog --size 2048x2048 --generations 4 --quick --counters all"},
    {"magflow-counters", "Why: hardware counters of MAGFLOW, with lava on every twentieth cell.",
     "run --workload magflow --cell float32 --density 0.05 --generations 4 --rounds 1 "
     "--counters all --variant halo/*/64x4/align128 --variant fused_minimum/*/64x4* "
     "--variant half_stencil/three*/64x4* --variant vector_packed/*/64x4* "
     "--variant texture_2d/*/64x4* --variant library_minimum/four_kernels/64x3/* "
     "--variant halo/*/8x8/align128 --variant halo/*/64x1/align128 "
     "--variant halo/*/64x2/align128 --variant halo/*/64x3/align128 "
     "--variant halo/*/1x64/align128 --variant halo/*/128x1/align128 "
     "--variant halo/*/192x1/align128 --variant l1_preferred/*/halo/* "
     "--variant shared_preferred/*/halo/* --variant vector_packed/*/64x1* "
     "--variant array_of_structures/*/64x1* --variant register_cap/*/64x1* "
     "--variant half_stencil/four*/8x8* --variant half_stencil/four*/64x4* "
     "--variant kahan_update/*/64x4* --variant bounding_box/host/64x4/tight/* "
     "--variant active_list/256x1* --variant vent_gpu/*/64x4* --variant vent_cpu/*/64x4*"},
    {"sciara_fv2-counters", "Why: hardware counters of SCIARA-fv2.",
     "run --workload sciara_fv2 --density 0.05 --generations 4 --rounds 1 --counters all "
     "--variant halo/*/64x4/align128 --variant cfame/*/32x8 --variant atomics*/*/16x16 "
     "--variant one_kernel/short/16x12/n2 --variant one_kernel/rounded/16x12/n2 "
     "--variant active_list/128x1* "
     "--variant global/*/8x8 --variant global/*/16x16 --variant global/*/32x32 "
     "--variant ringless_tile/*/8x8/* --variant ringless_tile/*/16x16/* "
     "--variant ringless_tile/*/32x32/* --variant side_buffer/*/8x8 "
     "--variant side_buffer/*/16x16 --variant side_buffer/*/32x32 "
     "--variant shared_tile/*/16x16/align128"},
    {"sciara_fv3-counters", "Why: hardware counters of SCIARA-fv3.",
     "run --workload sciara_fv3 --density 0.05 --generations 4 --rounds 1 --counters all "
     "--variant halo/*/16x16/align128 --variant atomics/16x16 "
     "--variant shared_tile/*/16x16/align128 --variant active_list/128x1* "
     "--variant global/*/16x16 --variant global/*/64x4 --variant if_free/16x16 "
     "--variant bounding_box/host/64x4/tight/* --variant atomics_active_list/128x1* "
     "--variant atomics_tile/16x16* --variant atomics_bounding_box/device/64x4/from32/*"},
};

constexpr ListedPart further_time_parts[] = {
    {"dog_image", "Times of a difference of Gaussians from the source image.",
     "run --workload dog_image --size 4096x4096 --generations 8 --quick"},
    {"extrema_stack", "Times of extrema in a stack of six layers.",
     "run --workload extrema_stack --size 4096x4096 --generations 8 --quick"},
    {"magflow-dense", "MAGFLOW with lava on half of the cells, soon on all.",
     "run --workload magflow --cell float32 --param pulse=30 --generations 2000 --from-start "
     "--quick --variant halo/*/64x1/align128 --variant halo/*/64x4/align128 "
     "--variant l1_preferred/*/halo/* --variant shared_preferred/*/halo/* "
     "--variant fused_minimum/*/64x4* --variant half_stencil/three*/64x4* "
     "--variant texture_2d/*/64x4* --variant active_list/128* "
     "--variant bounding_box/host/64x4/from32/k32* --variant persistent/64x4*"},
};

}  // namespace camber

// clang-format on

// Campaign parts with lava flows on Etna.

// clang-format off

// Metrics for memory, and for the pipelines of transcendental functions and doubles.
#define COUNTERS_OF_LAVA                                                            \
    " --counters all,sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"  \
    ",sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"                   \
    ",sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"                  \
    ",sm__issue_active.avg.pct_of_peak_sustained_elapsed"

#define STRATEGIES_ON_ETNA                                                          \
    " --variant global/*/16x16 --variant halo/*/16x16/align128"                     \
    " --variant shared_tile/*/16x16/align128 --variant if_free/16x16"               \
    " --variant fused_minimum/16x16 --variant warp_tiled/16x16"                     \
    " --variant atomics/16x16 --variant atomics_active_list/128x1*"                 \
    " --variant active_list/128x1* --variant sorted_list/256x1/m16*"                \
    " --variant bounding_box/device/64x4/from32/align*"

namespace camber {

constexpr const char* etna2001 = "--etna2001";
constexpr const char* etna2006 = "--etna2006";

constexpr ListedPart terrain_parts[] = {
    {"sciara_fv2-etna2006", "The flow of 2006 by SCIARA-fv2: all 16 000 steps.",
     "run --workload sciara_fv2 --generations 16000 --from-start --rounds 1 "
     "--variant global/*/8x8 --variant global/*/16x16 --variant ringless_tile/*/16x16* "
     "--variant shared_tile/*/16x16/align128 --variant side_buffer/*/16x16 "
     "--variant cfame/*/32x8 --variant cfamo/*/16x16 --variant atomics/*/16x16 "
     "--variant bounding_box/device/64x4/from32/align* "
     "--variant bounding_box/host/64x4/from32/align* --variant active_list/128x1* "
     "--variant sorted_list/256x1/m16* --variant one_kernel/short/16x12/n2 "
     "--variant one_kernel/rounded/16x12/n2 --variant persistent/short/8x8",
     etna2006},
    {"sciara_fv2-etna2006-graph", "The same, launches replayed as graphs.",
     "run --workload sciara_fv2 --generations 16000 --from-start --graph --quick "
     "--variant one_kernel/short/16x12/n2 --variant one_kernel/rounded/16x12/n2 "
     "--variant persistent/short/8x8 "
     "--variant sorted_list/256x1/m16/* --variant global/*/16x16 "
     "--variant bounding_box/device/64x4/from32/align*",
     etna2006},
    {"magflow-etna2001", "4000 steps of MAGFLOW on the ground of 2001.",
     "run --workload magflow --cell float32 --param pulse=30 --generations 4000 --from-start "
     "--rounds 1 --variant published/* --variant halo/*/64x1/align128 "
     "--variant halo/*/64x4/align128 --variant fused_minimum/*/64x4* "
     "--variant half_stencil/three*/64x4* --variant library_minimum/*/64x3* "
     "--variant read_back/*/64x3* --variant vent_gpu/*/64x4* --variant vector_packed/*/64x4* "
     "--variant texture_2d/*/64x4* --variant bounding_box/device/64x4/from32/align* "
     "--variant bounding_box/host/64x4/tight/* --variant active_list/128* "
     "--variant sorted_list/256x1/m128* --variant boxes/2/* --variant persistent/64x4*",
     etna2001},
    {"magflow-etna2001-graph", "The same, launches replayed as graphs.",
     "run --workload magflow --cell float32 --param pulse=30 --generations 4000 --from-start "
     "--graph --quick --variant persistent/64x4* --variant fused_minimum/*/64x4* "
     "--variant halo/*/64x4/align128 --variant active_list/128* "
     "--variant bounding_box/device/64x4/from32/align* --variant read_back/*/64x4*",
     etna2001},
    {"magflow-etna2001-5m", "The published program on the ground of 2001, in cells of 5 m.",
     "run --workload magflow --cell float32 --param pulse=30 --refine 2 --generations 500 "
     "--from-start --rounds 1 --variant published/*",
     etna2001},
    {"magflow-etna2001-5m-cpu", "The same by the plain reference, on one core and on all cores.",
     "run --workload magflow --backend cpu --cell float32 --param pulse=30 --refine 2 "
     "--generations 500 --from-start --quick",
     etna2001},
    {"sciara_fv3-etna2006-float64", "The first 4000 steps of the flow of 2006 by SCIARA-fv3.",
     "run --workload sciara_fv3 --cell float64 --generations 4000 --from-start --rounds 1"
     STRATEGIES_ON_ETNA,
     etna2006},
    {"sciara_fv3-etna2006-float32", "The same in single precision.",
     "run --workload sciara_fv3 --cell float32 --generations 4000 --from-start --rounds 1"
     STRATEGIES_ON_ETNA,
     etna2006},
    {"sciara_fv3-etna2006-graph", "The same, launches replayed as graphs.",
     "run --workload sciara_fv3 --cell float32 --generations 4000 --from-start --graph --quick "
     "--variant global/*/16x16 --variant halo/*/16x16/align128 "
     "--variant atomics_active_list/128x1* --variant active_list/128*",
     etna2006},
    {"magflow-etna2001-float64", "MAGFLOW on the ground of 2001 in double precision.",
     "run --workload magflow --cell float64 --param pulse=30 --generations 500 --quick "
     "--variant global/* --variant fused_minimum/* --variant half_stencil/*",
     etna2001},
    {"sciara_fv2-tiled", "A map in many tiles, larger than all caches, lava on a third of it.",
     "run --workload sciara_fv2 --tile 4x6 --density 0.3 --generations 4 --rounds 1"
     COUNTERS_OF_LAVA " --variant global/*/64x4 --variant halo/*/64x4/align128 "
     "--variant cfame/*/32x8 --variant read_only/*/64x4*",
     etna2006},
    {"sciara_fv3-tiled", "The same by SCIARA-fv3.",
     "run --workload sciara_fv3 --cell float64 --tile 4x6 --density 0.3 --generations 4 "
     "--rounds 1" COUNTERS_OF_LAVA " --variant halo/*/64x4/align128 "
     "--variant fused_minimum/32x8 --variant atomics/16x16 --variant read_only/*/64x4*",
     etna2006},
    {"magflow-tiled", "The same by MAGFLOW.",
     "run --workload magflow --cell float32 --tile 5x3 --density 0.3 --generations 4 --rounds 1"
     COUNTERS_OF_LAVA " --variant halo/*/64x4/align128 --variant fused_minimum/*/64x4* "
     "--variant half_stencil/three*/64x4* --variant read_only/*/64x4*",
     etna2001},
};

}  // namespace camber

// clang-format on
