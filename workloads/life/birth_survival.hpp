// Rules whose births and survivals depend on the number of live neighbors: "B36/S23".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace camber {

// For each number of living neighbors, from 0 to 8, whether a dead cell comes to life and whether
// a live one stays alive.
struct BirthSurvival {
    // Bit n: with n neighbors a dead cell comes to life; bit 16 + n: a live one survives.
    std::uint32_t table = 0;

    constexpr bool lives(bool self, int neighbours) const {
        return (table >> (neighbours + (self ? 16 : 0)) & 1) != 0;
    }
    // "B36/S23", numbers in order.
    std::string name() const;
    friend bool operator==(const BirthSurvival&, const BirthSurvival&) = default;
};

constexpr BirthSurvival conway{0x000c0008};

// From "B36/S23", "b36s23", or "23/36" with the survivals first (both as Golly reads them), or
// "life". Throws Error(usage), whose sentence calls the text `what`: "--rule B9/S23".
BirthSurvival birth_survival(std::string_view text, std::string_view what);

// The rule of a ParameterSet: what name() has written, or "" for Conway's.
BirthSurvival birth_survival_of(const std::string& rule);

}  // namespace camber
