// Rules of births and survivals on one-bit cells.
#pragma once

#include <cstdint>

#include "workloads/life/birth_survival.hpp"
#include "workloads/life/bits.hpp"

namespace camber {

// Same as LifeBits up to the sum of the nine cells of a neighborhood, which has four bits here. A
// tree of choices, one LOP3 each, then applies the rule to the sum: 29 operations for 32 cells.
template <int WordsPerGroup>
struct LifeLikeBits : LifeBits<WordsPerGroup> {
    using Conway = LifeBits<WordsPerGroup>;
    using Word = typename Conway::Word;
    using RowSum = typename Conway::RowSum;
    static constexpr Rules rules = Rules::others;

    struct Parameters : Conway::Parameters {
        // By the number of living cells among nine: all bits set where a dead cell comes to life,
        // and where a live one, which is among the nine, survives.
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
    };
    CAMBER_HD static Adder adder(const Parameters& parameters) {
        return {{parameters.one, parameters.minus_two}, parameters};
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

}  // namespace camber
