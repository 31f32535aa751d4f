// Rules of births and survivals on 4-byte or 1-byte cells, looked up in a table.
#pragma once

#include <cstdint>

#include "workloads/life/birth_survival.hpp"
#include "workloads/life/rule.hpp"

namespace camber {

template <class T>
struct LifeLike : Life<T> {
    using Cell = T;
    static constexpr Rules rules = Rules::others;

    struct Parameters {
        std::uint32_t table = 0;  // see BirthSurvival
    };
    static Parameters parameters(const ParameterSet& set) {
        return {birth_survival_of(set.rule()).table};
    }

    template <class At>
    CAMBER_HD static Cell next(const At& at, const Parameters& parameters) {
        const unsigned neighbours = at(-1, -1) + at(0, -1) + at(1, -1) +  //
                                    at(-1, 0) + at(1, 0) +                //
                                    at(-1, 1) + at(0, 1) + at(1, 1);
        const unsigned self = at(0, 0);
        return static_cast<Cell>(parameters.table >> (neighbours + 16 * self) & 1);
    }

    CAMBER_HD static std::uint32_t next_four(std::uint32_t neighbours, std::uint32_t selves,
                                             const Parameters& parameters) requires(sizeof(Cell) ==
                                                                                    1) {
        const std::uint32_t places = neighbours + selves * 16;
        std::uint32_t next = 0;
        for (int i = 0; i < 32; i += 8) next |= (parameters.table >> (places >> i & 31) & 1) << i;
        return next;
    }
};

}  // namespace camber
