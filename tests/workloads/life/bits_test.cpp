// The rule for 32 cells at once is compared with the rule for one cell.
#include <initializer_list>
#include <utility>

#include "tests/catch.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/life/rule.hpp"

namespace camber::bits_test {

namespace {

using Bits = LifeBits<1>;

// All neighborhoods: bit 3 * (row + 1) + column + 1 of the number is a cell.
constexpr unsigned neighbourhoods = 512;

bool cell_of(unsigned neighbourhood, int column, int row) {
    return neighbourhood >> (3 * (row + 1) + column + 1) & 1;
}

// The same cell of 32 neighborhoods, from number `first` on.
std::uint32_t word_of(unsigned first, int column, int row) {
    std::uint32_t word = 0;
    for (unsigned b = 0; b < 32; ++b) word |= std::uint32_t{cell_of(first + b, column, row)} << b;
    return word;
}

// Bit 4a + 2b + c of these words contains a, b and c, so that the lowest bits of the result are the
// truth table.
template <unsigned... tables>
unsigned wrong_tables(std::integer_sequence<unsigned, tables...>) {
    return (0u + ... + ((logic3<tables>(0xf0, 0xcc, 0xaa) & 0xff) != tables));
}

TEST_CASE("a function of three bits is what its table says, of all 256", "[life][bits]") {
    CHECK(wrong_tables(std::make_integer_sequence<unsigned, 256>{}) == 0);
}

TEST_CASE("words follow the rule of one cell in every neighbourhood", "[life][bits]") {
    for (unsigned first = 0; first < neighbourhoods; first += 32) {
        Bits::RowSum sums[3];
        for (int row = -1; row <= 1; ++row) {
            const std::uint32_t left = word_of(first, -1, row);
            const std::uint32_t self = word_of(first, 0, row);
            const std::uint32_t right = word_of(first, 1, row);
            sums[row + 1] = Bits::row_sum(left, self, right);
        }
        const std::uint32_t self = word_of(first, 0, 0);
        const std::uint32_t next = Bits::next_of(sums[0], sums[1], sums[2], self);
        for (unsigned b = 0; b < 32; ++b) {
            const auto at = [&](int column, int row) {
                return std::uint32_t{cell_of(first + b, column, row)};
            };
            CAPTURE(first + b);
            CHECK((next >> b & 1) == Life<std::uint32_t>::next(at, {}));
        }
    }
}

TEST_CASE("cells of a word have those of the words beside it as neighbours", "[life][bits]") {
    // Three live cells in a row, across both edges of the middle word; columns count from its first
    // cell.
    const auto after = [](std::initializer_list<int> live) {
        std::uint32_t words[3] = {};
        for (const int column : live) words[column / 32 + 1 - (column < 0)] |= 1u << (column & 31);
        const auto at = [&](int dcol, int drow) { return drow == 0 ? words[1 + dcol] : 0u; };
        return Bits::next(at, {});
    };
    CHECK(after({-1, 0, 1}) == 1u);
    CHECK(after({30, 31, 32}) == 1u << 31);
    CHECK(after({-2, -1, 0}) == 0u);
    CHECK(after({14, 15, 16}) == 1u << 15);
}

}  // namespace
}  // namespace camber::bits_test
