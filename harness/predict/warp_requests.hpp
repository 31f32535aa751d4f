// The executor's record grouped into the memory instructions of warps: what the transaction rules
// of analysis/memory take.
//
// Seen here is what the source says: the accesses of Grid, Window, Tile and Texture. Local memory
// (spilled registers, arrays indexed at run time) is the compiler's decision and is in no source;
// the kernel's static facts (KernelFacts::local) give its size. Loads that the compiler merges or
// leaves out are in the record, but not in the machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "harness/base/warp_request.hpp"
#include "harness/machine/simt/recorder.hpp"

namespace camber {

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

}  // namespace camber
