// `--rule` with rules other than Conway's.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace rules_program_test {

namespace {

using namespace camber::cli_test;

// HighLife's replicator.
constexpr const char* replicator = "x = 5, y = 5, rule = B36/S23\n2b3o$bo2bo$o3bo$o2bo$3o!\n";

Outcome run_in(const TestFolder& folder, Arguments arguments) {
    arguments.insert(arguments.begin(), {"run", "--backend", "cpu", "--variant", "reference/serial",
                                         "--size", "20x20", "--quick"});
    return run_program(arguments, folder.path());
}

}  // namespace

TEST_CASE("a pattern brings its rule, and a saved board has it", "[cli][rules]") {
    const TestFolder folder;
    write_text(folder / "one.rle", replicator);
    const Outcome first = run_in(folder, {"--input", "one.rle", "--generations", "6", "--save",
                                          "half.rle", "--out", "a.json"});
    INFO(first.err);
    REQUIRE(first.exit_code == 0);
    CHECK_THAT(first.out, contains("(uint32 cells, rule B36/S23, one.rle)"));
    CHECK_THAT(text_of(folder / "half.rle"), contains("x = 20, y = 20, rule = B36/S23\n"));
    const Outcome second = run_in(folder, {"--input", "half.rle", "--rule", "23/36",
                                           "--generations", "6", "--out", "b.json"});
    CHECK_THAT(second.out, contains("after 6 generations: population 24,"));
    const Json one = results_in(folder / "b.json")["benchmarks"][0];
    CHECK(one["name"] == "life/reference/serial/20x20/uint32/cpu/rule:B36S23");
    CHECK(one["camber"]["rule"] == "B36/S23");
}

TEST_CASE("all variants follow a rule on the executor, on every type of cells",
          "[cli][portable][rules]") {
    const TestFolder folder;
    Json final;
    for (const std::string cell : {"uint32", "uint8", "bits"}) {
        const Outcome outcome =
            run_program({"run", "--backend", "simt", "--rule", "B3678/S34678", "--cell", cell,
                         "--size", "64x33", "--boundary", "torus", "--variant", "*64x4*",
                         "--generations", "8", "--out", cell + ".json"},
                        folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const Json results = results_in(folder / (cell + ".json"));
        for (const Json& entry : results["benchmarks"]) {
            CHECK(entry["camber"]["status"] == "ok");
            if (final.is_null()) final = entry["camber"]["final"];
            CHECK(entry["camber"]["final"] == final);
        }
    }
}

TEST_CASE("a rule that contradicts or is none is refused in a sentence", "[cli][rules]") {
    const TestFolder folder;
    write_text(folder / "one.rle", replicator);
    const auto refused = [&](const Arguments& arguments, const char* sentence) {
        const Outcome outcome = run_in(folder, arguments);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({"--input", "one.rle", "--rule", "B3/S23"},
            "rule B3/S23 is not that of one.rle, B36/S23: leave it out");
    refused({"--rule", "B3"}, "rule 'B3' does not say who survives");
    refused({"--workload", "dog", "--rule", "B3/S23"},
            "workload dog has no option --rule: leave it out, or choose --workload life or "
            "larger_than_life or blur");
}

TEST_CASE("results and models of different rules are not compared",
          "[cli][portable][rules][compare]") {
    const TestFolder folder;
    const auto model = [&](const Arguments& rule, const std::string& out) {
        Arguments arguments{"model", "--variant", "halo/64x4/*", "--size", "128x64", "--json", out};
        arguments.insert(arguments.end(), rule.begin(), rule.end());
        CHECK(run_program(arguments, folder.path()).exit_code == 0);
    };
    model({}, "conway.json");
    model({"--rule", "B2/S"}, "seeds.json");
    CHECK(results_in(folder / "seeds.json")["models"][0]["rule"] == "B2/S");
    const Outcome outcome =
        run_program({"compare", "conway.json", "seeds.json", "--allow", "all"}, folder.path());
    CHECK(outcome.exit_code == 3);
    CHECK_THAT(outcome.err, contains("the rule is the workload's usual one in conway.json and B2/S "
                                     "in seeds.json: measure both by one rule"));
    CHECK(run_program({"check", "halo/64x4/*", "--size", "70x20", "--rule", "B2/S"}, folder.path())
              .exit_code == 0);
}

}  // namespace rules_program_test
