// Traces of a variant's first launches on the executor: accesses grouped into the memory
// instructions of warps, and a LaunchModel of every kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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

// Groups the executor's records into the memory instructions of warps, the input of the transaction
// rules in analysis/memory.
//
// The record reflects the source: accesses of Grid, Window, Tile and Texture. Local memory (spilled
// registers, arrays indexed at run time) is decided by the compiler and does not appear in the
// source; the kernel's static facts (KernelFacts::local) report its size. Loads that the compiler
// merges or removes are in the record, but not in the machine code.

// Recorder that makes one WarpRequest from the accesses of a warp's lanes that agree in site,
// operation, occurrence, size and space. Lanes without such an access are inactive. Addresses are
// host addresses. The host's allocations are aligned like the device's (256 bytes), so addresses
// modulo 128, and address differences, equal those on the device.
class WarpRequests final : public simt::Recorder {
  public:
    // `site`: index in the executor's SiteTable.
    using Consumer = std::function<void(simt::SiteId site, const WarpRequest& request,
                                        const simt::Index3& block)>;

    // After each block, `consumer` receives its requests, warp by warp, in the order in which the
    // executor first reached them. The order is the same in every run.
    explicit WarpRequests(Consumer consumer) : consumer_(std::move(consumer)) {}

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) override;
    void record(const simt::Access& access) override {
        Warp& warp = warps_[first_warp(access.block) + access.thread / warp_lanes];
        WarpRequest& request = request_of(warp, access);
        const std::uint32_t lane = access.thread % warp_lanes;
        request.active |= std::uint32_t{1} << lane;
        // The barriers of a cluster of one block count as the block's own.
        if (is_clustered_)
            request.cluster_barriers = std::max(request.cluster_barriers, access.cluster_barrier);
        if (access.rounds > 0) request.rounds = std::max(request.rounds, access.rounds);
        request.address[lane] =
            static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(access.address));
    }
    void end_block(const simt::Index3& block) override;

    // During a call of the consumer: index within the block of the warp that issued the request.
    int warp() const { return warp_; }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Properties that a request's accesses share, as numbers that are quick to compare.
    struct Key {
        std::uint64_t visit;  // site, occurrence
        std::uint64_t kind;   // size, operation, space
        bool operator==(const Key&) const = default;
    };
    static Key key_of(const simt::Access& access) {
        return {std::uint64_t{access.site} << 32 | access.occurrence,
                std::uint64_t{access.size} << 16 |
                    static_cast<std::uint64_t>(access.operation) << 8 |
                    static_cast<std::uint64_t>(access.space)};
    }
    // Requests of one warp in the order of first touch, with an index of the first ones.
    struct Warp {
        std::vector<Key> keys;  // of the requests, apart from them because most accesses read two
        std::vector<WarpRequest> requests;
        std::vector<std::uint32_t> others;  // request that differs only in size or space, or `none`
        std::vector<std::vector<std::uint32_t>> by_occurrence;  // by 3 * site + operation
        std::vector<std::size_t> touched;  // indices of nonempty entries of by_occurrence
        std::size_t last = 0;              // request of the last access
        std::uint32_t creator = none;      // lane that made all requests first; else `none`
    };

    std::size_t first_warp(const simt::Index3& block) const {
        return is_clustered_ ? block_warps_ * simt::rank_in_cluster(block, cluster_) : 0;
    }
    static WarpRequest& request_of(Warp& warp, const simt::Access& access) {
        // Lanes mostly make the same accesses in the same order, each alone or all in step.
        const Key key = key_of(access);
        const std::size_t next = warp.last + 1 < warp.keys.size() ? warp.last + 1 : 0;
        if (next < warp.keys.size() && warp.keys[next] == key)
            return warp.requests[warp.last = next];
        if (warp.last < warp.keys.size() && warp.keys[warp.last] == key)
            return warp.requests[warp.last];
        return find_request(warp, access, key);
    }
    static WarpRequest& find_request(Warp& warp, const simt::Access& access, const Key& key);
    // Entry of the index, the beginning of a list.
    static std::uint32_t& indexed(Warp& warp, const Key& key);
    static void clear(Warp& warp);

    Consumer consumer_;
    // Warps of all blocks of the current cluster, by block rank, because these blocks take turns.
    std::vector<Warp> warps_;
    std::size_t block_warps_ = 0;
    simt::Extent3 cluster_;
    bool is_clustered_ = false;
    int warp_ = 0;
};

// Records the memory instructions of a variant's first launch.

// Columns and rows of blocks, from the first to one past the last, without which the grid is that
// of a smaller board.
struct InsertedBlocks {
    std::array<unsigned, 2> columns{};
    std::array<unsigned, 2> rows{};

    // Part of the grid, see DistinctSectors, that contains a block.
    int part_of(const simt::Index3& block) const {
        return (columns[0] <= block.x && block.x < columns[1]) +
               2 * (rows[0] <= block.y && block.y < rows[1]);
    }
};

// Blocks of a launch to run and record: all, none, or those of an ascending list. The blocks of a
// cooperative launch wait for each other, so they run either all or not at all.
struct BlockChoice {
    enum class Kind { all, none, some } kind = Kind::all;
    std::vector<std::int64_t> blocks;  // for `some`: linear indices, x fastest
    // True if the other blocks run too, unrecorded, because later launches may read their output.
    bool others_run = false;
    std::optional<InsertedBlocks> inserted{};  // then TracedLaunch::smaller is filled
};

std::int64_t linear_index(const simt::Extent3& grid, const simt::Index3& block);

// Acts as the recorder of the queue's executor during its lifetime. Throws Stopped between blocks
// if the process is to end.
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
    // Called before each launch.
    virtual BlockChoice choose(const simt::Launch& launch) = 0;
    // Receives the requests of each completed block; `warp` is the index within the block.
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

// Runs the first launch of `variant` (generations_per_launch generations with all their kernels) on
// `initial`, and returns the result of a recorder R(queue, arguments...). Throws every error of the
// executor.
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

// Part of a trace that belongs to a board without some inserted blocks.
struct SmallerBoard {
    LaunchModel model;
    Locality locality;
};

// Trace of one launch in a call of Execution::advance(), as a LaunchModel.
struct TracedLaunch {
    std::string kernel;
    simt::Extent3 grid;
    simt::Extent3 block;
    simt::Extent3 cluster;
    bool cooperative = false;  // blocks wait for each other, so they run either all or not at all
    LaunchModel model;
    std::vector<simt::LibraryCall> after;  // library calls before the next launch
    LoadSpread spread;
    Locality locality;
    // One model per block if only some blocks were traced. `model` is then empty.
    std::vector<LaunchModel> sampled_blocks;
    // Greatest common divisor of the row pitches in bytes of all fields that it accesses in device
    // memory; 0 if there are none.
    std::int64_t row_bytes = 0;
    // If only some blocks were traced: rows from the first to the last that the first one accesses
    // in a field, the maximum over all fields.
    std::int64_t row_span = 0;
    // If BlockChoice::inserted is set: boards 0 to 2, see DistinctSectors.
    std::vector<SmallerBoard> smaller;
};

// Chooses blocks from the launch's index, which starts at 0, and its shape.
using ChooseBlocks = std::function<BlockChoice(std::size_t number, const simt::Launch& launch)>;

// Runs the first launch of `variant` (generations_per_launch generations with all their kernels) on
// `initial`, and models each kernel by `rules`. The queue's executor numbers the call sites, so
// several boards traced on one queue have consistent numbers. Throws every error of the executor.
std::vector<TracedLaunch> trace_launches(simt::HostQueue& queue, const Variant& variant,
                                         const Problem& problem, const State& initial,
                                         RuleSet rules, const ChooseBlocks& choose = {});

// Kernel name without the queue's label, which surrounds it in the launch's name.
std::string kernel_name(const simt::Launch& launch, const std::string& label);

// Names of call sites that are the same in every run and every executor.

// Key of a call site: "rule.hpp:31:40 < halo.hpp:16:5", the location and the calls that lead to it,
// innermost first.
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
