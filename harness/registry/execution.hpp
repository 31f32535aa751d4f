// Interface of a variant that runs on one problem, and the launch shape of its kernels. The runner
// uses it without access to the technique.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// The shape in which a kernel is launched: how its threads divide the board, and the layout that it
// asks of its fields.

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

// A variant at work on one problem: what the runner drives without knowing the technique.

// The problem as a variant sees it.
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

    virtual void upload(const State& initial) = 0;  // work recorded after one replays after any
    virtual void download(State& result) = 0;
    // Where a field's values lie now, as download() would give them; nullopt where they lie in
    // another form than cell by cell.
    virtual std::optional<CellsView> view(std::string_view /*field*/) const { return std::nullopt; }
    // What several places have of the board, and hold of each other; nullptr where there is one.
    virtual const ExchangeContext* divided() const { return nullptr; }
    // Poisons every cell that the next launch must write.
    virtual void poison(Poison poison) = 0;
    // Enqueues `generations`, a multiple of the variant's generations per launch. Asynchronous.
    virtual void advance(int generations) = 0;
};

}  // namespace camber
