// bit_pair: as bit_stream, two warps for a stretch of the board. One goes down from its first row,
// the other up from its last, and they end where they meet.
//
// Registers allow two warps in each quarter of an SM. Of two that have as much to do
// each one goes ahead, because the scheduler prefers it, and when it has ended the other is alone
// and leaves half of the logic pipe idle. Here the one that goes ahead takes rows that the other
// would have had. Warps of a block are dealt to the quarters in turn (Jia et al. 2018, Dissecting
// the NVIDIA Volta GPU Architecture via Microbenchmarking, section 2.1), so that warps i and i + 4
// of a block share a quarter. Whoever takes a row, as many rows are read and stored as otherwise.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/passing_bits.hpp"

CAMBER_TARGET_BEGIN

inline constexpr int quarters = 4;  // of an SM, each with a scheduler of its own

// How many rows of each pair's stretch are given out.
using RowsTaken = Tile<int, quarters, 1>;

template <class Rule, int Generations, int Rows, int Multiplied, int Stages>
class BitPair {
  public:
    using Passing = PassingBits<Rule, Generations, Multiplied, Stages>;
    using Tag = typename Rule::Inputs::template At<0>;
    using Word = typename Rule::Word;
    static constexpr int rows_ahead = 2;  // that are under way from memory
    // From the first row that comes to the first one that is stored.
    static constexpr int before_storing = Generations + Passing::behind;

    // Pairs are numbered along the board's strips, so that the pairs of a block need not be a
    // rectangle: a board has few strips, and a GPU takes one block on each SM.
    CAMBER_DEVICE BitPair(const Views<Rule>& views, RowsTaken& taken)
        : views_(views),
          taken_(taken),
          warp_(warp_in_block()),
          columns_(views, pair() % static_cast<int>(gridDim.x)),
          first_row_(pair() / static_cast<int>(gridDim.x) * Rows),
          rows_(Rows < views.rows - first_row_ ? Rows : views.rows - first_row_),
          step_(warp_ < quarters ? 1 : -1),
          first_coming_(warp_ < quarters ? first_row_ - Generations
                                         : first_row_ + rows_ - 1 + Generations),
          cells_(views.input(Tag{}).window(first_coming_, columns_.column())),
          next_(get<0>(views.outputs).window(first_coming_, columns_.column())) {}

    CAMBER_DEVICE bool on_board() const { return rows_ > 0; }
    // The same for both warps.
    CAMBER_DEVICE bool inside() const {
        return columns_.inside(first_row_, first_row_ + rows_, Generations);
    }

    // `closed`: cells beyond the board's edge are dead, and stay so.
    template <bool closed>
    CAMBER_DEVICE void run() const {
        Passing passing(views_.parameters);
        LaneRow mask;
        if constexpr (closed) mask = columns_.on_board();
        constexpr int at_once = Passing::template rows_at_once<closed>;
        static_assert(at_once % rows_ahead == 0);
        typename WarpColumns<Rule>::Loaded coming[rows_ahead];
#pragma unroll
        for (int i = 0; i < rows_ahead; ++i) coming[i] = load(i);
        int stored = 0;  // at the most, at the end of the turn
        int taken = 0;   // for the turn that comes
#pragma unroll 1
        for (int came = 0; came < before_storing || taken > 0; came += at_once) {
            stored += taken;
            taken = take(came + 2 * at_once - before_storing, at_once);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const LaneRow row = columns_.joined(coming[i % rows_ahead]);
                coming[i % rows_ahead] = load(came + i + rows_ahead);
                const LaneRow made = passing.pass(row, [&](LaneRow& cells, int behind) {
                    if constexpr (closed)
                        columns_.keep_dead(cells, mask, board_row(came + i - behind));
                });
                const int number = came + i - before_storing;
                columns_.store(made, next_, step_ * (came + i - Passing::behind), 0,
                               number >= 0 && number < stored);
            }
        }
    }

  private:
    // By votes of all lanes, whose results the compiler knows to be the same for all: then rows and
    // addresses are in uniform registers.
    CAMBER_DEVICE static int warp_in_block() {
        int warp = 0;
#pragma unroll
        for (int bit = 0; bit < 3; ++bit)
            if (__ballot_sync(0xffffffffu, static_cast<int>(threadIdx.x >> (5 + bit) & 1u)) != 0)
                warp |= 1 << bit;
        return warp;
    }
    CAMBER_DEVICE int pair() const {
        return static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x) * quarters + warp_ % quarters;
    }
    // Board row of the n-th incoming row, counted from 0.
    CAMBER_DEVICE int board_row(int n) const {
        return first_coming_ + step_ * n;
    }
    CAMBER_DEVICE auto load(int n, Site site = Site::current()) const {
        const CallPath path(site);
        return columns_.load(cells_, step_ * n, 0, n < rows_ + 2 * Generations);
    }

    // Takes rows to store, as many as a turn has, and returns how many it got. `end`: that turn's
    // end, in rows stored since the first. A turn early: no warp waits for the answer.
    CAMBER_DEVICE int take(int end, int at_once, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        if (end <= 0) {
            skip(at);
            return 0;
        }
        const int wanted = end < at_once ? end : at_once;
        int before = 0;
        if (threadIdx.x % 32u == 0)
            before = atomicAdd(&taken_(warp_ % quarters, 0, at), wanted);
        else
            skip(at);
        const int left = rows_ - __shfl_sync(0xffffffffu, before, 0);
        return left < wanted ? (left > 0 ? left : 0) : wanted;
    }

    const Views<Rule>& views_;
    RowsTaken& taken_;
    int warp_;  // of the block: those below `quarters` go down
    WarpColumns<Rule> columns_;
    int first_row_;
    int rows_;
    int step_;
    int first_coming_;  // row of the board
    Window<const Word> cells_;
    Window<Word> next_;
};

template <class Rule, int Generations, int Rows, int Multiplied, int Stages, Boundary boundary>
__global__ void __launch_bounds__(64 * quarters) bit_pair_kernel(const Views<Rule> views) {
    __shared__ RowsTaken taken;
    if (threadIdx.x < quarters) taken(threadIdx.x, 0) = 0;
    __syncthreads();
    const BitPair<Rule, Generations, Rows, Multiplied, Stages> pair(views, taken);
    if (!pair.on_board()) return;
    if (boundary == Boundary::torus || pair.inside())
        pair.template run<false>();
    else
        pair.template run<true>();
}

struct BitPairs {
    static constexpr TechniqueInfo info{
        "bit_pair", "as bit_stream, two warps to a stretch, from both ends until they meet",
        "after Matsumura et al. 2020", Family::several_generations};

    // In the rule's order of bits.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, 8, 128, 0, 4>());
        // Stretch length for which a board of 65536x65536 has a stretch for every pair that a GPU
        // of 132 SMs holds at once: 17 strips of 31 stretches, 527 of 528.
        catalogue.add(info, variant<Rule, 8, 2115, 0, 4>());
        catalogue.add(info, variant<Rule, 8, 2115, 1, 4>());
    }

  private:
    // A block has a pair for each quarter of an SM, and its registers are one
    // SM's.
    template <class Rule, int Generations, int Rows, int Multiplied, int Stages>
    static StencilVariant<Rule> variant() {
        constexpr Region block{64 * quarters, 1};
        return {.shape = {.block = block,
                          .region = {storing_lanes * words_per_lane, Rows * quarters},
                          .halo = Generations,
                          .alignment = 128,
                          .elements_per_thread = words_per_lane * Rows / 2,
                          .generations = Generations,
                          .shared_bytes = sizeof(int) * quarters,
                          .path = block.name() + "/s" + std::to_string(Rule::words_per_group) +
                                  "/n" + std::to_string(Generations) + "/r" + std::to_string(Rows) +
                                  (Multiplied > 0 ? "/m" + std::to_string(Multiplied) : "") +
                                  (Stages > 1 ? "/p" + std::to_string(Stages) : "")},
                .kernel =
                    {bit_pair_kernel<Rule, Generations, Rows, Multiplied, Stages, Boundary::dead>},
                .torus_kernel = {
                    bit_pair_kernel<Rule, Generations, Rows, Multiplied, Stages, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
