// The memory instructions of one block, one by one: what pictures and explanations are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/predict/prediction.hpp"

namespace camber {

struct CapturedRequest {
    std::string site_key;  // CallSite::key of the access
    int warp = 0;
    // Global memory: addresses count from the start of the field's memory, which lies on a multiple
    // of 256 bytes.
    WarpRequest request;
    std::string field;           // "" in shared memory
    std::int64_t row_bytes = 0;  // from a row of the field to the next; 0 in shared memory
};

struct CapturedBlock {
    simt::Index3 block;
    std::vector<CapturedRequest> requests;  // warp by warp, in the order of first touch
};

// Given a grid, the block of it to capture.
using ChooseBlock = std::function<simt::Index3(const simt::Extent3& grid)>;

// One block of kernel number `kernel` of the variant's first launch. Throws as predict() does.
CapturedBlock capture_block(const Variant& variant, const Problem& problem, const State& initial,
                            std::size_t kernel, const ChooseBlock& choose);

// A request of the site that `key` names, from an interior block if one has it, else from a corner
// or an edge; the one that moves most among them by the rules. Nothing where these blocks have
// none.
std::optional<CapturedRequest> typical_request(const Variant& variant, const Problem& problem,
                                               const State& initial, std::size_t kernel,
                                               const std::string& key, Operation operation,
                                               RuleSet rules);

// Blocks of a grid to look at, the interior one first, then edges and corners.
std::vector<simt::Index3> characteristic_blocks(const simt::Extent3& grid);

}  // namespace camber
