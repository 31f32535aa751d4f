// Conway's Game of Life on cells of one bit: 32 cells by logic operations on words.
#pragma once

#include <cstdint>

#include "workloads/rule.hpp"

namespace camber {

// B3/S23 of 32 cells at once. A row's cells and their two neighbours are added as numbers of two
// bits, each bit in a word of its own; three such sums make the nine cells of a neighbourhood,
// whose own cell counts too: alive where the sum is three, or four with the own cell alive. Every
// line of the functions below is one three-input operation (LOP3) on the device: ten for 32 cells.
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
    struct Parameters {
        int columns = 0;  // of the board, in cells
        // What a compiler must not know, so that it multiplies: see Adder.
        Word one = 1;
        Word minus_two = ~Word{1};
    };

    // The sum of three bits is a ^ b ^ c + 2 * majority(a, b, c), in every bit of words and so of
    // the words as numbers. So a ^ b ^ c is three multiply-adds where the majority is known: more
    // instructions, in another pipe than the logic operations wait for.
    struct Adder {
        Word one;
        Word minus_two;
        CAMBER_HD Word ones(Word a, Word b, Word c, Word majority) const {
            return majority * minus_two + (a * one + (b * one + c));
        }
    };

    // Of three cells of a row: ones + 2 * twos.
    struct RowSum {
        Word ones = 0;
        Word twos = 0;
    };

    CAMBER_HD static Word majority(Word a, Word b, Word c) { return (a & b) | (c & (a | b)); }

    CAMBER_HD static RowSum row_sum(Word left, Word self, Word right) {
        return {left ^ self ^ right, majority(left, self, right)};
    }

    // What the cells of the middle row become.
    CAMBER_HD static Word next_of(RowSum above, RowSum own, RowSum below, Word self) {
        return next_of(above, own, below, self, above.ones ^ own.ones ^ below.ones);
    }
    // `ones`: above.ones ^ own.ones ^ below.ones.
    CAMBER_HD static Word next_of(RowSum above, RowSum own, RowSum below, Word self, Word ones) {
        const Word carry = majority(above.ones, own.ones, below.ones);
        const Word twos = above.twos ^ own.twos ^ below.twos;
        const Word fours = majority(above.twos, own.twos, below.twos);
        // The sum is ones + 2 * (twos + carry + 2 * fours).
        const Word odd = twos ^ carry;
        const Word one_or_two = (odd & ~fours) | (~odd & (twos ^ fours));  // of the pairs
        const Word fits = (odd & ones) | (~odd & ~ones & self);
        return one_or_two & fits;
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

}  // namespace camber
