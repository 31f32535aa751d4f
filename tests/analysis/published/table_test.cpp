#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace table_test {

// Published tables: valid, readable, complete, and identical to the ones compiled into the program.

// Root of the source tree, set by the build; by default the tests start there.
#ifndef CAMBER_SOURCE_DIR
    #define CAMBER_SOURCE_DIR "."
#endif

using namespace camber;
using namespace camber::published;

namespace {

const std::filesystem::path root = CAMBER_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> files() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(root / "results/published"))
        if (entry.path().extension() == ".json") found.push_back(entry.path());
    return found;
}

std::string violations(const nlohmann::json& document) {
    std::string text;
    for (const std::string& line :
         schema_violations(document, root / "results/schema/camber-published.schema.json"))
        text += line + "\n";
    return text;
}

double reading(const char* table, const char* row, std::size_t column) {
    return find_table(tables(), table).row(row)->values[column]->reading.value();
}

}  // namespace

TEST_CASE("every published file conforms to the schema, and is in the program", "[published]") {
    REQUIRE(files().size() == embedded_files().size());
    for (const auto& path : files()) {
        INFO(path);
        const std::string text = text_of(path);
        CHECK(violations(nlohmann::json::parse(text)).empty());
        const auto found =
            std::ranges::find(embedded_files(), path.filename().string(),
                              [](const auto& file) { return std::string(file.first); });
        REQUIRE(found != embedded_files().end());
        CHECK(found->second == text);
    }
}

TEST_CASE("the schema of published tables sees defects", "[published]") {
    const auto good = nlohmann::json::parse(text_of(root / "results/published/rustico-2012.json"));
    auto bad = good;
    bad["tables"][0]["colour"] = "red";
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad["tables"][0]["rows"][0]["values"][0] = 50;  // printed values must be strings
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad["tables"][1]["claims"][0]["kind"] = "rumour";
    CHECK_FALSE(violations(bad).empty());
    bad = good;
    bad["tables"][1].erase("conditions");
    CHECK_FALSE(violations(bad).empty());
}

TEST_CASE("ids are unique, and every plain entry is a number", "[published]") {
    std::set<std::string> ids;
    for (const Table& table : tables()) {
        INFO(table.id);
        CHECK(ids.insert(table.id).second);
        for (const Row& row : table.rows)
            for (const auto& entry : row.values)
                if (entry) {
                    INFO(row.name << ": " << entry->printed);
                    CHECK((entry->reading.has_value() || entry->printed == "n.a."));
                }
    }
    CHECK(ids.size() == tables().size());
}

TEST_CASE("the published tables that are here", "[published]") {
    for (const char* id :
         {"balasalle-life", "balasalle-5.1", "balasalle-5.2", "balasalle-5.3", "balasalle-5.4",
          "balasalle-6.1",  "balasalle-6.2", "balasalle-6.3", "topa-1",        "topa-2",
          "topa-3",         "magflow-2",     "magflow-3",     "magflow-5",     "magflow-6",
          "magflow-7",      "rustico-4.1",   "rustico-6.1",   "rustico-8.1",   "rustico-8.2",
          "rustico-8.3",    "rustico-8.4",   "rustico-8.5",   "rustico-8.6",   "rustico-8.7",
          "sciara-fv3-1",   "sciara-fv3-2",  "sciara-fv2-1"}) {
        INFO(id);
        CHECK_NOTHROW(find_table(tables(), id));
    }
    CHECK_THROWS_WITH(find_table(tables(), "rustico-6.2"), contains("rustico-6.1"));
}

TEST_CASE("entries of the printed tables, one of each", "[published]") {
    CHECK(reading("balasalle-5.1", "two generations", 0) == 563418);
    CHECK(reading("balasalle-5.4", "rectangular", 2) == 32285);
    CHECK(reading("balasalle-6.2", "rectangular", 0) == 3.7669);
    CHECK(reading("topa-1", "gpu_distribute", 2) == 16385);
    CHECK(reading("magflow-2", "5 m", 3) == 1685);
    CHECK(reading("magflow-4", "5 m", 0) == 89 * 3600 + 35 * 60 + 59);
    CHECK(reading("rustico-6.1", "real", 5) == 4500);
    CHECK(reading("rustico-8.1", "rate", 1) == 19710);
    CHECK(find_table(tables(), "rustico-8.1").row("rate")->values[1]->printed == "19,71");
    CHECK(reading("rustico-8.7", "LB off", 0) == 0.429);
    CHECK(reading("sciara-fv3-1", "GTX 580, HM", 4) == 31);
    CHECK(reading("sciara-fv2-1", "tiled without halo", 0) == 5.097);
    CHECK_FALSE(find_table(tables(), "rustico-8.2").row("LB on")->values[0].has_value());
}

TEST_CASE("what a plain number is", "[published]") {
    CHECK(plain_number("14,377") == 14377);
    CHECK(plain_number("1,081,273") == 1081273);
    CHECK(plain_number("0.076") == 0.076);
    CHECK(plain_number("5,4321.5") == std::nullopt);
    for (const char* text : {"19,71", "about 30", "n.a.", "", "1.", "-", "4x"})
        CHECK_FALSE(plain_number(text).has_value());
}

TEST_CASE("a file that is no table is refused with its place", "[published]") {
    CHECK_THROWS_WITH(parse_tables("{}", "x.json"), contains("x.json"));
    CHECK_THROWS_WITH(parse_tables("{", "x.json"), contains("x.json"));
    auto document =
        nlohmann::json::parse(text_of(root / "results/published/topa-mlocek-2013.json"));
    document["tables"][1]["claims"] = {{{"kind", "rumour"}}};
    CHECK_THROWS_WITH(parse_tables(document.dump(), "x.json"),
                      contains("/claims/0/kind: 'rumour'"));
    document["tables"][0]["rows"][0]["values"].erase(0);
    CHECK_THROWS_WITH(parse_tables(document.dump(), "x.json"), contains("topa-1"));
}

}  // namespace table_test
