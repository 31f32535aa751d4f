#include "workloads/lava/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/grid_file/fixed_grid.hpp"
#include "workloads/grid_file/text_file.hpp"

namespace camber::lava {

namespace fs = std::filesystem;

void save_results(const fs::path& folder, const Event& event, const Rasters& rasters,
                  std::int64_t step) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot make the folder {}: {}; choose another", folder.string(),
                                error.message()));
    const std::string stem = fmt::format("{}_{:012}", event.prefix, step);
    grid_file::write_text(folder / (stem + ".cfg"),
                          [&](std::ostream& out) { write_configuration(out, event.parameters); });
    grid_file::write_text(folder / (stem + "_EmissionRate.txt"),
                          [&](std::ostream& out) { write_emission_rates(out, event.rates); });
    const auto raster = [&](const char* name, std::span<const double> values, int decimals) {
        write_fixed_grid_file(folder / fmt::format("{}_{}.asc", stem, name), event.map, values,
                              decimals);
    };
    constexpr int decimals = 6;
    raster("Morphology", rasters.altitude, decimals);
    raster("Thickness", rasters.thickness, decimals);
    raster("Temperature", rasters.temperature, decimals);
    raster("SolidifiedLavaThickness", rasters.solidified, decimals);
    std::vector<double> vents(rasters.altitude.size());
    for (const VentCell& vent : event.vents)
        vents[static_cast<std::size_t>(vent.row) * event.map.size.columns + vent.column] = vent.id;
    raster("Vents", vents, 0);
    if (!event.real.empty())
        raster("RealEvent", std::vector<double>(event.real.begin(), event.real.end()), 0);
}

void check_results_folder(const fs::path& folder) {
    std::error_code ignored;
    // The nearest folder that exists is where the others are made.
    fs::path existing = fs::absolute(folder, ignored).lexically_normal();
    while (!existing.empty() && existing != existing.root_path() && !fs::exists(existing, ignored))
        existing = existing.parent_path();
    if (!fs::is_directory(existing, ignored))
        throw Error(ExitCode::usage,
                    fmt::format("cannot write the folder \"{}\": {} is no folder", folder.string(),
                                existing.string()),
                    Remedy::another_output, "folder");
    if (::access(existing.c_str(), W_OK | X_OK) != 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot write the folder \"{}\": {} is not writable",
                                folder.string(), existing.string()),
                    Remedy::another_output, "folder");
}

}  // namespace camber::lava
