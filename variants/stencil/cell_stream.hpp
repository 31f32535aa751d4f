// Rows of cells that stream through a warp, several generations deep: memory is read once and
// written once per launch instead of once per generation.
#pragma once

#include <numeric>
#include <string>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "variants/stencil/views.hpp"
#include "variants/stencil/walk.hpp"

// One generation of a lane's cells in a stream of rows: takes a row and returns the row above it,
// one generation later.
CAMBER_TARGET_BEGIN

// Adjacent cells of one row that belong to one lane.
template <class Cell, int N>
struct LaneCells {
    Cell cell[N];
};

// A lane's cells and the two adjacent cells, which belong to the previous and the next lane. On the
// side where the first and the last lane have no adjacent lane, the value is a cell of their own
// and must not affect stored cells.
template <class Cell, int N>
struct LaneCellsBeside {
    Cell cell[N + 2];

    CAMBER_DEVICE static LaneCellsBeside of(const LaneCells<Cell, N>& row) {
        LaneCellsBeside beside;
        beside.cell[0] = from_lane_before(row.cell[N - 1], 1);
        beside.cell[N + 1] = from_lane_after(row.cell[0], 1);
#pragma unroll
        for (int c = 0; c < N; ++c) beside.cell[c + 1] = row.cell[c];
        return beside;
    }
};

// True if a rule can return its result in parts, row by row: see workloads/core/rule.hpp.
template <class Rule>
constexpr bool sums_by_rows() {
    return requires {
        typename Rule::PartialSum;
    };
}

// Generation that stores the two latest rows.
template <class Rule, int N, bool by_sums = sums_by_rows<Rule>()>
class PassingGeneration {
  public:
    using Cell = typename Rule::Inputs::template At<0>::Type;
    // Number of rows after which all values are back in the same registers; a loop unrolled by this
    // number needs no copies.
    static constexpr int period = 3;
    static constexpr int cells_held = 2 * (N + 2);

    // Replaces `row`, which is the row of `below` without adjacent cells, by the row above it, one
    // generation later.
    CAMBER_DEVICE void pass(LaneCells<Cell, N>& row, const LaneCellsBeside<Cell, N>& below,
                            const Views<Rule>& views, const typename Rule::Parameters& parameters,
                            Site site = Site::current()) {
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const auto read = [&]<class Tag>(Tag, int dcol, int drow, Site) -> Cell {
                const auto& from = drow < 0 ? above_ : drow > 0 ? below : own_;
                return from.cell[c + 1 + dcol];
            };
            row.cell[c] = apply(views, read, parameters, site);
        }
        above_ = own_;
        own_ = below;
    }

  private:
    LaneCellsBeside<Cell, N> above_ = {};
    LaneCellsBeside<Cell, N> own_ = {};
};

// Generation that stores partial sums instead of rows, for the two rows that still lack their last
// contribution; cells of adjacent lanes are not stored either. AN5D (Matsumura et al. 2020) does so
// for stencils that it calls associative.
template <class Rule, int N>
class PassingGeneration<Rule, N, true> {
  public:
    using Cell = typename Rule::Inputs::template At<0>::Type;
    static constexpr int period = 1;
    static constexpr int cells_held = 2 * N;

    CAMBER_DEVICE void pass(LaneCells<Cell, N>& row, const LaneCellsBeside<Cell, N>& beside,
                            const Views<Rule>&, const typename Rule::Parameters& parameters) {
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const Cell left = beside.cell[c];
            const Cell own = beside.cell[c + 1];
            const Cell right = beside.cell[c + 2];
            row.cell[c] = Rule::next_below(own_[c], left, own, right, parameters);
            own_[c] = Rule::sum_own(above_[c], left, own, right, parameters);
            above_[c] = Rule::sum_above(left, own, right, parameters);
        }
    }

  private:
    using Sum = typename Rule::PartialSum;
    Sum above_[N] = {};
    Sum own_[N] = {};
};

CAMBER_TARGET_END

// Rows of cells that stream through a warp, several generations deep: memory is read once and
// written once for all of them. The warp moves down a stretch of the board. Each generation stores
// the latest rows, or their partial sums, in registers and passes the row above on to the next
// generation. Cells to the left and right come from the warp's other lanes.
//
// With every generation, cells at the warp's sides depend on more cells that the warp does not
// have. Therefore the outer lanes on both sides store nothing, and the rows between two stretches
// are computed by both.
CAMBER_TARGET_BEGIN

// Stretch of `rows_` rows, in which each of `lanes_` lanes has N cells. The lanes are those of a
// warp, or of all warps of a block.
template <class Rule, int N, int generations_, int rows_, int lanes_ = 32>
struct StretchOf {
    using Tag = typename Rule::Inputs::template At<0>;
    using Cell = typename Tag::Type;
    static_assert(Rule::Inputs::radius == 1);

    static constexpr int lanes = lanes_;
    static constexpr int lane_cells = N;
    static constexpr int generations = generations_;
    static constexpr int pack_cells = widest_pack<Rule>();
    static constexpr int packs = N / pack_cells;  // of a lane's cells in a row
    static_assert(N % pack_cells == 0);
    static constexpr int side_lanes = (generations + N - 1) / N;
    static constexpr int side = side_lanes * N;
    static constexpr int width = lanes * N;  // including the sides
    static constexpr int columns = width - 2 * side;
    static constexpr int rows = rows_;
    // Packs that contain a cell within the reach of the generations may extend beyond it.
    static constexpr int halo = generations + pack_cells - 1;
    // Number of cells that a lane stores for all generations. It determines the minimum number of
    // resident warps per SM, and with it the compiler's register limit.
    static constexpr int held = generations * PassingGeneration<Rule, N>::cells_held;
    static constexpr int resident_warps = held > 80 ? 8 : 16;
};

// Position of a warp's cells relative to the board's edge.
enum class StreamEdge {
    none,   // all cells are on the board, or in the halo of a torus
    torus,  // some cells are beyond the halo
    dead    // some cells have the outside value in every generation
};

// Position of a warp's stretch on the board, and of a lane within it.
template <class Rule, class Stretch>
struct StreamPlace {
    const Views<Rule>& views;
    int lane;
    int first_row;     // of the stretch
    int rows;          // rows of the stretch that are on the board
    int first_column;  // first stored column
    int column;        // first column of the lane

    CAMBER_DEVICE StreamPlace(const Views<Rule>& board, int block_row, int block_column)
        : views(board),
          lane(threadIdx.x),
          first_row(block_row * Stretch::rows),
          rows(board.rows - first_row < Stretch::rows ? board.rows - first_row : Stretch::rows),
          first_column(block_column * Stretch::columns),
          column(first_column - Stretch::side + lane * Stretch::lane_cells) {}

    CAMBER_DEVICE bool is_inside(Boundary boundary) const {
        const int end = first_column + Stretch::columns;
        if (boundary == Boundary::torus)
            return end <= views.columns && end + Stretch::side <= views.columns + Stretch::halo &&
                   first_column - Stretch::side >= -Stretch::halo;
        return first_column > 0 && end + Stretch::side <= views.columns &&
               first_row >= Stretch::generations &&
               first_row + rows + Stretch::generations <= views.rows;
    }

    // First incoming row. Incoming rows are those of the stretch and those within the generations'
    // reach.
    CAMBER_DEVICE int first_coming() const { return first_row - Stretch::generations; }
    CAMBER_DEVICE int coming() const { return rows + 2 * Stretch::generations; }
    // True if some cell of a pack influences a stored cell.
    template <StreamEdge edge>
    CAMBER_DEVICE bool needs(int pack_column) const {
        return edge == StreamEdge::none ||
               (pack_column + Stretch::pack_cells > -Stretch::generations &&
                pack_column < views.columns + Stretch::generations);
    }
    CAMBER_DEVICE bool stores() const {
        return lane >= Stretch::side_lanes && lane < Stretch::lanes - Stretch::side_lanes;
    }
};

// Rows that a warp's threads load into registers `ahead` rows before they are used. Otherwise the
// warp would stall on memory, and few other warps are resident to hide the latency.
template <class Rule, class Stretch, int ahead, StreamEdge edge>
class LoadedRows {
  public:
    using Tag = typename Stretch::Tag;
    using Cells = LaneCells<typename Stretch::Cell, Stretch::lane_cells>;
    static constexpr int period = ahead;

    // `first` is the index of the first incoming row to load.
    CAMBER_DEVICE explicit LoadedRows(const StreamPlace<Rule, Stretch>& place, int first = 0)
        : place_(place),
          window_(place.views.input(Tag{}).window(place.first_coming(), place.column)),
          last_(place.coming() - 1) {
#pragma unroll
        for (int i = 0; i < ahead; ++i) coming_[i] = load(first + i);
    }

    // Returns incoming row number `row`; rows must be taken in sequence. `i` equals `row` modulo
    // the period and is a compile-time constant in unrolled loops.
    CAMBER_DEVICE Cells take(int row, int i) {
        const Cells cells = coming_[i % ahead];
        coming_[i % ahead] = load(row + ahead);
        return cells;
    }
    // Row i among the loaded rows, without loading a replacement.
    CAMBER_DEVICE const Cells& loaded(int i) const {
        return coming_[i];
    }

  private:
    // Past the end, the last row is loaded again; clamping costs one instruction less than
    // predication.
    CAMBER_DEVICE Cells load(int row, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        Cells cells;
#pragma unroll
        for (int p = 0; p < Stretch::packs; ++p) {
            const int first = p * Stretch::pack_cells;
            if (place_.template needs<edge>(place_.column + first)) {
                const auto loaded =
                    pack<Stretch::pack_cells>(window_, row < last_ ? row : last_, first, at);
#pragma unroll
                for (int c = 0; c < Stretch::pack_cells; ++c) cells.cell[first + c] = loaded[c];
            } else {
                skip(at);
#pragma unroll
                for (int c = 0; c < Stretch::pack_cells; ++c)
                    cells.cell[first + c] = Tag::outside();
            }
        }
        return cells;
    }

    const StreamPlace<Rule, Stretch>& place_;
    Window<const typename Stretch::Cell> window_;
    int last_;
    Cells coming_[ahead];
};

// Number of rows after which all values of generation, source and any other object with a period
// are back in the same registers.
template <class Generation, class Source, int other = 1>
inline constexpr int rows_at_once = std::lcm(std::lcm(Generation::period, Source::period), other);

// Stores the rows that a lane has computed.
template <class Rule, class Stretch, StreamEdge edge>
class StreamedRows {
  public:
    using Tag = typename Stretch::Tag;
    using Cell = typename Stretch::Cell;
    using Cells = LaneCells<Cell, Stretch::lane_cells>;

    CAMBER_DEVICE explicit StreamedRows(const StreamPlace<Rule, Stretch>& place)
        : place_(place),
          window_(get<0>(place.views.outputs).window(place.first_row, place.column)),
          on_board_(edge == StreamEdge::dead ? columns_on_board() : 0),
          stores_(place.stores()) {}

    // Resets cells beyond a dead edge, where the rule could otherwise produce live cells. `row` is
    // the board row.
    CAMBER_DEVICE void keep_outside(Cells& cells, int row) const {
        const unsigned bits = row >= 0 && row < place_.views.rows ? on_board_ : 0;
#pragma unroll
        for (int c = 0; c < Stretch::lane_cells; ++c)
            if (!(bits >> c & 1)) cells.cell[c] = Tag::outside();
    }

    // Stores a row; `row` counts from the first row of the stretch.
    CAMBER_DEVICE void store(const Cells& cells, int row, Site site = Site::current()) const {
        const CallPath path(site);
        const Site whole = Site::current();
        const Site single = Site::current();
        const bool stored = stores_ && row >= 0 && row < place_.rows;
#pragma unroll
        for (int p = 0; p < Stretch::packs; ++p) {
            const int first = p * Stretch::pack_cells;
            const int left = place_.views.columns - place_.column - first;
            if (stored && (edge == StreamEdge::none || left >= Stretch::pack_cells)) {
                Pack<Cell, Stretch::pack_cells> next;
#pragma unroll
                for (int c = 0; c < Stretch::pack_cells; ++c) next[c] = cells.cell[first + c];
                store_pack(window_, row, first, next, whole);
            } else {
                skip(whole);
            }
            if constexpr (edge != StreamEdge::none) {
                // Pack that extends beyond the board's edge.
#pragma unroll
                for (int c = 0; c < Stretch::pack_cells; ++c)
                    if (stored && left < Stretch::pack_cells && c < left)
                        window_(row, first + c, single) = cells.cell[first + c];
                    else
                        skip(single);
            }
        }
    }

  private:
    // Bit mask of a lane's columns that are on the board. Comparing every column in every
    // generation would exceed the available registers.
    CAMBER_DEVICE unsigned columns_on_board() const {
        unsigned bits = 0;
#pragma unroll
        for (int c = 0; c < Stretch::lane_cells; ++c)
            if (place_.column + c >= 0 && place_.column + c < place_.views.columns) bits |= 1u << c;
        return opaque(static_cast<int>(bits));
    }

    const StreamPlace<Rule, Stretch>& place_;
    Window<Cell> window_;
    unsigned on_board_;
    bool stores_;
};

// Processes a warp's stretch with the rows of a source.
template <class Rule, class Stretch, StreamEdge edge, class Source>
CAMBER_DEVICE void run_stream(const StreamPlace<Rule, Stretch>& place, Source& source) {
    using Generation = PassingGeneration<Rule, Stretch::lane_cells>;
    using Beside = LaneCellsBeside<typename Stretch::Cell, Stretch::lane_cells>;
    constexpr int at_once = rows_at_once<Generation, Source>;
    const StreamedRows<Rule, Stretch, edge> streamed(place);
    Generation generation[Stretch::generations];
    const int end = place.coming();
#pragma unroll 1
    for (int row = 0; row < end; row += at_once) {
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            auto cells = source.take(row + i, i);
#pragma unroll
            for (int g = 0; g < Stretch::generations; ++g) {
                generation[g].pass(cells, Beside::of(cells), place.views,
                                   later<Rule>(place.views.parameters, g));
                if constexpr (edge == StreamEdge::dead)
                    streamed.keep_outside(cells, place.first_coming() + row + i - g - 1);
            }
            streamed.store(cells, row + i - 2 * Stretch::generations);
        }
    }
}

// Shape of a technique with one stretch per block.
template <class Of>
Shape stream_shape() {
    constexpr Region block{Of::lanes, 1};
    return {.block = block,
            .region = {Of::columns, Of::rows},
            .halo = Of::halo,
            .alignment = 128,
            .elements_per_thread = Of::lane_cells * Of::rows,
            .generations = Of::generations,
            .path = block.name() + "/v" + std::to_string(Of::lane_cells) + "/n" +
                    std::to_string(Of::generations) + "/r" + std::to_string(Of::rows)};
}

CAMBER_TARGET_END
