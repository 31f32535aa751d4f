// Order of particles in memory: by cells along a Morton curve, by their numbers, or none.
#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/sorted_order.hpp"

// Cells along a Morton curve (Morton 1966): the cells around a cell are close in memory in all
// three directions instead of one.
CAMBER_WORKLOAD_BEGIN(sph)

struct MortonOrder {
    static constexpr int most_cells = 1024;  // per axis: three coordinates share 32 bits

    template <class R>
    CAMBER_DEVICE static unsigned key(const CellGrid<R>&, const Cell& cell) {
        return spread(cell.x) | spread(cell.z) << 1 | spread(cell.y) << 2;
    }
    template <class R>
    static int bits(const CellGrid<R>& grid) {
        const int longest = std::max({grid.size.x, grid.size.y, grid.size.z});
        return 3 * std::bit_width(static_cast<unsigned>(longest - 1));
    }

  private:
    // Inserts two zeros behind each of the lowest ten bits.
    CAMBER_DEVICE static unsigned spread(int coordinate) {
        unsigned bits = static_cast<unsigned>(coordinate) & 0x3ffu;
        bits = (bits | bits << 16) & 0x030000ffu;
        bits = (bits | bits << 8) & 0x0300f00fu;
        bits = (bits | bits << 4) & 0x030c30c3u;
        bits = (bits | bits << 2) & 0x09249249u;
        return bits;
    }
};

CAMBER_TARGET_END

// Particles stay in their slots; only their numbers are sorted by cell for the neighbor search.
// This is the baseline for the effect of sorting the particles themselves.
CAMBER_WORKLOAD_BEGIN(sph)

// Order of the numbers: that of the scene's lattices, from which water departs slowly.
struct AsNumbered {
    static std::vector<int> ids(std::size_t count) {
        std::vector<int> ids(count);
        std::iota(ids.begin(), ids.end(), 0);
        return ids;
    }
};
// Random order, like that of water that was stirred for a long time.
struct Shuffled {
    static std::vector<int> ids(std::size_t count) {
        std::vector<int> ids = AsNumbered::ids(count);
        std::mt19937 random(1);  // same on every machine, unlike std::shuffle
        for (std::size_t i = count; i > 1; --i) std::swap(ids[i - 1], ids[random() % i]);
        return ids;
    }
};

// Records where cells begin and end in the sorted order, and the slots of its particles.
template <class Fields>
__global__ void number_kernel(const Grid<unsigned> sorted_keys, const Grid<int> sorted_ids,
                              const Grid<int> slots, const Fields from, const Fields listed,
                              const NumberedRuns runs) {
    const int place = own_slot();
    if (place >= sorted_ids.columns()) return;
    listed.store(place, particle_at(from, place));
    runs.numbers(0, place) = slots(0, sorted_ids(0, place));
    const int key = static_cast<int>(sorted_keys(0, place));
    mark_bounds(sorted_keys, place, key, runs.firsts, runs.ends);
}

template <class Start>
class RestingOrder {
  public:
    static constexpr bool moves = false;
    using Runs = NumberedRuns;
    using Slots = LineSlots;

    RestingOrder(Queue& queue, std::size_t count, const CellGrid<float>& grid)
        : sorting_(queue, count, grid),
          ids_(queue, count, "id"),
          sorted_ids_(queue, count, "sorted_id"),
          order_(queue, count, "order") {}

    std::vector<int> start(const State&, const PositionFields&) const {
        return Start::ids(ids_.count());
    }
    void upload(Queue& queue, const std::vector<int>& start) {
        sorting_.upload(queue);
        ids_.upload(queue, start);
    }

    template <class Fields>
    void rebuild(Queue& queue, unsigned block, const Fields& from, const Fields& /*to*/,
                 const Fields& listed, const Grid<Fault>&, int /*iteration*/) {
        sorting_.sort(queue, block, from, ids_, sorted_ids_);
        launch(queue, "number", covering_line(ids_.count(), block), number_kernel<Fields>,
               sorting_.sorted_keys(), sorted_ids_.grid(), sorting_.slots(), from, listed, runs());
    }

    const Row<int>& ids() const { return ids_; }
    LineSlots slots() const { return {static_cast<int>(ids_.count())}; }
    Runs runs() const {
        const SortedRuns sorted = sorting_.runs();
        return {sorted.firsts, sorted.ends, order_.grid()};
    }
    std::vector<ByteArea> areas() const {
        std::vector<ByteArea> areas = sorting_.areas();
        areas.push_back(sorted_ids_.area());
        areas.push_back(order_.area());
        return areas;
    }

  private:
    Sorting<RowOrder, float> sorting_;
    Row<int> ids_;
    Row<int> sorted_ids_;  // numbers by (cell, number)
    Row<int> order_;       // their slots
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for a million particles on an H200: a particle sorted by cell finds its 80
// neighbors in nine runs, which the particles of its warp share, so L1 serves most of their 160
// sectors. In random order, each pair costs two sectors from L2 or DRAM: 136 million pairs, 8.7 GB,
// which at 5.5 TB/s of L2 bandwidth take 1.6 ms if all fields fit into L2's 50 MB; the 64 MB of two
// float4 arrays do not quite.

namespace {

constexpr TechniqueInfo morton_technique{
    "neighbour_list_morton", "as neighbour_list, cells sorted along a Morton curve",
    "Morton 1966; after Rustico 2012, section 8.2, who sorts by rows", Family::global_memory};
constexpr TechniqueInfo unsorted_technique{
    "neighbour_list_unsorted", "as neighbour_list, particles in the order of their numbers",
    "what the sort of Rustico 2012, section 7.3.1, is held against", Family::global_memory};
constexpr TechniqueInfo shuffled_technique{
    "neighbour_list_shuffled", "as neighbour_list, particles in no order, as after long stirring",
    "what the sort of Rustico 2012, section 7.3.1, is held against", Family::global_memory};

template <class Order>
using OfOrder = Form<InterleavedList, QuadFields, Read::plain, Order>;

std::optional<std::string> beyond_morton(const Problem& problem) {
    if (const auto reason = too_many_particles(problem)) return reason;
    const CellGrid<float> grid = cell_grid<float>(settings_of(problem.parameters));
    const int longest = std::max({grid.size.x, grid.size.y, grid.size.z});
    if (longest <= MortonOrder::most_cells) return std::nullopt;
    return "takes at most " + std::to_string(MortonOrder::most_cells) +
           " cells along an axis, and this problem has " + std::to_string(longest);
}

const Registration orders([](Registry& registry) {
    Variant morton = variant_of<OfOrder<SortedOrder<MortonOrder, float>>>(morton_technique, 128);
    morton.unsupported = beyond_morton;
    registry.add(std::move(morton));
    registry.add(variant_of<OfOrder<RestingOrder<AsNumbered>>>(unsorted_technique, 128));
    registry.add(variant_of<OfOrder<RestingOrder<Shuffled>>>(shuffled_technique, 128));
});

}  // namespace
}  // namespace camber::sph
