// Eight threads for each row, so that they load adjacent elements.
// camber: spmv(in.begin, in.columns, in.values, in.x, out.y, count.y) block=128 grid=(count.y*8+127)/128
// camber: reference spmv_plain.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void spmv(const int* begin, const int* columns, const double* values, const double* x,
                     double* y, int rows) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (row >= rows) return;
    double sum = 0;
    const int end = begin[row + 1];
    for (int i = begin[row] + tile.thread_rank(); i < end; i += 8) sum += values[i] * x[columns[i]];
    sum = cg::reduce(tile, sum, cg::plus<double>());
    if (tile.thread_rank() == 0) y[row] = sum;
}
