// The same kernel launches as a sample of camber's, in the shortest loop that can time them. Prints
// the median time per launch; compare.py holds it against camber's.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I ROOT bare_loop.cu -o bare_loop
//   ./bare_loop COLUMNS ROWS LAUNCHES_PER_SAMPLE SAMPLES
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "variants/techniques/halo.hpp"
#include "workloads/life/rule.hpp"

using namespace camber;
using Rule = Life<std::uint32_t>;

namespace {

__global__ void random_cells(std::uint32_t* cells, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        cells[i] = static_cast<std::uint32_t>(i * 0x9E3779B97F4A7C15 >> 63);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const int columns = std::atoi(argv[1]);
    const int rows = std::atoi(argv[2]);
    const int launches = std::atoi(argv[3]);
    const int samples = std::atoi(argv[4]);
    const Layout layout = Layout::make(columns, rows, 1, 128, sizeof(std::uint32_t));
    std::uint32_t* buffers[2];
    for (auto& buffer : buffers) {
        cudaMalloc(&buffer, layout.elements() * sizeof(std::uint32_t));
        random_cells<<<1024, 256>>>(buffer, layout.elements());
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaDeviceSynchronize();

    const dim3 block(64, 4);
    const dim3 grid((columns + 63) / 64, (rows + 3) / 4);
    std::vector<double> nanoseconds;
    for (int sample = -3; sample < samples; ++sample) {
        cudaEventRecord(start, stream);
        for (int i = 0; i < launches; ++i) {
            Views<Rule> views;
            get<0>(views.inputs) = Grid<const std::uint32_t>(buffers[0], layout, "");
            get<0>(views.outputs) = Grid<std::uint32_t>(buffers[1], layout, "");
            views.columns = columns;
            views.rows = rows;
            halo_kernel<Rule><<<grid, block, 0, stream>>>(views);
            std::swap(buffers[0], buffers[1]);
        }
        cudaEventRecord(stop, stream);
        cudaEventSynchronize(stop);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, start, stop);
        if (sample >= 0) nanoseconds.push_back(milliseconds * 1e6 / launches);
    }
    if (cudaGetLastError() != cudaSuccess) return 1;
    std::nth_element(nanoseconds.begin(), nanoseconds.begin() + samples / 2, nanoseconds.end());
    std::printf("%dx%d %.2f\n", columns, rows, nanoseconds[samples / 2]);
}
