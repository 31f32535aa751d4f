// Larger than Life on one-bit cells: 32 cells by logic operations on words.
//
// Cell counts are bit-sliced: bit k of 32 counts is stored in one word, so that one operation
// processes 32 counts (Knuth 2011, section 7.1.3). The sum of three bits a, b, c is parity(a, b, c)
// + 2 * majority(a, b, c), each one operation on the device.
#pragma once

#include <cstdint>

#include "harness/machine/kernel/site.hpp"
#include "workloads/core/rule.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber {

// Number of bits of numbers up to `most`.
CAMBER_HD constexpr int bits_of(int most) {
    int bits = 0;
    for (; most > 0; most /= 2) ++bits;
    return bits;
}

struct LargerThanLifeBits {
    using Word = std::uint32_t;

    static constexpr int words_per_group = 1;  // see BitOrder

    // The halo has as many columns of words as rows of cells, because a halo has one width,
    // although one word on each side would contain all columns.
    struct Current : Input<Word, largest_radius> {
        static constexpr const char* field = "cells";
        CAMBER_HD static constexpr Word outside() { return 0; }
    };
    struct Next : Output<Word> {
        static constexpr const char* field = "cells";
    };
    using Inputs = InputList<Current>;
    using Outputs = OutputList<Next>;

    static constexpr int column_bits = bits_of(2 * largest_radius + 1);
    static constexpr int square_bits = bits_of((2 * largest_radius + 1) * (2 * largest_radius + 1));

    // Threshold for counts, for dead and for live cells: each bit of the number is expanded to a
    // word in which all bits equal it.
    struct Threshold {
        Word dead[square_bits] = {};
        Word alive[square_bits] = {};
    };
    struct Parameters {
        int columns = 0;  // of the board, in cells
        int radius = 1;
        Threshold least;     // minimum count with which a cell survives or comes to life
        Threshold too_many;  // smallest count that exceeds the maximum
    };
    // Parameters of the rule in the ParameterSet.
    static Parameters parameters(const ParameterSet& set);

    CAMBER_HD static Word parity(Word a, Word b, Word c) { return logic3<0x96>(a, b, c); }
    CAMBER_HD static Word majority(Word a, Word b, Word c) { return logic3<0xe8>(a, b, c); }

    // One bit of every count, lowest first, and one bit of every cell.
    template <int N>
    CAMBER_HD static void add_cells(Word (&counts)[N], Word cells) {
        for (int k = 0; k < N; ++k) {
            const Word carry = counts[k] & cells;
            counts[k] ^= cells;
            cells = carry;
        }
    }

    // Mask of the counts that reach a threshold, which are those where subtracting the threshold
    // leaves no borrow. count(k) returns bit k of all counts. Counts and thresholds have `bits`
    // bits.
    template <int bits = square_bits, class Count>
    CAMBER_HD static Word reach(const Count& count, Word self, const Threshold& threshold) {
        Word borrow = 0;
        for (int k = 0; k < bits; ++k) {
            const Word bit = logic3<0xca>(self, threshold.alive[k], threshold.dead[k]);
            borrow = logic3<0x8e>(count(k), bit, borrow);
        }
        return ~borrow;
    }
    // New cells for the given counts of live cells in their squares.
    template <int bits = square_bits, class Count>
    CAMBER_HD static Word next_of(const Count& count, Word self, const Parameters& parameters) {
        return reach<bits>(count, self, parameters.least) &
               ~reach<bits>(count, self, parameters.too_many);
    }

    // Counts column by column and adds each column to the square's count; the radius is a run-time
    // parameter.
    template <class At>
    CAMBER_HD static Word next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        Word before[column_bits] = {};
        Word own[column_bits] = {};
        Word after[column_bits] = {};
        for (int drow = -radius; drow <= radius; ++drow) {
            add_cells(before, at(-1, drow));
            add_cells(own, at(0, drow));
            add_cells(after, at(1, drow));
        }
        Word counts[square_bits] = {};
        for (int d = -radius; d <= radius; ++d) {
            count_round();
            Word carry = 0;
            for (int k = 0; k < square_bits; ++k) {
                Word bit = 0;
                if (k < column_bits)
                    bit = d < 0   ? own[k] << -d | before[k] >> (32 + d)
                          : d > 0 ? own[k] >> d | after[k] << (32 - d)
                                  : own[k];
                const Word next_carry = majority(counts[k], bit, carry);
                counts[k] = parity(counts[k], bit, carry);
                carry = next_carry;
            }
        }
        return next_of([&](int k) { return counts[k]; }, at(0, 0), parameters);
    }
};

}  // namespace camber
