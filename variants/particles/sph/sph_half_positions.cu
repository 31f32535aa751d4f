// Particles with other arithmetic: positions of 8 bytes, in half precision relative to the cell, and
// compensated sums of forces.
#include <cstdint>

#include "harness/machine/kernel/half.hpp"
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"

// Positions relative to the cell, in half precision: a neighbor's position takes 8 bytes, three
// offsets from the center of its cell and the density's deviation, instead of four floats. A list
// entry contains the neighbor's cell among the 27 cells around the particle. Positions relative to
// cells: Saikali, Bilotta, Herault and Zago 2020, whose offsets are floats.
CAMBER_WORKLOAD_BEGIN(sph)

// List entry: the lower bits contain a slot; above it, two bits per axis contain the offset to the
// neighbor's cell: -1, 0 or 1.
inline constexpr int slot_bits = 26;

struct DirectedList : InterleavedList {
    template <class R, class Seen>
    CAMBER_DEVICE static int entry(const CellGrid<R>& grid, const Place<R>& own, const Seen& there,
                                   int other) {
        const Cell from = grid.cell_of(own.x, own.y, own.z);
        const Cell to = grid.cell_of(there.x, there.y, there.z);
        const auto field = [](int cells, int axis) {
            return (static_cast<unsigned>(cells) & 3u) << (slot_bits + 2 * axis);
        };
        return static_cast<int>(static_cast<unsigned>(other) | field(to.x - from.x, 0) |
                                field(to.y - from.y, 1) | field(to.z - from.z, 2));
    }
    CAMBER_DEVICE static int slot(int entry) { return entry & ((1 << slot_bits) - 1); }
    CAMBER_DEVICE static float cells_on(int entry, int axis) {
        const auto bits = static_cast<unsigned>(entry) << (32 - slot_bits - 2 - 2 * axis);
        return static_cast<float>(static_cast<int>(bits) >> 30);
    }
};

// Access to a particle's neighbors by list entry, or to the particle itself by its slot, which is
// equal to the entry of a particle in the same cell.
struct HalfFields {
    using Real = float;
    using Forces = QuadFields::Forces;
    using ForceStore = QuadFields::ForceStore;

    Grid<uint2> places;  // bits of x and y, and of z and the density's deviation
    QuadFields quads;
    float side;  // of a cell, m

    // Position relative to the center of the cell of the particle whose list contains the entry.
    template <Read read = Read::plain>
    CAMBER_DEVICE Place<float> place(int entry) const {
        const uint2 bits = loaded<read>(places, DirectedList::slot(entry));
        const auto offset = [&](unsigned word, int axis) {
            const float own = half_value(static_cast<std::uint16_t>(word));
            return (own + DirectedList::cells_on(entry, axis)) * side;
        };
        const float deviation = half_value(static_cast<std::uint16_t>(bits.y >> 16));
        return {offset(bits.x & 0xffffu, 0), offset(bits.x >> 16, 1), offset(bits.y & 0xffffu, 2),
                (deviation + 1.0f) * static_cast<float>(rest_density)};
    }
    template <Read read = Read::plain>
    CAMBER_DEVICE Motion<float> motion(int entry) const {
        return quads.motion<read>(DirectedList::slot(entry));
    }
};

// Offsets from the centers of the cells in which particles were when the list was built.
inline __global__ void pack_kernel(const QuadFields fields, const QuadFields listed,
                                   const Grid<uint2> packed, const CellGrid<float> grid) {
    const int slot = own_slot();
    if (slot >= packed.columns()) return;
    const Place<float> p = fields.place(slot);
    const Location<float> was = listed.point(slot);
    const Cell cell = grid.cell_of(was.x, was.y, was.z);
    const auto offset = [&](float position, int at) {
        const float centre = static_cast<float>(at) + 0.5f;
        return static_cast<unsigned>(half_bits(position * grid.inverse_side - centre));
    };
    const float deviation = p.density / static_cast<float>(rest_density) - 1.0f;
    packed(0, slot) =
        make_uint2(offset(p.x, cell.x) | offset(p.y, cell.y) << 16,
                   offset(p.z, cell.z) | static_cast<unsigned>(half_bits(deviation)) << 16);
}

template <>
class ListStore<DirectedList> {
  public:
    ListStore(Queue& queue, std::size_t count, int most)
        : store_(queue, count, most), packed_(queue, count, "packed") {}

    struct Neighbours {
        DirectedList list;
        Grid<uint2> packed;
        QuadFields listed;
        CellGrid<float> grid;
    };
    DirectedList list() const { return {store_.list()}; }
    template <class Cells>
    Neighbours neighbours(const Cells& cells) const {
        return {list(), packed_.grid(), cells.listed, cells.grid};
    }
    std::vector<ByteArea> areas() const {
        std::vector<ByteArea> areas = store_.areas();
        areas.push_back(packed_.area());
        return areas;
    }

  private:
    ListStore<InterleavedList> store_;
    Row<uint2> packed_;
};

struct ByHalfPositions {
    template <Read read, class Neighbours, class Limits>
    static void enqueue(Queue& queue, unsigned block, const LineSlots& slots,
                        const QuadFields& fields, const Neighbours& neighbours,
                        const QuadFields::ForceStore& forces, const Limits& limits,
                        const Constants<float>& k) {
        launch(queue, "pack", covering_line(slots.size(), block), pack_kernel, fields,
               neighbours.listed, neighbours.packed, neighbours.grid);
        const HalfFields halves{neighbours.packed, fields, 1.0f / neighbours.grid.inverse_side};
        ByParticle<Sums::plain>::enqueue<read>(queue, block, slots, halves, neighbours.list, forces,
                                               limits, k);
    }
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for a million particles on an H200: a pair loads 4 bytes of the list, 8 of a
// position and 16 of a motion, 28 instead of 36, with as many requests. L1 wavefronts for positions
// decrease from at least four to at least two. In return, a pair takes 25 instructions in addition
// to its 95, for four conversions from half and three cell offsets, and 40 bytes per particle are
// packed before each evaluation, 20 microseconds for both. The list's kernel takes 50 cycles for a
// pair of each lane of a warp on an SM, of which 25 issue instructions. So forces should take a
// tenth less, and an iteration 5 % less than neighbour_list with the same loads.
//
// Rounding moves a coordinate by at most 2^-13 of a cell's side, 3e-4 of a spacing, while a
// particle is in its cell. Both particles of a pair are rounded, so their interaction remains equal
// and opposite.

namespace {

constexpr TechniqueInfo half_positions_technique{
    "neighbour_list_half_positions",
    "as neighbour_list, neighbours' positions relative to cells in half precision",
    "after Saikali, Bilotta, Herault and Zago 2020, whose positions relative to cells are floats",
    Family::global_memory};

template <Read read>
void add(Registry& registry) {
    Variant variant =
        variant_of<Form<DirectedList, QuadFields, read, SortedOrder<RowOrder, float>,
                        LibraryMinimum<float>, ByHalfPositions>>(half_positions_technique, 128);
    variant.info.arithmetic = Arithmetic::rounded;
    variant.unsupported = [](const Problem& problem) {
        return more_particles_than(1 << slot_bits, problem);
    };
    registry.add(std::move(variant));
}

const Registration half_positions([](Registry& registry) {
    add<Read::plain>(registry);
    add<Read::read_only>(registry);
});

// Compensated sums of forces.
//
// Expected performance for a million particles on an H200: four sums with four operations instead
// of one, 12 more instructions per pair in addition to about 90, and four more registers. Lists are
// limited by their loads, so little of this should show.
constexpr TechniqueInfo kahan_technique{
    "neighbour_list_kahan", "as neighbour_list, the sums of forces compensated",
    "Kahan 1965, for the sums of Rustico 2012, section 7.1", Family::global_memory};

template <class Fields, Read read>
void add(Registry& registry) {
    Variant variant = variant_of<Form<InterleavedList, Fields, read, SortedOrder<RowOrder, float>,
                                      LibraryMinimum<float>, ByParticle<Sums::compensated>>>(
        kahan_technique, 128);
    variant.info.arithmetic = Arithmetic::reordered;
    registry.add(std::move(variant));
}

const Registration kahan([](Registry& registry) {
    add<QuadFields, Read::plain>(registry);
    add<ScalarFields<float>, Read::read_only>(registry);
});

}  // namespace
}  // namespace camber::sph
