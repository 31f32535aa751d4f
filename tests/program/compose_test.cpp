// `--compose`: variants that use a separate technique for each step.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace compose_test {

namespace {

using namespace camber::cli_test;

const std::string mixed = "best_levels=shared_tile/16x16/align128+distribute=global/64x4";

Arguments water_flow(Arguments more) {
    Arguments arguments{"run", "--workload", "water_flow", "--backend", "simt", "--size", "37x21"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

// Cases of a successful run.
Json cases_of(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& entry : results["benchmarks"]) {
        CHECK(entry["camber"]["status"] == "ok");
        CHECK(entry["camber"]["verification"]["differing_cells"] == 0);
    }
    return results["benchmarks"];
}

std::vector<std::string> variants_of(const Arguments& arguments) {
    std::vector<std::string> names;
    for (const Json& entry : cases_of(arguments)) names.push_back(entry["camber"]["variant"]);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a composed variant is right, and alone where no variant is named", "[cli][compose]") {
    const Json cases = cases_of(water_flow({"--compose", mixed}));
    REQUIRE(cases.size() == 1);
    const Json& camber = cases[0]["camber"];
    CHECK(camber["variant"] == "water_flow/composed/" + mixed);
    CHECK(camber["technique"] == "composed");
    CHECK(camber["parameters"]["best_levels"] == "shared_tile/16x16/align128");
    CHECK(camber["parameters"]["distribute"] == "global/64x4");
    CHECK(camber["verification"]["compared_cells"].get<int>() >= 37 * 21);
    // Both kernels, each with its own block shape.
    REQUIRE(camber["kernels"].size() == 2);
    CHECK(camber["kernels"][0] == camber["kernel"]);
    CHECK(camber["kernels"][0]["block"] == Json{{"columns", 16}, {"rows", 16}});
    CHECK(camber["kernels"][1]["block"] == Json{{"columns", 64}, {"rows", 4}});
}

TEST_CASE("compositions stand beside the variants named, each once", "[cli][compose]") {
    const std::string halo = "halo/64x4/align128";
    const std::string one = "water_flow/composed/best_levels=packed/32x8/align128";
    CHECK(variants_of(water_flow(
              {"--variant", "global/two_kernels/16x16", "--compose", mixed, "--compose", mixed})) ==
          Names{"water_flow/global/two_kernels/16x16", "water_flow/composed/" + mixed});
    // Steps without a choice use halo; the order of the choices is arbitrary.
    CHECK(variants_of(water_flow({"--compose", "distribute=global/64x4"})) ==
          Names{"water_flow/composed/best_levels=" + halo + "+distribute=global/64x4"});
    CHECK(variants_of(water_flow({"--compose",
                                  "distribute=global/64x4+best_levels=shared_tile/16x16/align128",
                                  "--compose", mixed})) == Names{"water_flow/composed/" + mixed});
}

TEST_CASE("every workload of several steps can be composed", "[cli][compose]") {
    const auto composed = [](const std::string& workload, const std::string& composition) {
        const auto names = variants_of({"run", "--workload", workload, "--backend", "simt",
                                        "--size", "33x18", "--compose", composition});
        REQUIRE(names.size() == 1);
        CHECK_THAT(names[0], contains(composition));
    };
    composed("dog_image", "wide_blur=shared_tile/64x4/align128");
    composed("surface_water", "flow=shared_loss/16x16/align128");
    composed("surface_water", "rain=global/16x16+infiltration=halo/16x16/align128");
}

TEST_CASE("the board's edge and the model take compositions too", "[cli][compose]") {
    const TestFolder folder;
    const Outcome check =
        run_program({"check", "--workload", "water_flow", "--size", "37x21", "--compose", mixed},
                    folder.path());
    CHECK(check.exit_code == 0);
    CHECK(check.out == "water_flow/composed/" + mixed +
                           " on 37x21: clean\n1 checked, 1 clean, 0 with findings, 0 skipped\n");
    const Outcome model =
        run_program({"model", "--workload", "water_flow", "--size", "512x512", "--compose", mixed},
                    folder.path());
    CHECK(model.exit_code == 0);
    CHECK(model.out.starts_with("water_flow/composed/" + mixed + "\n"));
    CHECK_THAT(model.out, contains("2 kernels"));
}

TEST_CASE("a composition that means nothing is rejected with what there is", "[cli][compose]") {
    const TestFolder folder;
    const auto rejected = [&](const Arguments& arguments, const std::vector<std::string>& named) {
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        for (const std::string& word : named) CHECK_THAT(outcome.err, contains(word));
        CHECK(folder.entries() == 0);
    };
    rejected({"run", "--compose", mixed}, {"workload life has no steps", "camber list steps"});
    rejected(water_flow({"--backend=cpu", "--compose", mixed}), {"--backend"});
    rejected({"run", "--workload", "water_flow", "--backend", "cpu", "--compose", mixed},
             {"cpu backend", "--backend simt or cuda"});
    rejected(water_flow({"--compose", "best=halo/64x4/align128"}),
             {"no step 'best'", "choose best_levels or distribute"});
    rejected(water_flow({"--compose", "best_levels=sharedtile/16x16"}),
             {"step best_levels of water_flow", "'sharedtile/16x16'", "camber list steps",
              "did you mean shared_tile/16x16"});
    rejected(water_flow({"--compose", "distribute="}), {"no technique ''", "camber list steps"});
    rejected(water_flow({"--compose", "halo/64x4/align128"}),
             {"'halo/64x4/align128' is not STEP=TECHNIQUE/SHAPE", "--compose best_levels="});
    rejected(water_flow({"--compose", mixed + "+"}), {"is not STEP=TECHNIQUE/SHAPE"});
    rejected(water_flow({"--compose", "distribute=global/64x4+distribute=global/16x16"}),
             {"names step distribute twice"});
    rejected(water_flow({"--compose", ""}), {"--compose", "empty"});
    // The texture technique has no halo, but the default choice for the other step has one.
    rejected(water_flow({"--compose", "distribute=texture_2d/16x16/align128"}),
             {"halo", "that agree"});
}

}  // namespace compose_test
