// bit_stream: n generations per launch on one-bit cells. A warp moves down a stretch of the board
// row by row and computes all generations at once: memory is read once and written once in n
// generations, and no cell passes through shared memory. After AN5D (Matsumura et al. 2020), whose
// streams contain floating-point cells.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/passing_bits.hpp"

CAMBER_TARGET_BEGIN

// Stretch of one warp: `Rows` rows of the words of 31 lanes.
template <class Rule, class Passing, int Rows>
class BitStream {
  public:
    using Tag = typename Rule::Inputs::template At<0>;
    static constexpr int generations = Passing::generations;
    static constexpr int rows_ahead = 2;  // rows loaded ahead

    CAMBER_DEVICE explicit BitStream(const Views<Rule>& views)
        : views_(views),
          columns_(views, blockIdx.x),
          first_row_(blockIdx.y * Rows),
          end_row_(first_row_ + Rows < views.rows ? first_row_ + Rows : views.rows) {}

    CAMBER_DEVICE bool inside() const { return columns_.inside(first_row_, end_row_, generations); }

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
        for (int i = 0; i < rows_ahead; ++i) coming[i] = load(first_row_ - generations + i);
        const int end = end_row_ + Passing::behind;
#pragma unroll 1
        for (int row = first_row_ - generations; row < end; row += at_once) {
#pragma unroll
            for (int i = 0; i < at_once; i += Passing::rows) {
                LaneRow cells[Passing::rows];
#pragma unroll
                for (int j = 0; j < Passing::rows; ++j) {
                    cells[j] = columns_.joined(coming[(i + j) % rows_ahead]);
                    coming[(i + j) % rows_ahead] = load(row + i + j + rows_ahead);
                }
                const int last = row + i + Passing::rows - 1;
                passing.pass(cells, [&](LaneRow& made, int behind) {
                    if constexpr (closed) columns_.keep_dead(made, mask, last - behind);
                });
#pragma unroll
                for (int j = 0; j < Passing::rows; ++j) {
                    const int made_row = row + i + j - Passing::behind;
                    columns_.store(cells[j], get<0>(views_.outputs), made_row, columns_.column(),
                                   made_row >= first_row_ && made_row < end_row_);
                }
            }
        }
    }

  private:
    CAMBER_DEVICE auto load(int row, Site site = Site::current()) const {
        const CallPath path(site);
        return columns_.load(views_.input(Tag{}), row, columns_.column(),
                             row < end_row_ + generations);
    }

    const Views<Rule>& views_;
    WarpColumns<Rule> columns_;
    int first_row_;
    int end_row_;
};

template <class Rule, class Passing, int Rows, Boundary boundary>
__global__ void __launch_bounds__(32) bit_stream_kernel(const Views<Rule> views) {
    const BitStream<Rule, Passing, Rows> stream(views);
    if (boundary == Boundary::torus || stream.inside())
        stream.template run<false>();
    else
        stream.template run<true>();
}

struct BitStreams {
    static constexpr TechniqueInfo info{
        "bit_stream", "n generations per launch, rows of bits through registers, n deep",
        "after Matsumura et al. 2020", Family::several_generations};

    // Adds variants for the bit order of the rule.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, PassingBits<Rule, 8>, 64>());
        // Stretch length for which a board of 65536x65536 has one stretch per warp that a GPU with
        // 132 SMs runs at once, limited by registers.
        catalogue.add(info, variant<Rule, PassingBits<Rule, 8>, 1064>());
        catalogue.add(info, variant<Rule, PassingBits<Rule, 8, 4>, 1064>());
        // Only for the bit order in which neighbors need no shift, because these kernels take long
        // to compile.
        if constexpr (Rule::words_per_group == words_per_lane) {
            catalogue.add(info, variant<Rule, PassingBits<Rule, 8, 4>, 64>());
            catalogue.add(info, variant<Rule, PassingBits<Rule, 8, 4>, 360>());
            // Other rules gain nothing from two rows at a time.
            if constexpr (rules_of<Rule>() != Rules::others) {
                catalogue.add(info, variant<Rule, PassingPairs<Rule, 8>, 64>());
                catalogue.add(info, variant<Rule, PassingPairs<Rule, 8>, 360>());
            }
        }
    }

  private:
    // A block is one warp: as many blocks as registers allow are resident, and none waits for
    // another.
    template <class Rule, class Passing, int Rows>
    static StencilVariant<Rule> variant() {
        constexpr int generations = Passing::generations;
        constexpr Region block{32, 1};
        return {
            .shape = {.block = block,
                      .region = {storing_lanes * words_per_lane, Rows},
                      .halo = generations,
                      .alignment = 128,
                      .elements_per_thread = words_per_lane * Rows,
                      .generations = generations,
                      .path = block.name() + "/s" + std::to_string(Rule::words_per_group) + "/n" +
                              std::to_string(generations) + "/r" + std::to_string(Rows) +
                              Passing::path()},
            .kernel = {bit_stream_kernel<Rule, Passing, Rows, Boundary::dead>},
            .torus_kernel = {bit_stream_kernel<Rule, Passing, Rows, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
