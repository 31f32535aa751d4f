// Layouts of fields, and one-bit cells in words.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "harness/base/layout.hpp"
#include "tests/catch.hpp"

namespace camber::layout_test {
namespace {

struct Golden {
    int alignment;  // bytes
    int pitch;
    int lead;
    std::ptrdiff_t origin;
    std::size_t elements;
};

void check(const Layout& layout, const Golden& golden) {
    INFO("alignment " << golden.alignment << " bytes");
    CHECK(layout.pitch == golden.pitch);
    CHECK(layout.lead == golden.lead);
    CHECK(layout.origin() == golden.origin);
    CHECK(layout.elements() == golden.elements);
}

TEST_CASE("the published padding of a 1600 x 1600 board comes out", "[layout]") {
    // Balasalle 2011, section 5.2.3, for 4-byte cells and a halo of one.
    const Golden table[] = {{4, 1602, 0, 1603, 2566404},
                            {32, 1608, 7, 1616, 2576023},
                            {64, 1616, 15, 1632, 2588847},
                            {128, 1632, 31, 1664, 2614495}};
    for (const Golden& golden : table)
        check(Layout::make(1600, 1600, 1, golden.alignment, 4), golden);
}

TEST_CASE("an alignment below the element size means no padding", "[layout]") {
    for (const int alignment : {0, 1, 2, 4})
        check(Layout::make(1600, 1600, 1, alignment, 4), {alignment, 1602, 0, 1603, 2566404});
    CHECK(Layout::make(1600, 1600, 1, 0, 4).alignment == 4);
    CHECK(Layout::make(7, 5, 2, 4, 8) == Layout::make(7, 5, 2, 0, 8));
}

TEST_CASE("wider halos and other element sizes are padded by the same rule", "[layout]") {
    // Worked by hand: 128 bytes are 32 four-byte, 128 one-byte, 16 eight-byte elements.
    check(Layout::make(1600, 1600, 2, 128, 4), {128, 1632, 30, 3296, 30 + 1604UL * 1632});
    check(Layout::make(1600, 1600, 4, 128, 4), {128, 1632, 28, 6560, 28 + 1608UL * 1632});
    check(Layout::make(1600, 1600, 1, 128, 1), {128, 1664, 127, 1792, 127 + 1602UL * 1664});
    check(Layout::make(1600, 1600, 1, 32, 1), {32, 1632, 31, 1664, 31 + 1602UL * 1632});
    check(Layout::make(1600, 1600, 1, 128, 8), {128, 1616, 15, 1632, 15 + 1602UL * 1616});
    check(Layout::make(1600, 1600, 1, 64, 8), {64, 1608, 7, 1616, 7 + 1602UL * 1608});
    // A halo as wide as the unit of alignment needs no lead.
    check(Layout::make(10, 3, 8, 32, 4), {32, 32, 0, 8 + 8 * 32, 19UL * 32});
}

TEST_CASE("without a halo a padded row is the next multiple of the alignment", "[layout]") {
    check(Layout::make(33, 3, 0, 128, 4), {128, 64, 0, 0, 3UL * 64});
    check(Layout::make(1, 1, 0, 0, 4), {0, 1, 0, 0, 1});
}

TEST_CASE("a board beyond 2^31 elements does not overflow", "[layout]") {
    const Layout layout = Layout::make(65536, 65536, 1, 128, 4);
    CHECK(layout.elements() == 31 + std::size_t{65538} * 65568);
    CHECK(layout.origin() == 31 + 1 + 65568);
}

// Checks all properties that kernels rely on by walking over the rows.
void check_properties(const Layout& layout, int element_size) {
    const auto index = [&](int row, int column) {
        return layout.origin() + static_cast<std::ptrdiff_t>(row) * layout.pitch + column;
    };
    const int last_column = layout.columns + layout.halo - 1;
    std::ptrdiff_t end_of_row_before = layout.lead;
    CHECK(index(-layout.halo, -layout.halo) == layout.lead);
    CHECK(layout.alignment >= element_size);
    for (int row = -layout.halo; row < layout.rows + layout.halo; ++row) {
        CAPTURE(row);
        REQUIRE(index(row, 0) * element_size % layout.alignment == 0);
        REQUIRE(index(row, -layout.halo) >= end_of_row_before);
        end_of_row_before = index(row, last_column) + 1;
    }
    REQUIRE(end_of_row_before <= static_cast<std::ptrdiff_t>(layout.elements()));
    // The allocation has no unnecessary row either.
    CHECK(static_cast<std::ptrdiff_t>(layout.elements()) - end_of_row_before < layout.pitch);
    CHECK(layout.pitch - (layout.columns + 2 * layout.halo) < layout.alignment / element_size);
    CHECK(layout.lead < layout.alignment / element_size);
}

TEST_CASE("in every layout rows start aligned, do not overlap and fit", "[layout]") {
    for (const int element_size : {1, 2, 4, 8})
        for (const int alignment : {0, 1, 32, 64, 128, 256})
            for (const int halo : {0, 1, 2, 3, 4, 8, 33})
                for (const int columns : {1, 2, 31, 32, 33, 127, 1000})
                    for (const int rows : {1, 2, 5}) {
                        INFO(columns << "x" << rows << " halo " << halo << " alignment "
                                     << alignment << " element " << element_size);
                        check_properties(Layout::make(columns, rows, halo, alignment, element_size),
                                         element_size);
                    }
}

TEST_CASE("layouts are compile-time values and compare by value", "[layout]") {
    static_assert(Layout::make(1600, 1600, 1, 128, 4).origin() == 1664);
    static_assert(Layout::make(4, 4, 1, 0, 4) != Layout::make(4, 4, 1, 0, 1));
    SUCCEED();
}

}  // namespace
}  // namespace camber::layout_test

namespace camber::bit_words_test {

// One-bit cells in words, in every order

namespace {

constexpr BitOrder orders[] = {{1}, {4}};

State cells_of(Size size) {
    State state;
    HostField& field = state.fields.emplace_back("cells", ElementType::bits, size);
    unsigned random = 7;
    for (std::uint8_t& cell : field.cells<std::uint8_t>()) {
        random = random * 1664525 + 1013904223;
        cell = random >> 31;
    }
    return state;
}

TEST_CASE("a group of words has every cell once, and words know theirs", "[bits]") {
    for (const BitOrder order : orders)
        for (int group = 0; group < 3; ++group) {
            std::set<int> columns;
            for (int w = 0; w < order.words_per_group; ++w)
                for (int b = 0; b < bits_per_word; ++b) {
                    const int word = group * order.words_per_group + w;
                    const int column = order.column(word, b);
                    columns.insert(column);
                    CHECK(order.word(column) == word);
                    CHECK(order.bit(column) == b);
                }
            CHECK(static_cast<int>(columns.size()) == order.cells_per_group());
            CHECK(*columns.begin() == group * order.cells_per_group());
            CHECK(*columns.rbegin() == (group + 1) * order.cells_per_group() - 1);
        }
}

TEST_CASE("neighbours of a word's cells in strips are those of the word beside it", "[bits]") {
    const BitOrder order{4};
    for (int word = 4; word < 7; ++word)
        for (int b = 0; b < bits_per_word; ++b)
            CHECK(order.column(word + 1, b) == order.column(word, b) + 1);
    for (int b = 0; b + 1 < bits_per_word; ++b)
        CHECK(order.column(4, b + 1) == order.column(7, b) + 1);
}

TEST_CASE("words beyond a row have the columns beyond it", "[bits]") {
    for (const BitOrder order : orders) {
        CHECK(order.column(-1, bits_per_word - 1) == -1);
        CHECK(order.column(-order.words_per_group, 0) == -order.cells_per_group());
        CHECK(order.on_board(-1, 1000) == 0);
        CHECK(order.on_board(order.words(1000), 1000) == 0);
    }
}

TEST_CASE("bits on the board are those whose column it has", "[bits]") {
    for (const BitOrder order : orders)
        for (const int columns : {1, 2, 31, 32, 33, 127, 128, 129, 200}) {
            CAPTURE(order.words_per_group, columns);
            CHECK(order.fills(columns) == (columns % order.cells_per_group() == 0));
            for (int word = 0; word < order.words(columns); ++word)
                for (int b = 0; b < bits_per_word; ++b)
                    CHECK((order.on_board(word, columns) >> b & 1) ==
                          (order.column(word, b) < columns ? 1u : 0u));
        }
}

TEST_CASE("cells come back from words, of any width", "[bits]") {
    for (const BitOrder order : orders)
        for (const Size size :
             {Size{1, 1}, Size{31, 3}, Size{32, 2}, Size{129, 5}, Size{1500, 700}}) {
            CAPTURE(order.words_per_group, size.columns);
            const State cells = cells_of(size);
            const State words = in_words(cells, order);
            const auto have = words.field("cells").cells<std::uint32_t>();
            REQUIRE(words.field("cells").size() == Size{order.words(size.columns), size.rows});
            const auto want = cells.field("cells").cells<std::uint8_t>();
            const int row = size.rows - 1;
            for (int word = 0; word < order.words(size.columns); ++word)
                for (int b = 0; b < bits_per_word; ++b) {
                    const int column = order.column(word, b);
                    const auto bit =
                        have[static_cast<std::size_t>(row) * order.words(size.columns) + word] >>
                            b &
                        1;
                    if (column >= size.columns)
                        REQUIRE(bit == 0);
                    else
                        REQUIRE(bit == want[static_cast<std::size_t>(row) * size.columns + column]);
                }
            State back = cells_of(size);
            for (std::uint8_t& cell : back.fields[0].cells<std::uint8_t>()) cell = 1;
            from_words(words, order, back);
            CHECK(std::ranges::equal(back.field("cells").bytes(), cells.field("cells").bytes()));
        }
}

TEST_CASE("fields of other types pass as they are", "[bits]") {
    State cells = cells_of({40, 2});
    cells.fields.emplace_back("height", ElementType::float32, Size{40, 2}).cells<float>()[3] = 2.5f;
    const State words = in_words(cells, {1});
    CHECK(words.field("height").cells<float>()[3] == 2.5f);
    State back = cells;
    back.field("height").cells<float>()[3] = 0;
    from_words(words, {1}, back);
    CHECK(back.field("height").cells<float>()[3] == 2.5f);
}

}  // namespace
}  // namespace camber::bit_words_test
