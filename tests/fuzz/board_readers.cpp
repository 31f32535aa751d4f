// Readers of boards: saved states of runs, cells and eruptions.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/own/problem/npy_file.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/saved_state.hpp"
#include "workloads/image/image.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/life/patterns.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::fuzz {

namespace {

namespace fs = std::filesystem;
using results_test::text_of;

// ---- saved states of runs
struct SavedRun {
    const char* workload;
    const char* file;  // that the state is saved with; "": in a folder
    Size size;
};

InitialConditions conditions_of(const Workload& workload, Size size) {
    InitialConditions conditions;
    conditions.size = size;
    conditions.cell = workload.facts().cell_types.front();
    conditions.density = 0.1;
    return conditions;
}

// Saves a run of a few generations. Returns its board size.
Size save_run(const SavedRun& run, const fs::path& path) {
    const Workload& workload = *find_workload(run.workload);
    InitialConditions conditions = conditions_of(workload, run.size);
    const ParameterSet parameters = workload.parameters_for(conditions);
    State state = workload.initial(conditions);
    conditions.size = state.fields.front().size();
    advance(workload, state, {workload.facts().boundaries.front(), parameters, 0, 1}, 2);
    workload.save(state, path, {conditions, parameters, 2, "saved", nullptr});
    return conditions.size;
}

fs::path saved_input(const SavedRun& run, const fs::path& folder) {
    return folder / (*run.file == 0 ? "fuzzed" : run.file);
}

void add_state(std::vector<Reader>& readers, const SavedRun& run) {
    const auto size = std::make_shared<Size>();
    readers.push_back({fmt::format("state of {}", run.workload), Format::text,
                       [size, run](const fs::path& folder) {
                           const fs::path input = saved_input(run, folder);
                           *size = save_run(run, input);
                           return Texts{text_of(state_path(input))};
                       },
                       [size, run](const std::string& text, const fs::path& file) {
                           const fs::path input = saved_input(run, file.parent_path());
                           results_test::write_text(state_path(input), text);
                           const Workload& workload = *find_workload(run.workload);
                           InitialConditions conditions = conditions_of(workload, *size);
                           conditions.density.reset();
                           conditions.input = input;
                           workload.parameters_for(conditions);
                           workload.final_state(workload.initial(conditions));
                       }});
}

// ---- cells
void add_cells(std::vector<Reader>& readers) {
    readers.push_back({"NumPy array", Format::text,
                       [](const fs::path& folder) {
                           Texts texts;
                           for (const ElementType type :
                                {ElementType::float32, ElementType::float64, ElementType::uint8}) {
                               write_npy(folder / "a.npy", HostField("a", type, {7, 5}));
                               texts.push_back(text_of(folder / "a.npy"));
                           }
                           return texts;
                       },
                       [](const std::string&, const fs::path& file) { read_npy(file, "cells"); },
                       "fuzzed.npy"});
    readers.push_back(
        {"NumPy array of any shape", Format::text,
         [](const fs::path& folder) {
             Texts texts;
             for (const ArrayType type : {ArrayType{Scalar::float16}, ArrayType{Scalar::int64, 2}}) {
                 const NamedArray array{"a", type, {3, 5, 2}, true, true};
                 write_npy_array(folder / "a.npy", array,
                                 HostField("a", array.storage(), array.storage_size()));
                 texts.push_back(text_of(folder / "a.npy"));
             }
             return texts;
         },
         [](const std::string&, const fs::path& file) { read_npy_array(file); }, "fuzzed.npy"});
    readers.push_back({"ASCII grid", Format::text,
                       [](const fs::path&) {
                           return Texts{
                               "ncols 4\nnrows 3\nxllcorner 10.5\nyllcorner -3\ncellsize "
                               "2\nNODATA_value -9999\n1 2 3 4\n5 6.5 -9999 8\n9 1e3 11 "
                               "12\n",
                               "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize "
                               "1\n1 2\n3 4\n"};
                       },
                       [](const std::string&, const fs::path& file) {
                           read_ascii_grid_file(file);
                           read_ascii_grid_header(file);
                       },
                       "fuzzed.asc"});
    for (const char* ending : {"pgm", "png"})
        readers.push_back({fmt::format("{} image", ending), Format::text,
                           [ending = std::string(ending)](const fs::path& folder) {
                               const fs::path path = folder / ("a." + ending);
                               write_image(
                                   path, {9, 6},
                                   [](int row, std::span<float> values) {
                                       for (std::size_t k = 0; k < values.size(); ++k)
                                           values[k] = static_cast<float>(k) / 20 + 0.01f * row;
                                   },
                                   {}, "comment");
                               Texts texts{text_of(path)};
                               if (ending == "pgm")
                                   texts.emplace_back("P2\n# grey\n4 2\n15\n0 1 2 3\n4 5 6 15\n");
                               else
                                   texts.push_back(text_of(root / "examples/lake.png"));
                               return texts;
                           },
                           [](const std::string&, const fs::path& file) {
                               image_size(file);
                               read_image(file);
                           },
                           fmt::format("fuzzed.{}", ending)});
    readers.push_back(
        {"pattern", Format::text,
         [](const fs::path&) { return texts_of(files_in("workloads/life/patterns", ".rle")); },
         [](const std::string&, const fs::path& file) {
             read_rle_file(file);
             read_rle_rule(file);
         },
         "fuzzed.rle"});
}

// ---- eruptions
void add_eruption(std::vector<Reader>& readers) {
    const fs::path folder = "examples/eruption";
    const auto seed = [folder](const char* part) {
        return [folder, part](const fs::path&) {
            return texts_of({folder / fmt::format("eruption_000000000000{}", part)});
        };
    };
    readers.push_back({"configuration of an eruption", Format::text, seed(".cfg"),
                       [](const std::string& text, const fs::path& file) {
                           lava::read_configuration(text, file.string(), lava::Form::numbered);
                       },
                       "fuzzed.cfg"});
    readers.push_back({"emission rates", Format::text, seed("_EmissionRate.txt"),
                       [](const std::string& text, const fs::path& file) {
                           lava::read_emission_rates(text, file.string());
                       }});
    readers.push_back({"vents", Format::text, seed("_Vents.txt"),
                       [](const std::string& text, const fs::path& file) {
                           lava::read_vent_list(text, file.string(), {500, 500});
                       }});
    // The other files of the eruption are undamaged.
    readers.push_back({"vents of an eruption", Format::text,
                       [folder](const fs::path& work) {
                           fs::copy(root / folder, work / "fuzzed");
                           return texts_of({folder / "eruption_000000000000_Vents.txt"});
                       },
                       [](const std::string& text, const fs::path& file) {
                           const fs::path eruption = file.parent_path() / "fuzzed";
                           results_test::write_text(eruption / "eruption_000000000000_Vents.txt",
                                                    text);
                           lava::read_event(eruption);
                       }});
}

}  // namespace

void add_board_readers(std::vector<Reader>& readers) {
    add_state(readers, {"water_flow", "fuzzed.asc", {16, 12}});
    add_state(readers, {"surface_water", "fuzzed.asc", {16, 12}});
    add_state(readers, {"sciara_fv3", "", {16, 12}});
    add_state(readers, {"magflow", "", {16, 12}});
    add_state(readers, {"sph", "fuzzed.csv", {400, 1}});
    add_cells(readers);
    add_eruption(readers);
}

}  // namespace camber::fuzz
