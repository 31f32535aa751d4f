// Compares the current model of all variants with the committed one; needs no GPU.
#include <set>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace model_baseline_test {

namespace {

using namespace camber::cli_test;

const fs::path committed = source_folder / "results/baseline/model.json";

}  // namespace

TEST_CASE("the model of every variant is that of results/baseline",
          "[cli][portable][compare][baseline][slow]") {
    const TestFolder folder;
    const Outcome modelled = run_program({"model", "--baseline", "now.json"}, folder.path());
    INFO(modelled.err);
    REQUIRE(modelled.exit_code == 0);
    const Outcome page = run_program({"compare", committed.string(), "now.json"}, folder.path());
    const Outcome compared =
        run_program({"compare", committed.string(), "now.json", "--format", "json"}, folder.path());
    INFO("What the kernels ask of memory has changed:\n"
         << page.out << page.err
         << "If that is meant, update the baseline and commit it with the change:\n"
            "    ./camber model --baseline results/baseline/model.json");
    // A baseline that lacks variants, or has worse figures, would hide a later regression.
    REQUIRE_FALSE(compared.out.empty());
    const Json counts = Json::parse(compared.out)["counts"];
    CHECK(compared.exit_code == 0);
    CHECK(counts["worse"] == 0);
    CHECK(counts["better"] == 0);
    CHECK(counts["missing"] == 0);
    CHECK(counts["added"] == 0);
}

TEST_CASE("the baseline has every variant, in the model's schema",
          "[cli][portable][compare][baseline]") {
    const Json document = Json::parse(text_of(committed));
    CHECK(camber::schema_violations(document,
                                    source_folder / "results/schema/camber-model.schema.json") ==
          std::vector<std::string>{});
    std::set<std::string> modelled;
    for (const Json& model : document["models"]) {
        modelled.insert(model["variant"].get<std::string>());
        CHECK(model["method"] != "sampled");
    }
    for (const std::string& name : listed_variants("simt", "")) {
        CAPTURE(name);
        CHECK(modelled.count(name) == 1);
    }
    CHECK(fs::file_size(committed) < 1'600'000);
}

}  // namespace model_baseline_test
