// bulk_copy(): copies a stretch of a row into shared memory while its thread goes on, by the Tensor
// Memory Accelerator's bulk copies, and CopyBarrier, by which threads wait for such copies. PTX ISA
// 8.0, "cp.async.bulk" and "mbarrier": compute capability 9.0 or later.
//
//     __shared__ CopyBarrier arrived;
//     if (thread == 0) arrived.init(1);           // one arrival completes a phase
//     __syncthreads();
//     if (thread == 0) {
//         arrived.expect(bytes);                  // arrives, and the phase takes so many bytes
//         more bulk_copy(tile, 0, grid, row, column, cells, arrived);
//     }
//     arrived.wait(0);                            // parity of the phase: 0, then 1, then 0
//
// Whoever waits sees the bytes, others after a barrier with it. Before a copy goes where threads
// have read, they meet at a barrier. On the executor the bytes are poison until a thread waits;
// who reads them unordered, a copy that nobody waits for, and a barrier that never completes are
// faults.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/grid.hpp"
#include "harness/machine/kernel/tile.hpp"

namespace camber {

inline constexpr int bulk_copy_capability = 90;  // compute capability, 10 * major + minor
inline constexpr int bulk_copy_unit = 16;        // bytes that divide size and both addresses

}  // namespace camber

#if CAMBER_ON_DEVICE

CAMBER_TARGET_BEGIN

// In code for older cards, which no case runs.
CAMBER_DEVICE void no_bulk_copies() {
    __trap();
}

class CopyBarrier {
  public:
    CAMBER_DEVICE void init(unsigned arrivals, Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals)
                     : "memory");
        // Copies see it initialised.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    #else
        no_bulk_copies();
    #endif
    }
    CAMBER_DEVICE void expect(unsigned bytes, Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()),
                     "r"(bytes)
                     : "memory");
    #else
        no_bulk_copies();
    #endif
    }
    CAMBER_DEVICE void wait(unsigned parity, Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
        asm volatile(
            "{\n"
            ".reg .pred complete;\n"
            "again:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
            "@!complete bra again;\n"
            "}" ::"r"(address()),
            "r"(parity)
            : "memory");
    #else
        no_bulk_copies();
    #endif
    }
    CAMBER_DEVICE unsigned address() const {
        return static_cast<unsigned>(__cvta_generic_to_shared(&word_));
    }

  private:
    std::uint64_t word_;
};

// Whether the thread is the one of its warp that was chosen: always the same one. All of the warp
// ask. The compiler knows that one thread goes on, and needs no loop over those that do around a
// copy. PTX ISA, elect.sync.
CAMBER_DEVICE bool is_chosen_lane() {
    unsigned chosen = 0;
    #if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n"
        ".reg .pred chosen;\n"
        "elect.sync _|chosen, 0xffffffff;\n"
        "selp.u32 %0, 1, 0, chosen;\n"
        "}"
        : "=r"(chosen));
    #else
    no_bulk_copies();
    #endif
    return chosen != 0;
}

// Copies `cells` from (row, column) of a grid to the beginning of a tile's row.
template <class T, class Element, int H, int W>
CAMBER_DEVICE void bulk_copy(Tile<Element, H, W>& to, int to_row, const Grid<T>& from, int row,
                             int column, int cells, CopyBarrier& barrier, Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(static_cast<unsigned>(__cvta_generic_to_shared(&to(to_row, 0)))),
        "l"(__cvta_generic_to_global(&from(row, column))),
        "r"(static_cast<unsigned>(cells * sizeof(T))), "r"(barrier.address())
        : "memory");
    #else
    no_bulk_copies();
    #endif
}

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/bulk_copies.hpp"
    #include "harness/machine/simt/thread.hpp"

CAMBER_TARGET_BEGIN

class CopyBarrier {
  public:
    void init(unsigned arrivals, Site site = Site::current()) {
        simt::make_copy_barrier(address(site), arrivals, site);
    }
    void expect(unsigned bytes, Site site = Site::current()) {
        simt::expect_copies(address(site), bytes, site);
    }
    void wait(unsigned parity, Site site = Site::current()) {
        simt::await_copies(address(site), parity, site);
    }
    const void* address(const Site& site) { return storage_.bytes(sizeof(std::uint64_t), site); }

  private:
    simt::SharedStorage storage_;
};

inline bool is_chosen_lane() {
    return simt::lane() == 0;
}

template <class T, class Element, int H, int W>
void bulk_copy(Tile<Element, H, W>& to, int to_row, const Grid<T>& from, int row, int column,
               int cells, CopyBarrier& barrier, Site site = Site::current()) {
    const auto bytes = static_cast<int>(cells * sizeof(T));
    const auto elements = static_cast<int>((bytes + sizeof(Element) - 1) / sizeof(Element));
    simt::begin_bulk_copy(to.stretch(to_row, elements, site),
                          from.stretch(row, column, cells, site), bytes, barrier.address(site),
                          site);
}

CAMBER_TARGET_END

#endif
