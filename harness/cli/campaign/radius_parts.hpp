// Parts of a campaign that measure rules over their radius.
#pragma once

#include "harness/cli/campaign/part_list.hpp"

// clang-format off

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
