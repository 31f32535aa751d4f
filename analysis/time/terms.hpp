// Terms of the time model, so that the worth of each can be measured: only
// results/code/predicted_times.cpp switches one off. results/code/ablation.md has the figures.
#pragma once

#include <cstdint>

namespace camber {

enum class Term : std::uint8_t {
    descending_rows,
    reuse_in_l2,
    shared_lines,
    shared_rows,
    steps,
    l2_requests,
    l1_fills,
    l1_passes,
    store_lines,
    constant_pipe,
    warp_launch,
    linear_textures,
    last_answer,
    row_spread,
    loaded_latency,
    loaded_pieces,
    pieces,
    share_of_dram,
    busiest_warp,
    brief_waits,
    cover,
    cluster_trips,
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
    widths,
    straight_share,
    staging,
};

// Settings of the time model for experiments. Programs that people use leave the defaults.
class ModelSettings {
  public:
    void switch_off(Term term) { off_ |= bit_of(term); }
    bool uses(Term term) const { return (off_ & bit_of(term)) == 0; }

    // Factor of the estimated instructions and issue cycles. With counted over estimated
    // instructions, it shows what exact counts would be worth.
    double executed_factor = 1;

  private:
    static std::uint64_t bit_of(Term term) { return std::uint64_t{1} << static_cast<int>(term); }

    std::uint64_t off_ = 0;  // a bit for each term
};

}  // namespace camber
