#include "workloads/lava/event.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/text_file.hpp"

namespace camber::lava {
namespace {

namespace fs = std::filesystem;

constexpr double plain_no_data = -9999;

Configuration configuration_of(const EventFiles& files) {
    return read_configuration(read_file(files.configuration, "configuration", "a .cfg file"),
                              files.configuration.string(), files.form);
}

// Reads a raster, which must cover the same cells as the ground: same size and cell side, and
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

// Reads rasters in either public form of the event's folder.
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

// Returns the only configuration file in a folder; throws Error(usage) if there is none, or
// several.
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

// Returns the file with this name and one of the endings; nullopt if there is none.
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
        // For "folder/", the file name is empty.
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

namespace {

using grid_file::finite_number;
using grid_file::shown;
using grid_file::Token;
using grid_file::TokenSource;

// Configuration key and its parameter; "" for keys that camber does not use.
struct Key {
    std::string_view key;
    std::string_view parameter;
    bool required = true;
};

constexpr std::string_view algorithm_key = "algorithm";
constexpr std::string_view algorithm = "MIN";  // minimization of differences

constexpr std::array<Key, 17> numbered_keys{{{"maximum_steps_(0_for_loop)", ""},
                                             {"stopping_threshold_(height)", ""},
                                             {"refreshing_step", ""},
                                             {"thickness_visual_threshold", ""},
                                             {"Pclock", "clock"},
                                             {"PTsol", "t_sol"},
                                             {"PTvent", "t_vent"},
                                             {"Pr(Tsol)", "r_sol"},
                                             {"Pr(Tvent)", "r_vent"},
                                             {"Phc(Tsol)", "hc_sol"},
                                             {"Phc(Tvent)", "hc_vent"},
                                             {"Pcool", "cooling"},
                                             {"Prho", "density"},
                                             {"Pepsilon", "emissivity"},
                                             {"Psigma", "stefan_boltzmann"},
                                             {"Pcv", "heat_capacity"},
                                             {algorithm_key, ""}}};

constexpr std::array<Key, 16> plain_keys{{{"nsteps", "", false},
                                          {"ncols", ""},
                                          {"nrows", ""},
                                          {"Pclock", "clock"},
                                          {"Pc", "cell_side"},
                                          {"PTsol", "t_sol"},
                                          {"PTvent", "t_vent"},
                                          {"Pr_Tsol", "r_sol"},
                                          {"Pr_Tvent", "r_vent"},
                                          {"Phc_Tsol", "hc_sol"},
                                          {"Phc_Tvent", "hc_vent"},
                                          {"Pcool", "cooling"},
                                          {"Prho", "density"},
                                          {"Pepsilon", "emissivity"},
                                          {"Psigma", "stefan_boltzmann"},
                                          {"Pcv", "heat_capacity"}}};

std::span<const Key> keys_of(Form form) {
    if (form == Form::numbered) return numbered_keys;
    return plain_keys;
}

int count_of(const TokenSource& source, const Token& token, std::string_view key) {
    const auto value = finite_number(token.text);
    constexpr int most = 1 << 25;
    if (!value || *value < 1 || *value > most || *value != std::floor(*value))
        source.reject(token.place, fmt::format("{} needs a whole number from 1 to {}, not {}", key,
                                               most, shown(token)));
    return static_cast<int>(*value);
}

}  // namespace

std::vector<std::string> configured_parameters(Form form) {
    std::vector<std::string> names;
    for (const Key& key : keys_of(form))
        if (!key.parameter.empty()) names.emplace_back(key.parameter);
    return names;
}

Configuration read_configuration(std::string_view text, const std::string& name, Form form) {
    const std::span<const Key> keys = keys_of(form);
    std::vector<std::string_view> names;
    for (const Key& key : keys) names.push_back(key.key);
    std::vector<bool> given(keys.size());
    Configuration configuration;
    Size size;
    TokenSource source(text, name);
    Token token = source.next();
    for (; !token.text.empty(); token = source.next()) {
        const auto key = std::ranges::find(names, token.text);
        if (key == names.end())
            source.reject(token.place, fmt::format("{} is no key of a configuration: only {} are",
                                                   shown(token), fmt::join(names, ", ")));
        const auto index = static_cast<std::size_t>(key - names.begin());
        if (given[index])
            source.reject(token.place, fmt::format("{} is given twice: remove one", *key));
        given[index] = true;
        const Token word = source.next();
        if (*key == algorithm_key) {
            if (word.text != algorithm)
                source.reject(word.place, fmt::format("the algorithm {} is not implemented: write "
                                                      "{}, the minimisation of differences",
                                                      shown(word), algorithm));
            continue;
        }
        if (*key == "ncols") size.columns = count_of(source, word, *key);
        if (*key == "nrows") size.rows = count_of(source, word, *key);
        const auto value = finite_number(word.text);
        if (!value)
            source.reject(word.place,
                          fmt::format("{} needs a finite number, not {}", *key, shown(word)));
        if (!keys[index].parameter.empty())
            configuration.parameters.emplace(keys[index].parameter, *value);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].required && !given[i])
            source.reject(
                token.place,
                fmt::format("the configuration ends without {}: add a line \"{} {}\"", keys[i].key,
                            keys[i].key, keys[i].key == algorithm_key ? algorithm : "NUMBER"));
    if (size.columns > 0) configuration.size = size;
    return configuration;
}

void write_configuration(std::ostream& out, const std::map<std::string, double>& parameters) {
    for (const Key& key : numbered_keys) {
        if (key.key == algorithm_key)
            out << fmt::format("{}\t{}\n", key.key, algorithm);
        else
            out << fmt::format(
                "{}\t{}\n", key.key,
                key.parameter.empty() ? 0 : parameters.at(std::string(key.parameter)));
    }
}

}  // namespace camber::lava
