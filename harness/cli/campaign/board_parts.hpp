// Parts of a campaign that ask for cells, boards and machines of other sizes.
#pragma once

#include "harness/cli/campaign/part_list.hpp"

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
