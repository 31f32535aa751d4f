// camber: halves(in.x, out.y, count.x) block=128 grid=count.x/1024
// camber: shape x=65536 y=x
#include <cuda/barrier>
#include <utility>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void halves(const float* x, float* y, int n) {
    __shared__ alignas(128) float tile[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier arrived;
    if (threadIdx.x == 0) {
        init(&arrived, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(tile, x + blockIdx.x * 1024, sizeof(tile), arrived);
        token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof(tile));
    } else {
        token = arrived.arrive();
    }
    arrived.wait(std::move(token));
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        y[blockIdx.x * 1024 + i] = 0.5f * tile[1023 - i];
}
