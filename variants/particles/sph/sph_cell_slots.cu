// Particles in fixed slots of memory per cell, without sorting (Rustico 2012, section 7.3.2).
#include <algorithm>
#include <vector>

#include "harness/base/state.hpp"
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/cell_warp.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/minimum.hpp"

// Every cell owns 32 slots in memory, occupied or not (Rustico 2012, section 7.3.2, Figure 7.2).
// Nothing is sorted: a particle that left its cell is found by its new cell, which searches the
// cells around it.
CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr int cell_slots_block = 128;

// Assigns the particles in a cell to its slots, in ascending order of numbers, with one warp per
// cell. `from` is a QuadFields.
template <class Fields>
__global__ void move_kernel(const Fields from, const Grid<int> ids, const Grid<int> counts,
                            const Fields to, const Fields listed, const Grid<int> new_ids,
                            const Grid<int> new_counts, const Grid<Fault> faults,
                            const int iteration, const CellGrid<float> grid) {
    constexpr unsigned all = 0xffffffffu;
    __shared__ Tile<int, cell_slots_block / 32, slots_per_cell> found;
    const int cell = own_slot() / 32;
    if (cell >= grid.count()) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const Cell own = cell_with_hash(grid, cell);
    const Site site = Site::current();
    int total = 0;
    for_cells_around(grid, own, [&](bool there, int around) {
        if (!there) return;
        const int slot = slots_per_cell * around + lane;
        bool here = false;
        if (lane < counts(0, around)) {
            const float4 p = from.places(0, slot, site);
            const Cell now = grid.cell_of(p.x, p.y, p.z);
            here = now == own;
            const auto far = [](int a, int b) { return a > b + 1 || a < b - 1; };
            if (around == cell && (far(now.x, own.x) || far(now.y, own.y) || far(now.z, own.z)))
                report(faults, strayed, iteration, ids(0, slot));
        } else {
            skip(site);
        }
        const unsigned taken = __ballot_sync(all, here);
        const int place = total + __popc(taken & ((1u << lane) - 1u));
        if (here && place < slots_per_cell) found(warp, place) = slot;
        total += __popc(taken);
    });
    __syncwarp();
    if (total > slots_per_cell) {
        if (lane == 0) report(faults, crowded, iteration, ids(0, found(warp, 0)));
        total = slots_per_cell;
    }
    const int slot = lane < total ? static_cast<int>(found(warp, lane)) : 0;
    const int id = lane < total ? static_cast<int>(ids(0, slot)) : 0x7fffffff;
    int rank = 0;
    for (int other = 0; other < 32; ++other) rank += __shfl_sync(all, id, other) < id ? 1 : 0;
    if (lane < total) {
        const Particle<float> particle = particle_at(from, slot);
        to.store(slots_per_cell * cell + rank, particle);
        listed.store(slots_per_cell * cell + rank, particle);
        new_ids(0, slots_per_cell * cell + rank) = id;
    } else {
        new_ids(0, slots_per_cell * cell + lane) = -1;
    }
    if (lane == 0) new_counts(0, cell) = total;
}

class SlotOrder {
  public:
    static constexpr bool moves = true;
    using Runs = SlotRuns;
    using Slots = CellSlots;

    SlotOrder(Queue& queue, std::size_t, const CellGrid<float>& grid)
        : grid_(grid),
          ids_(queue, slots_of(grid), "id"),
          new_ids_(queue, slots_of(grid), "new_id"),
          counts_(queue, static_cast<std::size_t>(grid.count()), "count"),
          new_counts_(queue, static_cast<std::size_t>(grid.count()), "new_count") {}

    std::vector<int> start(const State& initial, const PositionFields& fields) const {
        std::vector<int> ids(ids_.count(), -1);
        std::vector<int> counts(counts_.count(), 0);
        const auto at = [&](int axis) { return initial.field(fields[axis]).cells<float>(); };
        const auto x = at(0), y = at(1), z = at(2);
        for (std::size_t id = 0; id < x.size(); ++id) {
            const int cell = grid_.hash_of(grid_.cell_of(x[id], y[id], z[id]));
            if (counts[cell] == slots_per_cell) report_crowded(static_cast<std::int64_t>(id), 0);
            ids[slots_per_cell * cell + counts[cell]++] = static_cast<int>(id);
        }
        return ids;
    }
    void upload(Queue& queue, const std::vector<int>& start) {
        std::vector<int> counts(counts_.count(), 0);
        for (std::size_t slot = 0; slot < start.size(); ++slot)
            counts[slot / slots_per_cell] += start[slot] >= 0 ? 1 : 0;
        ids_.upload(queue, start);
        counts_.upload(queue, counts);
    }

    template <class Fields>
    void rebuild(Queue& queue, unsigned block, const Fields& from, const Fields& to,
                 const Fields& listed, const Grid<Fault>& faults, int iteration) {
        launch(queue, "move", covering_line(ids_.count(), block), move_kernel<Fields>, from,
               ids_.grid(), counts_.grid(), to, listed, new_ids_.grid(), new_counts_.grid(), faults,
               iteration, grid_);
        queue.copy(ids_.data(), new_ids_.data(), ids_.bytes());
        queue.copy(counts_.data(), new_counts_.data(), counts_.bytes());
    }

    const Row<int>& ids() const { return ids_; }  // below 0: empty slot
    Runs runs() const { return {counts_.grid()}; }
    Slots slots() const { return {counts_.grid()}; }
    std::vector<ByteArea> areas() const { return {new_ids_.area(), new_counts_.area()}; }

  private:
    static std::size_t slots_of(const CellGrid<float>& grid) {
        return static_cast<std::size_t>(slots_per_cell) * static_cast<std::size_t>(grid.count());
    }

    CellGrid<float> grid_;
    Row<int> ids_;
    Row<int> new_ids_;
    Row<int> counts_;  // of each cell
    Row<int> new_counts_;
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for DamBreak3D: the box is nearly empty; a million particles are in 303
// thousand cells with 32 slots each, a tenth of them occupied. Streaming kernels skip empty slots
// by a count per cell. Positions, velocities and forces take ten times the memory, and there is no
// list.

namespace {

constexpr TechniqueInfo cell_slots_technique{
    "cell_slots", "as cell_visit, each cell with 32 slots of its own; nothing is sorted",
    "Rustico 2012, section 7.3.2, Figure 7.2", Family::global_memory};

std::optional<std::string> beyond_slots(const Problem& problem) {
    const Settings settings = settings_of(problem.parameters);
    if (settings.skin > 0)
        return "has " + std::to_string(slots_per_cell) +
               " slots for each cell, and with a skin a cell has more particles: give skin=0";
    constexpr std::int64_t most = std::numeric_limits<int>::max() / 16 / slots_per_cell;
    const std::int64_t cells = cell_grid<float>(settings).count();
    if (cells <= most) return std::nullopt;
    return "takes at most " + std::to_string(most) + " cells, and this problem has " +
           std::to_string(cells);
}

const Registration slots([](Registry& registry) {
    Variant variant = variant_of<Form<NoList, QuadFields, Read::plain, SlotOrder, FusedMinimum>>(
        cell_slots_technique, cell_slots_block);
    variant.unsupported = beyond_slots;
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
