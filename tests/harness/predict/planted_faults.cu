// Runs small kernels that contain one planted fault each, and their correct counterparts.
// camber's checker finds them on the executor (planted_faults_test.cpp); as a program of its own,
// on a device,
//     compute-sanitizer --tool racecheck planted-faults shared_write_read
// shows what NVIDIA's tools make of the same kernel.
#include "tests/harness/predict/planted_faults.hpp"

#include "tests/harness/predict/faults/cluster_faults.hpp"
#include "tests/harness/predict/faults/copy_faults.hpp"
#include "tests/harness/predict/faults/memory_faults.hpp"

#if CAMBER_ON_DEVICE
    #include <cstdio>

    #include "harness/base/error.hpp"
    #include "harness/machine/queue/devices.hpp"
#endif

CAMBER_TARGET_BEGIN

namespace {

// One row of cells in device memory, initialized with zeros or left uninitialized.
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

// planted-faults NAME [right]: runs one fault, or its correct counterpart, on device 0. Without a
// name, lists all faults with the compute-sanitizer tool for each.
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
