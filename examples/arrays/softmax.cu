// A warp for each row; the row stays in registers.
// camber: softmax(in.x, out.y, shape.x[2], shape.x[0]*shape.x[1]) block=128 grid=(shape.x[0]*shape.x[1]+3)/4
// camber: reference softmax_plain.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void softmax(const float* x, float* y, int columns, int rows) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows) return;
    float own[4], largest = -INFINITY, sum = 0;
    for (int i = 0; i < 4; ++i) {
        own[i] = x[row * columns + i * 32 + warp.thread_rank()];
        largest = fmaxf(largest, own[i]);
    }
    largest = cg::reduce(warp, largest, cg::greater<float>());
    for (int i = 0; i < 4; ++i) sum += own[i] = expf(own[i] - largest);
    sum = cg::reduce(warp, sum, cg::plus<float>());
    for (int i = 0; i < 4; ++i) y[row * columns + i * 32 + warp.thread_rank()] = own[i] / sum;
}
