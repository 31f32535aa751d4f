// ConstantGrid<T>: a kernel's view of a field in constant memory, whole and without halo.
//
// Constant memory holds constant_capacity bytes. A kernel reads it through a cache that serves one
// address to all lanes of a warp at once, and different addresses one after another (CUDA C++
// Programming Guide).
#pragma once

#include <cstddef>
#include <span>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"
#include "harness/machine/queue/queue.hpp"

#if CAMBER_ON_DEVICE

    #include <cuda_runtime.h>

    #include "harness/machine/cuda/runtime_objects.hpp"

CAMBER_TARGET_BEGIN

namespace {

// Constant memory of one translation unit, shared by a kernel and its uploads. A template, so that
// only modules whose kernels read constant memory contain it: each launch takes at least 0.1 us
// longer if any kernel of its module has constant memory (results/experiments/constant_bank.txt).
struct ConstantBytes {};
template <class Bytes>
__constant__ unsigned char constant_memory[constant_capacity];

// Depends on the reader's type, so that constant memory is instantiated only if there is a reader.
template <class Reader>
struct ReadBy {
    using Memory = ConstantBytes;
};

// Destination of the host's uploads. It is local to each translation unit; otherwise, the linker
// would keep one instance, with one unit's memory.
template <class Reader>
std::byte* constant_address() {
    void* address = nullptr;
    cuda::check(cudaGetSymbolAddress(&address, constant_memory<typename ReadBy<Reader>::Memory>),
                "finding constant memory");
    return static_cast<std::byte*>(address);
}

}  // namespace

template <class T>
class ConstantGrid {
  public:
    // The field starts at byte `offset` of constant memory.
    ConstantGrid(std::size_t offset, int columns, int /*rows*/, const char* /*name*/)
        : first_(static_cast<int>(offset / sizeof(T))), columns_(columns) {}

    CAMBER_DEVICE T operator()(int row, int column, Site = Site::current()) const {
        const auto* const cells =
            reinterpret_cast<const T*>(constant_memory<typename ReadBy<T>::Memory>);
        return cells[first_ + row * columns_ + column];
    }

  private:
    int first_;
    int columns_;
};

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/access.hpp"

CAMBER_TARGET_BEGIN

// One per launching CPU thread, as a thread runs one variant at a time and creates its own views.
alignas(16) inline constinit thread_local std::byte constant_memory[constant_capacity]{};

template <class T>
class ConstantGrid {
  public:
    ConstantGrid(std::size_t offset, int columns, int rows, const char* name)
        : cells_(reinterpret_cast<const T*>(constant_memory + offset)),
          field_{name, Layout::make(columns, rows, 0, 0, sizeof(T)), constant_memory, sizeof(T)} {}

    T operator()(int row, int column, Site site = Site::current()) const {
        const Layout& layout = field_.layout;
        if (row < 0 || row >= layout.rows || column < 0 || column >= layout.columns) [[unlikely]]
            simt::report_outside_grid(field_.name, row, column, layout, site);
        return simt::access(cells_ + row * layout.columns + column, simt::Space::constant, site,
                            field_);
    }

  private:
    const T* cells_;
    simt::Field field_;
};

template <class Reader>
std::byte* constant_address() {
    return constant_memory;
}

CAMBER_TARGET_END

#endif
