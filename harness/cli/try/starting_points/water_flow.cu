// Water that flows over a terrain (Topa and Mlocek 2013), plain and slow: two kernels a generation,
// a thread per cell, every neighbor from global memory.
//
// The lines below describe the launches of a generation. The arguments of the kernels are, in
// order: in.NAME and out.NAME are fields before and after, pointing at cell (0, 0); pitch counts
// elements from row to row. The first line adds a field that the first kernel stores for the
// second. A halo of one cell surrounds the board. Its terrain and level are so high that no water
// flows there, its best levels so low that no water comes from there.
//
// camber: field best float32 outside=-1e30
// camber: best_levels(in.terrain, in.level, out.best, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128
// camber: distribute(in.terrain, in.level, in.sources, in.best, out.level, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128

// The level to which a cell's water fills the lowest of it and its four neighbors.
__global__ void best_levels(const float* terrain, const float* level, float* best, int columns,
                            int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const int i = row * pitch + column;
    float q[5] = {terrain[i], level[i - pitch], level[i - 1], level[i + 1], level[i + pitch]};
    const float water = level[i] - q[0];
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4 - a; ++b)
            if (q[b + 1] < q[b]) {
                const float higher = q[b];
                q[b] = q[b + 1];
                q[b + 1] = higher;
            }
    float sum = water + q[0];
    float number = 1;
    for (int k = 1; k < 5 && k * q[k] < sum; ++k) {
        sum += q[k];
        number += 1;
    }
    best[i] = sum / number;
}

// Water that a cell retains, receives from its neighbors and gets from its source.
__global__ void distribute(const float* terrain, const float* level, const float* sources,
                           const float* best, float* next, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const int i = row * pitch + column;
    const float here = level[i];
    const float inflow = fmaxf(0.0f, best[i - pitch] - here) + fmaxf(0.0f, best[i - 1] - here) +
                         fmaxf(0.0f, best[i + 1] - here) + fmaxf(0.0f, best[i + pitch] - here);
    const float change = sources[i] + inflow + fmaxf(terrain[i], best[i]) - here;
    next[i] = fmaxf(change + here, terrain[i]);
}
