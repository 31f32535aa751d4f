// Conway's Life as a student hands it in: borders stay dead, host code and all.
// camber: workload life
// camber: life_step(in, out, columns, rows) block=16x16 overhang=yes
#include <stdio.h>
#include <stdlib.h>

#define CELLS (1 << 16)
#define AT(grid, x, y) (grid)[(y) * width + (x)]

__device__ int alive(const unsigned int* grid, int x, int y, int width, int height) {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    return AT(grid, x, y);
}

__global__ void life_step(const unsigned int* in, unsigned int* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int neighbors = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0) neighbors += alive(in, x + dx, y + dy, width, height);
    AT(out, x, y) = neighbors == 3 || (neighbors == 2 && AT(in, x, y));
}

static void print_board(const unsigned int* board, int width, int height) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) putchar(AT(board, x, y) ? '#' : '.');
        putchar('\n');
    }
}

int main(int argc, char** argv) {
    int width = 64, height = 32;
    unsigned int *a, *b, *host = (unsigned int*)calloc(CELLS, sizeof(unsigned int));
    cudaMalloc((void**)&a, CELLS * sizeof(unsigned int));
    cudaMalloc((void**)&b, CELLS * sizeof(unsigned int));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    for (int i = 0; i < 100; i++) {
        life_step<<<grid, block>>>(a, b, width, height);
        unsigned int* t = a;
        a = b;
        b = t;
    }
    cudaMemcpy(host, a, CELLS * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    print_board(host, width, height);
    return 0;
}
