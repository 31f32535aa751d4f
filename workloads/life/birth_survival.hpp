// Rules whose births and survivals depend on the number of live neighbors, such as "B36/S23", and
// their lookup in a table for cells of 4 bytes or 1 byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workloads/life/rule.hpp"

namespace camber {

// For each number of live neighbors, from 0 to 8: whether a dead cell comes to life, and whether a
// live cell survives.
struct BirthSurvival {
    // Bit n is set if a dead cell with n live neighbors comes to life; bit 16 + n is set if a live
    // one survives.
    std::uint32_t table = 0;

    constexpr bool lives(bool self, int neighbours) const {
        return (table >> (neighbours + (self ? 16 : 0)) & 1) != 0;
    }
    // Returns "B36/S23", with the numbers in ascending order.
    std::string name() const;
    friend bool operator==(const BirthSurvival&, const BirthSurvival&) = default;
};

constexpr BirthSurvival conway{0x000c0008};

// Parses "B36/S23", "b36s23", or "23/36" with the survivals first (both as Golly reads them), or
// "life". Throws Error(usage), whose message calls the text `what`: "--rule B9/S23".
BirthSurvival birth_survival(std::string_view text, std::string_view what);

// Rule of a ParameterSet: either written by name(), or "" for Conway's rule.
BirthSurvival birth_survival_of(const std::string& rule);

// Rules of births and survivals on 4-byte or 1-byte cells, looked up in a table.
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
