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

// Words and numbers that findings use for accesses.
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

// Last accesses to each byte of memory, as far as the detection of the next race needs them.

// Data of one access that later accesses are compared with.
struct Mark {
    // Running number over all launches, starting at 1; 0 means no access. Numbers the cluster; in
    // plain launches, each block is a cluster of its own.
    std::uint32_t block = 0;
    std::uint32_t cluster_barrier = 0;
    std::uint32_t barrier = 0;
    std::uint32_t warp_sync = 0;
    simt::SiteId site = simt::no_site;
    std::uint16_t thread = 0;  // within the cluster; each block has `threads_of_block` numbers
    Operation operation = Operation::load;

    static constexpr unsigned threads_of_block = 1024;

    // True if nothing orders two accesses of one launch. A barrier of the cluster or of the block,
    // or a __syncwarp() of the warp, orders accesses; nothing orders accesses of different
    // clusters. Accesses of a block before a barrier are ordered before all accesses after it, and
    // a cluster barrier does the same for the cluster.
    bool unordered(const Mark& other) const {
        if (block != other.block) return true;
        if (cluster_barrier != other.cluster_barrier) return false;
        if (!same_block(other)) return true;
        if (thread == other.thread || barrier != other.barrier) return false;
        return !same_warp(other) || warp_sync == other.warp_sync;
    }
    // False if two accesses of one cluster are in different blocks.
    bool same_block(const Mark& other) const {
        return thread / threads_of_block == other.thread / threads_of_block;
    }
    bool same_warp(const Mark& other) const { return thread / 32 == other.thread / 32; }
};

// Up to two accesses that represent all accesses of one kind: if a later access is unordered with
// any of them, it is unordered with one of the two. This holds because blocks, clusters, and the
// phases between cluster barriers are recorded one after another. So one earlier access suffices if
// there are several clusters, or several blocks between two cluster barriers. Otherwise, accesses
// of two warps suffice, and within one warp those of its latest lanes. Marks of blocks before
// `first_block` belong to an earlier launch and are ignored.
class MarkPair {
  public:
    void add(const Mark& mark, std::uint32_t first_block);
    const Mark* unordered_with(const Mark& mark, std::uint32_t first_block) const {
        for (const Mark& other : marks_)
            if (other.block >= first_block && other.unordered(mark)) return &other;
        return nullptr;
    }

  private:
    Mark marks_[2];  // the latest access, and one other
};

// Accesses to one granule. `first_block`: first block of this launch, or the block itself if the
// memory belongs to one block.
class ShadowCell {
  public:
    // Records the access and returns an earlier one that it races with.
    std::optional<Mark> touch(const Mark& mark, std::uint32_t first_block);

  private:
    Mark writer_;  // latest write; earlier unordered writes have been reported
    MarkPair readers_;
    MarkPair atomics_;
};

// Shadow of 4 KiB. A cell represents 4 bytes until an access is smaller. Each cell takes 120 bytes,
// which are allocated at the page's first access.
class ShadowPage {
  public:
    static constexpr std::size_t bytes = 4096;

    explicit ShadowPage(std::uint32_t written) : written_(bytes, written) {}

    // Applies ShadowCell::touch to `size` bytes starting at `offset`.
    std::optional<Mark> touch(std::size_t offset, std::size_t size, const Mark& mark,
                              std::uint32_t first_block);

    // Records the start of a bulk copy into these bytes. The copy orders all earlier accesses to
    // them.
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

// Shadow pages by address.
class ShadowMemory {
  public:
    // `written`: initial state of every byte.
    explicit ShadowMemory(std::uint32_t written) : written_(written) {}

    ShadowPage& page_of(std::uintptr_t address);
    // Calls f(page, offset, size) for each page of a range.
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

// Access rules for shared memory that bulk copies write.
//
// A copy is complete for a thread that has waited for the phase of the barrier that counts it, and
// for threads that a barrier of the block, or a __syncwarp() of the whole warp, orders after such a
// thread. Other blocks of a cluster are treated as blocks for which the copy is incomplete.
class CopyChecker {
  public:
    void begin_launch() { blocks_.clear(); }
    void end_block(std::uint32_t block) { blocks_.erase(block); }

    // Starts a copy, which owns its bytes from here on. `block`: any unique number. `mark`: the
    // thread that issued the copy.
    void begin(std::uint32_t block, const simt::CopyEvent& event, const Mark& mark);
    void awaited(std::uint32_t block, const simt::CopyEvent& event);
    // Writer of the bytes, if a copy of them is not complete for the thread of `mark`.
    std::optional<Mark> hidden(std::uint32_t block, std::uint32_t offset, std::uint32_t size,
                               const Mark& mark) const;

  private:
    static constexpr std::uint32_t never = ~std::uint32_t{0};

    struct Copy {
        std::uint32_t copy_barrier;
        std::uint64_t phase;
        std::uint32_t begin;  // first byte
        std::uint32_t end;
        Mark writer;
        std::vector<std::uint32_t> threads;  // threads that have waited for the copy
        std::uint32_t barrier = never;       // minimum barrier count among these threads
        std::array<std::uint32_t, 32> warp_sync{};

        bool is_there_for(const Mark& mark) const;
    };

    std::map<std::uint32_t, std::vector<Copy>> blocks_;
};

}  // namespace camber
