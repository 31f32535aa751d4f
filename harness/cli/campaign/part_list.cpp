#include "harness/cli/campaign/part_list.hpp"

#include <vector>

#include "harness/cli/campaign/workload_parts.hpp"

// Campaign parts with other cell types, board sizes and numbers of GPUs.

// clang-format off

#define SCALED_VARIANTS                                                             \
    " --variant global/16x16 --variant halo/64x4/align128"                          \
    " --variant shared_tile/16x16/align128"                                         \
    " --variant two_element_two_generation_linear_load/64x4/align128"

namespace camber {

constexpr ListedPart board_parts[] = {
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
     "--variant bulk_copy/* --variant cluster_tile/* --variant row_stream/64x4/v4/r2*"},
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
};

constexpr ListedPart repeated_board_parts[] = {
    {"life-8192", "How far times can be trusted: every case is visited twice.",
     "run --size 8192x8192 --rounds 2"},
    {"life-2048", "The same on a board that fits into L2.",
     "run --size 2048x2048 --rounds 2"},
};

}  // namespace camber

// clang-format on

// Campaign parts for particle workloads.

// clang-format off

// Particles sorted by cell, sorted by number, and with neighbor lists by particle.
#define VARIANTS_OF_LISTS                                                           \
    " --variant neighbour_list/float4/plain/b128"                                   \
    " --variant neighbour_list/float4/read_only/b128"                               \
    " --variant neighbour_list_unsorted/* --variant neighbour_list_shuffled/*"      \
    " --variant neighbour_list_rows/float4/plain/b128"

#define OF_LISTS " --generations 20 --from-start --quick" VARIANTS_OF_LISTS

// The water moves during a sample, as in two thousand iterations of a million particles. Several
// rounds give the uncertainty of the times. With two GPUs, a sample has half the duration and
// therefore about as many iterations.
#define LISTS_IN_VECTORS                                                            \
    " --variant neighbour_list/float4/plain/b128"                                   \
    " --variant neighbour_list/float4/read_only/b128"
#define OF_WATER_THAT_MOVES                                                         \
    " --sample-seconds 2 --rounds 3 --quick" LISTS_IN_VECTORS                       \
    " --variant neighbour_list_half_positions/float4/read_only/b128"
#define ON_TWO_GPUS                                                                 \
    " --gpus 2 --sample-seconds 1 --rounds 3 --quick" LISTS_IN_VECTORS

// Runs with more particles verify fewer iterations, because the reference needs a third of a second
// per iteration and million particles on a CPU with sixteen cores.
#define OF_DAM_1M "run --workload sph --param dp=0.005 --generations 20"
#define OF_DAM_1_6M "run --workload sph --param dp=0.00425 --generations 20"
#define OF_DAM_10M "run --workload sph --param dp=0.00225 --generations 11"
#define OF_DAM_50M "run --workload sph --param dp=0.0013 --generations 4"
#define OF_BORE_1_6M "run --workload sph --param scene=2 --param dp=0.00425 --generations 20"
#define OF_BORE_10M "run --workload sph --param scene=2 --param dp=0.00225 --generations 11"
#define OF_BORE_50M "run --workload sph --param scene=2 --param dp=0.0013 --generations 4"

namespace camber {

constexpr ListedPart particle_parts[] = {
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
};

// With this many particles, even some of the variants take long.
constexpr ListedPart largest_particle_parts[] = {
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
};

}  // namespace camber

// clang-format on

// Campaign parts that measure rules as a function of their radius.

// clang-format off

// Techniques for whole square neighborhoods, which take long at large radii.
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

namespace camber {

constexpr ListedPart radius_parts[] = {
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
};

}  // namespace camber

// clang-format on

namespace camber {

namespace {

// Boards for times are larger than every cache; workloads with many variants use smaller boards and
// fewer samples. Counters are read on boards whose launches fill the device. No part should take
// much more than a minute on a large GPU.
std::vector<ListedPart> all_parts() {
    std::vector<ListedPart> all;
    for (const std::span<const ListedPart> parts :
         {std::span<const ListedPart>(workload_time_parts),
          std::span<const ListedPart>(particle_parts),
          std::span<const ListedPart>(workload_counter_parts),
          std::span<const ListedPart>(board_parts), std::span<const ListedPart>(terrain_parts),
          std::span<const ListedPart>(radius_parts),
          std::span<const ListedPart>(further_time_parts),
          std::span<const ListedPart>(largest_particle_parts),
          std::span<const ListedPart>(repeated_board_parts)})
        all.insert(all.end(), parts.begin(), parts.end());
    return all;
}

}  // namespace

std::span<const ListedPart> listed_parts() {
    static const std::vector<ListedPart> all = all_parts();
    return all;
}

}  // namespace camber
