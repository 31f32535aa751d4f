#include "workloads/lava/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/text_file.hpp"

namespace camber::lava {

namespace fs = std::filesystem;

namespace {

// File that states the origin of the folder's files and lists their names.
constexpr const char* note = "camber.txt";
constexpr const char* list_begins = "files:";

// Files in the folder that an earlier run saved.
std::vector<std::string> saved_before(const fs::path& folder) {
    std::error_code ignored;
    std::vector<std::string> names;
    if (!fs::is_regular_file(folder / note, ignored)) return names;
    std::istringstream text(read_file(folder / note, "note", "a text file"));
    bool listed = false;
    for (std::string line; std::getline(text, line); listed = listed || line == list_begins)
        if (listed && fs::path(line).filename() == line) names.push_back(line);
    return names;
}

// Temporary folder beside another one; removed with its contents unless it replaces the other.
class FolderBeside {
  public:
    explicit FolderBeside(const fs::path& folder)
        : target_(fs::absolute(folder / "").lexically_normal().parent_path()),
          path_(target_.parent_path() /
                fmt::format(".{}.{}.camber-tmp", target_.filename().string(), getpid())) {
        fs::create_directories(target_.parent_path(), error_);
        if (!error_) fs::create_directory(path_, error_);
        check("make");
    }
    ~FolderBeside() { fs::remove_all(path_, error_); }
    FolderBeside(const FolderBeside&) = delete;
    FolderBeside& operator=(const FolderBeside&) = delete;

    const fs::path& path() const { return path_; }

    // Moves the new files to the target. If the folder exists, the files of an earlier run are
    // replaced and all others stay.
    void take_place() {
        if (!fs::is_directory(target_, error_)) {
            fs::rename(path_, target_, error_);
            return check("make");
        }
        for (const std::string& name : saved_before(target_)) fs::remove(target_ / name, error_);
        error_.clear();
        for (const fs::directory_entry& file : fs::directory_iterator(path_, error_))
            if (!error_) fs::rename(file, target_ / file.path().filename(), error_);
        check("write");
    }

  private:
    void check(const char* what) const {
        if (error_)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot {} the folder {}: {}; choose another", what,
                                    target_.string(), error_.message()));
    }

    fs::path target_;
    fs::path path_;
    std::error_code error_;
};

void write_files(const fs::path& folder, const Event& event, const Rasters& rasters,
                 std::int64_t step, const std::string& comment,
                 const std::function<void(const fs::path& folder)>& more) {
    const std::string stem = fmt::format("{}_{:012}", event.prefix, step);
    grid_file::write_text(folder / (stem + ".cfg"), "configuration",
                          [&](std::ostream& out) { write_configuration(out, event.parameters); });
    grid_file::write_text(folder / (stem + "_EmissionRate.txt"), "file of emission rates",
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
    if (more) more(folder);
    std::vector<std::string> names;
    for (const fs::directory_entry& file : fs::directory_iterator(folder))
        names.push_back(file.path().filename().string());
    std::ranges::sort(names);
    grid_file::write_text(folder / note, "note", [&](std::ostream& out) {
        out << comment << '\n' << list_begins << '\n';
        for (const std::string& name : names) out << name << '\n';
    });
}

}  // namespace

void save_results(const fs::path& folder, const Event& event, const Rasters& rasters,
                  std::int64_t step, const std::string& comment,
                  const std::function<void(const fs::path& folder)>& more) {
    FolderBeside beside(folder);
    write_files(beside.path(), event, rasters, step, comment, more);
    beside.take_place();
}

void check_results_folder(const fs::path& folder) {
    std::error_code ignored;
    // Finds the nearest existing parent folder, in which the missing ones would be created.
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
    const auto ours = saved_before(folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".cfg" && std::ranges::find(ours, name) == ours.end())
            throw Error(ExitCode::usage,
                        fmt::format("the folder \"{}\" holds an eruption that camber did not save, "
                                    "{}, and a folder has one",
                                    folder.string(), name),
                        Remedy::another_output, "folder");
    }
}

}  // namespace camber::lava
