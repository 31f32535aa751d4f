// The measured results in the repository: they follow the schema, and the README quotes them.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace camber {
namespace {

const std::filesystem::path source_dir = CAMBER_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("committed results files follow the schema and hold verified cases only", "[results]") {
    int files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_dir / "results")) {
        if (entry.path().extension() != ".json") continue;
        const auto document = nlohmann::json::parse(text_of(entry.path()));
        if (!document.contains("benchmarks")) continue;
        CAPTURE(entry.path().string());
        ++files;
        CHECK(schema_violations(document, source_dir / "results/schema/camber-results.schema.json")
                  .empty());
        CHECK(document["context"]["camber"]["git"]["dirty"] == false);
        for (const auto& benchmark : document["benchmarks"]) {
            CAPTURE(benchmark["name"].get<std::string>());
            CHECK(benchmark["camber"]["verification"]["status"] == "passed");
        }
    }
    CHECK(files > 0);
}

TEST_CASE("the README's table quotes the committed ranking", "[results]") {
    const std::string ranking = text_of(source_dir / "results/h200/life-16384.txt");
    std::istringstream readme(text_of(source_dir / "README.md"));
    std::string line;
    int quoted = 0;
    bool in_table = false;
    while (std::getline(readme, line)) {
        if (line.starts_with("rank  variant")) in_table = true;
        if (line == "```") in_table = false;
        if (!in_table) continue;
        CAPTURE(line);
        CHECK(ranking.find(line + "\n") != std::string::npos);
        ++quoted;
    }
    CHECK(quoted > 10);
}

}  // namespace camber
