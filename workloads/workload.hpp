// A workload as the harness sees it: what is computed, from which initial state, and the truth
// about the result. One object per workload, found by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/rule.hpp"
#include "workloads/state.hpp"

namespace camber {

// Where a run starts.
struct InitialConditions {
    Size size;
    ElementType cell = ElementType::uint32;
    std::uint64_t seed = 1;
    double density = 0.5;  // share of live cells, 0 to 1
    // A pattern file instead of random cells, its upper left corner at (column, row), centred if
    // not given.
    std::optional<std::filesystem::path> pattern = std::nullopt;
    std::optional<std::pair<std::int64_t, std::int64_t>> pattern_at = std::nullopt;
};

// What a final state is recorded by.
struct FinalState {
    std::string quantity;  // "population" or "mass"
    double amount = 0;
    std::uint64_t checksum = 0;  // FNV-1a over the cells, row by row
};

class Workload {
  public:
    virtual ~Workload() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::string_view source() const = 0;  // who defined it
    // The element types it is compiled for, the default first.
    virtual std::vector<ElementType> cell_types() const = 0;

    // Throws Error for conditions that cannot be met.
    virtual State initial(const InitialConditions& conditions) const = 0;
    // The plain reference: one generation from `from` to `to`, a state of the same shape whose
    // values are overwritten, on `threads` CPU threads.
    virtual void generation(const State& from, State& to, Boundary boundary, int threads) const = 0;
    // Bytes that one generation must move per cell: each input read once, each output written once.
    virtual double application_bytes_per_cell(ElementType cell) const = 0;

    virtual FinalState final_state(const State& state) const = 0;
    // Writes the state in the workload's own file format; `comment` says how it came about.
    virtual void save(const State& state, const std::filesystem::path& path,
                      const std::string& comment) const = 0;
};

// Advances `state` by `generations` with the workload's reference.
void advance(const Workload& workload, State& state, Boundary boundary, int generations,
             int threads);

const std::vector<std::unique_ptr<Workload>>& workloads();
const Workload* find_workload(std::string_view name);  // nullptr if there is none

std::string_view name(Boundary boundary);
Boundary boundary_named(std::string_view text);  // throws Error(usage)

}  // namespace camber
