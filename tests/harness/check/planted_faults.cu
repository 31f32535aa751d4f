// Tiny kernels, each with one planted fault, and their right counterparts. camber's checker finds
// them on the executor (planted_faults_test.cpp); as a program of its own, on a device,
//     compute-sanitizer --tool racecheck planted-faults shared_write_read
// shows what NVIDIA's tools make of the same kernel.
#include "tests/harness/check/planted_faults.hpp"

#include "harness/kernel/bulk_copy.hpp"
#include "harness/kernel/cluster.hpp"

#if CAMBER_ON_DEVICE
    #include <cstdio>

    #include "harness/backend/devices.hpp"
    #include "harness/base/error.hpp"
#endif

CAMBER_TARGET_BEGIN

namespace {

constexpr int threads = 64;  // of a block: two warps

// Memory of one row of cells, filled with zeros or left as it is.
template <class T>
struct Row {
    Row(Queue& queue, int cells, bool filled = true)
        : layout(Layout::make(cells, 1, 0, 0, sizeof(T))),
          memory(queue, layout.elements() * sizeof(T)) {
        const T zero{};
        if (filled) queue.fill(memory.get(), layout.elements(), std::as_bytes(std::span(&zero, 1)));
    }
    Grid<T> grid(const char* name) const { return {static_cast<T*>(memory.get()), layout, name}; }
    Layout layout;
    Memory memory;
};

LaunchShape blocks(unsigned count) {
    return {{count}, {threads}};
}

// ---- shared memory

template <bool right>
__global__ void shared_write_read(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;  // line: shared_write_read store
    if (right) __syncthreads();
    out(0, threadIdx.x) = tile(0, (threadIdx.x + 32) % threads);  // line: shared_write_read load
}

template <bool right>
__global__ void shared_write_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, right ? threadIdx.x : threadIdx.x / 2) = threadIdx.x;  // line: shared_write_write
    __syncthreads();
    out(0, threadIdx.x) = tile(0, right ? threadIdx.x : threadIdx.x / 2);
}

template <bool right>
__global__ void shared_read_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = threadIdx.x;
    __syncthreads();
    const int next = tile(0, (threadIdx.x + 1) % threads);  // line: shared_read_write load
    if (right) __syncthreads();
    tile(0, threadIdx.x) = next;  // line: shared_read_write store
    out(0, threadIdx.x) = next;
}

// Lanes of one warp, which need __syncwarp() to be ordered.
template <bool right>
__global__ void shared_in_warp(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;  // line: shared_in_warp store
    if (right) __syncwarp();
    out(0, threadIdx.x) = tile(0, threadIdx.x ^ 1);  // line: shared_in_warp load
}

template <bool right>
__global__ void shared_unwritten(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right || threadIdx.x != 5) tile(0, threadIdx.x) = 1;
    __syncthreads();
    out(0, threadIdx.x) = tile(0, threadIdx.x);  // line: shared_unwritten
}

template <bool right>
__global__ void shared_atomic_and_store(const Grid<int> out) {
    __shared__ Tile<int, 1, 1> sum;
    if (threadIdx.x == 0) sum(0, 0) = 0;
    __syncthreads();
    atomicAdd(&sum(0, 0), 1);                        // line: shared_atomic_and_store atomic
    if (!right && threadIdx.x == 40) sum(0, 0) = 7;  // line: shared_atomic_and_store store
    __syncthreads();
    out(0, threadIdx.x) = sum(0, 0);
}

// ---- global memory

template <bool right>
__global__ void blocks_write(const Grid<int> out) {
    const int cell = threadIdx.x + (right ? blockIdx.x * blockDim.x : 0);
    out(0, cell) = blockIdx.x;  // line: blocks_write
}

template <bool right>
__global__ void blocks_exchange(const Grid<int> cells, const Grid<int> out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Grid<int> to = right ? out : cells;
    const int next = cells(0, (i + 1) % (gridDim.x * blockDim.x));  // line: blocks_exchange load
    __syncthreads();
    to(0, i) = next;  // line: blocks_exchange store
}

template <bool right>
__global__ void threads_exchange(const Grid<int> cells, const Grid<int> out) {
    cells(0, threadIdx.x) = threadIdx.x;  // line: threads_exchange store
    if (right) __syncthreads();
    out(0, threadIdx.x) = cells(0, (threadIdx.x + 32) % threads);  // line: threads_exchange load
}

// A scatter: atomics for the neighbour's cell, and for the thread's own only where it is right.
template <bool right>
__global__ void global_atomic_and_store(const Grid<int> out) {
    const int i = threadIdx.x;
    atomicAdd(&out(0, (i + 1) % threads), 1);  // line: global_atomic_and_store atomic
    if (right)
        atomicAdd(&out(0, i), -1);
    else
        out(0, i) = -1;  // line: global_atomic_and_store store
}

__global__ void copy(const Grid<int> from, const Grid<int> to) {
    to(0, threadIdx.x) = from(0, threadIdx.x);  // line: global_unwritten
}

template <bool right>
__global__ void leave_board(const Grid<int> out) {
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    out(0, threadIdx.x + threads * beyond) = 1;  // line: grid_out_of_bounds
}

template <bool right>
__global__ void leave_tile(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    tile(beyond, threadIdx.x) = 1;  // line: tile_out_of_bounds
    out(0, threadIdx.x) = tile(beyond, threadIdx.x);
}

__global__ void load_pairs(const Grid<const float2> from, const Grid<float2> to) {
    const float2 pair = from(0, threadIdx.x);  // line: misaligned
    to(0, threadIdx.x) = pair;
}

template <bool right>
__global__ void part_at_barrier(const Grid<int> out) {
    if (!right && threadIdx.x >= 40) return;
    __syncthreads();  // line: barrier
    out(0, threadIdx.x) = 1;
}

// ---- bulk copies

constexpr int row_packs = threads / 4;
using PackedRow = Tile<Pack<int, 4>, 1, row_packs>;

// Copies a row of cells, from `column` on, and counts its bytes.
CAMBER_DEVICE void copy_row(PackedRow& row, const Grid<int>& cells, int column,
                            CopyBarrier& arrived, Site site = Site::current()) {
    arrived.expect(threads * sizeof(int), site);
    bulk_copy(row, 0, cells, 0, column, threads, arrived, site);
}
CAMBER_DEVICE int cell_of(PackedRow& row, Site site = Site::current()) {
    const Pack<int, 4> cells = row(0, threadIdx.x / 4, site);
    return cells[threadIdx.x % 4];
}

template <bool right>
__global__ void copy_read_early(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_read_early copy
    }
    __syncthreads();
    if (right) arrived.wait(0);
    out(0, threadIdx.x) = cell_of(row);  // line: copy_read_early load
    arrived.wait(0);
}

// The phase of the other parity is the one before, which is over.
template <bool right>
__global__ void copy_wrong_parity(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_wrong_parity copy
    }
    __syncthreads();
    arrived.wait(right ? 0 : 1);
    out(0, threadIdx.x) = cell_of(row);  // line: copy_wrong_parity load
    arrived.wait(0);
}

template <bool right>
__global__ void copy_over_reads(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);
    }
    __syncthreads();
    arrived.wait(0);
    const int first = cell_of(row);  // line: copy_over_reads load
    if (right) __syncthreads();
    if (threadIdx.x == 0) copy_row(row, cells, threads, arrived);  // line: copy_over_reads copy
    __syncthreads();
    arrived.wait(1);
    out(0, threadIdx.x) = first + cell_of(row);
}

template <bool right>
__global__ void copy_barrier_unordered(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);  // line: copy_barrier_unordered init
        copy_row(row, cells, 0, arrived);
    }
    if (right) __syncthreads();
    arrived.wait(0);  // line: copy_barrier_unordered wait
    out(0, threadIdx.x) = cell_of(row);
}

template <bool right>
__global__ void copy_forgotten(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_forgotten
    }
    __syncthreads();
    if (right) arrived.wait(0);
    out(0, threadIdx.x) = threadIdx.x;
}

template <bool right>
__global__ void copy_misaligned(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, right ? 4 : 3, arrived);  // line: copy_misaligned
    }
    __syncthreads();
    arrived.wait(0);
    out(0, threadIdx.x) = cell_of(row);
}

// ---- clusters of two blocks

// Each block reads what the other has.
template <bool right>
__global__ void cluster_write_read(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const unsigned other = 1 - cluster_rank();
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    if (blockIdx.x == 1) tile(0, threadIdx.x) = 2;  // line: cluster_write_read store
    if (right) cluster_barrier();
    const int value =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_write_read load
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

// A block goes on to what the other still reads.
template <bool right>
__global__ void cluster_read_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const unsigned other = 1 - cluster_rank();
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const int value =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_read_write load
    if (right)
        cluster_barrier();
    else
        __syncthreads();
    tile(0, threadIdx.x) = 2;  // line: cluster_read_write store
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

template <bool right>
__global__ void cluster_unwritten(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right || blockIdx.x == 0) tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const int value = map_shared_rank(tile, 1)(0, threadIdx.x);  // line: cluster_unwritten
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

// A barrier of the cluster orders its blocks' accesses to global memory, too.
template <bool right>
__global__ void cluster_exchange(const Grid<int> cells, const Grid<int> out) {
    const int own = blockIdx.x * threads + threadIdx.x;
    cells(0, own) = own;  // line: cluster_exchange store
    if (right) cluster_barrier();
    out(0, own) = cells(0, (own + threads) % (2 * threads));  // line: cluster_exchange load
}

template <bool right>
__global__ void cluster_not_begun(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right) cluster_barrier();
    map_shared_rank(tile, 1 - cluster_rank())(0, threadIdx.x) = 1;  // line: cluster_not_begun
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = tile(0, threadIdx.x);
}

template <bool right>
__global__ void cluster_has_ended(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const unsigned other = right || blockIdx.x == 1 ? cluster_rank() : 1;
    out(0, blockIdx.x * threads + threadIdx.x) =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_has_ended
}

template <bool right>
__global__ void cluster_no_such_rank(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const auto other = map_shared_rank(tile, right ? 1 : 2);  // line: cluster_no_such_rank
    const int value = other(0, threadIdx.x);
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

template <bool right>
__global__ void cluster_part_at_barrier(const Grid<int> out) {
    out(0, blockIdx.x * threads + threadIdx.x) = 1;
    if (!right && blockIdx.x == 1) return;
    cluster_barrier();  // line: cluster_part_at_barrier
}

// ---- how each is run

template <bool right>
void run_pairs(Queue& queue) {
    const Row<float> from(queue, 2 * threads + 2);
    const Row<float2> to(queue, threads);
    const auto* first = static_cast<const float*>(from.memory.get()) + (right ? 0 : 1);
    launch(queue, "misaligned", blocks(1), load_pairs,
           Grid<const float2>(reinterpret_cast<const float2*>(first), to.layout, "pairs"),
           to.grid("out"));
    queue.synchronize();
}

using OneGrid = void (*)(Grid<int>);
using TwoGrids = void (*)(Grid<int>, Grid<int>);

template <OneGrid kernel>
void run_one(Queue& queue) {
    const Row<int> out(queue, 2 * threads);
    launch(queue, "planted", blocks(1), kernel, out.grid("out"));
    queue.synchronize();
}

template <OneGrid kernel>
void run_two_blocks(Queue& queue) {
    const Row<int> out(queue, 2 * threads);
    launch(queue, "planted", blocks(2), kernel, out.grid("out"));
    queue.synchronize();
}

template <TwoGrids kernel, unsigned count>
void run_two(Queue& queue) {
    const Row<int> cells(queue, 2 * threads), out(queue, 2 * threads);
    launch(queue, "planted", blocks(count), kernel, cells.grid("cells"), out.grid("out"));
    queue.synchronize();
}

LaunchShape two_in_a_cluster() {
    LaunchShape shape = blocks(2);
    shape.cluster.x = 2;
    return shape;
}

template <OneGrid kernel>
void run_cluster(Queue& queue) {
    const Row<int> out(queue, 2 * threads);
    launch(queue, "planted", two_in_a_cluster(), kernel, out.grid("out"));
    queue.synchronize();
}

template <TwoGrids kernel>
void run_cluster_of_two_grids(Queue& queue) {
    const Row<int> cells(queue, 2 * threads), out(queue, 2 * threads);
    launch(queue, "planted", two_in_a_cluster(), kernel, cells.grid("cells"), out.grid("out"));
    queue.synchronize();
}

template <bool right>
void run_copy(Queue& queue) {
    const Row<int> from(queue, threads, right), to(queue, threads);
    launch(queue, "planted", blocks(1), copy, from.grid("from"), to.grid("to"));
    queue.synchronize();
}

}  // namespace

std::vector<PlantedFault> planted_faults() {
    using Kind = FindingKind;
    return {
        {"shared_write_read", Kind::shared_race, "racecheck", run_one<shared_write_read<false>>,
         run_one<shared_write_read<true>>},
        {"shared_write_write", Kind::shared_race, "racecheck", run_one<shared_write_write<false>>,
         run_one<shared_write_write<true>>},
        {"shared_read_write", Kind::shared_race, "racecheck", run_one<shared_read_write<false>>,
         run_one<shared_read_write<true>>},
        {"shared_in_warp", Kind::shared_race, "racecheck", run_one<shared_in_warp<false>>,
         run_one<shared_in_warp<true>>},
        {"shared_atomic_and_store", Kind::shared_race, "racecheck",
         run_one<shared_atomic_and_store<false>>, run_one<shared_atomic_and_store<true>>},
        {"shared_unwritten", Kind::unwritten_shared, "initcheck", run_one<shared_unwritten<false>>,
         run_one<shared_unwritten<true>>},
        {"blocks_write", Kind::block_race, "none", run_two_blocks<blocks_write<false>>,
         run_two_blocks<blocks_write<true>>},
        {"blocks_exchange", Kind::block_race, "none", run_two<blocks_exchange<false>, 2>,
         run_two<blocks_exchange<true>, 2>},
        {"threads_exchange", Kind::global_race, "none", run_two<threads_exchange<false>, 1>,
         run_two<threads_exchange<true>, 1>},
        {"global_atomic_and_store", Kind::global_race, "none",
         run_one<global_atomic_and_store<false>>, run_one<global_atomic_and_store<true>>},
        {"global_unwritten", Kind::unwritten_global, "initcheck", run_copy<false>, run_copy<true>},
        {"grid_out_of_bounds", Kind::out_of_bounds, "memcheck", run_one<leave_board<false>>,
         run_one<leave_board<true>>},
        {"tile_out_of_bounds", Kind::out_of_bounds, "memcheck", run_one<leave_tile<false>>,
         run_one<leave_tile<true>>},
        {"copy_read_early", Kind::copy_race, "none", run_two<copy_read_early<false>, 1>,
         run_two<copy_read_early<true>, 1>},
        {"copy_wrong_parity", Kind::copy_race, "none", run_two<copy_wrong_parity<false>, 1>,
         run_two<copy_wrong_parity<true>, 1>},
        {"copy_over_reads", Kind::copy_race, "none", run_two<copy_over_reads<false>, 1>,
         run_two<copy_over_reads<true>, 1>},
        {"copy_barrier_unordered", Kind::copy_race, "none",
         run_two<copy_barrier_unordered<false>, 1>, run_two<copy_barrier_unordered<true>, 1>},
        {"copy_forgotten", Kind::bulk_copy, "none", run_two<copy_forgotten<false>, 1>,
         run_two<copy_forgotten<true>, 1>},
        {"copy_misaligned", Kind::misaligned, "memcheck", run_two<copy_misaligned<false>, 1>,
         run_two<copy_misaligned<true>, 1>},
        {"cluster_write_read", Kind::shared_race, "none", run_cluster<cluster_write_read<false>>,
         run_cluster<cluster_write_read<true>>},
        {"cluster_read_write", Kind::shared_race, "none", run_cluster<cluster_read_write<false>>,
         run_cluster<cluster_read_write<true>>},
        {"cluster_unwritten", Kind::unwritten_shared, "initcheck",
         run_cluster<cluster_unwritten<false>>, run_cluster<cluster_unwritten<true>>},
        {"cluster_exchange", Kind::block_race, "none",
         run_cluster_of_two_grids<cluster_exchange<false>>,
         run_cluster_of_two_grids<cluster_exchange<true>>},
        {"cluster_not_begun", Kind::cluster, "none", run_cluster<cluster_not_begun<false>>,
         run_cluster<cluster_not_begun<true>>},
        {"cluster_has_ended", Kind::cluster, "none", run_cluster<cluster_has_ended<false>>,
         run_cluster<cluster_has_ended<true>>},
        {"cluster_no_such_rank", Kind::out_of_bounds, "memcheck",
         run_cluster<cluster_no_such_rank<false>>, run_cluster<cluster_no_such_rank<true>>},
        {"cluster_part_at_barrier", Kind::barrier, "none",
         run_cluster<cluster_part_at_barrier<false>>, run_cluster<cluster_part_at_barrier<true>>},
        {"misaligned", Kind::misaligned, "memcheck", run_pairs<false>, run_pairs<true>},
        {"barrier", Kind::barrier, "synccheck", run_one<part_at_barrier<false>>,
         run_one<part_at_barrier<true>>},
    };
}

CAMBER_TARGET_END

#if CAMBER_ON_DEVICE

// planted-faults NAME [right]: runs one fault, or its right counterpart, on device 0; without a
// name, lists them with the tool of compute-sanitizer that is made for each.
int main(int argc, char** argv) {
    const auto faults = camber::planted_faults();
    if (argc < 2) {
        for (const auto& fault : faults) std::printf("%s %s\n", fault.name, fault.tool);
        return 0;
    }
    for (const auto& fault : faults) {
        if (std::string(argv[1]) != fault.name) continue;
        try {
            const auto queue = camber::open_cuda(0);
            queue->set_label(fault.name);
            (argc > 2 && std::string(argv[2]) == "right" ? fault.run_right : fault.run)(*queue);
            return 0;
        } catch (const camber::Error& error) {
            std::fprintf(stderr, "planted-faults: %s\n", error.what());
            return static_cast<int>(error.code());
        }
    }
    std::fprintf(stderr, "planted-faults: no fault is called '%s'\n", argv[1]);
    return 2;
}

#endif
