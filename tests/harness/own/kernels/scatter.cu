// surface_water/scatter/five_kernels/64x4/align128: every cell hands its water out to its neighbours,
// where it adds up by atomic additions. Five kernels a generation; `gain` is zero before the first,
// and the last one leaves it so.
// camber: field discharge float32
// camber: field per_drop float32
// camber: field gain float32
// camber: rain_on(in.depth, out.depth, columns, rows, pitch, rain, rain_steps, dt, generation) block=64x4 align=128
// camber: soak(in.depth, in.infiltration, out.depth, columns, rows, pitch, dt) block=64x4 align=128
// camber: outflow(in.terrain, in.depth, out.discharge, out.per_drop, columns, rows, pitch, dx, dt, manning) block=64x4 halo=1 align=128
// camber: scatter(in.terrain, in.depth, in.per_drop, inout.gain, columns, rows, pitch) block=64x4 halo=1 align=128 arithmetic=unordered
// camber: settle(in.depth, in.discharge, in.gain, out.depth, out.gain, columns, rows, pitch) block=64x4 align=128
#define CELL                                                \
    const int x = blockIdx.x * blockDim.x + threadIdx.x;    \
    const int y = blockIdx.y * blockDim.y + threadIdx.y;    \
    if (x >= columns || y >= rows) return;                  \
    const int i = y * pitch + x

__global__ void rain_on(const float* depth, float* next, int columns, int rows, int pitch,
                        float rain, int rain_steps, float dt, int generation) {
    CELL;
    next[i] = depth[i] + (generation < rain_steps ? rain * dt : 0.0f);
}

__global__ void soak(const float* depth, const float* rate, float* next, int columns, int rows,
                     int pitch, float dt) {
    CELL;
    const float here = depth[i];
    next[i] = here - fminf(here, rate[i] * dt);
}

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

__global__ void scatter(const float* terrain, const float* depth, const float* per_drop,
                        float* gain, int columns, int rows, int pitch) {
    CELL;
    const float outflow = per_drop[i];
    const float ground = terrain[i];
    const float water = depth[i];
    for (int r = -1; r <= 1; ++r)
        for (int c = -1; c <= 1; ++c) {
            if (r == 0 && c == 0) continue;
            const int j = i + r * pitch + c;
            const float drop = (ground - terrain[j]) + (water - depth[j]);
            const float given = outflow * fmaxf(0.0f, drop);
            if (given > 0.0f) atomicAdd(&gain[j], given);
        }
}

__global__ void settle(const float* depth, const float* discharge, const float* gain, float* next,
                       float* no_gain, int columns, int rows, int pitch) {
    CELL;
    next[i] = (depth[i] - discharge[i]) + gain[i];
    no_gain[i] = 0.0f;
}
