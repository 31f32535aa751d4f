// Parts of a campaign that move particles.
#pragma once

#include "harness/cli/campaign/part_list.hpp"

// clang-format off

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

// So many that a part of them takes long.
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
