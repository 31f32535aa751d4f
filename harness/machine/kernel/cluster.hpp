// Thread-block clusters: blocks that run at the same time and access each other's shared memory,
// which is then called distributed shared memory. LaunchShape::cluster is the cluster shape. CUDA
// C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory": compute
// capability 9.0 or later.
//
//     __shared__ Tile<int, 1, 32> tile;
//     tile(0, x) = ...;
//     cluster_barrier();                               // all have started, all have written
//     const int next = map_shared_rank(tile, 1)(0, x); // from block 1 of the cluster
//     cluster_barrier();                               // no block ends before all have read
//
// Writes of the cluster's threads before the barrier are visible to all of them after it. All
// threads of the cluster must reach the barrier, at the same line. On the executor, a thread that
// misses the barrier is a fault, and so is an access to another block's shared memory before the
// first barrier or after the last one: that block may not have started, or may have ended. Races
// between blocks are detected like races within a block.
#pragma once

#include "harness/base/target.hpp"
#include "harness/machine/kernel/tile.hpp"

namespace camber {

inline constexpr int cluster_capability = 90;  // compute capability, 10 * major + minor

}  // namespace camber

#if CAMBER_ON_DEVICE

CAMBER_TARGET_BEGIN

// Traps in code for older GPUs, for which such kernels are skipped.
CAMBER_DEVICE void no_clusters() {
    __trap();
}

// Rank of the block in its cluster, x fastest.
CAMBER_DEVICE unsigned cluster_rank() {
    unsigned rank = 0;
    #if __CUDA_ARCH__ >= 900
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    #else
    no_clusters();
    #endif
    return rank;
}
// Number of blocks in the cluster; 1 in a launch without clusters.
CAMBER_DEVICE unsigned cluster_size() {
    unsigned size = 1;
    #if __CUDA_ARCH__ >= 900
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    #else
    no_clusters();
    #endif
    return size;
}

// PTX ISA 7.8, "barrier.cluster".
CAMBER_DEVICE void cluster_barrier(Site = Site::current()) {
    #if __CUDA_ARCH__ >= 900
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
    #else
    no_clusters();
    #endif
}

// PTX ISA 7.8, "mapa".
template <class T>
CAMBER_DEVICE T* shared_of_block(const T* own, unsigned rank) {
    T* other = nullptr;
    #if __CUDA_ARCH__ >= 900
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
    #else
    no_clusters();
    #endif
    return other;
}

// The tile of another block, with the same interface as a Tile.
template <class T, int H, int W>
class DistributedTile {
  public:
    CAMBER_DEVICE explicit DistributedTile(T* cells) : cells_(cells) {}
    CAMBER_DEVICE T& operator()(int row, int column, Site = Site::current()) const {
        return cells_[row * W + column];
    }

  private:
    T* cells_;
};

template <class T, int H, int W>
CAMBER_DEVICE DistributedTile<T, H, W> map_shared_rank(Tile<T, H, W>& tile, unsigned rank,
                                                       Site = Site::current()) {
    return DistributedTile<T, H, W>(shared_of_block(&tile(0, 0), rank));
}

// The dynamic shared memory of another block, with the same interface as DynamicShared.
template <class T>
class DistributedShared {
  public:
    CAMBER_DEVICE explicit DistributedShared(T* cells) : cells_(cells) {}
    CAMBER_DEVICE T& operator()(int index, Site = Site::current()) const { return cells_[index]; }

  private:
    T* cells_;
};

template <class T>
CAMBER_DEVICE DistributedShared<T> map_shared_rank(const DynamicShared<T>& own, unsigned rank,
                                                   Site = Site::current()) {
    return DistributedShared<T>(shared_of_block(own.cells(), rank));
}

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/thread.hpp"

CAMBER_TARGET_BEGIN

inline unsigned cluster_rank() {
    return simt::cluster_rank();
}
inline unsigned cluster_size() {
    return simt::cluster_size();
}
inline void cluster_barrier(const Site& site = Site::current()) {
    simt::cluster_barrier(site);
}

// A cell in the shared memory of block `rank`, which may be the block itself.
template <class T>
simt::Ref<T> distributed_cell(T& cell, unsigned rank, const Site& site) {
    if (rank == simt::cluster_rank()) return {cell, simt::Space::shared, site};
    simt::touch_shared_of_block(rank, site);
    return {cell, simt::Space::distributed, site};
}

template <class T, int H, int W>
class DistributedTile {
  public:
    DistributedTile(T* cells, unsigned rank) : cells_(cells), rank_(rank) {}
    simt::Ref<T> operator()(int row, int column, Site site = Site::current()) const {
        if (row < 0 || row >= H || column < 0 || column >= W) [[unlikely]]
            simt::report_outside_tile(row, column, H, W, site);
        return distributed_cell(cells_[row * W + column], rank_, site);
    }

  private:
    T* cells_;
    unsigned rank_;
};

template <class T, int H, int W>
DistributedTile<T, H, W> map_shared_rank(Tile<T, H, W>& tile, unsigned rank,
                                         Site site = Site::current()) {
    void* const cells = simt::shared_of_block(tile.variable(), rank, sizeof(T) * H * W, site);
    return {static_cast<T*>(cells), rank};
}

template <class T>
class DistributedShared {
  public:
    DistributedShared(T* cells, int count, unsigned rank)
        : cells_(cells), count_(count), rank_(rank) {}
    simt::Ref<T> operator()(int index, Site site = Site::current()) const {
        if (index < 0 || index >= count_) [[unlikely]]
            simt::report_outside_tile(0, index, 1, count_, site);
        return distributed_cell(cells_[index], rank_, site);
    }

  private:
    T* cells_;
    int count_;
    unsigned rank_;
};

template <class T>
DistributedShared<T> map_shared_rank(const DynamicShared<T>& own, unsigned rank,
                                     Site site = Site::current()) {
    void* const cells = simt::shared_of_block(own.cells(), rank, site);
    return {static_cast<T*>(cells), own.count(), rank};
}

CAMBER_TARGET_END

#endif
