#include "harness/cli/campaign/part_list.hpp"

namespace camber {

namespace {

// clang-format off

#define SCALED_VARIANTS                                                             \
    " --variant global/16x16 --variant halo/64x4/align128"                          \
    " --variant shared_tile/16x16/align128"                                         \
    " --variant two_element_two_generation_linear_load/64x4/align128"

// Beside what explains memory, the pipes that functions and doubles take.
#define COUNTERS_OF_LAVA                                                            \
    " --counters all,sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"  \
    ",sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"                   \
    ",sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"                  \
    ",sm__issue_active.avg.pct_of_peak_sustained_elapsed"

// Whole squares take long at large radii.
#define TECHNIQUES_OF_SQUARES                                                       \
    " --variant global/64x4 --variant halo/64x4/align128 --variant read_only/64x4*" \
    " --variant texture_2d/64x4* --variant box_tile/* --variant separable_tile/*"   \
    " --variant column_sums/* --variant tensor_cores/*"
#define OVER_RADIUS " --generations 4 --quick" TECHNIQUES_OF_SQUARES
#define COUNTERS_OF_SQUARES " --generations 4 --quick --counters all" TECHNIQUES_OF_SQUARES

#define BITS_OVER_RADIUS                                                            \
    " --generations 4 --quick --variant global/64x4 --variant halo/64x4/align128"   \
    " --variant read_only/64x4* --variant bit_columns/*"

#define TECHNIQUES_OF_GAUSSIAN                                                      \
    " --variant global/64x4 --variant halo/64x4/align128 --variant read_only/64x4*"  \
    " --variant texture_2d/64x4* --variant box_tile/* --variant wide_rows/*"         \
    " --variant separable_passes/*/64x4/align128 --variant separable_wide/*"         \
    " --variant separable_stage/* --variant weighted_stream/*"
#define GAUSSIAN_OVER_RADIUS " --generations 4 --quick" TECHNIQUES_OF_GAUSSIAN
#define COUNTERS_OF_GAUSSIAN " --generations 4 --quick --counters all" TECHNIQUES_OF_GAUSSIAN

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

#define STRATEGIES_ON_ETNA                                                          \
    " --variant global/*/16x16 --variant halo/*/16x16/align128"                     \
    " --variant shared_tile/*/16x16/align128 --variant if_free/16x16"               \
    " --variant fused_minimum/16x16 --variant warp_tiled/16x16"                     \
    " --variant atomics/16x16 --variant atomics_active_list/128x1*"                 \
    " --variant active_list/128x1* --variant sorted_list/256x1/m16*"                \
    " --variant bounding_box/device/64x4/from32/align*"

// In the order of the cells, in that of their numbers, and with lists by particle.
#define VARIANTS_OF_LISTS                                                           \
    " --variant neighbour_list/float4/plain/b128"                                   \
    " --variant neighbour_list/float4/read_only/b128"                               \
    " --variant neighbour_list_unsorted/* --variant neighbour_list_shuffled/*"      \
    " --variant neighbour_list_rows/float4/plain/b128"

#define OF_LISTS " --generations 20 --from-start --quick" VARIANTS_OF_LISTS

// The water moves in a sample: a million particles as in two thousand iterations. Rounds tell how
// far off a time is. Two GPUs have half of the time, so that a sample has about as many iterations.
#define LISTS_IN_VECTORS                                                            \
    " --variant neighbour_list/float4/plain/b128"                                   \
    " --variant neighbour_list/float4/read_only/b128"
#define OF_WATER_THAT_MOVES                                                         \
    " --sample-seconds 2 --rounds 3 --quick" LISTS_IN_VECTORS                       \
    " --variant neighbour_list_half_positions/float4/read_only/b128"
#define ON_TWO_GPUS                                                                 \
    " --gpus 2 --sample-seconds 1 --rounds 3 --quick" LISTS_IN_VECTORS

// Fewer are verified where there are more particles: the reference on a CPU of sixteen cores takes a
// third of a second for an iteration of a million.
#define OF_DAM_1M "run --workload sph --param dp=0.005 --generations 20"
#define OF_DAM_1_6M "run --workload sph --param dp=0.00425 --generations 20"
#define OF_DAM_10M "run --workload sph --param dp=0.00225 --generations 11"
#define OF_DAM_50M "run --workload sph --param dp=0.0013 --generations 4"
#define OF_BORE_1_6M "run --workload sph --param scene=2 --param dp=0.00425 --generations 20"
#define OF_BORE_10M "run --workload sph --param scene=2 --param dp=0.00225 --generations 11"
#define OF_BORE_50M "run --workload sph --param scene=2 --param dp=0.0013 --generations 4"

constexpr const char* etna2001 = "--etna2001";
constexpr const char* etna2006 = "--etna2006";

// Boards for times are larger than every cache; those of workloads with many variants are smaller,
// and their samples fewer. Counters are read on boards whose launches fill the device. No part is to
// take much more than a minute on a large card.
constexpr ListedPart list[] = {
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

    {"sph", "Water as a million particles: what lists, layouts and loads cost.",
     "run --workload sph --param dp=0.005 --generations 20 --from-start --quick"},
    {"sph-counters", "Why: hardware counters of 23 thousand particles.",
     "run --workload sph --param dp=0.02 --generations 10 --quick --counters all"},

    {"sph-rebuild1", "Particles with a list in every iteration, in place of every tenth.",
     "run --workload sph --param dp=0.005 --param rebuild=1" OF_LISTS},
    {"sph-rebuild5", "The same with a list in every fifth.",
     "run --workload sph --param dp=0.005 --param rebuild=5" OF_LISTS},
    {"sph-rebuild20", "The same with a list in every twentieth.",
     "run --workload sph --param dp=0.005 --param rebuild=20" OF_LISTS},
    {"sph-skin", "The same with one in every tenth that misses no pair.",
     "run --workload sph --param dp=0.005 --param skin=1" OF_LISTS},
    {"sph-dam-1m", "A million particles as they move: the published tables' first column.",
     OF_DAM_1M OF_WATER_THAT_MOVES},
    {"sph-dam-1m-2gpus", "The same on 2 GPUs: the published tables' other columns.",
     OF_DAM_1M ON_TWO_GPUS},
    {"sph-dam-1m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_DAM_1M ON_TWO_GPUS " --balance published"},
    {"sph-dam-1.6m", "1.6 million particles as they move.",
     OF_DAM_1_6M OF_WATER_THAT_MOVES},
    {"sph-dam-1.6m-2gpus", "The same on 2 GPUs.",
     OF_DAM_1_6M ON_TWO_GPUS},
    {"sph-dam-1.6m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_DAM_1_6M ON_TWO_GPUS " --balance published"},
    {"sph-bore-1.6m", "The same behind the wall with the corridor.",
     OF_BORE_1_6M OF_WATER_THAT_MOVES},
    {"sph-bore-1.6m-2gpus", "The same on 2 GPUs.",
     OF_BORE_1_6M ON_TWO_GPUS},
    {"sph-bore-1.6m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_BORE_1_6M ON_TWO_GPUS " --balance published"},
    {"sph-dam-10m", "Ten million particles as they move, which fill today's cards.",
     OF_DAM_10M OF_WATER_THAT_MOVES},
    {"sph-dam-10m-2gpus", "The same on 2 GPUs.",
     OF_DAM_10M ON_TWO_GPUS},
    {"sph-dam-10m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_DAM_10M ON_TWO_GPUS " --balance published"},
    {"sph-bore-10m", "The same behind the wall with the corridor.",
     OF_BORE_10M OF_WATER_THAT_MOVES},
    {"sph-bore-10m-2gpus", "The same on 2 GPUs.",
     OF_BORE_10M ON_TWO_GPUS},
    {"sph-bore-10m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_BORE_10M ON_TWO_GPUS " --balance published"},
    {"sph-kernels", "Times of the kernels of a million particles.",
     "run --workload sph --param dp=0.005 --generations 10 --quick" VARIANTS_OF_LISTS},
    {"sph-float64", "Water as a million particles in double precision.",
     "run --workload sph --cell float64 --param dp=0.005 --generations 20 --from-start --quick"},

    {"blur-counters", "Why: hardware counters of the blur, and what the model predicts.",
     "run --workload blur --size 2048x2048 --generations 4 --quick --counters all"},
    {"surface_water-counters", "Why: hardware counters of surface water.",
     "run --workload surface_water --size 2048x2048 --generations 4 --quick --counters all"},
    {"water_flow-counters", "Why: hardware counters of water flow.",
     "run --workload water_flow --size 2048x2048 --generations 4 --quick --counters all"},
    {"extrema-counters", "Why: hardware counters of the extrema.",
     "run --workload extrema --size 2048x2048 --generations 4 --quick --counters all"},
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
     "--variant one_kernel/short/16x12/n2 --variant active_list/128x1* "
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

    {"life-256-graph", "A board so small that launches count, replayed as CUDA graphs.",
     "run --size 256x256 --generations 8 --graph"},
    {"life-uint8", "The Game of Life in cells of one byte.",
     "run --size 16384x16384 --cell uint8"},
    {"life-bits", "The same in cells of one bit, a generation per launch.",
     "run --cell bits --size 65536x65536 --boundary torus --generations 2 --quick "
     "--variant row_stream/* --variant packed/64x4/* --variant halo/64x4/align128"},
    {"life-bits-many", "The same in eight generations per launch.",
     "run --cell bits --size 65536x65536 --boundary torus --generations 8 --quick "
     "--variant bit_stream/* --variant bit_pair/*"},
    {"life-bits-counters", "Why: hardware counters of cells of one bit, and what the model predicts.",
     "run --cell bits --size 16384x8192 --boundary torus --generations 8 --quick --counters all "
     "--variant bit_stream/*/n8/r64/* --variant bit_pair/*/r128/* "
     "--variant row_stream/64x4/v4/r2/* --variant packed/64x4/v4/r4/*"},
    {"life-uint8-32k", "Cells of one byte on a board of a billion.",
     "run --cell uint8 --size 32768x32768 --quick --variant byte_sums/*"},
    {"blur-many", "The blur in several generations per launch: registers, rings, tiles of clusters.",
     "run --workload blur --size 16384x16384 --generations 16 --quick "
     "--variant register_stream/* --variant bulk_copy/* --variant shared_ring/* "
     "--variant cluster_tile/* --variant row_stream/64x4/v4/r*"},
    {"blur-many-counters", "Why: their hardware counters.",
     "run --workload blur --size 4096x4096 --generations 8 --quick --counters all "
     "--variant register_stream/* --variant bulk_copy/* --variant shared_ring/* "
     "--variant cluster_tile/*"},
    {"life-many", "The Game of Life, four bytes a cell, in several generations per launch.",
     "run --size 16384x16384 --generations 16 --quick --variant register_stream/* "
     "--variant bulk_copy/* --variant row_stream/64x4/v4/r2*"},
    {"life-torus", "The Game of Life on a torus, whose halo is filled after every launch.",
     "run --size 16384x16384 --boundary torus"},
    {"scaling-sms", "Speedup over the multiprocessors, on one board.",
     "scale --over sms --size 16384x16384" SCALED_VARIANTS},
    {"scaling-sms-weak", "The same on a board that grows with them.",
     "scale --over sms --mode weak --size 4096x4096" SCALED_VARIANTS},
    {"scaling-threads", "Speedup of the plain reference over the CPU's cores.",
     "scale --over threads --size 8192x8192"},
    {"life-sizes", "Times over the size of the board, and where the card saturates.",
     "run --size 64x64..16384x16384 --generations 8 --quick --variant global/16x16 "
     "--variant halo/64x4/align128 --variant shared_tile/64x4/align128 "
     "--variant two_element/64x4/align128 --variant row_stream/64x4/v4/r2/align128"},
    {"blur-sizes", "The same of the blur.",
     "run --workload blur --size 64x64..8192x8192 --generations 8 --quick "
     "--variant global/16x16 --variant halo/64x4/align128 --variant shared_tile/64x4/align128 "
     "--variant two_element/64x4/align128"},
    {"surface_water-sizes", "The same of surface water.",
     "run --workload surface_water --size 64x64..4096x4096 --generations 8 --quick "
     "--variant global/three_kernels/16x16 --variant shared_loss/three_kernels/64x4/align128 "
     "--variant packed/four_kernels/64x4/v4/r4/align128"},
    {"water_flow-sizes", "The same of water flow: shared against global memory.",
     "run --workload water_flow --size 64x64..4096x4096 --generations 8 --quick "
     "--variant halo/two_kernels/16x16/align128 "
     "--variant first_rows/two_kernels/16x16/w19/align128 "
     "--variant first_rows/two_kernels/16x16/w18/align128"},
    {"life-2048-cold", "What an empty L2 costs a launch.",
     "run --size 2048x2048 --cache both --counters memory --variant halo/64x4/* "
     "--variant shared_tile/64x4/* --variant *two_element/64x4*"},
    {"life-1000x777", "Predicted and counted, on a board that no block divides.",
     "run --size 1000x777 --generations 4 --quick --counters memory,shared"},
    {"life-1000x777-torus-uint8", "Predicted and counted, in bytes on a torus.",
     "run --cell uint8 --size 1000x777 --boundary torus --generations 4 --quick "
     "--counters memory,shared"},

    {"sciara_fv2-etna2006", "The flow of 2006 by SCIARA-fv2: all 16 000 steps.",
     "run --workload sciara_fv2 --generations 16000 --from-start --rounds 1 "
     "--variant global/*/8x8 --variant global/*/16x16 --variant ringless_tile/*/16x16* "
     "--variant shared_tile/*/16x16/align128 --variant side_buffer/*/16x16 "
     "--variant cfame/*/32x8 --variant cfamo/*/16x16 --variant atomics/*/16x16 "
     "--variant bounding_box/device/64x4/from32/align* "
     "--variant bounding_box/host/64x4/from32/align* --variant active_list/128x1* "
     "--variant sorted_list/256x1/m16* --variant one_kernel/short/16x12/n2 "
     "--variant persistent/short/8x8",
     etna2006},
    {"sciara_fv2-etna2006-graph", "The same, launches replayed as graphs.",
     "run --workload sciara_fv2 --generations 16000 --from-start --graph --quick "
     "--variant one_kernel/short/16x12/n2 --variant persistent/short/8x8 "
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

    {"larger_than_life", "Times of Larger than Life by Bosco's rule, in all its variants.",
     "run --workload larger_than_life --size 8192x8192 --generations 4 --quick"},
    {"larger_than_life-r1", "Times of Larger than Life over the radius: the rule of Life.",
     "run --workload larger_than_life --rule R1,B3..3,S2..3 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r2", "The same at radius 2.",
     "run --workload larger_than_life --rule R2,B7..9,S6..11 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r3", "The same at radius 3.",
     "run --workload larger_than_life --rule R3,B14..18,S13..22 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r5", "Bosco's rule, radius 5.",
     "run --workload larger_than_life --rule R5,B34..45,S33..57 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r7", "The same at radius 7.",
     "run --workload larger_than_life --rule R7,B63..84,S62..107 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r10", "The same at radius 10.",
     "run --workload larger_than_life --rule R10,B124..164,S123..210 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-r15", "The same at radius 15.",
     "run --workload larger_than_life --rule R15,B270..357,S269..460 --size 16384x16384" OVER_RADIUS},
    {"larger_than_life-bits", "Times of Bosco's rule on cells of one bit.",
     "run --workload larger_than_life --cell bits --size 32768x32768 --generations 4 --quick"},
    {"larger_than_life-bits-r1", "Times on cells of one bit over the radius: the rule of Life.",
     "run --workload larger_than_life --cell bits --rule R1,B3..3,S2..3 --size 32768x32768"
     BITS_OVER_RADIUS},
    {"larger_than_life-bits-r5", "Bosco's rule on cells of one bit, radius 5.",
     "run --workload larger_than_life --cell bits --rule R5,B34..45,S33..57 --size 32768x32768"
     BITS_OVER_RADIUS},
    {"larger_than_life-bits-r15", "The same at radius 15.",
     "run --workload larger_than_life --cell bits --rule R15,B270..357,S269..460 --size 32768x32768"
     BITS_OVER_RADIUS},
    {"larger_than_life-bits-counters", "Why: hardware counters of it on cells of one bit.",
     "run --workload larger_than_life --cell bits --size 8192x8192 --generations 4 --quick "
     "--counters all"},
    {"larger_than_life-counters", "Why: hardware counters of Larger than Life.",
     "run --workload larger_than_life --size 2048x2048 --generations 4 --quick --counters all"},
    {"larger_than_life-counters-r1", "The same at radius 1.",
     "run --workload larger_than_life --rule R1,B3..3,S2..3 --size 2048x2048" COUNTERS_OF_SQUARES},
    {"larger_than_life-counters-r15", "The same at radius 15.",
     "run --workload larger_than_life --rule R15,B270..357,S269..460 --size 2048x2048"
     COUNTERS_OF_SQUARES},
    {"gaussian", "Times of a Gaussian blur of radius 5, in all its variants.",
     "run --workload gaussian --size 8192x8192 --generations 4 --quick"},
    {"gaussian-r1", "Times of a Gaussian blur over the radius.",
     "run --workload gaussian --param radius=1 --param sigma=0.33 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r2", "The same at radius 2.",
     "run --workload gaussian --param radius=2 --param sigma=0.67 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r3", "The same at radius 3.",
     "run --workload gaussian --param radius=3 --param sigma=1 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r5", "The same at radius 5.",
     "run --workload gaussian --param radius=5 --param sigma=1.5 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r7", "The same at radius 7.",
     "run --workload gaussian --param radius=7 --param sigma=2.3 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r10", "The same at radius 10.",
     "run --workload gaussian --param radius=10 --param sigma=3.3 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-r15", "The same at radius 15.",
     "run --workload gaussian --param radius=15 --param sigma=5 --size 16384x16384"
     GAUSSIAN_OVER_RADIUS},
    {"gaussian-counters", "Why: hardware counters of a Gaussian blur.",
     "run --workload gaussian --size 2048x2048 --generations 4 --quick --counters all"},
    {"gaussian-counters-r1", "The same at radius 1.",
     "run --workload gaussian --param radius=1 --param sigma=0.33 --size 2048x2048" COUNTERS_OF_GAUSSIAN},
    {"gaussian-counters-r15", "The same at radius 15.",
     "run --workload gaussian --param radius=15 --param sigma=5 --size 2048x2048" COUNTERS_OF_GAUSSIAN},
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
    {"sph-dam-50m", "Fifty million particles as they move.",
     OF_DAM_50M OF_WATER_THAT_MOVES},
    {"sph-dam-50m-2gpus", "The same on 2 GPUs.",
     OF_DAM_50M ON_TWO_GPUS},
    {"sph-dam-50m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_DAM_50M ON_TWO_GPUS " --balance published"},
    {"sph-bore-50m", "The same behind the wall with the corridor.",
     OF_BORE_50M OF_WATER_THAT_MOVES},
    {"sph-bore-50m-2gpus", "The same on 2 GPUs.",
     OF_BORE_50M ON_TWO_GPUS},
    {"sph-bore-50m-2gpus-balanced", "The same on 2 GPUs that balance their shares.",
     OF_BORE_50M ON_TWO_GPUS " --balance published"},
    {"life-8192", "How far times can be trusted: every case is visited twice.",
     "run --size 8192x8192 --rounds 2"},
    {"life-2048", "The same on a board that fits into L2.",
     "run --size 2048x2048 --rounds 2"},
};

// clang-format on

}  // namespace

std::span<const ListedPart> listed_parts() {
    return list;
}

}  // namespace camber
