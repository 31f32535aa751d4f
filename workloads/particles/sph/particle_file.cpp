#include "workloads/particles/sph/particle_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/text_file.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph {

namespace {

constexpr const char* file_kind = "particle file";

bool is_vtk(const std::filesystem::path& path) {
    return path.extension() == ".vtk";
}

// Values of a state by name, in double.
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
        // Constants of the equation of state, which do not depend on run parameters.
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

// Writes text in the legacy format of "VTK File Formats".
void write_vtk(std::ostream& out, const Table& table, double time, const std::string& comment) {
    // The format limits the second line to 256 characters.
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

namespace {

constexpr const char* wanted = "a .vtk or .csv file that camber run --workload sph --save wrote";

class Reader {
  public:
    Reader(std::filesystem::path path, std::string_view text)
        : path_(std::move(path)), rest_(text) {}

    // Advances to the position after the next `word`.
    void find(std::string_view word) {
        const auto at = rest_.find(word);
        if (at == std::string_view::npos) fail(fmt::format("has no '{}'", word));
        rest_.remove_prefix(at + word.size());
    }
    // Reads the next number, after blanks, line breaks and commas.
    double number() {
        const auto start = rest_.find_first_not_of(" \n\r,");
        rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
        double value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) fail("ends within its numbers");
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    bool at_end() const { return rest_.find_first_not_of(" \n\r") == std::string_view::npos; }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ExitCode::usage, fmt::format("the particle file \"{}\" {}; give {}",
                                                 path_.string(), what, wanted));
    }

  private:
    std::filesystem::path path_;
    std::string_view rest_;
};

std::vector<SavedParticle> from_vtk(Reader& reader, std::size_t bytes) {
    reader.find("# vtk DataFile");
    reader.find("\nPOINTS ");
    const double count = reader.number();
    // Each particle takes more than one byte, so the file size bounds the count.
    if (!(count >= 1 && count <= static_cast<double>(bytes) && count == std::floor(count)))
        reader.fail(fmt::format("has {} points", count));
    std::vector<SavedParticle> particles(static_cast<std::size_t>(count));
    reader.find("double\n");
    for (SavedParticle& p : particles)
        for (double* value : {&p.x, &p.y, &p.z}) *value = reader.number();
    reader.find("\nVECTORS velocity double\n");
    for (SavedParticle& p : particles)
        for (double* value : {&p.vx, &p.vy, &p.vz}) *value = reader.number();
    const auto scalars = [&](const char* name, auto member) {
        reader.find(fmt::format("\nSCALARS {} ", name));
        reader.find("\nLOOKUP_TABLE default\n");
        for (SavedParticle& p : particles)
            p.*member = static_cast<std::remove_reference_t<decltype(p.*member)>>(reader.number());
    };
    scalars("density", &SavedParticle::density);
    scalars("pressure", &SavedParticle::pressure);
    scalars("kind", &SavedParticle::kind);
    return particles;
}

std::vector<SavedParticle> from_csv(Reader& reader) {
    reader.find("number,kind,x,y,z,vx,vy,vz,density,pressure\n");
    std::vector<SavedParticle> particles;
    while (!reader.at_end()) {
        SavedParticle& p = particles.emplace_back();
        reader.number();
        p.kind = static_cast<int>(reader.number());
        for (double* value : {&p.x, &p.y, &p.z, &p.vx, &p.vy, &p.vz, &p.density, &p.pressure})
            *value = reader.number();
    }
    if (particles.empty()) reader.fail("has no particles");
    return particles;
}

}  // namespace

bool is_particle_path(const std::filesystem::path& path) {
    return path.extension() == ".vtk" || path.extension() == ".csv";
}

std::vector<SavedParticle> read_particles(const std::filesystem::path& path) {
    const std::string text = read_file(path, "particle file", wanted);
    Reader reader(path, text);
    return path.extension() == ".vtk" ? from_vtk(reader, text.size()) : from_csv(reader);
}

}  // namespace camber::sph
