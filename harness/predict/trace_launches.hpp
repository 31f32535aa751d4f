// Traces what one call of Execution::advance() launches, as a LaunchModel of every kernel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/memory/locality.hpp"
#include "analysis/time/kernel_time.hpp"
#include "harness/predict/launch_recorder.hpp"

namespace camber {

struct TracedLaunch {
    std::string kernel;
    simt::Extent3 grid;
    simt::Extent3 block;
    simt::Extent3 cluster;
    bool cooperative = false;  // its blocks wait for each other: it is run whole or not at all
    LaunchModel model;
    std::vector<simt::LibraryCall> after;  // what libraries do before the next launch
    LoadSpread spread;
    Locality locality;
    // Where only some blocks were traced: each one's own model. `model` is then empty.
    std::vector<LaunchModel> sampled_blocks;
};

// Given the launch's number from 0 and its shape.
using ChooseBlocks = std::function<BlockChoice(std::size_t number, const simt::Launch& launch)>;

// Runs the first launch of `variant`, that is generations_per_launch generations with all their
// kernels, on `initial`, and models each kernel under `rules`. Sites are numbered by the queue's
// executor, so that several boards traced on one queue agree on them. Throws what the executor
// throws.
std::vector<TracedLaunch> trace_launches(simt::HostQueue& queue, const Variant& variant,
                                         const Problem& problem, const State& initial,
                                         RuleSet rules, const ChooseBlocks& choose = {});

// The kernel's own name in a launch's, which has the queue's label around it.
std::string kernel_name(const simt::Launch& launch, const std::string& label);

}  // namespace camber
