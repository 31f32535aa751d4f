// Last accesses to each byte of memory, bulk copies included, as far as needed to detect the next
// race.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/simt/recorder.hpp"

namespace camber {

// Words for accesses, as findings have them.
inline std::uintptr_t number(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
}

inline const char* noun(Operation operation) {
    switch (operation) {
        case Operation::load:
            return "load";
        case Operation::store:
            return "store";
        case Operation::atomic:
            return "atomic";
    }
    return "";
}

// Who touched each byte of memory, as far as it takes to find the next race.

// One access, as later ones are compared with it.
struct Mark {
    // Running number over all launches, from 1 on; 0: nobody. Of the cluster, where blocks are in
    // clusters: in plain launches each is one of its own.
    std::uint32_t block = 0;
    std::uint32_t cluster_barrier = 0;
    std::uint32_t barrier = 0;
    std::uint32_t warp_sync = 0;
    simt::SiteId site = simt::no_site;
    std::uint16_t thread = 0;  // of the cluster: each of its blocks has `threads_of_block` numbers
    Operation operation = Operation::load;

    static constexpr unsigned threads_of_block = 1024;

    // Whether nothing orders two accesses of one launch: not a barrier of their cluster or of their
    // block, nor a __syncwarp() of their warp; and nothing at all between clusters. Among one
    // block's accesses, those before a barrier are ordered before all others' after it; so are
    // those of a cluster.
    bool unordered(const Mark& other) const {
        if (block != other.block) return true;
        if (cluster_barrier != other.cluster_barrier) return false;
        if (!same_block(other)) return true;
        if (thread == other.thread || barrier != other.barrier) return false;
        return !same_warp(other) || warp_sync == other.warp_sync;
    }
    // Of two blocks of a cluster.
    bool same_block(const Mark& other) const {
        return thread / threads_of_block == other.thread / threads_of_block;
    }
    bool same_warp(const Mark& other) const { return thread / 32 == other.thread / 32; }
};

// Up to two accesses that stand for all of their kind: whoever comes later is unordered with one of
// these if with any. (Blocks are recorded one after another, and so are clusters, and in each what
// is before a cluster barrier. So of several clusters an earlier one suffices, and of a cluster's
// blocks, between two of its barriers; else two warps do, and within one warp its latest lanes.)
// Marks of blocks before `first_block` belong to another launch and count no more.
class MarkPair {
  public:
    void add(const Mark& mark, std::uint32_t first_block);
    const Mark* unordered_with(const Mark& mark, std::uint32_t first_block) const {
        for (const Mark& other : marks_)
            if (other.block >= first_block && other.unordered(mark)) return &other;
        return nullptr;
    }

  private:
    Mark marks_[2];  // the latest, and another
};

// The accesses to one granule. `first_block`: the first of this launch, or the block itself where
// memory is a block's own.
class ShadowCell {
  public:
    // Notes the access and returns an earlier one that it races with.
    std::optional<Mark> touch(const Mark& mark, std::uint32_t first_block);

  private:
    Mark writer_;  // the latest: an earlier one that it is unordered with has been reported
    MarkPair readers_;
    MarkPair atomics_;
};

// Shadow of 4 KiB. Cells stand for 4 bytes each until an access is smaller; each
// takes 120 bytes, from the page's first access on.
class ShadowPage {
  public:
    static constexpr std::size_t bytes = 4096;

    explicit ShadowPage(std::uint32_t written) : written_(bytes, written) {}

    // As ShadowCell::touch, for `size` bytes from `offset` on.
    std::optional<Mark> touch(std::size_t offset, std::size_t size, const Mark& mark,
                              std::uint32_t first_block);

    // The same for the bytes of a bulk copy, which begins there: what touched them before is
    // ordered by the copy from then on.
    std::optional<Mark> hand_over(std::size_t offset, std::size_t size, const Mark& mark,
                                  std::uint32_t first_block);

    void set_written(std::size_t offset, std::size_t size, std::uint32_t value) {
        for (std::size_t i = offset; i < offset + size; ++i) written_[i] = value;
    }
    bool all_written(std::size_t offset, std::size_t size, std::uint32_t value) const {
        for (std::size_t i = offset; i < offset + size; ++i)
            if (written_[i] != value) return false;
        return true;
    }
    std::uint32_t written(std::size_t offset) const { return written_[offset]; }

  private:
    void refine();

    unsigned shift_ = 2;  // log2 of a cell's bytes
    std::vector<ShadowCell> cells_;
    std::vector<std::uint32_t> written_;  // per byte
};

// Pages by address.
class ShadowMemory {
  public:
    // `written`: the state of bytes that nobody has said anything about.
    explicit ShadowMemory(std::uint32_t written) : written_(written) {}

    ShadowPage& page_of(std::uintptr_t address);
    // Calls f(page, offset, size) for the parts of a range, page by page.
    template <class F>
    void each_part(std::uintptr_t address, std::size_t size, const F& f) {
        while (size > 0) {
            const std::size_t offset = address % ShadowPage::bytes;
            const std::size_t part = std::min(size, ShadowPage::bytes - offset);
            f(page_of(address), offset, part);
            address += part;
            size -= part;
        }
    }

  private:
    struct Recent {
        std::uintptr_t number = ~std::uintptr_t{0};
        ShadowPage* page = nullptr;
    };

    std::uint32_t written_;
    std::unordered_map<std::uintptr_t, std::unique_ptr<ShadowPage>> pages_;
    Recent recent_[64];
};

// Who may touch what bulk copies write into a block's shared memory.
//
// A copy's bytes are there for a thread that has waited for the phase of the barrier that counts
// it, and for those that a barrier of the block, or a __syncwarp() of the whole warp, orders after
// such a thread. Other blocks of a cluster are not told apart from those that may not.
class CopyChecker {
  public:
    void begin_launch() { blocks_.clear(); }
    void end_block(std::uint32_t block) { blocks_.erase(block); }

    // `block`: any number of its own. `mark`: the event's thread.
    // The copy's bytes belong to it from here on.
    void begin(std::uint32_t block, const simt::CopyEvent& event, const Mark& mark);
    void awaited(std::uint32_t block, const simt::CopyEvent& event);
    // Who wrote the bytes, by a copy that is not there yet for the thread of `mark`.
    std::optional<Mark> hidden(std::uint32_t block, std::uint32_t offset, std::uint32_t size,
                               const Mark& mark) const;

  private:
    static constexpr std::uint32_t never = ~std::uint32_t{0};

    struct Copy {
        std::uint32_t copy_barrier;
        std::uint64_t phase;
        std::uint32_t begin;  // of its bytes
        std::uint32_t end;
        Mark writer;
        std::vector<std::uint32_t> threads;  // that have waited
        std::uint32_t barrier = never;       // the least that one of them had passed
        std::array<std::uint32_t, 32> warp_sync{};

        bool is_there_for(const Mark& mark) const;
    };

    std::map<std::uint32_t, std::vector<Copy>> blocks_;
};

}  // namespace camber
