// Subset of <cooperative_groups.h> for candidate kernels on the executor: block and grid groups.
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
}  // namespace cooperative_groups
