#include "workloads/particles/sph/particle_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/base/read_file.hpp"

namespace camber::sph {

namespace {

constexpr const char* wanted = "a .vtk or .csv file that camber run --workload sph --save wrote";

class Reader {
  public:
    Reader(std::filesystem::path path, std::string_view text)
        : path_(std::move(path)), rest_(text) {}

    // Goes on behind the next `word`.
    void find(std::string_view word) {
        const auto at = rest_.find(word);
        if (at == std::string_view::npos) fail(fmt::format("has no '{}'", word));
        rest_.remove_prefix(at + word.size());
    }
    // The next number, behind blanks, ends of lines and commas.
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
    // A particle takes more bytes than that.
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
