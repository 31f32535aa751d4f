// Cells of one bit in words, in every order.
#include "harness/base/bit_words.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/catch.hpp"

namespace camber::bit_words_test {
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
