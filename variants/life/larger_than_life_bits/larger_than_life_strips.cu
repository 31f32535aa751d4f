// Larger than Life on one-bit cells in strips: bit_strips.
#include <cstdint>
#include <string>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/views.hpp"
#include "workloads/life/larger_than_life/bits.hpp"

// bit_strips: like bit_columns, but the neighbors of a word's cells are other words, not other bits
// (BitOrder with 16 words per group), and sums slide along the row as well. A lane has a group,
// that is 16 words and 512 cells. It stores their column counts, bit-sliced; counts of neighbors
// come from adjacent lanes by shuffles and a shift of one bit. A square's count follows from that
// of the square to its left: one column's count is added and one subtracted.
//
// Logic operations and shifts per word of 32 cells, for radius 5 and 15: column counts 9 and 11,
// first square of a group 6 and 14, counts from adjacent lanes 2.5 and 9, sliding 21 and 28,
// comparison with the thresholds 30 and 42. That is 68 and 104, and 16.5 T operations per second
// on an H200 are enough for 7.7 and 5.1 T cells. bit_columns takes 234 and 427.
//
// Running sums: McDonnell 1981; bit-sliced counts: Knuth 2011, section 7.1.3.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

struct StripRule : LargerThanLifeBits {
    static constexpr int words_per_group = 16;
};
inline constexpr int group_words = StripRule::words_per_group;
static_assert(largest_radius <= group_words);
// The first and the last lane of a warp have no adjacent lane on one side.
inline constexpr int inner_lanes = 30;
// Groups per block that determine the number of blocks: two fewer, because a stretch of g groups
// takes g + 2 lanes. k blocks are launched for up to 28k groups, and have 30k lanes.
inline constexpr int block_groups = inner_lanes - 2;

// Bit-sliced counts of at most `most_`, for the cells of one word.
template <int most_>
struct WordCounts {
    static constexpr int most = most_;
    static constexpr int bits = bits_of(most);
    std::uint32_t bit[bits] = {};
};

template <int a, int b>
CAMBER_DEVICE WordCounts<a + b> sum_of(const WordCounts<a>& first, const WordCounts<b>& second) {
    WordCounts<a + b> sum;
    std::uint32_t carry = 0;
#pragma unroll
    for (int k = 0; k < sum.bits; ++k) {
        const std::uint32_t x = k < first.bits ? first.bit[k < first.bits ? k : 0] : 0;
        const std::uint32_t y = k < second.bits ? second.bit[k < second.bits ? k : 0] : 0;
        sum.bit[k] = StripRule::parity(x, y, carry);
        carry = StripRule::majority(x, y, carry);
    }
    return sum;
}

// Sum of counts [first, end) of an array, by halves.
template <int first, int end, int most>
CAMBER_DEVICE auto sum_of(const WordCounts<most> (&counts)[group_words]) {
    if constexpr (end - first == 1) {
        return counts[first];
    } else {
        constexpr int middle = (first + end) / 2;
        return sum_of(sum_of<first, middle>(counts), sum_of<middle, end>(counts));
    }
}

// Counts for the word that is a group's width to the left or to the right of a lane's word.
template <int most>
CAMBER_DEVICE WordCounts<most> left_of(WordCounts<most> counts) {
#pragma unroll
    for (std::uint32_t& bit : counts.bit)
        bit = bit << 1 | __shfl_up_sync(0xffffffffu, bit, 1) >> 31;
    return counts;
}
template <int most>
CAMBER_DEVICE WordCounts<most> right_of(WordCounts<most> counts) {
#pragma unroll
    for (std::uint32_t& bit : counts.bit)
        bit = bit >> 1 | __shfl_down_sync(0xffffffffu, bit, 1) << 31;
    return counts;
}

// Adds `enters` to counts and subtracts `leaves`; the result is not negative.
template <int most, int each>
CAMBER_DEVICE void slide(WordCounts<most>& counts, const WordCounts<each>& enters,
                         const WordCounts<each>& leaves) {
    std::uint32_t borrow = 0;
    std::uint32_t carry = 0;
#pragma unroll
    for (int k = 0; k < counts.bits; ++k) {
        // Bits of the difference beyond the highest one are its sign.
        std::uint32_t change = borrow;
        if (k < enters.bits) {
            const std::uint32_t enter = enters.bit[k < enters.bits ? k : 0];
            const std::uint32_t leave = leaves.bit[k < enters.bits ? k : 0];
            change = StripRule::parity(enter, leave, borrow);
            borrow = logic3<0x8e>(enter, leave, borrow);
        }
        const std::uint32_t before = counts.bit[k];
        counts.bit[k] = StripRule::parity(before, change, carry);
        carry = StripRule::majority(before, change, carry);
    }
}

// Words of one row that belong to a lane.
struct GroupWords {
    std::uint32_t word[group_words];
};

template <int Radius>
class BitStrips {
  public:
    static constexpr int side = 2 * Radius + 1;
    static constexpr int pack_words = 4;

    // Lanes are numbered along the groups of a stretch of rows, with one group on each side, and
    // then along the next stretch, so that few lanes of the last warp are idle.
    CAMBER_DEVICE BitStrips(const Views<StripRule>& views, int rows)
        : views_(views), cells_(views.input(StripRule::Current{})), rows_(rows) {
        const int groups = views.columns / group_words;
        const int lane = static_cast<int>(threadIdx.x);
        const int place = block() * inner_lanes + lane - 1;
        const int stretch = place < 0 ? 0 : place / (groups + 2);
        const int group = place < 0 ? 0 : place % (groups + 2) - 1;
        first_row_ = stretch * rows;
        word_ = group * group_words;
        exists_ = place >= 0 && first_row_ < views.rows;
        stores_ = exists_ && lane > 0 && lane <= inner_lanes && group >= 0 && group < groups;
    }
    CAMBER_DEVICE bool on_board() const { return __any_sync(0xffffffffu, stores_) != 0; }

    CAMBER_DEVICE void run() const {
        WordCounts<side> columns[group_words];
#pragma unroll 1
        for (int i = 0; i < side - 1; ++i) exchange(columns, row(i), {});
        GroupWords leaves = {};
#pragma unroll 1
        for (int i = side - 1; i < rows_ + side - 1; ++i) {
            exchange(columns, row(i), leaves);
            leaves = row(i - (side - 1));
            store(columns, i - Radius);
        }
    }

  private:
    CAMBER_DEVICE static int block() {
        return static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x);
    }

    // Row i of those that the stretch reads; dead where there are none.
    CAMBER_DEVICE GroupWords row(int i, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        const int board_row = first_row_ - Radius + i;
        const bool loads = exists_ && board_row < views_.rows + Radius;
        GroupWords group = {};
#pragma unroll
        for (int w = 0; w < group_words; w += pack_words) {
            if (!loads) {
                skip(at);
                continue;
            }
            const Pack<std::uint32_t, pack_words> words =
                pack<pack_words>(cells_, board_row, word_ + w, at);
#pragma unroll
            for (int j = 0; j < pack_words; ++j) group.word[w + j] = words[j];
        }
        return group;
    }

    // Adds the cells of an entering row and subtracts those of a leaving row. The difference per
    // cell is 1, 0 or -1; in two's complement, all bits except the lowest are its sign.
    CAMBER_DEVICE static void exchange(WordCounts<side> (&columns)[group_words],
                                       const GroupWords& enters, const GroupWords& leaves) {
#pragma unroll
        for (int w = 0; w < group_words; ++w) {
            std::uint32_t(&bit)[WordCounts<side>::bits] = columns[w].bit;
            const std::uint32_t lowest = enters.word[w] ^ leaves.word[w];
            const std::uint32_t sign = leaves.word[w] & ~enters.word[w];
            std::uint32_t carry = bit[0] & lowest;
            bit[0] ^= lowest;
#pragma unroll
            for (int k = 1; k < WordCounts<side>::bits; ++k) {
                const std::uint32_t before = bit[k];
                bit[k] = StripRule::parity(before, sign, carry);
                carry = StripRule::majority(before, sign, carry);
            }
        }
    }

    // Counts of the column `w` words from the group's first one.
    template <int w>
    CAMBER_DEVICE static WordCounts<side> column(const WordCounts<side> (&columns)[group_words]) {
        if constexpr (w < 0)
            return left_of(columns[w + group_words]);
        else if constexpr (w < group_words)
            return columns[w];
        else
            return right_of(columns[w - group_words]);
    }

    CAMBER_DEVICE static WordCounts<side * side> first_square(
        const WordCounts<side> (&columns)[group_words]) {
        constexpr int end = Radius < group_words ? Radius + 1 : group_words;
        const auto sum = sum_of(left_of(sum_of<group_words - Radius, group_words>(columns)),
                                sum_of<0, end>(columns));
        if constexpr (Radius < group_words)
            return sum;
        else
            return sum_of(sum, column<Radius>(columns));
    }

    // Stores row i of those that the stretch reads.
    CAMBER_DEVICE void store(const WordCounts<side> (&columns)[group_words], int i) const {
        const GroupWords selves = row(i);
        GroupWords next;
        next_words<0>(next, selves, columns, first_square(columns));
        const int board_row = first_row_ - Radius + i;
        const bool stored = stores_ && board_row < views_.rows;
        const Site at = Site::current();
#pragma unroll
        for (int w = 0; w < group_words; w += pack_words) {
            if (!stored) {
                skip(at);
                continue;
            }
            Pack<std::uint32_t, pack_words> words;
#pragma unroll
            for (int j = 0; j < pack_words; ++j) words[j] = next.word[w + j];
            store_pack(get<0>(views_.outputs), board_row, word_ + w, words, at);
        }
    }

    // Computes words [w, group_words). `square` contains the counts of word w.
    template <int w>
    CAMBER_DEVICE void next_words(GroupWords& next, const GroupWords& selves,
                                  const WordCounts<side> (&columns)[group_words],
                                  WordCounts<side * side> square) const {
        constexpr int bits = WordCounts<side * side>::bits;
        next.word[w] = StripRule::next_of<bits>([&](int k) { return square.bit[k]; },
                                                selves.word[w], views_.parameters);
        if constexpr (w + 1 < group_words) {
            slide(square, column<w + 1 + Radius>(columns), column<w - Radius>(columns));
            next_words<w + 1>(next, selves, columns, square);
        }
    }

    const Views<StripRule>& views_;
    const InputGrid<StripRule::Current>& cells_;
    int rows_;  // of a stretch
    int first_row_;
    int word_;     // first word of the lane's group
    bool exists_;  // the lane's group is on the board or beside it
    bool stores_;
};

template <int Radius>
__global__ void __launch_bounds__(32) bit_strips_kernel(const Views<StripRule> views, int rows) {
    const BitStrips<Radius> strips(views, rows);
    if (strips.on_board()) strips.run();
}

struct BitStripsTechnique {
    static constexpr TechniqueInfo info{
        "bit_strips", "as bit_columns, cells in strips: sums slide down and along the row",
        "after McDonnell 1981 and Knuth 2011, section 7.1.3", Family::register_streaming};

    template <int radius>
    static constexpr RegionKernel<StripRule> kernel() {
        return bit_strips_kernel<radius>;
    }

    static void add(Catalogue<StripRule>& catalogue) {
        constexpr Region block{32, 1};
        // Stretches of 35 and 46 rows divide a board of 32768x32768 into as many stretches as a GPU
        // with 132 SMs runs at once, for radius 5 and 15.
        for (const int rows : {20, 35, 46})
            catalogue.add(radius_plan<BitStripsTechnique, StripRule>(
                info, {.block = block,
                       .region = {block_groups * group_words, rows},
                       .elements_per_thread = group_words * rows,
                       .path = block.name() + "/s" + std::to_string(group_words) + "/r" +
                               std::to_string(rows)}));
    }
};

CAMBER_TARGET_END

namespace camber::larger_than_life {

namespace {

const Registration bits_in_strips([](Registry& registry) {
    Catalogue<StripRule> catalogue(registry, "larger_than_life", ElementType::bits);
    BitStripsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
