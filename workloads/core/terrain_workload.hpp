// Base of workloads in which water flows over a terrain read from an ESRI ASCII grid.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/saved_state.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Reads the grid in the file conditions.input, which must be set. Throws Error(usage) if the grid
// does not fill the board, if a position on the board is given, or if an altitude exceeds the
// supported range.
AsciiGrid read_terrain(const InitialConditions& conditions);

// Base of workloads in which water flows over a terrain read from an ESRI ASCII grid.
class TerrainWorkload : public Workload {
  public:
    std::optional<Size> input_size(const std::filesystem::path& path,
                                   const OptionValues&) const final {
        return read_ascii_grid_header(path).size;
    }
    ParameterSet parameters_for(const InitialConditions& conditions) const final {
        ParameterSet parameters(facts().parameters);
        if (const auto head = saved_head(*this, conditions))
            take_parameters(*head, parameters,
                            [this](const ParameterSet& set) { check_parameters(set); });
        return parameters;
    }
    State initial(const InitialConditions& conditions) const final {
        if (conditions.input && conditions.input_at) read_terrain(conditions);  // throws
        auto saved = saved_state(*this, conditions, example());
        return saved ? std::move(*saved) : start_of(conditions);
    }
    std::optional<State> exact_initial(const InitialConditions& conditions) const final {
        return saved_state(*this, conditions, example(), true);
    }
    std::string input_note(const InitialConditions& conditions) const final {
        const auto head = saved_head(*this, conditions);
        return head ? fmt::format(", gone on from generation {}", head->generations) : "";
    }

  protected:
    // Adds cell types, boundary and file format to the facts.
    explicit TerrainWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

    // Throws Error for invalid values.
    virtual void check_parameters(const ParameterSet&) const {}

    // Initial state of a run that does not resume another run.
    virtual State start_of(const InitialConditions& conditions) const = 0;

    // Writes the water depth as a grid: `depth(terrain, cell)` returns the depth of a cell of
    // `field`, or nullopt for a cell without data. The grid has the input's location and its NODATA
    // value, unless that value is also a depth. Without an input the lower left corner is (0, 0),
    // and the unit is one cell side.
    template <class Depth>
    static void save_depth(const State& state, const char* field, const std::filesystem::path& path,
                           const Run& run, const Depth& depth) {
        AsciiGridHeader header;
        if (run.initial.input) header = read_ascii_grid_header(*run.initial.input);
        header.size = state.field(field).size();
        const HostField& source = state.field(field);
        with_real_cells(source, [&]<class T>(std::span<const T> cells) {
            const auto terrain = state.field("terrain").cells<T>();
            T no_data = static_cast<T>(header.no_data.value_or(usual_no_data));
            if (!std::isfinite(no_data)) no_data = usual_no_data;
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (depth(terrain[i], cells[i]) == no_data) no_data = usual_no_data;
            std::vector<T> depths(cells.size());
            for (std::size_t i = 0; i < cells.size(); ++i)
                depths[i] = depth(terrain[i], cells[i]).value_or(no_data);
            // Rounded as when it is read back from a cell's digits: a T has fewer digits than a
            // double.
            header.no_data = std::stod(fmt::format("{}", no_data));
            write_ascii_grid_file<T>(path, header, depths);
        });
    }

  private:
    static constexpr int usual_no_data = -9999;

    ExampleState example() const {
        return [this](ElementType cell) { return start_of({.size = {16, 12}, .cell = cell}); };
    }

    static WorkloadFacts completed(WorkloadFacts facts) {
        facts.cell_types = {ElementType::float32, ElementType::float64};
        facts.boundaries = {Boundary::dead};
        facts.file_format = "ESRI ASCII grid";
        facts.random_on_input = true;
        return facts;
    }
};

}  // namespace camber
