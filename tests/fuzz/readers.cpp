#include "tests/fuzz/readers.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/history/store.hpp"
#include "harness/machine/binary/inspection.hpp"
#include "harness/measure/timeline_file.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/technique/technique_variants.hpp"
#include "harness/record/code_inspection.hpp"
#include "harness/record/document.hpp"
#include "tests/harness/machine/binary/containers.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber::fuzz {

namespace fs = std::filesystem;
using results_test::text_of;

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

namespace {

using Json = nlohmann::ordered_json;

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
    add_board_readers(readers);
    add_compiled_code(readers);
    add_texts(readers);
    return readers;
}

}  // namespace camber::fuzz
