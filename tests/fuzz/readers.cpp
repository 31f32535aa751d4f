#include "tests/fuzz/readers.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/history/store.hpp"
#include "harness/machine/binary/inspection.hpp"
#include "harness/own/problem/npy_file.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/technique/technique_file.hpp"
#include "harness/record/code_inspection.hpp"
#include "harness/record/code_table.hpp"
#include "harness/record/document.hpp"
#include "harness/record/timeline_file.hpp"
#include "tests/harness/machine/binary/containers.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/saved_state.hpp"
#include "workloads/image/image.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/larger_than_life/rule.hpp"
#include "workloads/life/patterns.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::fuzz {

namespace {

namespace fs = std::filesystem;
using results_test::text_of;
using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

const fs::path root = CAMBER_SOURCE_DIR;

Texts texts_of(const std::vector<fs::path>& paths) {
    Texts texts;
    for (const fs::path& path : paths) texts.push_back(text_of(root / path));
    return texts;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(root / folder))
        if (entry.path().extension() == ending) paths.push_back(fs::relative(entry.path(), root));
    std::ranges::sort(paths);
    return paths;
}

// Shortens a list of the document to its first `count` elements, because short inputs are read more
// often.
std::string first_of(const fs::path& path, const char* list, std::size_t count) {
    Json document = Json::parse(read_file(root / path, "committed file", "a results file"));
    Json& elements = document.at(list);
    while (elements.size() > count) elements.erase(elements.size() - 1);
    return document.dump(1);
}

// ---- result documents
void read_document(const std::string& text, const fs::path& file) {
    const results::Document document = results::parse_document(text, file.string());
    // Commands write the documents that they read, so the written text must be readable, too.
    try {
        results::parse_document(results::to_text(document), "written again");
    } catch (const Error& error) {
        throw std::logic_error(
            fmt::format("what was read is written so that it is refused: {}", error.what()));
    }
}

std::string short_code_table() {
    Json table = Json::parse(text_of(root / "results/code/sm_90.json"));
    constexpr std::size_t count = 4;
    while (table["kernels"].size() > count) table["kernels"].erase(count);
    Json variants = Json::object();
    for (const auto& [key, kernels] : table["variants"].items())
        if (std::ranges::all_of(kernels, [](const Json& number) { return number < count; }))
            variants[key] = kernels;
    table["variants"] = variants;
    return table.dump();
}

std::string small_trace() {
    Timeline timeline;
    timeline.name = "life/halo/16x16";
    timeline.places = {"GPU 0", "GPU 1"};
    timeline.lanes = {{0, "stream", false}, {1, "host", true}};
    timeline.spans = {
        {.kind = span_kinds[0], .lane = 0, .name = "step", .start_ns = 5, .end_ns = 9},
        {.kind = span_kinds[1], .lane = 1, .name = "copy", .start_ns = 7, .end_ns = 8}};
    return results::trace_text({timeline, timeline});
}

void add_documents(std::vector<Reader>& readers) {
    readers.push_back(
        {"results", Format::json,
         [](const fs::path&) {
             Texts texts = texts_of({"tests/results/valid_document.json"});
             texts.push_back(first_of("results/measurement/kernel-4.json", "benchmarks", 2));
             texts.push_back(first_of("results/h200x2/ranks-2.json", "benchmarks", 1));
             return texts;
         },
         read_document, "fuzzed.json"});
    readers.push_back({"scale", Format::json,
                       [](const fs::path&) {
                           return Texts{
                               first_of("results/h100/scaling-sms.json", "benchmarks", 1),
                               first_of("results/h100/scaling-sms-weak.json", "benchmarks", 1)};
                       },
                       read_document, "fuzzed.json"});
    readers.push_back({"campaign", Format::json,
                       [](const fs::path&) { return texts_of({"results/h100/campaign.json"}); },
                       read_document, "fuzzed.json"});
    readers.push_back({"ceilings", Format::json,
                       [](const fs::path&) {
                           return texts_of({"results/h200/ceilings.json",
                                            "results/published-cards/gtx-480.json",
                                            "tests/harness/cli/ceilings/older_ceilings.json"});
                       },
                       read_document, "fuzzed.json"});
    readers.push_back({"baseline", Format::json,
                       [](const fs::path&) {
                           return Texts{first_of("results/baseline/model.json", "models", 3)};
                       },
                       read_document, "fuzzed.json"});
    readers.push_back({"code table", Format::json,
                       [](const fs::path&) { return Texts{short_code_table()}; },
                       [](const std::string& text, const fs::path& file) {
                           results::parse_code_table(text, file.string());
                       },
                       "fuzzed.json"});
    readers.push_back(
        {"published tables", Format::json,
         [](const fs::path&) { return texts_of(files_in("results/published", ".json")); },
         [](const std::string& text, const fs::path& file) {
             published::parse_tables(text, file.string());
         },
         "fuzzed.json"});
    readers.push_back({"trace", Format::json, [](const fs::path&) { return Texts{small_trace()}; },
                       [](const std::string&, const fs::path& file) { results::read_trace(file); },
                       "fuzzed.json"});
}

// ---- histories
// Content of an entry, not compressed.
std::string history_text() {
    return R"({"schema_version":1,"commit":{"hash":"1111111111111111111111111111111111111111",)"
           R"("dirty":false,"time":"2026-11-29T08:00:00Z","time_of":"commit","subject":"A"},)"
           R"("machine":{"name":"GPU","hardware":"GPU, 132 SMs"},"added":"2026-11-29T08:00:00Z",)"
           R"("source":"now.json"})"
           "\n" +
           first_of("results/measurement/kernel-4.json", "benchmarks", 1);
}

void write_compressed(const fs::path& file, const std::string& text) {
    gzFile stream = gzopen(file.c_str(), "wb");
    gzwrite(stream, text.data(), static_cast<unsigned>(text.size()));
    gzclose(stream);
}

void read_history(const fs::path& file) {
    results_test::write_text(file.parent_path() / "camber-history.json", "{\"schema_version\": 1}");
    for (const HistoryEntry& entry : HistoryFolder(file.parent_path()).entries())
        HistoryFolder::document(entry);
}

void add_histories(std::vector<Reader>& readers) {
    readers.push_back({"history entry", Format::text,
                       [](const fs::path&) { return Texts{history_text()}; },
                       [](const std::string& text, const fs::path& file) {
                           write_compressed(file, text);
                           read_history(file);
                       },
                       "fuzzed.json.gz"});
    readers.push_back({"history file", Format::text,
                       [](const fs::path& folder) {
                           write_compressed(folder / "a.gz", history_text());
                           return Texts{text_of(folder / "a.gz")};
                       },
                       [](const std::string&, const fs::path& file) { read_history(file); },
                       "fuzzed.json.gz"});
}

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

// ---- compiled code
void add_compiled_code(std::vector<Reader>& readers) {
    readers.push_back(
        {"compiled code", Format::text,
         [](const fs::path&) {
             const std::string fat = text_of(binary_test::compiled / "before.fatbin");
             const std::string object = binary_test::object_file(".nv_fatbin", fat);
             Texts texts{fat, object, binary_test::archive(object, object)};
             for (std::size_t entry = 0; entry < 4; ++entry)
                 texts.push_back(binary_test::entry_of(fat, entry));
             texts.push_back(binary_test::lz4_fat_binary(texts[3], 75));
             return texts;
         },
         [](const std::string&, const fs::path& file) { binary::inspect_file(file); },
         "fuzzed.bin"});
    readers.push_back({"inspection", Format::json,
                       [](const fs::path&) {
                           return Texts{results::to_text(
                               binary::inspect_file(binary_test::compiled / "before.fatbin"))};
                       },
                       [](const std::string& text, const fs::path& file) {
                           results::parse_inspection(text, file.string());
                       },
                       "fuzzed.json"});
}

// ---- texts that users write
void add_texts(std::vector<Reader>& readers) {
    readers.push_back(
        {"kernel from a file", Format::text,
         [](const fs::path&) {
             Texts texts = texts_of(files_in("examples/kernels", ".cu"));
             // One file, without a camber line, shows the error message for that case.
             std::erase_if(texts, [](const std::string& text) {
                 return text.find("// camber:") == std::string::npos;
             });
             return texts;
         },
         [](const std::string& text, const fs::path& file) { candidate_from(file, text); },
         "fuzzed.cu"});
    readers.push_back(
        {"technique from a file", Format::text,
         [](const fs::path&) { return texts_of(files_in("examples/techniques", ".hpp")); },
         [](const std::string& text, const fs::path& file) { technique_from(file, text); },
         "fuzzed.hpp"});
    readers.push_back(
        {"rule of Life", Format::text,
         [](const fs::path&) {
             return Texts{"B3/S23", "23/3", "b36/s125"};
         },
         [](const std::string& text, const fs::path&) { birth_survival(text, "fuzzed"); }});
    readers.push_back(
        {"rule of Larger than Life", Format::text,
         [](const fs::path&) {
             return Texts{"R5,C0,M1,S34..58,B34..45,NM", "R2,C0,M0,S2..3,B3..3,NM"};
         },
         [](const std::string& text, const fs::path&) { larger_than_life_rule(text, "fuzzed"); }});
}

}  // namespace

std::vector<Reader> all_readers() {
    std::vector<Reader> readers;
    add_documents(readers);
    add_histories(readers);
    add_state(readers, {"water_flow", "fuzzed.asc", {16, 12}});
    add_state(readers, {"surface_water", "fuzzed.asc", {16, 12}});
    add_state(readers, {"sciara_fv3", "", {16, 12}});
    add_state(readers, {"magflow", "", {16, 12}});
    add_state(readers, {"sph", "fuzzed.csv", {400, 1}});
    add_cells(readers);
    add_eruption(readers);
    add_compiled_code(readers);
    add_texts(readers);
    return readers;
}

}  // namespace camber::fuzz
