// Larger than Life, 1-byte cells: tensor_cores beside tensor_copies, cell by cell, and their times.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "loaded.hpp"
#include "copied.hpp"
using namespace camber;
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
namespace camber::larger_than_life { inline namespace on_device {
__global__ void fill(std::uint8_t* to, Layout layout, unsigned seed) {
    const std::ptrdiff_t origin = layout.origin();
    for (int row = blockIdx.x; row < layout.rows; row += gridDim.x)
        for (int column = threadIdx.x; column < layout.columns; column += blockDim.x) {
            unsigned x = (unsigned(row) * 65537u + unsigned(column)) * 2654435761u + seed;
            x ^= x >> 16; x *= 0x85ebca6bu; x ^= x >> 13; x *= 0xc2b2ae35u; x ^= x >> 16;
            to[origin + std::ptrdiff_t(row) * layout.pitch + column] = x & 1u;
        }
}
__global__ void differ(const std::uint8_t* a, const std::uint8_t* b, Layout layout, unsigned long long* count, unsigned long long* alive) {
    const std::ptrdiff_t origin = layout.origin();
    unsigned long long n = 0, m = 0;
    for (int row = blockIdx.x; row < layout.rows; row += gridDim.x)
        for (int column = threadIdx.x; column < layout.columns; column += blockDim.x) {
            const std::ptrdiff_t i = origin + std::ptrdiff_t(row) * layout.pitch + column;
            n += a[i] != b[i]; m += a[i];
        }
    atomicAdd(count, n); atomicAdd(alive, m);
}
using Kernel = void (*)(const Views<LargerThanLife>, const BandProducts);
struct Board {
    Layout layout; std::uint8_t* cells[2];
    Board(int columns, int rows) : layout(Layout::make(columns, rows, largest_radius, 128, 1)) {
        for (auto& c : cells) { CHECK(cudaMalloc(&c, layout.elements())); CHECK(cudaMemset(c, 0, layout.elements())); }
        fill<<<4096, 256>>>(cells[0], layout, 1);
    }
    ~Board() { for (auto c : cells) cudaFree(c); }
    Views<LargerThanLife> views(int from) const {
        Views<LargerThanLife> v;
        get<0>(v.inputs) = Grid<const std::uint8_t>(cells[from], layout, "");
        get<0>(v.outputs) = Grid<std::uint8_t>(cells[1 - from], layout, "");
        v.columns = layout.columns; v.rows = layout.rows;
        return v;
    }
};
void launch(Kernel kernel, const Board& board, int from, BandProducts with, int rows) {
    with.rows = rows;
    kernel<<<dim3((board.layout.columns + 255) / 256, (board.layout.rows + rows - 1) / rows), dim3(32, 4)>>>(board.views(from), with);
}
double microseconds(Kernel kernel, const Board& board, const BandProducts& with, int rows) {
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    double best = 1e9;
    for (int round = 0; round < 8; ++round) {
        cudaEventRecord(a);
        for (int i = 0; i < 10; ++i) launch(kernel, board, i % 2, with, rows);
        cudaEventRecord(b); CHECK(cudaEventSynchronize(b));
        float ms; cudaEventElapsedTime(&ms, a, b);
        if (ms * 100 < best) best = ms * 100;
    }
    return best;
}
void compare(int columns, int rows, int radius, bool times) {
    const int cells = (2 * radius + 1) * (2 * radius + 1);
    LargerThanLife::Parameters rule{};
    rule.radius = radius;
    rule.birth = {cells * 28 / 100, cells * 37 / 100};
    rule.survival = {cells * 28 / 100, cells * 48 / 100};
    const BandProducts with{PackedRule::of(rule), radius, 0};
    Board right(columns, rows), board(columns, rows);
    for (int g = 0; g < 4; ++g) launch(tensor_cores_kernel, right, g % 2, with, 64);
    unsigned long long* counts; CHECK(cudaMallocManaged(&counts, 16));
    const struct { const char* name; Kernel kernel; } all[] = {{"tensor_cores", tensor_cores_kernel}, {"tensor_cores 5 blocks", tensor_cores_5_kernel}, {"tensor_copies/k2 4 blocks", tensor_copies_kernel<2, 4>}, {"tensor_copies/k2 5 blocks", tensor_copies_kernel<2, 5>}, {"tensor_copies/k3 5 blocks", tensor_copies_kernel<3, 5>}, {"tensor_copies/k2 6 blocks", tensor_copies_kernel<2, 6>}};
    for (const auto& [name, kernel] : all)
        for (int r : {128, 256, 512, 1024, 0}) {
            int resident = 0, sms = 0;
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, 128, 0));
            cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
            if (r == 0) {  // all blocks resident at the same time
                const int across = (columns + 255) / 256, down = std::max(resident * sms / across, 1);
                r = ((rows + down - 1) / down + 31) / 32 * 32;
            } else if (!times) continue;
            fill<<<4096, 256>>>(board.cells[0], board.layout, 1);
            for (int g = 0; g < 4; ++g) launch(kernel, board, g % 2, with, r);
            counts[0] = counts[1] = 0;
            differ<<<2048, 256>>>(board.cells[0], right.cells[0], board.layout, counts, counts + 1);
            CHECK(cudaDeviceSynchronize());
            printf("%dx%d R%d %-26s r%-5d %d per SM: %llu cells differ, %llu alive", columns, rows, radius, name, r, resident, counts[0], counts[1]);
            if (times) { const double us = microseconds(kernel, board, with, r); printf(", %8.2f us, %7.1f Gcell/s", us, 1e-3 * columns * rows / us); }
            printf("\n"); fflush(stdout);
        }
    cudaFree(counts);
}
}}
int main(int argc, char** argv) {
    namespace L = camber::larger_than_life;
    if (argc > 1) { L::compare(16384, 16384, 15, false); return 0; }
    L::compare(1000, 777, 15, false); L::compare(3333, 1111, 7, false);
    L::compare(16384, 16384, 15, true); L::compare(16384, 16384, 7, true);
    L::compare(8192, 8192, 15, true); L::compare(32768, 32768, 15, true); L::compare(16384, 16384, 1, true);
}
