// Static properties of a workload, available before any computation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/boundary.hpp"
#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"

namespace camber {

// Values per cell of the board: of the cell type that a run has, and of one byte.
struct PerCell {
    int values = 0;
    int byte_values = 0;

    // Bytes per cell in the memory that kernels use.
    double bytes(ElementType cell) const {
        return values * info(cell).stored_bits / 8.0 + byte_values;
    }
    double host_bytes(ElementType cell) const {
        return 1.0 * values * info(cell).size + byte_values;
    }
};

// One entry of State::account, and what it does to the final state's amount: +1 adds, -1 takes.
struct AccountEntry {
    std::string name;
    int sign = 1;
};

struct WorkloadFacts {
    std::string_view name = {};
    std::string_view summary = {};
    std::string_view source = {};  // who defined it
    // The element types it is compiled for, the default first.
    std::vector<ElementType> cell_types = {};
    // The type that the reference computes in where variants are not held to the last bit; else the
    // variant's own.
    std::optional<ElementType> reference_type = {};
    // Default board size, and supported boundaries, the default first.
    std::optional<Size> usual_size = {};
    std::vector<Boundary> boundaries = {Boundary::dead, Boundary::torus};
    // For workloads that compute any rule of a family: the default rule in the workload's notation,
    // and a description of that notation.
    std::string_view usual_rule = {};
    std::string_view rule_form = {};
    // Parameters of its rules, with default values.
    std::vector<ParameterInfo> parameters = {};
    std::string_view file_format = {};  // of the files that it reads and writes: "RLE"
    bool random_on_input = false;       // whether a start from a file still depends on the seed
    std::vector<std::string_view> written_fields = {};  // those that a generation writes
    PerCell stored = {};                                // all fields
    // Minimum traffic of one generation: each input read once, each output written once.
    PerCell moved = {};
    // The entries that together change the amount from one generation to the next, in the order of
    // the steps; none where nothing is kept account of.
    std::vector<AccountEntry> account = {};
};

}  // namespace camber
