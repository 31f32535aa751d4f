// Terms of the time model, so that the worth of each can be measured: only
// results/code/predicted_times.cpp switches one off. results/code/ablation.md has the figures.
#pragma once

#include <cstdint>

namespace camber {

enum class Term : std::uint8_t {
    descending_rows,
    reuse_in_l1,
    reuse_in_l2,
    shared_lines,
    shared_rows,
    steps,
    l2_requests,
    l2_stores,
    l1_fills,
    l1_passes,
    store_lines,
    fetch,
    fetch_places,
    constant_pipe,
    multiply_pipe,
    warp_launch,
    linear_textures,
    last_answer,
    row_spread,
    loaded_latency,
    loaded_pieces,
    pieces,
    share_of_dram,
    busiest_warp,
    apart,
    brief_waits,
    long_cover,
    cover,
    barriers,
    cluster_trips,
    cluster_slots,
    edge_blocks,
    unequal_warps,
    early_waves,
    shared_work,
    last_wave,
    submission,
    loops,
    paths,
    skippable,
    copies,
    counted_rounds,
    loop_forms,
    boundary_loops,
    nests,
    unrolled_loops,
    widths,
    straight_share,
    staging,
};

// Terms that are switched off, a bit for each; 0 in any program that people use.
inline std::uint64_t terms_off = 0;

// Factor of the estimated instructions and issue cycles; 1 in any program that people use. With
// counted over estimated instructions, it shows what exact counts would be worth.
inline double executed_factor = 1;

inline std::uint64_t bit_of(Term term) {
    return std::uint64_t{1} << static_cast<int>(term);
}
inline bool in_effect(Term term) {
    return (terms_off & bit_of(term)) == 0;
}

}  // namespace camber
