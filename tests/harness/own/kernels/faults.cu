// The planted faults of tests/harness/predict/faults/, written without a word of camber's.
// The test puts a camber: line before each; `right` is the same kernel without its fault.
constexpr int threads = 64;  // of a block: two warps

template <bool right>
__global__ void shared_write_read(unsigned* out) {
    __shared__ unsigned tile[threads];
    tile[threadIdx.x] = 1;  // line: shared_write_read store
    if (right) __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + 32) % threads];  // line: shared_write_read load
}

template <bool right>
__global__ void shared_write_write(unsigned* out) {
    __shared__ unsigned sum[threads];
    sum[right ? threadIdx.x : 0] = threadIdx.x;  // line: shared_write_write
    __syncthreads();
    out[threadIdx.x] = sum[0];
}

template <bool right>
__global__ void shared_read_write(unsigned* out) {
    __shared__ unsigned tile[threads];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const unsigned next = tile[(threadIdx.x + 1) % threads];  // line: shared_read_write load
    if (right) __syncthreads();
    tile[threadIdx.x] = next;  // line: shared_read_write store
    out[threadIdx.x] = next;
}

template <bool right>
__global__ void shared_in_warp(unsigned* out) {
    __shared__ unsigned tile[threads];
    tile[threadIdx.x] = 1;  // line: shared_in_warp store
    if (right) __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];  // line: shared_in_warp load
}

template <bool right>
__global__ void shared_atomic_and_store(unsigned* out) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1u);                        // line: shared_atomic_and_store atomic
    if (!right && threadIdx.x == 40) sum = 7;  // line: shared_atomic_and_store store
    __syncthreads();
    out[threadIdx.x] = sum;
}

template <bool right>
__global__ void shared_unwritten(unsigned* out) {
    __shared__ unsigned tile[threads];
    if (right || threadIdx.x != 5) tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];  // line: shared_unwritten
}

template <bool right>
__global__ void blocks_write(unsigned* out) {
    const int cell = threadIdx.x + (right ? blockIdx.x * blockDim.x : 0);
    out[cell] = blockIdx.x;  // line: blocks_write
}

template <bool right>
__global__ void blocks_exchange(unsigned* cells, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* to = right ? out : cells;
    const unsigned next = cells[(i + 1) % (gridDim.x * blockDim.x)];  // line: blocks_exchange load
    __syncthreads();
    to[i] = next;  // line: blocks_exchange store
}

template <bool right>
__global__ void threads_exchange(unsigned* cells, unsigned* out) {
    cells[threadIdx.x] = threadIdx.x;  // line: threads_exchange store
    if (right) __syncthreads();
    out[threadIdx.x] = cells[(threadIdx.x + 32) % threads];  // line: threads_exchange load
}

template <bool right>
__global__ void global_atomic_and_store(unsigned* out) {
    const int i = threadIdx.x;
    atomicAdd(&out[(i + 1) % threads], 1u);  // line: global_atomic_and_store atomic
    if (right)
        atomicAdd(&out[i], 1u);
    else
        out[i] = 1;  // line: global_atomic_and_store store
}

// A cell that is left out is read by the next generation.
template <bool right>
__global__ void global_unwritten(const unsigned* in, unsigned* out) {
    const unsigned cell = in[threadIdx.x];  // line: global_unwritten
    if (right || threadIdx.x != 0) out[threadIdx.x] = cell;
}

template <bool right>
__global__ void leave_board(unsigned* out) {
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    out[threadIdx.x + threads * beyond] = 1;  // line: leave_board
}

template <bool right>
__global__ void leave_tile(unsigned* out) {
    __shared__ unsigned tile[threads];
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    tile[threadIdx.x + threads * beyond] = 1;  // line: leave_tile
    out[threadIdx.x] = tile[threadIdx.x];
}

template <bool right>
__global__ void misaligned(const unsigned* in, unsigned* out) {
    const unsigned* from = in + (right ? 0 : 1);
    const uint2 pair = reinterpret_cast<const uint2*>(from)[threadIdx.x % 16];  // line: misaligned
    out[threadIdx.x] = pair.x;
}

template <bool right>
__global__ void part_at_barrier(unsigned* out) {
    if (!right && threadIdx.x >= 40) return;
    __syncthreads();  // line: part_at_barrier
    out[threadIdx.x] = 1;
}
