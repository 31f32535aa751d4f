// Rain that runs off a terrain (Balasalle 2011, chapter 6), plain and slow: four kernels a
// generation, a thread per cell, every neighbor from global memory.
//
// The lines below describe the launches of a generation. The arguments of the kernels are, in
// order: in.NAME and out.NAME are fields before and after, pointing at cell (0, 0); pitch counts
// elements from row to row; rain, rain_steps, dt, dx and manning are numbers of the workload,
// generation counts from 0. The first two lines add fields that one kernel stores for another. A
// halo of one cell surrounds the board, so high that no water flows there.
//
// camber: field discharge float32
// camber: field per_drop float32
// camber: rain_on(in.depth, out.depth, columns, rows, pitch, rain, rain_steps, dt, generation) block=32x8 overhang=yes align=128
// camber: soak(in.depth, in.infiltration, out.depth, columns, rows, pitch, dt) block=32x8 overhang=yes align=128
// camber: outflow(in.terrain, in.depth, out.discharge, out.per_drop, columns, rows, pitch, dx, dt, manning) block=32x8 overhang=yes halo=1 align=128
// camber: gather(in.terrain, in.depth, in.per_drop, in.discharge, out.depth, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128
#define CELL                                                \
    const int x = blockIdx.x * blockDim.x + threadIdx.x;    \
    const int y = blockIdx.y * blockDim.y + threadIdx.y;    \
    if (x >= columns || y >= rows) return;                  \
    const int i = y * pitch + x

// It rains for some steps.
__global__ void rain_on(const float* depth, float* next, int columns, int rows, int pitch,
                        float rain, int rain_steps, float dt, int generation) {
    CELL;
    next[i] = depth[i] + (generation < rain_steps ? rain * dt : 0.0f);
}

// The ground takes up water.
__global__ void soak(const float* depth, const float* rate, float* next, int columns, int rows,
                     int pitch, float dt) {
    CELL;
    const float here = depth[i];
    next[i] = here - fminf(here, rate[i] * dt);
}

// Water that leaves a cell: Manning's equation gives the velocity; the amount at most levels the cell with
// its lowest neighbor. Stores the total discharge and the discharge per meter of drop.
__global__ void outflow(const float* terrain, const float* depth, float* discharge,
                        float* per_drop, int columns, int rows, int pitch, float dx, float dt,
                        float manning) {
    CELL;
    float ground[3][3], water[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            ground[r][c] = terrain[i + (r - 1) * pitch + c - 1];
            water[r][c] = depth[i + (r - 1) * pitch + c - 1];
        }
    float sum = 0, straight = 0, diagonal = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            if (r == 1 && c == 1) continue;
            const float drop = fmaxf(0.0f, (ground[1][1] - ground[r][c]) + (water[1][1] - water[r][c]));
            sum += drop;
            if (r != 1 && c != 1)
                diagonal = fmaxf(diagonal, drop);
            else
                straight = fmaxf(straight, drop);
        }
    const float slope = fmaxf(straight / dx, diagonal / (sqrtf(2.0f) * dx));
    const float root = cbrtf(water[1][1]);
    const float speed = root * root * sqrtf(slope) / manning;
    const float share = fminf(1.0f, speed * dt / dx);
    const float mobile = fminf(water[1][1], 0.5f * fmaxf(straight, diagonal));
    discharge[i] = share * mobile;
    per_drop[i] = sum > 0.0f ? share * mobile / sum : 0.0f;
}

// Subtracts a cell's outflow and adds the outflow of its neighbors.
__global__ void gather(const float* terrain, const float* depth, const float* per_drop,
                       const float* discharge, float* next, int columns, int rows, int pitch) {
    CELL;
    const float ground = terrain[i];
    const float water = depth[i];
    float gain = 0;
    for (int r = -1; r <= 1; ++r)
        for (int c = -1; c <= 1; ++c) {
            if (r == 0 && c == 0) continue;
            const int j = i + r * pitch + c;
            gain += per_drop[j] * fmaxf(0.0f, (terrain[j] - ground) + (depth[j] - water));
        }
    next[i] = (water - discharge[i]) + gain;
}
