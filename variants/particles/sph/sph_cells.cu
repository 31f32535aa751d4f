// One warp per cell: particles in fixed slots of memory per cell, without sorting (Rustico 2012, section
// 7.3.2), and sorted particles, without and with a tile in shared memory.
#include <algorithm>
#include <vector>

#include "harness/base/state.hpp"
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/kernels.hpp"
#include "variants/particles/sph/minimum.hpp"

// One warp per cell: its lanes have the cell's particles and visit those of the 27 surrounding
// cells together. All lanes load the same candidate, in loops of equal lengths.
CAMBER_WORKLOAD_BEGIN(sph)

CAMBER_HD inline Cell cell_with_hash(const CellGrid<float>& grid, int hash) {
    const int row = hash / grid.size.x;
    return {hash % grid.size.x, row / grid.size.z, row % grid.size.z};
}

// Up to 32 particles of a run that all lanes visit one after another, each loaded when it is
// visited.
template <Read read, class Fields>
class LoadedCandidates {
  public:
    CAMBER_DEVICE LoadedCandidates(const Fields& fields, const Fields& listed)
        : fields_(fields), listed_(listed) {}

    CAMBER_DEVICE void take(int first, int /*count*/) { first_ = first; }
    CAMBER_DEVICE Location<float> listed(int i) const {
        return listed_.template point<read>(first_ + i);
    }
    CAMBER_DEVICE Place<float> place(int i) const {
        return fields_.template place<read>(first_ + i);
    }
    CAMBER_DEVICE Motion<float> motion(int i) const {
        return fields_.template motion<read>(first_ + i);
    }

  private:
    const Fields& fields_;
    const Fields& listed_;
    int first_ = 0;
};

// Sum over the neighbors of particle `own` in `slot`, which was at `listed` when cells were built.
// Called by whole warps.
template <class Candidates, class Fields, class Runs>
CAMBER_DEVICE void add_neighbours(ForceSum<float>& sum, int slot, const Place<float>& listed,
                                  const Cell& cell, Candidates& candidates,
                                  const CellRuns<Fields, Runs>& cells, const Constants<float>& k) {
    constexpr unsigned all = 0xffffffffu;
    const auto visit = [&](bool there, int around) {
        if (!there) return;
        const int stop = cells.runs.end(around);
        for (int first = cells.runs.first(around); first < stop; first += 32) {
            const int count = stop - first < 32 ? stop - first : 32;
            candidates.take(first, count);
            for (int i = 0; i < count; ++i) {
                const Location<float> there_listed = candidates.listed(i);
                const bool near = first + i != slot && listed.density > 0 &&
                                  squared_distance(listed, there_listed) < cells.reach_2;
                if (!__any_sync(all, near)) continue;
                const Place<float> place = candidates.place(i);
                const Motion<float> motion = candidates.motion(i);
                if (near)
                    sum.add(k, place.x, place.y, place.z, place.density, [&] { return motion; });
            }
            __syncwarp();
        }
    };
    for_cells_around(cells.grid, cell, visit);
}

template <class Candidates, class Fields, class Runs, class Limits>
__global__ void cell_forces_kernel(const Fields fields, const CellRuns<Fields, Runs> cells,
                                   const typename Fields::Forces forces, const Limits limits,
                                   const Constants<float> k) {
    const int cell = own_slot() / 32;
    if (cell >= cells.grid.count()) return;
    const int stop = cells.runs.end(cell);
    Candidates candidates(fields, cells.listed);
    for (int first = cells.runs.first(cell); first < stop; first += 32) {
        const int slot = first + static_cast<int>(threadIdx.x) % 32;
        const bool exists = slot < stop;
        // Lanes without a particle repeat the work of the last particle's lane.
        const int own = exists ? slot : stop - 1;
        const Place<float> listed = cells.listed.place(own);
        const Particle<float> particle = particle_at(fields, own);
        const bool is_fluid = particle.is_fluid();
        Force<float> force;
        float limit = longest_step<float>;
        if (__any_sync(0xffffffffu, is_fluid)) {
            ForceSum<float> sum(k, particle);
            add_neighbours(sum, own, listed, cell_with_hash(cells.grid, cell), candidates, cells,
                           k);
            if (is_fluid) {
                force = sum.total(k);
                limit = step_limit(k, particle.density, force);
            }
        }
        if (exists) forces.store(slot, force);
        limits.take(slot, exists, is_fluid, limit);
    }
}

// Evaluates forces with one warp per cell.
template <template <Read, class> class Candidates>
struct ByCell {
    template <Read read, class Fields, class Runs, class Limits>
    static void enqueue(Queue& queue, unsigned block, const LineSlots&, const Fields& fields,
                        const CellRuns<Fields, Runs>& cells,
                        const typename Fields::ForceStore& forces, const Limits& limits,
                        const Constants<float>& k) {
        const std::size_t threads = 32 * static_cast<std::size_t>(cells.grid.count());
        launch(queue, "cell_forces", covering_line(threads, block),
               cell_forces_kernel<Candidates<read, Fields>, Fields, Runs, Limits>, fields, cells,
               forces.forces(), limits, k);
    }
};

CAMBER_TARGET_END


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

// Same as one warp per cell, but neighbors are first staged in shared memory, 32 particles by 32
// lanes: a warp loads each particle once, with adjacent accesses.
CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr int cell_tile_block = 128;

template <Read read, class Fields>
class StagedCandidates {
  public:
    CAMBER_DEVICE StagedCandidates(const Fields& fields, const Fields& listed)
        : fields_(fields), listed_(listed) {}

    CAMBER_DEVICE void take(int first, int count) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        auto& cells = tile();
        if (lane < count) {
            const Location<float> was = listed_.template point<read>(first + lane);
            const Place<float> is = fields_.template place<read>(first + lane);
            const Motion<float> m = fields_.template motion<read>(first + lane);
            cells(row(), lane) = make_float4(was.x, was.y, was.z, 0);
            cells(row() + 1, lane) = make_float4(is.x, is.y, is.z, is.density);
            cells(row() + 2, lane) = make_float4(m.vx, m.vy, m.vz, m.pressure);
        }
        __syncwarp();
    }
    CAMBER_DEVICE Location<float> listed(int i) const {
        const float4 p = tile()(row(), i);
        return {p.x, p.y, p.z};
    }
    CAMBER_DEVICE Place<float> place(int i) const { return place_in(row() + 1, i); }
    CAMBER_DEVICE Motion<float> motion(int i) const {
        const float4 m = tile()(row() + 2, i);
        return {m.x, m.y, m.z, m.w};
    }

  private:
    using CellTile = Tile<float4, 3 * cell_tile_block / 32, 32>;  // three rows per warp

    CAMBER_DEVICE static CellTile& tile() {
        __shared__ CellTile cells;
        return cells;
    }
    CAMBER_DEVICE static int row() { return 3 * (static_cast<int>(threadIdx.x) / 32); }
    CAMBER_DEVICE static Place<float> place_in(int row, int i) {
        const float4 p = tile()(row, i);
        return {p.x, p.y, p.z, p.w};
    }

    const Fields& fields_;
    const Fields& listed_;
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance: a lane adds 80 of the 475 particles in 27 cells, and 18 of a warp's 32
// lanes have a particle. So the arithmetic of a list's kernel is executed some eight times as
// often. The gain, requests of one sector for a whole warp and no list at all, does not compensate
// for that.

namespace {

constexpr TechniqueInfo cell_warp_technique{
    "cell_warp", "a warp per cell, whose lanes visit the 27 cells around together",
    "after Rustico 2012, section 7.3.2, who visits them by particle", Family::global_memory};
constexpr TechniqueInfo cell_tile_technique{
    "cell_tile", "as cell_warp, the particles that are visited staged in shared memory",
    "after Rustico 2012, section 7.3.2, who visits them by particle", Family::shared_memory};

template <template <Read, class> class Candidates>
using OfCells = Form<NoList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                     LibraryMinimum<float>, ByCell<Candidates>>;

const Registration cells([](Registry& registry) {
    registry.add(variant_of<OfCells<LoadedCandidates>>(cell_warp_technique, 128));
    registry.add(variant_of<OfCells<StagedCandidates>>(cell_tile_technique, cell_tile_block));
});

}  // namespace
}  // namespace camber::sph
