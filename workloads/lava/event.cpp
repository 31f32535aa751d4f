#include "workloads/lava/event.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"
#include "harness/base/read_file.hpp"
#include "workloads/core/cells.hpp"

namespace camber::lava {
namespace {

namespace fs = std::filesystem;

constexpr double plain_no_data = -9999;

Configuration configuration_of(const EventFiles& files) {
    return read_configuration(read_file(files.configuration, "configuration", "a .cfg file"),
                              files.configuration.string(), files.form);
}

// Reads a raster that must cover the same cells as the ground: same shape and cell side, and
// corners less than a cell apart.
AsciiGrid read_raster(const fs::path& path, const AsciiGridHeader& map) {
    AsciiGrid grid = read_ascii_grid_file(path);
    const AsciiGridHeader& other = grid.header;
    const auto differs = [&](const std::string& how) {
        throw Error(ExitCode::usage,
                    fmt::format("the raster {} {}: give one on the cells of the ground",
                                path.string(), how));
    };
    if (other.size != map.size)
        differs(fmt::format("has {}x{} cells, the ground {}x{}", other.size.columns,
                            other.size.rows, map.size.columns, map.size.rows));
    if (other.cell_size != map.cell_size)
        differs(
            fmt::format("has cells of side {}, the ground of {}", other.cell_size, map.cell_size));
    if (other.origin != map.origin || std::abs(other.x - map.x) >= map.cell_size ||
        std::abs(other.y - map.y) >= map.cell_size)
        differs(fmt::format("begins at ({}, {}), the ground at ({}, {})", other.x, other.y, map.x,
                            map.y));
    return grid;
}

// Reads rasters in the form of the event.
class EventRasters {
  public:
    EventRasters(const EventFiles& files, const Configuration& configuration) : files_(files) {
        if (files.form == Form::numbered) return;
        map_.size = *configuration.size;
        map_.cell_size = configuration.parameters.at("cell_side");
        map_.no_data = plain_no_data;
    }

    std::vector<double> ground() {
        if (files_.form == Form::plain) return cells(files_.morphology);
        AsciiGrid grid = read_ascii_grid_file(files_.morphology);
        map_ = grid.header;
        return std::move(grid.values);
    }
    std::vector<double> cells(const fs::path& path) const {
        if (files_.form == Form::numbered) return read_raster(path, map_).values;
        return grid_file::read_matrix(read_file(path, "raster", "a matrix of numbers"),
                                      path.string(), map_.size);
    }
    std::vector<double> cells(const std::optional<fs::path>& path) const {
        return path ? cells(*path) : std::vector<double>();
    }
    const AsciiGridHeader& map() const { return map_; }

  private:
    const EventFiles& files_;
    AsciiGridHeader map_;
};

std::vector<VentCell> vents_of(const EventFiles& files, const EventRasters& rasters) {
    const std::string name = files.vents.string();
    const Size size = rasters.map().size;
    if (files.vents.extension() == ".txt")
        return read_vent_list(read_file(files.vents, "list of vents", "a text file"), name, size);
    return vents_in(rasters.cells(files.vents), size, plain_no_data, name);
}

}  // namespace

Event read_event(const fs::path& path) {
    const EventFiles files = find_event_files(path);
    Configuration configuration = configuration_of(files);
    EventRasters rasters(files, configuration);
    Event event;
    event.prefix = files.prefix;
    event.altitude = rasters.ground();
    event.map = rasters.map();
    event.vents = vents_of(files, rasters);
    event.rates = read_emission_rates(
        read_file(files.emission_rates, "file of emission rates", "a text file"),
        files.emission_rates.string());
    try {
        check_vents(event.vents, event.rates);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{} and {}: {}", files.vents.string(),
                                              files.emission_rates.string(), error.what()));
    }
    event.parameters = std::move(configuration.parameters);
    event.parameters["cell_side"] = event.map.cell_size;
    event.thickness = rasters.cells(files.thickness);
    event.temperature = rasters.cells(files.temperature);
    event.solidified = rasters.cells(files.solidified);
    for (const double passed : rasters.cells(files.real_event))
        event.real.push_back(passed != 0 && passed != plain_no_data);
    return event;
}

Size event_size(const fs::path& path) {
    const EventFiles files = find_event_files(path);
    return files.form == Form::plain ? *configuration_of(files).size
                                     : read_ascii_grid_header(files.morphology).size;
}

}  // namespace camber::lava
