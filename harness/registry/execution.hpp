// Interface of a variant that runs on one problem, and the launch shape of its kernels. The runner
// uses it without knowledge of the technique.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// Launch shape of a kernel: how its threads divide the board, and the layout that its fields need.

// Columns x rows, in threads or cells.
struct Region {
    int columns = 0;
    int rows = 0;

    bool operator==(const Region&) const = default;
    std::string name() const { return std::to_string(columns) + "x" + std::to_string(rows); }
};

inline constexpr int unaligned = 0;  // no padding: a row starts where the previous one ends

struct Shape {
    Region block{};             // threads
    Region region = block;      // cells computed by a block, or by a cluster of blocks
    int halo = 0;               // cells; 0: the kernel tests for the board's edge itself
    int alignment = unaligned;  // row alignment in bytes
    int elements_per_thread = 1;
    int generations = 1;              // per launch
    std::size_t shared_bytes = 0;     // per block
    std::string path = block.name();  // "64x4/v4": name without the alignment

    // "64x4/v4/align128". The alignment is omitted if all rows are aligned without it: no halo, no
    // padding.
    std::string name() const;
};

// Identifies one choice of technique and shape for a step.
struct StepKey {
    std::string_view technique;
    std::string path;  // of its shape
    int alignment = unaligned;

    bool operator==(const StepKey&) const = default;
};

// A variant that runs on one problem.

// The problem as a variant receives it.
struct Problem {
    Size size;
    Boundary boundary = Boundary::dead;
    ElementType cell = ElementType::uint32;
    ParameterSet parameters = {};  // of the workload's rules
};

struct ExchangeContext;

class Execution {
  public:
    virtual ~Execution() = default;

    // Work that was recorded after one upload can be replayed after any other
    virtual void upload(const State& initial) = 0;
    virtual void download(State& result) = 0;
    // Returns the memory of a field's current values, cell by cell as in download(); nullopt if the
    // field is stored in another form.
    virtual std::optional<CellsView> view(std::string_view /*field*/) const { return std::nullopt; }
    // Returns the division of the board among several devices and the state of its halo exchange;
    // nullptr if there is one device.
    virtual const ExchangeContext* divided() const { return nullptr; }
    // Poisons every cell that the next launch must write.
    virtual void poison(Poison poison) = 0;
    // Enqueues `generations`, a multiple of the variant's generations per launch. Asynchronous.
    virtual void advance(int generations) = 0;
};

}  // namespace camber
