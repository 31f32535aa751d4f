#include "workloads/particles/sph/particle_file.hpp"

#include <fmt/format.h>

#include <array>
#include <ostream>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/core/real_cells.hpp"
#include "workloads/core/text_file.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph {

namespace {

constexpr const char* file_kind = "particle file";

bool is_vtk(const std::filesystem::path& path) {
    return path.extension() == ".vtk";
}

// A state's values by name, in double.
class Table {
  public:
    explicit Table(const State& state)
        : kinds(state.field(kind_field).cells<std::uint8_t>()),
          x(values(state, position_fields[0])),
          y(values(state, position_fields[1])),
          z(values(state, position_fields[2])),
          vx(values(state, velocity_fields[0])),
          vy(values(state, velocity_fields[1])),
          vz(values(state, velocity_fields[2])),
          density(values(state, density_field)) {
        // The equation of state has no parameter of a run.
        const Constants<double> k = constants_of<double>({});
        for (const double value : density)
            pressure.push_back(value > 0 ? sph::pressure(k, value) : 0);
    }

    std::size_t count() const { return x.size(); }

    std::span<const std::uint8_t> kinds;
    std::vector<double> x, y, z, vx, vy, vz, density, pressure;

  private:
    static std::vector<double> values(const State& state, const char* name) {
        return with_real_cells(state.field(name), [](auto cells) {
            return std::vector<double>(cells.begin(), cells.end());
        });
    }
};

// The format that "VTK File Formats" calls legacy, in text.
void write_vtk(std::ostream& out, const Table& table, double time, const std::string& comment) {
    // Its second line has at most 256 characters.
    out << "# vtk DataFile Version 3.0\n"
        << fmt::format("camber sph, t = {} s; {}", time, comment).substr(0, 250)
        << "\nASCII\nDATASET POLYDATA\n";
    const std::size_t n = table.count();
    out << fmt::format("POINTS {} double\n", n);
    for (std::size_t i = 0; i < n; ++i)
        out << fmt::format("{} {} {}\n", table.x[i], table.y[i], table.z[i]);
    out << fmt::format("VERTICES {} {}\n", n, 2 * n);
    for (std::size_t i = 0; i < n; ++i) out << fmt::format("1 {}\n", i);
    out << fmt::format("POINT_DATA {}\nVECTORS velocity double\n", n);
    for (std::size_t i = 0; i < n; ++i)
        out << fmt::format("{} {} {}\n", table.vx[i], table.vy[i], table.vz[i]);
    const auto scalars = [&](const char* name, const char* type, const auto& value) {
        out << fmt::format("SCALARS {} {} 1\nLOOKUP_TABLE default\n", name, type);
        for (std::size_t i = 0; i < n; ++i) out << fmt::format("{}\n", value(i));
    };
    scalars("density", "double", [&](std::size_t i) { return table.density[i]; });
    scalars("pressure", "double", [&](std::size_t i) { return table.pressure[i]; });
    scalars("kind", "int", [&](std::size_t i) { return int{table.kinds[i]}; });
    scalars("number", "int", [&](std::size_t i) { return i; });
}

void write_csv(std::ostream& out, const Table& table) {
    out << "number,kind,x,y,z,vx,vy,vz,density,pressure\n";
    for (std::size_t i = 0; i < table.count(); ++i)
        out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", i, table.kinds[i], table.x[i],
                           table.y[i], table.z[i], table.vx[i], table.vy[i], table.vz[i],
                           table.density[i], table.pressure[i]);
}

}  // namespace

void check_particle_path(const std::filesystem::path& path) {
    if (is_vtk(path) || path.extension() == ".csv") return;
    throw Error(ExitCode::usage, fmt::format("particles are not written as \"{}\": give a path "
                                             "that ends in .vtk or .csv",
                                             path.string()));
}

void write_particles(const State& state, const std::filesystem::path& path,
                     const std::string& comment) {
    check_particle_path(path);
    const Table table(state);
    const double time = state.field(time_field).cells<double>()[0];
    grid_file::write_text(path, file_kind, [&](std::ostream& out) {
        if (is_vtk(path))
            write_vtk(out, table, time, comment);
        else
            write_csv(out, table);
    });
}

}  // namespace camber::sph
