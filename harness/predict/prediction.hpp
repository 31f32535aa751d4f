// Memory traffic of a variant's first launch, predicted without a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/distinct_sectors.hpp"
#include "analysis/memory/extrapolation.hpp"
#include "analysis/memory/launch_model.hpp"
#include "analysis/time/kernel_time.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Method that produced the counts. `extrapolated` and `simulated` are exact for the accesses in the
// source.
enum class Method {
    extrapolated,  // addresses do not depend on data: extrapolated from small boards
    simulated,     // every block of the board, with its data
    sampled,       // some blocks of the board, with its data: an estimate with an interval
};

std::string_view name(Method method);

// Source location of a memory access; SiteCounts::site is its index in Prediction::sites.
struct CallSite {
    std::string place;  // "rule.hpp:31"
    std::string path;   // "rule.hpp:31 < halo.hpp:16", innermost first
    std::string key;    // the path with columns: identifies the site in every run
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct KernelPrediction {
    std::string kernel;
    simt::Extent3 grid;
    simt::Extent3 block;
    LaunchModel model;
    // For a sampled launch: number of sampled blocks, and the bounds of each count's 95 % interval.
    std::int64_t sampled_blocks = 0;
    std::optional<LaunchModel> low;
    std::optional<LaunchModel> high;
    // Library calls before the next kernel; available if the target board itself was traced.
    std::vector<simt::LibraryCall> after;
    LoadSpread spread;      // available under the same condition
    simt::Extent3 cluster;  // blocks
    Locality locality;      // of an extrapolated launch: locality on the largest small board
};

struct Prediction {
    const Variant* variant = nullptr;
    Problem problem;
    Architecture architecture;
    Method method = Method::simulated;
    // True if other data changed the counts on a small board. Absent if the board was small enough
    // to be simulated completely, so that the test was unnecessary.
    std::optional<bool> data_dependent;
    // Smallest of the boards that were extrapolated; its block shape and address alignment match
    // the target's.
    std::optional<Size> small_board;
    // All kernels of generations_per_launch generations, in launch order.
    std::vector<KernelPrediction> kernels;
    std::vector<CallSite> sites;

    // Sum over the kernels, comparable with hardware counters around the launch.
    AccessCounts counts() const;
    // Bounds of counts() if the method is `sampled`. They sum the kernels' own bounds and are wider
    // than an interval of the sum has to be.
    AccessCounts low() const;
    AccessCounts high() const;
};

// Initial data of a variant.
struct InitialData {
    const Workload* workload = nullptr;
    InitialConditions conditions;
    const State* state = nullptr;  // state that `conditions` produces, if the caller already has it
};

struct PredictionLimits {
    std::int64_t simulated_cells = 4
                                   << 20;  // a larger board with data-dependent accesses is sampled
    std::int64_t sampled_blocks = 1024;
    // A launch of a kernel from a file, whose grid does not follow from the board, is sampled if it
    // has more warp instructions with accesses.
    std::int64_t recorded_instructions = 1 << 19;
    std::uint64_t sampling_seed = 1;
    // False: simulates or samples instead, to verify the extrapolation.
    bool may_extrapolate = true;
};

// Reason why `variant` cannot be modeled on `problem`; nullopt if it can.
std::optional<std::string> reason_not_to_model(const Variant& variant, const Problem& problem);

// Predicts the first launch of `variant`: generations_per_launch generations from the initial
// state, with all their kernels.
//
// The independence of accesses from data is tested, not assumed: a small board is traced with a
// random state, a larger one with an empty state, and without some interior blocks the larger one
// must have the counts of the small one. Then these two traces have the counts of four boards, from
// which those of larger boards are extrapolated (plan_boards()). Otherwise the small board is
// traced with an empty state, too, and if its counts still agree, all four boards are. A kernel
// whose blocks tile the board is extrapolated by its region. Other kernels of the launch process
// lines of cells, such as the halo refresh of a torus, and are extrapolated from boards whose sides
// grow by whole blocks of threads.
//
// Throws Error(usage) if the variant cannot run the problem, Error(unavailable) if memory is
// insufficient, Stopped if the process is to end, and every error of the executor.
Prediction predict(const Variant& variant, const Problem& problem, const InitialData& initial,
                   const Architecture& architecture, const PredictionLimits& limits = {});

}  // namespace camber
