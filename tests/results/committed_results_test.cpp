// Committed measurements conform to the schema, are written back as they are read, and the README
// quotes them correctly.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/results/committed_files.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::committed_results_test {

using namespace committed;

namespace {

using Json = nlohmann::json;  // with sorted keys: their order is not compared

bool is_results_file(const Json& json) {
    return json.contains("benchmarks") || json.contains("models") || json.contains("ceilings");
}

// Removes from `written` the per-generation times that the file of an older camber lacks.
void drop_new_times(Json& written, const Json& file) {
    const auto drop = [&](const char* list, const Json::json_pointer& own) {
        if (!file.contains(list)) return;
        for (std::size_t k = 0; k < file[list].size(); ++k)
            if (written[list][k].contains(own) &&
                !file[list][k].value(own / "per_generation", Json()).is_object())
                written[list][k][own].erase("per_generation");
    };
    drop("benchmarks", Json::json_pointer("/camber"));
    drop("models", Json::json_pointer());
}

// Removes the ceilings that only older files have: no term of the time model needs them any more.
void drop_older_ceilings(Json& file) {
    for (const char* place : {"/context/camber/ceilings", "/ceilings"}) {
        const Json::json_pointer ceilings(place);
        if (!file.contains(ceilings)) continue;
        for (const char* older :
             {"barrier_seconds", "instruction_fetch", "int32_multiply_adds_per_second",
              "places_in_clusters_of_4", "places_in_clusters_of_8"})
            file[ceilings].erase(older);
    }
}

// The file and the document read from it contain the same values.
void check_written_back(Json file, const Document& document) {
    drop_older_ceilings(file);
    Json written = Json::parse(results::to_text(document));
    drop_new_times(written, file);
    CHECK(Json::diff(file, written) == Json::array());
    CHECK((file == written));
}

void check_verified(const std::filesystem::path& path, const Document& document) {
    REQUIRE(document.run()->git);
    CHECK_FALSE(document.run()->git->dirty);
    for (const CaseRecord& record : document.cases) {
        CAPTURE(record.name);
        if (record.status == results::Status::skipped) continue;
        REQUIRE(record.verification);
        // Campaigns record failed cases without times.
        if (record.status == results::Status::failed) {
            const std::string name = plain_name(path);
            const std::string& technique = record.identity.technique;
            // On flows of some 200 cells, rounding and floating-point atomics move the front
            // by more than a flow's tolerance. In falling water, positions of half the size
            // miss the tolerance that they keep in water at rest.
            CHECK((name.starts_with("table-sciara-fv3-1-float32") ||
                   (name.starts_with("sph-") && technique == "neighbour_list_half_positions")));
            CHECK(is_campaign(path));
            CHECK_FALSE(record.samples);
            CHECK_FALSE(record.reason.empty());
            continue;
        }
        CHECK(record.verification->passed());
    }
}

}  // namespace

// One test for all three, because each would have to read all files.
TEST_CASE(
    "committed results files follow the schema, have verified cases only, and are written back",
    "[results][document][slow]") {
    int measured = 0;
    int written_back = 0;
    for_each_file([&](const std::filesystem::path& path, const std::string& text) {
        CAPTURE(path.string());
        const Json file = Json::parse(text);
        if (!is_results_file(file)) return;
        const Document document = results::parse_document(text, path.string());
        if (is_measured(text)) {
            ++measured;
            CHECK(schema_violations(file,
                                    source_dir / "results/schema/camber-results.schema.json")
                      .empty());
            check_verified(path, document);
        }
        // The context of a baseline contains only its author: see tests/harness/record.
        if (path == source_dir / "results/baseline/model.json") return;
        ++written_back;
        check_written_back(file, document);
    });
    CHECK(measured >= 62);
    CHECK(written_back >= 63);
}

// A row of the README contains some cells of the committed ranking's row of the same rank.
TEST_CASE("the README's table quotes the committed ranking", "[results]") {
    std::map<int, std::string> ranking;
    std::istringstream file(text_of(source_dir / "results/h200/life.txt"));
    for (std::string line; std::getline(file, line);)
        if (const int rank = std::atoi(line.c_str()); rank > 0) ranking[rank] = line + " ";
    std::istringstream readme(text_of(source_dir / "README.md"));
    int quoted = 0;
    for (std::string line; std::getline(readme, line);) {
        const int rank = line.starts_with("| ") ? std::atoi(line.c_str() + 2) : 0;
        if (rank == 0) continue;
        CAPTURE(line);
        std::size_t place = 0;
        std::istringstream cells(line.substr(line.find('|', 2) + 1));
        for (std::string cell; std::getline(cells, cell, '|');) {
            std::erase(cell, '`');
            cell.erase(0, cell.find_first_not_of(' '));
            place = ranking[rank].find(cell, place);
            REQUIRE(place != std::string::npos);
        }
        ++quoted;
    }
    CHECK(quoted == 6);
}

// Predictions of the 32-byte-sector rule of compute capability 5.x to 9.x for 2048 x 2048 cells of
// 4 bytes; the shared_tile rows were also measured earlier on another machine.
TEST_CASE("counters measured on the H200 equal the transaction rule's values", "[results]") {
    struct Expected {
        const char* variant;
        std::int64_t load_requests, load_sectors, store_requests, store_sectors;
    };
    const Expected expected[] = {
        {"life/shared_tile/16x16/align128", 491520, 1179648, 131072, 524288},
        {"life/shared_tile/64x4/align128", 393216, 983040, 131072, 524288},
        {"life/shared_tile/32x8/align128", 491520, 983040, 131072, 524288},
        {"life/shared_tile/16x16/unaligned", 491520, 1474560, 131072, 786432},
        {"life/shared_tile/64x4/unaligned", 393216, 1179648, 131072, 655360},
        {"life/shared_tile/32x8/unaligned", 491520, 1146880, 131072, 655360},
        {"life/two_element/16x16/align128", 327680, 884736, 131072, 524288},
        {"life/two_element/64x4/align128", 294912, 884736, 131072, 524288},
        {"life/halo/16x16/align128", 1179648, 6291456, 131072, 524288},
        {"life/halo/64x4/align128", 1179648, 5505024, 131072, 524288},
        {"life/halo/32x8/align128", 1179648, 5505024, 131072, 524288},
        {"life/halo/16x16/unaligned", 1179648, 6684672, 131072, 786432},
        {"life/two_generation/64x4/align128", 786432, 1572864, 131072, 524288},
        {"life/two_element_two_generation_linear/64x4/align128", 524288, 1310720, 131072, 524288},
        {"life/two_generation_linear_load/64x4/align128", 278528, 1572864, 131072, 524288},
        {"life/two_element_two_generation_linear_load/64x4/align128", 270336, 1441792, 131072,
         524288},
    };
    const Document document =
        results::read_document(source_dir / "results/h200/life-counters.json");
    for (const Expected& row : expected) {
        CAPTURE(row.variant);
        int found = 0;
        for (const CaseRecord& record : document.cases) {
            if (record.identity.variant != row.variant) continue;
            ++found;
            const auto value = [&](const std::string& what) {
                return record.counters.at("l1tex__t_" + what + ".sum");
            };
            CHECK(value("requests_pipe_lsu_mem_global_op_ld") == row.load_requests);
            CHECK(value("sectors_pipe_lsu_mem_global_op_ld") == row.load_sectors);
            CHECK(value("requests_pipe_lsu_mem_global_op_st") == row.store_requests);
            CHECK(value("sectors_pipe_lsu_mem_global_op_st") == row.store_sectors);
        }
        CHECK(found == 1);
    }
}

}  // namespace camber::committed_results_test
