// Traces of a variant's first launches on the executor: accesses grouped into the memory
// instructions of warps, and a LaunchModel of every kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/distinct_sectors.hpp"
#include "analysis/memory/launch_model.hpp"
#include "analysis/time/kernel_time.hpp"
#include "harness/base/kernel_launch.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/machine/simt/recorder.hpp"
#include "harness/machine/simt/site_table.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// The executor's record grouped into the memory instructions of warps: what the transaction rules
// of analysis/memory take.
//
// Seen here is what the source says: the accesses of Grid, Window, Tile and Texture. Local memory
// (spilled registers, arrays indexed at run time) is the compiler's decision and is in no source;
// the kernel's static facts (KernelFacts::local) give its size. Loads that the compiler merges or
// leaves out are in the record, but not in the machine code.

// A recorder that makes one WarpRequest of the accesses of a warp's lanes that agree in site,
// operation and occurrence, and in size and space. Lanes that did not come there are inactive.
// Addresses are the host's; its allocations are aligned as the device's are (256 bytes), so what
// they are modulo 128, and their differences, are the device's.
class WarpRequests final : public simt::Recorder {
  public:
    // `site`: a number of the executor's SiteTable.
    using Consumer = std::function<void(simt::SiteId site, const WarpRequest& request,
                                        const simt::Index3& block)>;

    // After each block `consumer` receives its requests, warp by warp, in the order in which the
    // executor came to them first; the same in every run.
    explicit WarpRequests(Consumer consumer) : consumer_(std::move(consumer)) {}

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) override;
    void record(const simt::Access& access) override;
    void end_block(const simt::Index3& block) override;

    // During a call of the consumer: the warp in its block whose request it has.
    int warp() const { return warp_; }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Group {
        WarpRequest request;
        simt::SiteId site;
        std::uint32_t other;  // a group that differs in size or space only, or `none`
    };
    // The groups of one warp in order of first touch, and where to find them.
    struct Warp {
        std::vector<Group> groups;
        std::vector<std::vector<std::uint32_t>> by_occurrence;  // of 3 * site + operation
        std::vector<std::size_t> touched;                       // which of these are not empty
    };

    std::size_t first_warp(const simt::Index3& block) const {
        return block_warps_ * simt::rank_in_cluster(block, cluster_);
    }
    static Group& group_of(Warp& warp, const simt::Access& access);
    static void clear(Warp& warp);

    Consumer consumer_;
    // Of the blocks of a cluster, which take turns, by rank.
    std::vector<Warp> warps_;
    std::size_t block_warps_ = 0;
    simt::Extent3 cluster_;
    int warp_ = 0;
};

// Records the memory instructions of what a variant launches first.

// Which blocks of a launch to run and record: all, none, or those of an ascending list. A
// cooperative launch, whose blocks wait for each other, runs whole or not at all.
struct BlockChoice {
    enum class Kind { all, none, some } kind = Kind::all;
    std::vector<std::int64_t> blocks;  // of `some`: linear indices, x fastest
    // Whether the others run too, unrecorded: later launches may read what they write.
    bool others_run = false;
};

std::int64_t linear_index(const simt::Extent3& grid, const simt::Index3& block);

// The recorder of the queue's executor for as long as it lives. Throws Stopped between blocks where
// work is to end.
class LaunchRecorder : public simt::Recorder {
  public:
    explicit LaunchRecorder(simt::HostQueue& queue);
    ~LaunchRecorder() override;
    LaunchRecorder(const LaunchRecorder&) = delete;
    LaunchRecorder& operator=(const LaunchRecorder&) = delete;

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) final;
    void record(const simt::Access& access) override { requests_.record(access); }
    void end_block(const simt::Index3& block) override {
        check_stop();
        requests_.end_block(block);
    }

  protected:
    // Asked before each launch.
    virtual BlockChoice choose(const simt::Launch& launch) = 0;
    // Given the requests of each block that has ended; `warp` counts in the block.
    virtual void add(simt::SiteId site, const WarpRequest& request, const simt::Index3& block,
                     int warp) = 0;

    simt::HostQueue& queue() const { return queue_; }
    const BlockChoice& choice() const { return choice_; }

  private:
    simt::HostQueue& queue_;
    BlockChoice choice_;
    WarpRequests requests_{
        [this](simt::SiteId site, const WarpRequest& request, const simt::Index3& block) {
            add(site, request, block, requests_.warp());
        }};
};

// Runs the first launch of `variant`, that is generations_per_launch generations with all their
// kernels, on `initial`, and returns what a recorder R(queue, arguments...) has of it. Throws what
// the executor throws.
template <class R, class... Arguments>
auto record_first_launch(simt::HostQueue& queue, const Variant& variant, const Problem& problem,
                         const State& initial, Arguments&&... arguments) {
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    R recorder(queue, std::forward<Arguments>(arguments)...);
    execution->advance(variant.info.shape.generations);
    queue.synchronize();
    return recorder.take();
}

// Traces what one call of Execution::advance() launches, as a LaunchModel of every kernel.
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

// A name for a call site that is the same in every run and every executor.

// "rule.hpp:31:40 < halo.hpp:16:5": the place and the calls that led to it, innermost first.
inline std::string site_key(const simt::SiteTable& sites, simt::SiteId site) {
    std::string key;
    for (; site != simt::no_site; site = sites[site].outer) {
        if (!key.empty()) key += " < ";
        key += sites[site].file + ":" + std::to_string(sites[site].line) + ":" +
               std::to_string(sites[site].column);
    }
    return key;
}

}  // namespace camber
