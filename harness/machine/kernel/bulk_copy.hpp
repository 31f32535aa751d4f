// Asynchronous bulk copies from global to shared memory by the Tensor Memory Accelerator:
// bulk_copy() copies part of a row while its thread continues, and threads wait for copies at a
// CopyBarrier. PTX ISA 8.0, "cp.async.bulk" and "mbarrier": compute capability 9.0 or later.
//
//     __shared__ CopyBarrier arrived;
//     if (thread == 0) arrived.init(1);           // one arrival completes a phase
//     __syncthreads();
//     if (thread == 0) {
//         arrived.expect(bytes);                  // arrives, and announces the phase's bytes
//         more bulk_copy(tile, 0, grid, row, column, cells, arrived);
//     }
//     arrived.wait(0);                            // parity of the phase: 0, then 1, then 0
//
// The copied bytes are visible to threads that waited, and to others after a barrier with such a
// thread. Before a copy overwrites memory that threads have read, they must meet at a barrier. On
// the executor, the bytes are poisoned until a thread waits; unordered reads of the bytes, a copy
// that no thread waits for, and a barrier that never completes are faults.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/grid.hpp"
#include "harness/machine/kernel/tile.hpp"

namespace camber {

inline constexpr int bulk_copy_capability = 90;  // compute capability, 10 * major + minor
inline constexpr int bulk_copy_unit = 16;  // required divisor of the size and of both addresses

}  // namespace camber

#if CAMBER_ON_DEVICE

CAMBER_TARGET_BEGIN

// Traps in code for older GPUs, for which such kernels are skipped.
CAMBER_DEVICE void no_bulk_copies() {
    __trap();
}

class CopyBarrier {
  public:
    CAMBER_DEVICE void init(unsigned arrivals, Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals)
                     : "memory");
        // Makes the initialized barrier visible to copies.
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

// Returns true for one lane of the warp, always the same; all lanes must call this. Unlike for a
// comparison of the lane number, the compiler knows that a single thread continues, and needs no
// loop over threads around a copy. PTX ISA, elect.sync.
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

// Copies `cells` cells from (row, column) of a grid to the beginning of a tile's row.
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
