// Tile<T, H, W>: a shared-memory array of H rows and W columns, declared `__shared__ Tile<T, H, W>
// tile;` and used as `tile(row, column)`, both counted from 0.
#pragma once

#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"

#if CAMBER_ON_DEVICE

CAMBER_TARGET_BEGIN

template <class T, int H, int W>
class Tile {
  public:
    static constexpr int height = H;
    static constexpr int width = W;

    CAMBER_DEVICE T& operator()(int row, int column, Site = Site::current()) {
        return cells_[row * W + column];
    }
    CAMBER_DEVICE const T& operator()(int row, int column, Site = Site::current()) const {
        return cells_[row * W + column];
    }

  private:
    T cells_[H * W];
};

// View of the launch's dynamic shared memory: `count` elements from byte `offset` on.
template <class T>
class DynamicShared {
  public:
    CAMBER_DEVICE explicit DynamicShared(int /*count*/, int offset = 0) {
        extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
        cells_ = reinterpret_cast<T*>(dynamic_shared_bytes + offset);
    }
    CAMBER_DEVICE T& operator()(int index, Site = Site::current()) const { return cells_[index]; }
    CAMBER_DEVICE const T* cells() const { return cells_; }

  private:
    T* cells_;
};

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/access.hpp"

CAMBER_TARGET_BEGIN

// Handle of a few bytes. A block's cells are allocated in its shared-memory arena at the first
// access, so that each block finds them poisoned and the limit of 48 KiB is enforced as on the
// device.
template <class T, int H, int W>
class Tile {
  public:
    static constexpr int height = H;
    static constexpr int width = W;

    simt::Ref<T> operator()(int row, int column, Site site = Site::current()) {
        return {cell(row, column, site), simt::Space::shared, site};
    }
    T operator()(int row, int column, Site site = Site::current()) const {
        return simt::Ref<T>{cell(row, column, site), simt::Space::shared, site};
    }
    // Destination of a bulk copy: the first `cells` cells of a row.
    T* stretch(int row, int cells, Site site) const {
        cell(row, cells - 1, site);
        return &cell(row, 0, site);
    }

    // Identifies the tile to the executor, in all blocks.
    const void* variable() const { return &storage_; }

  private:
    T& cell(int row, int column, const Site& site) const {
        if (row < 0 || row >= H || column < 0 || column >= W) [[unlikely]]
            simt::report_outside_tile(row, column, H, W, site);
        return static_cast<T*>(storage_.bytes(sizeof(T) * H * W, site))[row * W + column];
    }

    mutable simt::SharedStorage storage_;
};

template <class T>
class DynamicShared {
  public:
    explicit DynamicShared(int count, int offset = 0, Site site = Site::current())
        : cells_(static_cast<T*>(simt::dynamic_shared(offset, sizeof(T) * count, site))),
          count_(count) {
        if (offset % static_cast<int>(alignof(T)) != 0)
            simt::report_misaligned(cells_, sizeof(T), "dynamic shared memory", site);
    }
    simt::Ref<T> operator()(int index, Site site = Site::current()) const {
        if (index < 0 || index >= count_) [[unlikely]]
            simt::report_outside_tile(0, index, 1, count_, site);
        return {cells_[index], simt::Space::shared, site};
    }
    int count() const { return count_; }
    const T* cells() const { return cells_; }

  private:
    T* cells_;
    int count_;
};

CAMBER_TARGET_END

#endif
