// Parts of a campaign whose lava flows over Etna.
#pragma once

#include "harness/cli/campaign/part_list.hpp"

// clang-format off

// Beside what explains memory, the pipes that functions and doubles take.
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
