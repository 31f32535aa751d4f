// What all workloads have in common whose water runs over a terrain from an ESRI ASCII grid.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "workloads/grid_file/ascii_grid.hpp"
#include "workloads/real_cells.hpp"
#include "workloads/workload.hpp"

namespace camber {

class TerrainWorkload : public Workload {
  public:
    std::optional<Size> input_size(const std::filesystem::path& path) const final {
        return read_ascii_grid_header(path).size;
    }

  protected:
    // Completes the facts by cell type, boundary and file format.
    explicit TerrainWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

    // Writes the depth of the water: what `depth(terrain, cell)`, an optional, gives for the cells
    // of `field`; others are without data. A state knows no place on the map and a grid has no
    // comment: the corner is 0, 0, the unit a cell's side.
    template <class Depth>
    static void save_depth(const State& state, const char* field, const std::filesystem::path& path,
                           const Depth& depth) {
        const HostField& source = state.field(field);
        with_real_cells(source, [&]<class T>(std::span<const T> cells) {
            const auto terrain = state.field("terrain").cells<T>();
            constexpr T no_data = -9999;
            std::vector<T> depths(cells.size());
            for (std::size_t i = 0; i < cells.size(); ++i)
                depths[i] = depth(terrain[i], cells[i]).value_or(no_data);
            write_ascii_grid_file<T>(path, {.size = source.size(), .no_data = no_data}, depths);
        });
    }

  private:
    static WorkloadFacts completed(WorkloadFacts facts) {
        facts.cell_types = {ElementType::float32};
        facts.boundaries = {Boundary::dead};
        facts.file_format = "ESRI ASCII grid";
        return facts;
    }
};

}  // namespace camber
