// Game of Life and related rules on one-bit cells: 32 cells by logic operations on words.
#pragma once

#include <cstdint>

#include "workloads/core/rule.hpp"
#include "workloads/life/birth_survival.hpp"

namespace camber {

// Functions of one, two and three bits, evaluated for all bits of words as XOR sums of products.
// `table` is the truth table; where the first bit is set, the difference between the two halves of
// the table is added.
template <unsigned table>
CAMBER_HD std::uint32_t sum_of_products(std::uint32_t a) {
    return (table & 1 ? ~0u : 0u) ^ ((table ^ table >> 1) & 1 ? a : 0u);
}
template <unsigned table>
CAMBER_HD std::uint32_t sum_of_products(std::uint32_t a, std::uint32_t b) {
    return sum_of_products<table & 3>(b) ^ (a & sum_of_products<(table ^ table >> 2) & 3>(b));
}
template <unsigned table>
CAMBER_HD std::uint32_t sum_of_products(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return sum_of_products<table & 15>(b, c) ^
           (a & sum_of_products<(table ^ table >> 4) & 15>(b, c));
}

// Function of three bits, evaluated for all bits of words; bit 4a + 2b + c of `table` is its value.
// One LOP3 instruction on the device.
template <unsigned table>
CAMBER_HD std::uint32_t logic3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
    std::uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
    return result;
#else
    return sum_of_products<table>(a, b, c);
#endif
}

// B3/S23 for 32 cells at once. A row's cells and their two neighbors are added to two-bit numbers,
// each bit in a word of its own. Three such sums give the count of a nine-cell neighborhood,
// including the cell itself. A cell lives if this count is three, or if it is four and the cell is
// alive. In total nine operations for 32 cells.
template <int WordsPerGroup>
struct LifeBits {
    using Word = std::uint32_t;

    static constexpr int words_per_group = WordsPerGroup;  // see BitOrder

    struct Current : Input<Word, 1> {
        static constexpr const char* field = "cells";
        CAMBER_HD static constexpr Word outside() { return 0; }
    };
    struct Next : Output<Word> {
        static constexpr const char* field = "cells";
    };
    using Inputs = InputList<Current>;
    using Outputs = OutputList<Next>;
    static constexpr Rules rules = Rules::usual;
    static constexpr bool symmetric = true;
    struct Parameters {
        int columns = 0;  // of the board, in cells
    };

    // Sum of three cells of a row: ones + 2 * twos.
    struct RowSum {
        Word ones = 0;
        Word twos = 0;
    };

    // Words of two adjacent rows.
    struct RowPair {
        Word upper = 0;
        Word lower = 0;
    };

    // New values of cells from the sums of rows.
    struct Adder {
        CAMBER_HD Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones) const {
            return LifeBits::next_of(above, own, below, self, ones);
        }
        CAMBER_HD RowPair next_pair(const RowSum (&sums)[4], RowPair selves) const {
            return LifeBits::next_pair(sums, selves);
        }
    };
    CAMBER_HD static Adder adder(const Parameters&) { return {}; }

    CAMBER_HD static Word parity(Word a, Word b, Word c) { return logic3<0x96>(a, b, c); }
    CAMBER_HD static Word majority(Word a, Word b, Word c) { return logic3<0xe8>(a, b, c); }

    CAMBER_HD static RowSum row_sum(Word left, Word self, Word right) {
        return {parity(left, self, right), majority(left, self, right)};
    }

    // New values of the middle row's cells.
    CAMBER_HD static Word next_of(RowSum above, RowSum own, RowSum below, Word self) {
        return next_of(above, own, below, self, parity(above.ones, own.ones, below.ones));
    }
    // Same for known `ones`, the parity of the three rows' ones. An exhaustive search of circuits
    // (exact synthesis by a SAT solver) found the operations after `carry`: four are too few, five
    // suffice. The intermediate values have no other meaning.
    CAMBER_HD static Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones) {
        const Word carry = majority(above.ones, own.ones, below.ones);
        const Word a = logic3<0x68>(own.twos, carry, ones);
        const Word b = logic3<0x16>(above.twos, below.twos, a);
        const Word c = logic3<0xa8>(ones, self, b);
        const Word d = logic3<0xd4>(own.twos, carry, c);
        return logic3<0xd4>(a, c, d);
    }
    // New values of two adjacent rows; `sums` belong to them and to the rows above and below. The
    // two rows share the first four operations, so that a word takes six operations, and eight
    // with those for its row sum. Found by exact synthesis, like next_of(); the intermediate values
    // have no other meaning.
    CAMBER_HD static RowPair next_pair(const RowSum (&sums)[4], RowPair selves) {
        const RowSum& upper = sums[1];
        const RowSum& lower = sums[2];
        const Word a = logic3<0x56>(upper.ones, lower.ones, lower.twos);
        const Word b = logic3<0x3c>(upper.ones, lower.ones, a);
        const Word c = logic3<0xb6>(upper.twos, a, b);
        const Word d = logic3<0xd4>(upper.twos, lower.twos, c);
        const auto next = [&](const RowSum& outer, Word self) {
            return logic3<0x18>(logic3<0x42>(b, outer.ones, self), logic3<0xda>(c, d, outer.twos),
                                logic3<0x32>(b, d, outer.ones));
        };
        return {next(sums[0], selves.upper), next(sums[3], selves.lower)};
    }

    template <class At>
    CAMBER_HD static Word next(const At& at, const Parameters&) requires(WordsPerGroup == 1) {
        const auto row = [&](int drow) {
            const Word before = at(-1, drow);
            const Word self = at(0, drow);
            const Word after = at(1, drow);
            return row_sum(self << 1 | before >> 31, self, self >> 1 | after << 31);
        };
        const RowSum above = row(-1);
        const RowSum own = row(0);
        return next_of(above, own, row(1), at(0, 0));
    }
};

// Rules of births and survivals on one-bit cells.

// Same as LifeBits up to the sum of the nine-cell neighborhood, which has four bits here. A tree of
// selections, one LOP3 each, then applies the rule to the sum: 29 operations for 32 cells.
template <int WordsPerGroup>
struct LifeLikeBits : LifeBits<WordsPerGroup> {
    using Conway = LifeBits<WordsPerGroup>;
    using Word = typename Conway::Word;
    using RowSum = typename Conway::RowSum;
    using RowPair = typename Conway::RowPair;
    static constexpr Rules rules = Rules::others;

    struct Parameters : Conway::Parameters {
        // Index: number of live cells among nine. All bits are set if a dead cell comes to life
        // (born), or if a live cell, which is one of the nine, survives.
        Word born[10] = {};
        Word survives[10] = {};
    };
    static Parameters parameters(const ParameterSet& set) {
        const BirthSurvival rule = birth_survival_of(set.rule());
        Parameters parameters;
        for (int n = 0; n <= 8; ++n) {
            parameters.born[n] = rule.lives(false, n) ? ~Word{0} : 0;
            parameters.survives[n + 1] = rule.lives(true, n) ? ~Word{0} : 0;
        }
        return parameters;
    }

    struct Adder : Conway::Adder {
        const Parameters& parameters;

        CAMBER_HD Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones) const {
            return LifeLikeBits::next_of(above, own, below, self, ones, parameters);
        }
        CAMBER_HD RowPair next_pair(const RowSum (&sums)[4], RowPair selves) const {
            const auto next = [&](int row, Word self) {
                return next_of(
                    sums[row - 1], sums[row], sums[row + 1], self,
                    Conway::parity(sums[row - 1].ones, sums[row].ones, sums[row + 1].ones));
            };
            return {next(1, selves.upper), next(2, selves.lower)};
        }
    };
    CAMBER_HD static Adder adder(const Parameters& parameters) {
        return {{}, parameters};
    }

    CAMBER_HD static Word choose(Word which, Word if_set, Word if_not) {
        return logic3<0xca>(which, if_set, if_not);
    }

    CAMBER_HD static Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones,
                                  const Parameters& parameters) {
        const Word carry = Conway::majority(above.ones, own.ones, below.ones);
        const Word parity = Conway::parity(above.twos, own.twos, below.twos);
        const Word both = parity & carry;
        const Word majority = Conway::majority(above.twos, own.twos, below.twos);
        const Word twos = parity ^ carry;
        const Word fours = majority ^ both;
        const Word eights = majority & both;
        // Outcomes for sums of 2i and 2i + 1.
        Word pair[5];

        for (int i = 0; i < 5; ++i)
            pair[i] = choose(
                self, choose(ones, parameters.survives[2 * i + 1], parameters.survives[2 * i]),
                choose(ones, parameters.born[2 * i + 1], parameters.born[2 * i]));
        const Word below_eight =
            choose(fours, choose(twos, pair[3], pair[2]), choose(twos, pair[1], pair[0]));
        return choose(eights, pair[4], below_eight);
    }

    template <class At>
    CAMBER_HD static Word next(const At& at,
                               const Parameters& parameters) requires(WordsPerGroup == 1) {
        const auto row = [&](int drow) {
            const Word before = at(-1, drow);
            const Word self = at(0, drow);
            const Word after = at(1, drow);
            return Conway::row_sum(self << 1 | before >> 31, self, self >> 1 | after << 31);
        };
        const RowSum above = row(-1);
        const RowSum own = row(0);
        const RowSum below = row(1);
        return next_of(above, own, below, at(0, 0),
                       Conway::parity(above.ones, own.ones, below.ones), parameters);
    }
};

// Rule on cells of type T whose generations `BitRule` computes, for techniques that pack cells into
// bits. Parameters are those of the bit rule.
template <class T, class BitRule>
struct LifeInBits : Life<T> {
    using Bits = BitRule;
    using Parameters = typename BitRule::Parameters;
    static constexpr Rules rules = BitRule::rules;

    static Parameters parameters(const ParameterSet& set) {
        if constexpr (requires { BitRule::parameters(set); })
            return BitRule::parameters(set);
        else
            return {};
    }
};

}  // namespace camber
