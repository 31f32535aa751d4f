// Memory instructions of one block, captured one by one for pictures and explanations.
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
    // Addresses in global memory count from the start of the field's memory, which is aligned to
    // 256 bytes.
    WarpRequest request;
    std::string field;           // "" in shared memory
    std::int64_t row_bytes = 0;  // distance between rows of the field; 0 in shared memory
};

struct CapturedBlock {
    simt::Index3 block;
    std::vector<CapturedRequest> requests;  // warp by warp, in the order of first touch
};

// Chooses the block to capture from a grid.
using ChooseBlock = std::function<simt::Index3(const simt::Extent3& grid)>;

// Captures one block of kernel number `kernel` of the variant's first launch. Throws the same
// errors as predict().
CapturedBlock capture_block(const Variant& variant, const Problem& problem, const State& initial,
                            std::size_t kernel, const ChooseBlock& choose);

// Returns a request of the call site named `key`, from an interior block if possible, otherwise
// from a corner or an edge. Among these requests, the one that moves the most bytes by the
// transaction rules is chosen. nullopt if none of these blocks executes the call site.
std::optional<CapturedRequest> typical_request(const Variant& variant, const Problem& problem,
                                               const State& initial, std::size_t kernel,
                                               const std::string& key, Operation operation,
                                               RuleSet rules);

// Blocks to look at in a grid: first the interior block, then edges and corners.
std::vector<simt::Index3> characteristic_blocks(const simt::Extent3& grid);

}  // namespace camber
