// Subset of <cooperative_groups.h> for candidate kernels on the executor: grid, block and tile
// groups, reductions and scans of tiles, and copies by a group.
namespace cooperative_groups {
struct thread_block {
    CAMBER_PART void sync() const { camber_host->block_barrier(CAMBER_HERE); }
    CAMBER_PART dim3 thread_index() const { return threadIdx; }
    CAMBER_PART dim3 group_index() const { return blockIdx; }
    CAMBER_PART dim3 group_dim() const { return blockDim; }
    CAMBER_PART dim3 dim_threads() const { return blockDim; }
    CAMBER_PART unsigned num_threads() const {
        const uint3 block = blockDim;
        return block.x * block.y * block.z;
    }
    CAMBER_PART unsigned size() const { return num_threads(); }
    CAMBER_PART unsigned thread_rank() const {
        const uint3 block = blockDim, thread = threadIdx;
        return thread.x + block.x * (thread.y + block.y * thread.z);
    }
};
struct grid_group {
    CAMBER_PART bool is_valid() const { return true; }
    CAMBER_PART void sync() const { camber_host->grid_barrier(CAMBER_HERE); }
    CAMBER_PART dim3 group_dim() const { return gridDim; }
    CAMBER_PART dim3 dim_blocks() const { return gridDim; }
    CAMBER_PART dim3 block_index() const { return blockIdx; }
    CAMBER_PART unsigned long long num_blocks() const {
        const uint3 grid = gridDim;
        return 1ull * grid.x * grid.y * grid.z;
    }
    CAMBER_PART unsigned long long block_rank() const {
        const uint3 grid = gridDim, block = blockIdx;
        return block.x + 1ull * grid.x * (block.y + 1ull * grid.y * block.z);
    }
    CAMBER_PART unsigned long long num_threads() const {
        return num_blocks() * thread_block().num_threads();
    }
    CAMBER_PART unsigned long long size() const { return num_threads(); }
    CAMBER_PART unsigned long long thread_rank() const {
        return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
    }
};
CAMBER_WORD thread_block this_thread_block() { return {}; }
CAMBER_WORD grid_group this_grid() { return {}; }
CAMBER_WORD void sync(const thread_block&) { camber_host->block_barrier(CAMBER_HERE); }
CAMBER_WORD void sync(const grid_group&) { camber_host->grid_barrier(CAMBER_HERE); }

// A power of two of adjacent threads in a warp.
template <unsigned size_, class Parent = thread_block>
struct thread_block_tile {
    static_assert(size_ >= 1 && size_ <= 32 && (size_ & (size_ - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    CAMBER_PART unsigned camber_first() const {
        return (unsigned)camber_host->lane() / size_ * size_;
    }
    CAMBER_PART unsigned camber_mask() const {
        return (unsigned)(((1ull << size_) - 1) << camber_first()) & camber_host->existing_lanes();
    }
    CAMBER_PART static constexpr unsigned size() { return size_; }
    CAMBER_PART static constexpr unsigned num_threads() { return size_; }
    CAMBER_PART unsigned thread_rank() const { return (unsigned)camber_host->lane() % size_; }
    CAMBER_PART unsigned meta_group_rank() const { return thread_block().thread_rank() / size_; }
    CAMBER_PART unsigned meta_group_size() const {
        return (thread_block().num_threads() + size_ - 1) / size_;
    }
    CAMBER_PART void sync() const { camber_host->exchange(0, camber_mask(), 0, 0, CAMBER_HERE); }
    template <class T>
    CAMBER_PART T shfl(T value, int source) const {
        return camber_shuffle(camber_mask(), value,
                              (int)(camber_first() + ((unsigned)source & (size_ - 1))),
                              CAMBER_HERE);
    }
    template <class T>
    CAMBER_PART T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return camber_shuffle(camber_mask(), value,
                              (int)(camber_first() + (rank + delta < size_ ? rank + delta : rank)),
                              CAMBER_HERE);
    }
    template <class T>
    CAMBER_PART T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return camber_shuffle(camber_mask(), value,
                              (int)(camber_first() + (rank >= delta ? rank - delta : rank)),
                              CAMBER_HERE);
    }
    template <class T>
    CAMBER_PART T shfl_xor(T value, unsigned bits) const {
        const unsigned source = thread_rank() ^ bits;
        return camber_shuffle(camber_mask(), value,
                              (int)(camber_first() + (source < size_ ? source : thread_rank())),
                              CAMBER_HERE);
    }
    CAMBER_PART unsigned ballot(int predicate) const {
        return (unsigned)camber_host->exchange(2, camber_mask(), predicate != 0, 0, CAMBER_HERE) >>
               camber_first();
    }
    CAMBER_PART int any(int predicate) const {
        return camber_host->exchange(2, camber_mask(), predicate != 0, 0, CAMBER_HERE) != 0;
    }
    CAMBER_PART int all(int predicate) const {
        return camber_host->exchange(2, camber_mask(), predicate != 0, 0, CAMBER_HERE) ==
               camber_mask();
    }
};
template <unsigned size_, class Parent>
CAMBER_WORD thread_block_tile<size_, Parent> tiled_partition(const Parent&) {
    return {};
}
template <unsigned size_, class Parent>
CAMBER_WORD void sync(const thread_block_tile<size_, Parent>& tile) {
    camber_host->exchange(0, tile.camber_mask(), 0, 0, CAMBER_HERE);
}

template <class T>
struct plus {
    CAMBER_PART T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    CAMBER_PART T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    CAMBER_PART T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    CAMBER_PART T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    CAMBER_PART T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    CAMBER_PART T operator()(T a, T b) const { return a ^ b; }
};

// A butterfly: every thread receives the result. A GPU may add floats in another order.
template <unsigned size_, class Parent, class T, class Operation>
CAMBER_WORD T reduce(const thread_block_tile<size_, Parent>& tile, T value, Operation operation) {
    for (unsigned bits = size_ / 2; bits > 0; bits /= 2)
        value = operation(
            value, camber_shuffle(tile.camber_mask(), value,
                                  (int)(tile.camber_first() + (tile.thread_rank() ^ bits)),
                                  CAMBER_HERE));
    return value;
}
template <unsigned size_, class Parent, class T, class Operation>
CAMBER_WORD T inclusive_scan(const thread_block_tile<size_, Parent>& tile, T value,
                             Operation operation) {
    const unsigned rank = tile.thread_rank();
    for (unsigned delta = 1; delta < size_; delta *= 2) {
        const T before = camber_shuffle(
            tile.camber_mask(), value,
            (int)(tile.camber_first() + (rank >= delta ? rank - delta : rank)), CAMBER_HERE);
        if (rank >= delta) value = operation(before, value);
    }
    return value;
}
template <unsigned size_, class Parent, class T>
CAMBER_WORD T inclusive_scan(const thread_block_tile<size_, Parent>& tile, T value) {
    return inclusive_scan(tile, value, plus<T>());
}
template <unsigned size_, class Parent, class T>
CAMBER_WORD T exclusive_scan(const thread_block_tile<size_, Parent>& tile, T value) {
    const T all = inclusive_scan(tile, value, plus<T>());
    const unsigned rank = tile.thread_rank();
    const T before =
        camber_shuffle(tile.camber_mask(), all,
                       (int)(tile.camber_first() + (rank > 0 ? rank - 1 : 0)), CAMBER_HERE);
    return rank > 0 ? before : T();
}

// The group's threads copy 16 bytes each in turn, or 4 where 16 do not fit.
template <class Group>
CAMBER_WORD void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t step = ((size_t)to | (size_t)from | bytes) % 16 == 0 ? 16 : 4;
    for (size_t at = group.thread_rank() * step; at + step <= bytes; at += group.size() * step)
        camber_host->copy_async((char*)to + at, (const char*)from + at, step, 0, CAMBER_HERE);
    if (group.thread_rank() == 0)
        for (size_t at = bytes / step * step; at < bytes; ++at) ((char*)to)[at] = ((const char*)from)[at];
    camber_host->copies(0, 0);
}
template <class Group, class T, class U>
CAMBER_WORD void memcpy_async(const Group& group, T* to, size_t, const U* from, size_t count) {
    memcpy_async(group, (void*)to, (const void*)from, count * sizeof(U));
}
template <class Group>
CAMBER_WORD void wait(const Group& group) {
    camber_host->copies(1, 0);
    group.sync();
}
}  // namespace cooperative_groups
