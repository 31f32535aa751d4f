// Traces what one call of Execution::advance() launches, as a LaunchModel of every kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/registry/registry.hpp"
#include "harness/simt/executor.hpp"

namespace camber {

namespace simt {
class HostQueue;
}

struct TracedLaunch {
    std::string kernel;
    simt::Extent3 grid;
    simt::Extent3 block;
    bool cooperative = false;  // its blocks wait for each other: it is run whole or not at all
    LaunchModel model;
    // Where only some blocks were traced: each one's own model. `model` is then empty.
    std::vector<LaunchModel> sampled_blocks;
};

// Which blocks of a launch to run and trace: all, none, or those of an ascending list.
struct BlockChoice {
    enum class Kind { all, none, some } kind = Kind::all;
    std::vector<std::int64_t> blocks;  // of `some`: linear indices, x fastest
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
