// The shape in which a kernel is launched: how its threads divide the board, and the layout that it
// asks of its fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace camber {

// Columns x rows, of threads or of cells.
struct Region {
    int columns = 0;
    int rows = 0;

    bool operator==(const Region&) const = default;
    std::string name() const { return std::to_string(columns) + "x" + std::to_string(rows); }
};

inline constexpr int unaligned = 0;  // no padding: rows start wherever the one before ended

struct Shape {
    Region block{};             // threads
    Region region = block;      // cells that a block computes, or a cluster of blocks
    int halo = 0;               // cells; 0: the kernel tests for the edge itself
    int alignment = unaligned;  // bytes, of rows
    int elements_per_thread = 1;
    int generations = 1;              // per launch
    std::size_t shared_bytes = 0;     // per block
    std::string path = block.name();  // in names, before the alignment: "64x4/v4"

    // "64x4/v4/align128". The alignment is left out where nothing is out of line without it: no
    // halo, no padding.
    std::string name() const;
};

// Tells the choices for a step apart.
struct StepKey {
    std::string_view technique;
    std::string path;  // of its shape
    int alignment = unaligned;

    bool operator==(const StepKey&) const = default;
};

}  // namespace camber
