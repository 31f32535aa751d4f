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
    // PREFIX_NNNNNNNNNNNN.cfg and, beside it, PREFIX_NNNNNNNNNNNN_Morphology, _Vents, _EmissionRate
    // and optionally _Thickness, _Temperature, _SolidifiedLavaThickness and _RealEvent, which is
    // nonzero in cells that the real flow covered. Rasters are ESRI ASCII grids. The digits are the
    // step number.
    numbered,
    // PARAMETERS.cfg, MORPHOLOGY, VENTS and EMISSIONS_RATE. Rasters are numbers without a header;
    // -9999 marks missing values.
    plain,
};

// Files of an event. Rasters may end in .stt or .asc; vents may also be a list in .txt
// (read_vent_list()).
struct EventFiles {
    Form form = Form::numbered;
    std::string prefix;  // prefix of result files: PREFIX, or the folder's name
    std::filesystem::path configuration, morphology, vents, emission_rates;
    // nullopt if there is no lava at the start.
    std::optional<std::filesystem::path> thickness, temperature, solidified;
    std::optional<std::filesystem::path> real_event;  // nullopt if it is unknown
};
// Finds an event's files. `path` is the folder, or its configuration file. Throws Error(usage) if a
// file is missing, or if there are several of one kind.
EventFiles find_event_files(const std::filesystem::path& path);

// Values of a configuration file by camber's parameter names ("clock").
struct Configuration {
    std::map<std::string, double> parameters;
    std::optional<Size> size;
};
// Parses "key value" pairs in any order. Throws Error(usage) if a key is missing, unknown or
// repeated.
Configuration read_configuration(std::string_view text, const std::string& name, Form form);
// Writes the form `numbered`; `parameters` must contain all parameters of that form.
void write_configuration(std::ostream& out, const std::map<std::string, double>& parameters);

// Names of the parameters in a configuration of this form.
std::vector<std::string> configured_parameters(Form form);

struct Event {
    std::string prefix;
    AsciiGridHeader map;           // size, location and cell side
    std::vector<double> altitude;  // m, row by row, the northernmost row first
    std::vector<VentCell> vents;
    EmissionRates rates;
    std::map<std::string, double> parameters;  // of the configuration
    // Initial lava, row by row; empty if there is none.
    std::vector<double> thickness, temperature, solidified;
    // Nonzero in cells that the real flow covered, row by row; empty if unknown.
    std::vector<std::uint8_t> real;
};
Event read_event(const std::filesystem::path& path);
// Reads only the headers of the rasters.
Size event_size(const std::filesystem::path& path);

}  // namespace camber::lava
