// Eruption as described by its data files: ground, vents, emission rates, parameters and optional
// initial lava.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/core/ascii_grid.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::lava {

// One of the two public forms of an eruption's folder.
enum class Form {
    // PREFIX_NNNNNNNNNNNN.cfg and beside it PREFIX_NNNNNNNNNNNN_Morphology, _Vents, _EmissionRate
    // and perhaps _Thickness, _Temperature, _SolidifiedLavaThickness and _RealEvent, which is not 0
    // where the real flow passed; rasters are ESRI ASCII grids. The digits number the step.
    numbered,
    // PARAMETERS.cfg, MORPHOLOGY, VENTS and EMISSIONS_RATE; rasters are numbers without a header,
    // -9999 where there are none.
    plain,
};

// Finds an event's files; throws Error(usage) if one is missing or there are several of one kind.
// Rasters may end in .stt or .asc; vents may also be a list in .txt (read_vent_list()).
struct EventFiles {
    Form form = Form::numbered;
    std::string prefix;  // of results: PREFIX, or the folder's name
    std::filesystem::path configuration, morphology, vents, emission_rates;
    // Absent where the ground is bare.
    std::optional<std::filesystem::path> thickness, temperature, solidified;
    std::optional<std::filesystem::path> real_event;  // absent where it is not known
};
// `path`: the folder, or the configuration in it.
EventFiles find_event_files(const std::filesystem::path& path);

// Values of a configuration file, by camber's parameter names ("clock").
struct Configuration {
    std::map<std::string, double> parameters;
    std::optional<Size> size;
};
// "key value" in any order; throws Error(usage) where a key is missing, unknown or given twice.
Configuration read_configuration(std::string_view text, const std::string& name, Form form);
// In the form `numbered`; `parameters` must have all of that form's.
void write_configuration(std::ostream& out, const std::map<std::string, double>& parameters);

// The names of the parameters that a configuration of this form gives.
std::vector<std::string> configured_parameters(Form form);

struct Event {
    std::string prefix;
    AsciiGridHeader map;           // size, place and cell side
    std::vector<double> altitude;  // m, row by row, the northernmost first
    std::vector<VentCell> vents;
    EmissionRates rates;
    std::map<std::string, double> parameters;  // those of the configuration
    // Lava at the start, row by row; empty where there is none.
    std::vector<double> thickness, temperature, solidified;
    // Not 0 where the real flow passed, row by row; empty where that is not known.
    std::vector<std::uint8_t> real;
};
Event read_event(const std::filesystem::path& path);
// Without reading the rasters' cells.
Size event_size(const std::filesystem::path& path);

}  // namespace camber::lava
