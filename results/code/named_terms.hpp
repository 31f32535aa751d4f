// Names of the time model's terms on the page ablation.md, and what the model computes without
// them.
#pragma once

#include <array>
#include <string_view>

#include "analysis/time/terms.hpp"

namespace camber {

struct NamedTerm {
    Term term;
    std::string_view name;
    std::string_view without;  // what the model computes in its place
};

inline constexpr std::array named_terms{
    NamedTerm{Term::descending_rows, "descending rows", "blocks open no further DRAM pages"},
    NamedTerm{Term::reuse_in_l2, "reuse distance in L2", "L2 retains all data of a block"},
    NamedTerm{Term::shared_lines, "shared lines", "adjacent blocks never read a line twice"},
    NamedTerm{Term::shared_rows, "shared rows", "rows that blocks share stay in L2"},
    NamedTerm{Term::steps, "launches of a step", "each launch of a step is alone"},
    NamedTerm{Term::l2_requests, "L2 request rate", "bytes only"},
    NamedTerm{Term::l1_fills, "L1 fills", "data from L2 cost no bank passes"},
    NamedTerm{Term::l1_passes, "further L1 passes", "one pass per request"},
    NamedTerm{Term::store_lines, "passes of stores", "one pass per store"},
    NamedTerm{Term::constant_pipe, "constant loads", "no pipe of their own"},
    NamedTerm{Term::warp_launch, "warp launch rate", "warps start at once"},
    NamedTerm{Term::linear_textures, "linear textures", "rate of pitched textures"},
    NamedTerm{Term::last_answer, "last answer", "all requests have the mean latency"},
    NamedTerm{Term::row_spread, "pieces of a row", "arrive at the same time"},
    NamedTerm{Term::loaded_latency, "loaded latency", "memory answers as if it were idle"},
    NamedTerm{Term::loaded_pieces, "loaded latency by pieces", "the same for any number"},
    NamedTerm{Term::pieces, "pieces of a block", "a block waits for one at a time"},
    NamedTerm{Term::share_of_dram, "answers from other blocks' data", "DRAM as often as L2 misses"},
    NamedTerm{Term::busiest_warp, "busiest warp", "warps that meet wait for an average warp"},
    NamedTerm{Term::brief_waits, "brief stalls", "shared memory answers at once"},
    NamedTerm{Term::cover, "cover of stalls", "nothing is issued meanwhile"},
    NamedTerm{Term::cluster_trips, "cluster barriers", "cost nothing"},
    NamedTerm{Term::edge_blocks, "blocks at the edge", "take no longer than others"},
    NamedTerm{Term::unequal_warps, "unequal warps", "all warps have equal work"},
    NamedTerm{Term::early_waves, "first two waves", "overlap like later ones"},
    NamedTerm{Term::shared_work, "work from a counter", "overlaps like the first waves"},
    NamedTerm{Term::last_wave, "partial last wave", "blocks are a continuous amount"},
    NamedTerm{Term::submission, "host submission", "the host submits in no time"},
    NamedTerm{Term::loops, "loops", "one ratio for all code"},
    NamedTerm{Term::paths, "paths through basic blocks", "loops or one ratio"},
    NamedTerm{Term::skippable, "skippable code", "is executed"},
    NamedTerm{Term::copies, "compiled copies", "all are executed"},
    NamedTerm{Term::counted_rounds, "counted iterations", "loops without accesses run once"},
    NamedTerm{Term::loop_forms, "forms of a loop", "are loops of equal iterations"},
    NamedTerm{Term::boundary_loops, "loops for the edge", "are executed"},
    NamedTerm{Term::nests, "nested loops", "all loops iterate equally often"},
    NamedTerm{Term::widths, "joined accesses", "widths count as compiled"},
    NamedTerm{Term::straight_share, "unexecuted straight code", "is executed"},
    NamedTerm{Term::staging, "staging code", "is straight code like any other"},
};

}  // namespace camber
