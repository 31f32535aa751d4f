// bits_inside: n generations per launch on cells of whole bytes, computed on bits. A block packs
// rows of cells into words of 32 cells, computes all generations on words, and unpacks the rows.
// Memory is read once and written once in n generations, and a word takes eight logic operations
// per generation, where a stream of cells takes at least one addition per cell. After AN5D
// (Matsumura et al. 2020), whose streams contain floating-point cells.
//
// The block's warps form a pipeline. Each of them computes a few generations of the same columns in
// registers and passes the rows on in shared memory, so that the number of generations does not
// depend on the registers of one warp. All warps share the packing and unpacking.
//
// A block's columns form strips as wide as a warp's load of 16 bytes per lane. Cells in the same
// column of different strips are bits of one word, so loads are coalesced, a shift and an addition
// pack 32 bits of cells, and the neighbors of a word's cells are in other words, except at the
// ends of a lane and of a strip.
//
// Expected times per cell for uint32 cells, n = 32, 132 SMs at 1.98 GHz: DRAM, 8 bytes and about a
// tenth for rows that two blocks read, 2.1 ps; logic, 32 generations of 34 instructions for 128
// cells and two instructions to unpack a cell, with a fifth of the columns beyond the board, 0.8
// ps. For uint8 cells: 0.5 ps and 0.7 ps.
#pragma once

#include <cstring>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/passing_bits.hpp"

CAMBER_TARGET_BEGIN

// Assignment of a block's cells to bits: column l * N + i of strip s, where a lane l loads N
// adjacent cells, is a bit of a word of lane l.
//
// - 4-byte cells: bit s of word i.
// - 1-byte cells: bit s of byte i / 4 of word i % 4. Words that are packed have these bytes
//   transposed.
template <class Cell>
struct StripOrder {
    static constexpr int size = sizeof(Cell);
    static_assert(size == 1 || size == 4);
    static constexpr int pack_cells = 16 / size;  // cells of one load
    static constexpr int strips = 8 * size;
    static constexpr int strip_columns = 32 * pack_cells;
    static constexpr int columns = strips * strip_columns;
    using Cells = Pack<Cell, pack_cells>;

    // Adds cells to words, `bit` bits above the lowest one.
    CAMBER_DEVICE static void put(LaneRow& packed, const Cells& cells, int bit) {
        std::uint32_t word[words_per_lane];
        memcpy(word, &cells, sizeof(word));
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) packed.word[w] += word[w] << bit;
    }
    CAMBER_DEVICE static Cells take(const LaneRow& packed, int bit) {
        std::uint32_t word[words_per_lane];
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w)
            word[w] = packed.word[w] >> bit & (size == 1 ? 0x01010101u : 1u);
        Cells cells;
        memcpy(&cells, word, sizeof(word));
        return cells;
    }
    // Converts packed words to words in which generations are computed, and back.
    CAMBER_DEVICE static LaneRow transposed(const LaneRow& row) {
        if constexpr (size == 4) {
            return row;
        } else {
            const std::uint32_t* w = row.word;
            const std::uint32_t low01 = __byte_perm(w[0], w[1], 0x5140);
            const std::uint32_t low23 = __byte_perm(w[2], w[3], 0x5140);
            const std::uint32_t high01 = __byte_perm(w[0], w[1], 0x7362);
            const std::uint32_t high23 = __byte_perm(w[2], w[3], 0x7362);
            return {{__byte_perm(low01, low23, 0x5410), __byte_perm(low01, low23, 0x7632),
                     __byte_perm(high01, high23, 0x5410), __byte_perm(high01, high23, 0x7632)}};
        }
    }
};

// Stretch of one block, whose `Warps` warps compute `PerWarp` generations each.
template <class Rule, int Warps, int PerWarp>
struct InsideStretch {
    using Tag = typename Rule::Inputs::template At<0>;
    using Cell = typename Tag::Type;
    using Order = StripOrder<Cell>;
    static_assert(Rule::Inputs::radius == 1);

    static constexpr int warps = Warps;
    // Warps that an SM has registers for; a generation stores 20 words per lane.
    static constexpr int resident_warps = 8;
    // Warps i and i + 4 of a block share a scheduler (see bit_pair.hpp); blocks of four warps share
    // them with other blocks.
    static constexpr int schedulers_warps = 8;
    static constexpr int per_warp = PerWarp;
    static constexpr int generations = Warps * PerWarp;
    static constexpr int unit = 32;  // columns; whole sectors of memory for any cell type
    static constexpr int side = (generations + unit - 1) / unit * unit;
    static constexpr int columns = Order::columns - 2 * side;
    // Packs that contain a cell within the reach of the generations may extend beyond it.
    static constexpr int halo = generations + Order::pack_cells - 1;

    // Rows that a warp takes over in one step.
    static constexpr int batch = Warps < 4 ? 4 : Warps;
    static constexpr int packed_rows = batch / Warps;  // per warp
    static_assert(batch % 4 == 0 && batch % Warps == 0);
    // Rows in shared memory. In a step, one batch is packed, each warp computes on one batch, and
    // one batch is unpacked.
    static constexpr int batches = Warps + 2;
    using Ring = Tile<Pack<std::uint32_t, words_per_lane>, batches * batch, 32>;
    static constexpr std::size_t shared_bytes = batches * batch * 32 * words_per_lane * 4;
};

template <class Rule, class Stretch>
class BitsInside {
  public:
    using Bits = typename Rule::Bits;
    using Tag = typename Stretch::Tag;
    using Cell = typename Stretch::Cell;
    using Order = typename Stretch::Order;
    using Cells = typename Order::Cells;
    static constexpr int N = Order::pack_cells;
    static constexpr int generations = Stretch::generations;
    static constexpr int batch = Stretch::batch;

    // The board's cells are divided evenly among the blocks, so that all blocks end at once.
    CAMBER_DEVICE BitsInside(const Views<Rule>& views, typename Stretch::Ring& ring)
        : views_(views),
          ring_(ring),
          lane_(threadIdx.x),
          warp_(uniform(threadIdx.y)),
          width_(share(views.columns, gridDim.x, Stretch::unit)),
          first_column_(blockIdx.x * width_),
          rows_(share(views.rows, gridDim.y, 1)),
          first_row_(blockIdx.y * rows_),
          column_(first_column_ - Stretch::side + lane_ * N) {
        if (first_row_ + rows_ > views.rows) rows_ = views.rows - first_row_;
        if (first_column_ + width_ > views.columns) width_ = views.columns - first_column_;
        coming_ = rows_ + 2 * generations;
#pragma unroll
        for (int strip = 0; strip < Order::strips; ++strip) {
            const int from = lane_ * N - Stretch::side + strip * Order::strip_columns;
            if (from + N > -generations && from < width_ + generations) loads_ |= 1u << strip;
            if (from >= 0 && from + N <= width_) stores_ |= 1u << strip;
            if (from >= 0 && from < width_ && from + N > width_) part_ = strip;
        }
    }

    CAMBER_DEVICE bool on_board() const {
        return rows_ > 0 && width_ > 0;
    }
    // True if all cells that influence stored cells are on the board, so that none must be forced
    // dead.
    CAMBER_DEVICE bool inside() const {
        return first_row_ >= generations && first_row_ + rows_ + generations <= views_.rows &&
               first_column_ >= generations &&
               first_column_ + width_ + generations <= views_.columns;
    }

    // If `closed`, cells beyond the board's edge are dead and stay dead.
    //
    // In a step, half of the warps compute first, and the other half, which share the SM's
    // schedulers with them, pack and unpack first, so that computing hides the latency of memory.
    template <bool closed>
    CAMBER_DEVICE void run() const {
        const typename Bits::Adder adder = Bits::adder(views_.parameters);
        Generation generation[Stretch::per_warp];
        LaneRow mask;
        if constexpr (closed) mask = columns_on_board();
        const int steps = (coming_ + batch - 1) / batch + Stretch::warps + 1;
        const int computes_at = warp_ % Stretch::schedulers_warps < Stretch::schedulers_warps / 2;
        int newest = 0;  // position of the batch in the ring that is being packed
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
#pragma unroll 1
            for (int half = 0; half < 2; ++half) {
                count_round();
                if (half == computes_at)
                    compute<closed>(generation, adder, mask, position(newest, 1 + warp_),
                                    (step - 1 - warp_) * batch);
                else
                    convert(newest, step * batch);
            }
            newest = position(newest, Stretch::batches - 1);
            __syncthreads();
        }
    }

  private:
    using Generation = PassingPair<Bits, Order::strips>;
    using Generations = Generation[Stretch::per_warp];

    static constexpr int strips_at_once = Order::strips < 16 ? Order::strips : 16;
    static constexpr int loads_per_row = Order::strips / strips_at_once;

    CAMBER_DEVICE static int share(int cells, int blocks, int unit) {
        return ((cells + blocks - 1) / blocks + unit - 1) / unit * unit;
    }
    // Position in the ring of the batch that is `age` batches older than the newest one.
    CAMBER_DEVICE static int position(int newest, int age) {
        const int at = newest - age * batch;
        return at < 0 ? at + Stretch::batches * batch : at;
    }

    // Computes the warp's generations for a batch, whose first row has number `first_row`.
    template <bool closed>
    CAMBER_DEVICE void compute(Generations& generation, const typename Bits::Adder& adder,
                               const LaneRow& mask, int position, int first_row) const {
        if (!comes(first_row)) return;
            // Four rows per turn: after two pairs, all values are back in the same registers.
#pragma unroll 1
        for (int turn = 0; turn < batch; turn += 4) {
#pragma unroll
            for (int row = turn; row < turn + 4; row += 2) {
                LaneRow upper = read(position + row);
                LaneRow lower = read(position + row + 1);
#pragma unroll
                for (int g = 0; g < Stretch::per_warp; ++g) {
                    generation[g].pass(upper, lower, beside(upper), beside(lower), adder);
                    if constexpr (closed) {
                        const int board_row = first_row_ - generations + first_row + row -
                                              (warp_ * Stretch::per_warp + g + 1);
                        keep_dead(upper, mask, board_row);
                        keep_dead(lower, mask, board_row + 1);
                    }
                }
                // The batch stays where it is: the next warp reads it in the next step.
                write(position + row, upper);
                write(position + row + 1, lower);
            }
        }
    }

    // Packs the warp's share of the newest batch and unpacks its share of the oldest one.
    CAMBER_DEVICE void convert(int newest, int first_row) const {
        const int oldest = position(newest, Stretch::warps + 1);
        const int first_done = first_row - (Stretch::warps + 1) * batch;
#pragma unroll 1
        for (int p = 0; p < Stretch::packed_rows; ++p) {
            const int row = warp_ * Stretch::packed_rows + p;
            store(oldest + row, first_done + row);
            write(newest + row, packed(first_row + row));
        }
    }

    // Loads and packs an incoming row.
    CAMBER_DEVICE LaneRow packed(int number, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        const unsigned loads = number < coming_ ? loads_ : 0;
        const auto window = views_.input(Tag{}).window(first_row_ - generations, column_);
        LaneRow packed = {};
#pragma unroll
        for (int load = 0; load < loads_per_row; ++load) {
            Cells cells[strips_at_once] = {};
#pragma unroll
            for (int s = 0; s < strips_at_once; ++s) {
                const int strip = load * strips_at_once + s;
                if (loads >> strip & 1)
                    cells[s] = pack<N>(window, number, strip * Order::strip_columns, at);
                else
                    skip(at);
            }
#pragma unroll
            for (int s = 0; s < strips_at_once; ++s)
                Order::put(packed, cells[s], load * strips_at_once + s);
        }
        return Order::transposed(packed);
    }

    CAMBER_DEVICE LaneRow read(int position, Site site = Site::current()) const {
        const Pack<std::uint32_t, words_per_lane> words = ring_(position, lane_, site);
        LaneRow row;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) row.word[w] = words[w];
        return row;
    }
    CAMBER_DEVICE void write(int position, const LaneRow& row, Site site = Site::current()) const {
        Pack<std::uint32_t, words_per_lane> words;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) words[w] = row.word[w];
        ring_(position, lane_, site) = words;
    }

    // True if row `number` of the block's incoming rows exists in some batch.
    CAMBER_DEVICE bool comes(int number) const {
        return number >= 0 && number < (coming_ + batch - 1) / batch * batch;
    }
    // The last lane's neighbors on the right are at the start of the next strip, one bit above, in
    // the first lane.
    CAMBER_DEVICE Beside beside(const LaneRow& row) const {
        Beside beside = Beside::of(row);
        beside.before <<= lane_ == 0 ? 1 : 0;
        beside.after >>= lane_ == 31 ? 1 : 0;
        return beside;
    }

    // Bits of cells on the board.
    CAMBER_DEVICE LaneRow columns_on_board() const {
        LaneRow packed = {};
        for (int strip = 0; strip < Order::strips; ++strip) {
            Cells cells;
#pragma unroll
            for (int i = 0; i < N; ++i) {
                const int column = column_ + strip * Order::strip_columns + i;
                cells[i] = column >= 0 && column < views_.columns ? 1 : 0;
            }
            Order::put(packed, cells, strip);
            count_round();
        }
        return Order::transposed(packed);
    }
    CAMBER_DEVICE void keep_dead(LaneRow& cells, const LaneRow& mask, int row) const {
        const std::uint32_t exists = row >= 0 && row < views_.rows ? ~0u : 0;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) cells.word[w] &= mask.word[w] & exists;
    }

    // Stores the row at a position of the ring; `number` counts incoming rows.
    CAMBER_DEVICE void store(int position, int number, Site site = Site::current()) const {
        const CallPath path(site);
        const Site from = Site::current();
        const Site whole = Site::current();
        const Site single = Site::current();
        const bool stored = number >= 2 * generations && number < coming_;
        LaneRow row = {};
        if (stored)
            row = Order::transposed(read(position, from));
        else
            skip(from);
        const auto window = get<0>(views_.outputs).window(first_row_ - 2 * generations, column_);
#pragma unroll
        for (int strip = 0; strip < Order::strips; ++strip)
            if (stored && (stores_ >> strip & 1))
                store_pack(window, number, strip * Order::strip_columns, Order::take(row, strip),
                           whole);
            else
                skip(whole);
        // Pack that extends beyond the last column.
        const bool in_part = stored && part_ >= 0;
        const Cells cells = Order::take(row, in_part ? part_ : 0);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const int column = part_ * Order::strip_columns + i;
            if (in_part && column_ + column < first_column_ + width_)
                window(number, column, single) = cells[i];
            else
                skip(single);
        }
    }

    const Views<Rule>& views_;
    typename Stretch::Ring& ring_;
    int lane_;
    int warp_;
    int width_;            // columns that the block stores
    int first_column_;     // first stored column
    int rows_;             // rows that the block stores
    int first_row_;        // first stored row
    int column_;           // first column of the lane in strip 0
    int coming_;           // rows that the block reads
    unsigned loads_ = 0;   // strips in which the lane loads its pack
    unsigned stores_ = 0;  // strips in which the lane stores its whole pack
    int part_ = -1;        // strip in which it stores a part; -1 if none
};

template <class Rule, class Stretch, Boundary boundary>
__global__ void __launch_bounds__(32 * Stretch::warps, Stretch::resident_warps / Stretch::warps)
    bits_inside_kernel(const Views<Rule> views) {
    __shared__ typename Stretch::Ring ring;
    const BitsInside<Rule, Stretch> block(views, ring);
    if (!block.on_board()) return;
    if (boundary == Boundary::torus || block.inside())
        block.template run<false>();
    else
        block.template run<true>();
}

struct BitsInsideCells {
    static constexpr TechniqueInfo info{
        "bits_inside", "n generations per launch on bits, cells packed and unpacked by the kernel",
        "after Matsumura et al. 2020", Family::several_generations};

    // Stretches of 156, 316 and 632 rows divide a board of 16384x16384 into as many stretches as a
    // GPU with 132 SMs runs at once; those of 1130 and 2341 rows divide a board of 32768x32768.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, 2, 8>(156));
        catalogue.add(info, variant<Rule, 4, 8>(316));
        catalogue.add(info, variant<Rule, 8, 8>(632));
        if constexpr (sizeof(typename Rule::Inputs::template At<0>::Type) == 1) {
            catalogue.add(info, variant<Rule, 4, 8>(1130));
            catalogue.add(info, variant<Rule, 8, 8>(2341));
        }
    }

    // A block divides the rows evenly; `rows` only determines the number of blocks.
    template <class Rule, int Warps, int PerWarp>
    static StencilVariant<Rule> variant(int rows) {
        using Of = InsideStretch<Rule, Warps, PerWarp>;
        constexpr Region block{32, Warps};
        return {.shape = {.block = block,
                          .region = {Of::columns, rows},
                          .halo = Of::halo,
                          .alignment = 128,
                          .elements_per_thread = Of::columns * rows / (32 * Warps),
                          .generations = Of::generations,
                          .shared_bytes = Of::shared_bytes,
                          .path = block.name() + "/n" + std::to_string(Of::generations) + "/r" +
                                  std::to_string(rows)},
                .kernel = {bits_inside_kernel<Rule, Of, Boundary::dead>},
                .torus_kernel = {bits_inside_kernel<Rule, Of, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
