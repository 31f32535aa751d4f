// What a variant's first launch asks of the memory system, predicted without a GPU.
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

// How the counts came about. `extrapolated` and `simulated` are exact for the source's accesses.
enum class Method {
    extrapolated,  // addresses do not depend on data: continued from small boards
    simulated,     // every block of the board, on its data
    sampled,       // some blocks of the board, on its data: an estimate with an interval
};

std::string_view name(Method method);

// Where a kernel touches memory, by the number that SiteCounts::site has.
struct CallSite {
    std::string place;  // "rule.hpp:31"
    std::string path;   // "rule.hpp:31 < halo.hpp:16", innermost first
    std::string key;    // the same with columns: names the site in every run
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct KernelPrediction {
    std::string kernel;
    simt::Extent3 grid;
    simt::Extent3 block;
    LaunchModel model;
    // For a sampled launch: how many blocks, and the ends of each count's 95 % interval.
    std::int64_t sampled_blocks = 0;
    std::optional<LaunchModel> low;
    std::optional<LaunchModel> high;
    // What libraries do before the next kernel; known where the board itself was traced.
    std::vector<simt::LibraryCall> after;
    LoadSpread spread;      // the same
    simt::Extent3 cluster;  // blocks
    Locality locality;      // of a continued launch, that of the largest small board
};

struct Prediction {
    const Variant* variant = nullptr;
    Problem problem;
    Architecture architecture;
    Method method = Method::simulated;
    // Whether other data gave other counts on a small board. Absent where nothing hung on it,
    // because the board is small enough to be simulated whole.
    std::optional<bool> data_dependent;
    // The smallest of the boards that were continued; its blocks and addresses are like the
    // target's.
    std::optional<Size> small_board;
    // Every kernel of generations_per_launch generations, in order of launch.
    std::vector<KernelPrediction> kernels;
    std::vector<CallSite> sites;

    // The sum over the kernels: what hardware counters around the launch count.
    AccessCounts counts() const;
    // Its ends where the method is `sampled`: the sums of the kernels' own, which is wider than an
    // interval for the sum would have to be.
    AccessCounts low() const;
    AccessCounts high() const;
};

// The data that a variant starts from.
struct InitialData {
    const Workload* workload = nullptr;
    InitialConditions conditions;
    const State* state = nullptr;  // what `conditions` gives, where the caller has it
};

struct PredictionLimits {
    std::int64_t simulated_cells = 4
                                   << 20;  // a larger board with data-dependent accesses is sampled
    std::int64_t sampled_blocks = 1024;
    std::uint64_t sampling_seed = 1;
    bool may_extrapolate = true;  // false: simulate or sample all the same, to check the other way
};

// Why `variant` cannot be modelled on `problem`; nothing if it can.
std::optional<std::string> reason_not_to_model(const Variant& variant, const Problem& problem);

// Predicts the first launch of `variant` (generations_per_launch generations from the initial
// state, with all their kernels).
//
// That the accesses do not depend on data is established, not assumed: a small board is traced with
// two random states of different density and with an empty one, and all counts must agree. Then
// larger boards follow from small ones (plan_boards()). The kernel whose blocks tile the board is
// continued by its region; other kernels of the launch work along lines of cells, as the refresh of
// a torus' halo does, and are continued from boards whose sides grow by whole blocks of threads.
//
// Throws Error(usage) where the variant cannot run the problem, Error(unavailable) where memory
// does not suffice, Stopped where work is to end, and what the executor throws.
Prediction predict(const Variant& variant, const Problem& problem, const InitialData& initial,
                   const Architecture& architecture, const PredictionLimits& limits = {});

}  // namespace camber
