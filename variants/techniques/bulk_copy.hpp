// bulk_copy: register_stream with rows that arrive by bulk copies of the Tensor Memory Accelerator.
// One lane starts the copy of a row into a ring buffer of rows in shared memory, several rows
// ahead, and the warp waits at a barrier that counts the bytes. Rows in flight therefore need no
// registers, and 31 lanes execute no load instructions. CUDA C++ Programming Guide, "Asynchronous
// Data Copies using the Tensor Memory Accelerator".
#pragma once

#include "harness/machine/kernel/bulk_copy.hpp"
#include "variants/stencil/cell_stream.hpp"

CAMBER_TARGET_BEGIN

// Ring buffer of `slots` rows.
template <class Stretch, int slots>
struct RowRing {
    using Packed = Pack<typename Stretch::Cell, Stretch::pack_cells>;
    static constexpr int packs = 32 * Stretch::packs;
    static constexpr std::size_t bytes = slots * (packs * sizeof(Packed) + sizeof(std::uint64_t));

    Tile<Packed, slots, packs> rows;
    CopyBarrier arrived[slots];
};

// Rows that arrive asynchronously in the ring buffer.
template <class Rule, class Stretch, int slots, StreamEdge edge>
class CopiedRows {
  public:
    using Tag = typename Stretch::Tag;
    using Cells = LaneCells<typename Stretch::Cell, Stretch::lane_cells>;
    using Ring = RowRing<Stretch, slots>;
    static constexpr int period = 1;
    static_assert((slots & (slots - 1)) == 0, "the slot of a row is found by division");
    static_assert(Stretch::side <= Stretch::halo, "a copy would begin before the halo does");

    CAMBER_DEVICE CopiedRows(const StreamPlace<Rule, Stretch>& place, Ring& ring)
        : place_(place),
          ring_(ring),
          first_column_(place.first_column - Stretch::side),
          packs_(packs_of_row()),
          rows_(place.coming()) {
        if (place.lane == 0)
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) ring.arrived[slot].init(1);
        __syncwarp();
#pragma unroll 1
        for (int row = 0; row < slots; ++row) start(row);
    }

    CAMBER_DEVICE Cells take(int row, int) {
        Cells cells;
        const bool comes = row < rows_;
        const int slot = row % slots;
        if (comes) ring_.arrived[slot].wait(row / slots % 2);
#pragma unroll
        for (int p = 0; p < Stretch::packs; ++p) read(cells, comes, slot, p);
        // All lanes must have read the row before another row replaces it.
        __syncwarp();
        start(row + slots);
        return cells;
    }

  private:
    // Number of packs in a row; the halo counts in whole packs only.
    CAMBER_DEVICE int packs_of_row() const {
        const int there =
            (place_.views.columns + Stretch::halo - first_column_) / Stretch::pack_cells;
        return edge == StreamEdge::none || there > Ring::packs ? Ring::packs : there;
    }

    CAMBER_DEVICE void start(int row) const {
        if (place_.lane != 0 || row >= rows_) return;
        const int slot = row % slots;
        const int cells = packs_ * Stretch::pack_cells;
        ring_.arrived[slot].expect(cells * sizeof(typename Stretch::Cell));
        bulk_copy(ring_.rows, slot, place_.views.input(Tag{}), place_.first_coming() + row,
                  first_column_, cells, ring_.arrived[slot]);
    }

    CAMBER_DEVICE void read(Cells& cells, bool comes, int slot, int p,
                            Site site = Site::current()) const {
        const int pack = place_.lane * Stretch::packs + p;
        if (comes && (edge == StreamEdge::none || pack < packs_)) {
            const typename Ring::Packed packed = ring_.rows(slot, pack, site);
#pragma unroll
            for (int c = 0; c < Stretch::pack_cells; ++c)
                cells.cell[p * Stretch::pack_cells + c] = packed[c];
        } else {
            skip(site);
#pragma unroll
            for (int c = 0; c < Stretch::pack_cells; ++c)
                cells.cell[p * Stretch::pack_cells + c] = Tag::outside();
        }
    }

    const StreamPlace<Rule, Stretch>& place_;
    Ring& ring_;
    int first_column_;
    int packs_;
    int rows_;
};

// Minimum number of resident warps per SM. Rows in flight take no registers.
template <class Stretch>
inline constexpr int warps_with_ring = Stretch::held > 112 ? 12 : Stretch::resident_warps;

template <class Rule, class Stretch, int slots, Boundary boundary>
__global__ void __launch_bounds__(32, warps_with_ring<Stretch>)
    bulk_copy_kernel(const Views<Rule> views) {
    constexpr StreamEdge at_edge =
        boundary == Boundary::torus ? StreamEdge::torus : StreamEdge::dead;
    __shared__ RowRing<Stretch, slots> ring;
    const StreamPlace<Rule, Stretch> place(views, blockIdx.y, blockIdx.x);
    if (place.is_inside(boundary)) {
        CopiedRows<Rule, Stretch, slots, StreamEdge::none> rows(place, ring);
        run_stream<Rule, Stretch, StreamEdge::none>(place, rows);
    } else {
        CopiedRows<Rule, Stretch, slots, at_edge> rows(place, ring);
        run_stream<Rule, Stretch, at_edge>(place, rows);
    }
}

struct BulkCopy {
    static constexpr TechniqueInfo info{
        "bulk_copy", "as register_stream, rows by bulk copies into a ring in shared memory",
        "CUDA C++ Programming Guide, \"Tensor Memory Accelerator\"", Family::several_generations};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        static_assert(iterates_one_field<Rule>() && Rule::Inputs::radius == 1);
        constexpr int N = widest_pack<Rule>();
        catalogue.add(info, variant<Rule, N, 8, 128, 4>());
        if constexpr (sums_by_rows<Rule>()) {
            catalogue.add(info, variant<Rule, N, 8, 382, 4>());
            catalogue.add(info, variant<Rule, 2 * N, 8, 365, 4>());
        }
    }

  private:
    template <class Rule, int N, int Generations, int Rows, int slots>
    static StencilVariant<Rule> variant() {
        using Of = StretchOf<Rule, N, Generations, Rows>;
        Shape shape = stream_shape<Of>();
        shape.shared_bytes = RowRing<Of, slots>::bytes;
        shape.path += "/k" + std::to_string(slots);
        return {.shape = shape,
                .kernel = {bulk_copy_kernel<Rule, Of, slots, Boundary::dead>},
                .torus_kernel = {bulk_copy_kernel<Rule, Of, slots, Boundary::torus>},
                .needs = {bulk_copy_capability, "bulk copies into shared memory"}};
    }
};

CAMBER_TARGET_END
