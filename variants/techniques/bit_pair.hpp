// bit_pair: like bit_stream, but two warps share a stretch of the board. One moves down from its
// first row, the other up from its last row, until they meet.
//
// Registers allow two warps in each quarter of an SM. If both have the same amount of work, one of
// them finishes early, because the scheduler prefers it; the other then runs alone and leaves half
// of the logic pipe idle. Here, the faster warp takes rows that the other one would have computed.
// Warps of a block are assigned to the quarters in turn (Jia et al. 2018, Dissecting the NVIDIA
// Volta GPU Architecture via Microbenchmarking, section 2.1), so warps i and i + 4 of a block share
// a quarter. The number of rows that are read and stored does not depend on the share of each warp.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/passing_bits.hpp"

CAMBER_TARGET_BEGIN

inline constexpr int quarters = 4;  // of an SM, each with its own scheduler

// Number of rows of each pair's stretch that are assigned already.
using RowsTaken = Tile<int, quarters, 1>;

template <class Rule, class Passing, int Rows>
class BitPair {
  public:
    using Tag = typename Rule::Inputs::template At<0>;
    using Word = typename Rule::Word;
    static constexpr int generations = Passing::generations;
    static constexpr int rows_ahead = 2;  // rows loaded ahead
    // Number of incoming rows before the first row that is stored.
    static constexpr int before_storing = generations + Passing::behind;

    // Pairs are numbered along the board's strips, so that the pairs of a block need not form a
    // rectangle: a board has few strips, and each SM runs one block.
    CAMBER_DEVICE BitPair(const Views<Rule>& views, RowsTaken& taken)
        : views_(views),
          taken_(taken),
          warp_(uniform(threadIdx.x / 32u)),
          columns_(views, pair() % static_cast<int>(gridDim.x)),
          first_row_(pair() / static_cast<int>(gridDim.x) * Rows),
          rows_(Rows < views.rows - first_row_ ? Rows : views.rows - first_row_),
          step_(warp_ < quarters ? 1 : -1),
          first_coming_(warp_ < quarters ? first_row_ - generations
                                         : first_row_ + rows_ - 1 + generations),
          cells_(views.input(Tag{}).window(first_coming_, columns_.column())),
          next_(get<0>(views.outputs).window(first_coming_, columns_.column())) {}

    CAMBER_DEVICE bool on_board() const { return rows_ > 0; }
    // True for both warps of a pair, or for neither.
    CAMBER_DEVICE bool inside() const {
        return columns_.inside(first_row_, first_row_ + rows_, generations);
    }

    // If `closed`, cells beyond the board's edge are dead and stay dead.
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
        int stored = 0;  // maximum number of stored rows at the end of the turn
        int taken = 0;   // rows assigned for the next turn
#pragma unroll 1
        for (int came = 0; came < before_storing || taken > 0; came += at_once) {
            stored += taken;
            taken = take(came + 2 * at_once - before_storing, at_once);
#pragma unroll
            for (int i = 0; i < at_once; i += Passing::rows) {
                LaneRow cells[Passing::rows];
#pragma unroll
                for (int j = 0; j < Passing::rows; ++j) {
                    cells[j] = columns_.joined(coming[(i + j) % rows_ahead]);
                    coming[(i + j) % rows_ahead] = load(came + i + j + rows_ahead);
                }
                const int last = came + i + Passing::rows - 1;
                passing.pass(cells, [&](LaneRow& made, int behind) {
                    if constexpr (closed) columns_.keep_dead(made, mask, board_row(last - behind));
                });
#pragma unroll
                for (int j = 0; j < Passing::rows; ++j) {
                    const int number = came + i + j - before_storing;
                    columns_.store(cells[j], next_, step_ * (came + i + j - Passing::behind), 0,
                                   number >= 0 && number < stored);
                }
            }
        }
    }

  private:
    CAMBER_DEVICE int pair() const {
        return static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x) * quarters + warp_ % quarters;
    }
    // Board row of the n-th incoming row, counted from 0.
    CAMBER_DEVICE int board_row(int n) const {
        return first_coming_ + step_ * n;
    }
    CAMBER_DEVICE auto load(int n, Site site = Site::current()) const {
        const CallPath path(site);
        return columns_.load(cells_, step_ * n, 0, n < rows_ + 2 * generations);
    }

    // Requests up to `at_once` rows to store, and returns the number of assigned rows. `end` is the
    // end of the turn, counted in rows since the first stored row. The request is made one turn
    // ahead, so that no warp waits for the result.
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
    int warp_;  // in the block; warps below `quarters` move down
    WarpColumns<Rule> columns_;
    int first_row_;
    int rows_;
    int step_;
    int first_coming_;  // board row
    Window<const Word> cells_;
    Window<Word> next_;
};

template <class Rule, class Passing, int Rows, Boundary boundary>
__global__ void __launch_bounds__(64 * quarters) bit_pair_kernel(const Views<Rule> views) {
    __shared__ RowsTaken taken;
    if (threadIdx.x < quarters) taken(threadIdx.x, 0) = 0;
    __syncthreads();
    const BitPair<Rule, Passing, Rows> pair(views, taken);
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

    // Adds variants for the bit order of the rule.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, PassingBits<Rule, 8, 4>, 128>());
        // Stretch length for which a board of 65536x65536 has one stretch per pair that a GPU with
        // 132 SMs runs at once: 17 strips of 31 stretches are 527 of 528.
        catalogue.add(info, variant<Rule, PassingBits<Rule, 8, 4>, 2115>());
        // Other rules gain nothing from two rows at a time.
        if constexpr (rules_of<Rule>() != Rules::others) {
            catalogue.add(info, variant<Rule, PassingPairs<Rule, 8>, 128>());
            catalogue.add(info, variant<Rule, PassingPairs<Rule, 8>, 2115>());
            // Eight generations of pairs of rows take more registers than a thread has.
            catalogue.add(info, variant<Rule, PassingPairs<Rule, 7>, 2115>());
        }
    }

  private:
    // A block has one pair per quarter of an SM and uses all registers of an SM.
    template <class Rule, class Passing, int Rows>
    static StencilVariant<Rule> variant() {
        constexpr int generations = Passing::generations;
        constexpr Region block{64 * quarters, 1};
        return {
            .shape = {.block = block,
                      .region = {storing_lanes * words_per_lane, Rows * quarters},
                      .halo = generations,
                      .alignment = 128,
                      .elements_per_thread = words_per_lane * Rows / 2,
                      .generations = generations,
                      .shared_bytes = sizeof(int) * quarters,
                      .path = block.name() + "/s" + std::to_string(Rule::words_per_group) + "/n" +
                              std::to_string(generations) + "/r" + std::to_string(Rows) +
                              Passing::path()},
            .kernel = {bit_pair_kernel<Rule, Passing, Rows, Boundary::dead>},
            .torus_kernel = {bit_pair_kernel<Rule, Passing, Rows, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
