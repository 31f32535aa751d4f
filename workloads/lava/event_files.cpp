#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/installed_files.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {
namespace {

namespace fs = std::filesystem;

constexpr const char* plain_configuration = "PARAMETERS.cfg";
constexpr std::size_t digits = 12;

// True if a file name is PREFIX_NNNNNNNNNNNN.cfg.
bool is_numbered(const fs::path& file) {
    const std::string stem = file.stem().string();
    if (file.extension() != ".cfg" || stem.size() < digits + 1) return false;
    const std::string_view number = std::string_view(stem).substr(stem.size() - digits);
    return stem[stem.size() - digits - 1] == '_' &&
           std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

// The one configuration in a folder.
fs::path configuration_in(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (is_numbered(entry.path()) || entry.path().filename() == plain_configuration)
            found.push_back(entry.path().filename().string());
    if (error)
        throw Error(ExitCode::usage,
                    fmt::format("cannot read the folder \"{}\": {}; check its path and permissions",
                                folder.string(), error.message()));
    std::ranges::sort(found);
    if (found.empty())
        throw Error(ExitCode::usage,
                    fmt::format("the folder \"{}\" describes no eruption: it has neither {} nor "
                                "NAME_{:0{}}.cfg",
                                folder.string(), plain_configuration, 0, digits));
    if (found.size() > 1)
        throw Error(ExitCode::usage,
                    fmt::format("the folder \"{}\" has {} configurations ({}): give the path of "
                                "one of them",
                                folder.string(), found.size(), fmt::join(found, ", ")));
    return folder / found.front();
}

// The file of that name with one of the endings; absent where there is none.
std::optional<fs::path> beside(const fs::path& folder, const std::string& name,
                               std::initializer_list<const char*> endings) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const char* ending : endings)
        if (fs::exists(folder / (name + ending), ignored)) found.push_back(name + ending);
    if (found.empty()) return std::nullopt;
    if (found.size() > 1)
        throw Error(ExitCode::usage, fmt::format("the folder \"{}\" has {}: keep one of them",
                                                 folder.string(), fmt::join(found, " and ")));
    return folder / found.front();
}

fs::path required(const fs::path& folder, const std::string& name,
                  std::initializer_list<const char*> endings) {
    if (auto file = beside(folder, name, endings)) return *file;
    throw Error(ExitCode::usage, fmt::format("the folder \"{}\" has no {} ({}): add it",
                                             folder.string(), name, fmt::join(endings, " or ")));
}

}  // namespace

EventFiles find_event_files(const fs::path& given) {
    const fs::path path = found_file(given);
    std::error_code ignored;
    EventFiles files;
    const bool is_folder = fs::is_directory(path, ignored);
    if (!is_folder && !is_numbered(path) && path.filename() != plain_configuration)
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" is no folder of an eruption: give one, or the .cfg file in "
                                "it",
                                path.string()));
    files.configuration = is_folder ? configuration_in(path) : path;
    const fs::path folder = files.configuration.parent_path();
    const auto raster = {".stt", ".asc"};
    const auto vents = {".stt", ".asc", ".txt"};
    if (files.configuration.filename() == plain_configuration) {
        files.form = Form::plain;
        files.prefix = fs::absolute(folder, ignored).lexically_normal().filename().string();
        // "folder/" ends in an empty name.
        if (files.prefix.empty())
            files.prefix =
                fs::absolute(folder, ignored).lexically_normal().parent_path().filename().string();
        files.morphology = required(folder, "MORPHOLOGY", raster);
        files.vents = required(folder, "VENTS", vents);
        files.emission_rates = required(folder, "EMISSIONS_RATE", {".stt", ".txt"});
        files.thickness = beside(folder, "THICKNESS", raster);
        files.temperature = beside(folder, "TEMPERATURE", raster);
        files.solidified = beside(folder, "SOLIDIFIED_LAVA_THICKNESS", raster);
        files.real_event = beside(folder, "REAL_EVENT", raster);
        return files;
    }
    const std::string stem = files.configuration.stem().string();
    files.prefix = stem.substr(0, stem.size() - digits - 1);
    files.morphology = required(folder, stem + "_Morphology", raster);
    files.vents = required(folder, stem + "_Vents", vents);
    files.emission_rates = required(folder, stem + "_EmissionRate", {".txt"});
    files.thickness = beside(folder, stem + "_Thickness", raster);
    files.temperature = beside(folder, stem + "_Temperature", raster);
    files.solidified = beside(folder, stem + "_SolidifiedLavaThickness", raster);
    files.real_event = beside(folder, stem + "_RealEvent", raster);
    return files;
}

}  // namespace camber::lava
