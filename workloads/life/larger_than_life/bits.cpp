#include "workloads/life/larger_than_life/bits.hpp"

#include <algorithm>

namespace camber {

namespace {

using Rule = LargerThanLifeBits;

// Bits of `number`; numbers beyond all counts become the largest value of as many bits.
void spread(int number, Rule::Word (&bits)[Rule::square_bits]) {
    const int within = std::clamp(number, 0, (1 << Rule::square_bits) - 1);
    for (int k = 0; k < Rule::square_bits; ++k)
        bits[k] = (within >> k & 1) != 0 ? ~Rule::Word{} : 0;
}

}  // namespace

LargerThanLifeBits::Parameters LargerThanLifeBits::parameters(const ParameterSet& set) {
    const LargerThanLife::Parameters rule = LargerThanLife::parameters(set);
    Parameters made;
    made.radius = rule.radius;
    spread(rule.birth.least, made.least.dead);
    spread(rule.survival.least, made.least.alive);
    spread(rule.birth.most + 1, made.too_many.dead);
    spread(rule.survival.most + 1, made.too_many.alive);
    return made;
}

}  // namespace camber
