// Solves a linear program: the cheapest amounts that satisfy linear conditions.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace camber {

// Amounts of at least 0, each with its cost, and conditions on sums of them.
struct LinearProgram {
    enum class Relation { equal, at_most };
    struct Condition {
        std::vector<std::pair<std::size_t, double>> terms;  // amount by number, factor
        Relation relation = Relation::equal;
        double bound = 0;
    };

    std::vector<double> costs;  // of a unit of each amount
    std::vector<Condition> conditions;

    // The number of a new amount.
    std::size_t add(double cost) {
        costs.push_back(cost);
        return costs.size() - 1;
    }
};

// The amounts that cost least together, by the simplex method in two phases (Dantzig 1963, "Linear
// Programming and Extensions", chapter 5; against cycles, Bland 1977, "New Finite Pivoting Rules
// for the Simplex Method"). Nothing where no amounts keep all conditions, or where costs fall
// without end.
std::optional<std::vector<double>> cheapest(const LinearProgram& program);

}  // namespace camber
