// `camber model` without GPU and CUDA.
#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace model_test {

namespace {

using namespace camber::cli_test;

const std::string limits = (source_folder / "results/h200/ceilings.json").string();

Outcome model(Arguments arguments, const fs::path& folder) {
    arguments.insert(arguments.begin(), "model");
    return run_program(arguments, folder);
}

std::string page(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = model(arguments, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(folder.entries() == 0);
    return outcome.out;
}

std::string line_with(const std::string& text, const std::string& start) {
    for (const std::string& line : lines_of(text))
        if (line.starts_with(start)) return line;
    return "";
}

void check_json(const Outcome& outcome, const fs::path& file, bool with_bounds) {
    const fs::path schema = source_folder / "results/schema/camber-model.schema.json";
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("models: m.json\n"));
    const Json document = results_in(file);
    CHECK(camber::schema_violations(document, schema).empty());
    for (const Json& entry : document["models"]) CHECK(entry["bounds"].empty() == !with_bounds);
    // Documents with a text as count, or without a required key, violate the schema.
    Json wrong = document;
    wrong["models"][0]["global_load_sectors"] = "many";
    CHECK_FALSE(camber::schema_violations(wrong, schema).empty());
    wrong = document;
    wrong["models"][0].erase("method");
    CHECK_FALSE(camber::schema_violations(wrong, schema).empty());
}

// Time of the only variant in the models file.
double predicted_microseconds(const fs::path& file) {
    return results_in(file).at("models").at(0).at("time").at("predicted_seconds").get<double>() *
           1e6;
}

}  // namespace

TEST_CASE("a variant that cannot be modelled is skipped with the reason",
          "[cli][portable][model]") {
    // With the default size, the field does not fit in constant memory.
    for (const char* workload : {"surface_water", "water_flow"}) {
        const std::string text =
            page({"--workload", workload, "--variant", "constant*", "--variant", "halo/*16x16*"});
        CAPTURE(workload);
        CHECK_THAT(text, contains("\nhalo/"));
        CHECK_THAT(text, contains(std::string("skipped ") + workload + "/constant"));
        CHECK_THAT(text, contains("constant memory"));
    }
    const TestFolder folder;
    const Outcome none =
        model({"--workload", "water_flow", "--variant", "constant*"}, folder.path());
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err, contains("no variant can be modelled: water_flow/constant"));
}

TEST_CASE("a variant that cannot be modelled stands in the file with the reason",
          "[cli][portable][model]") {
    const TestFolder folder;
    const Outcome outcome = model({"--workload", "water_flow", "--variant", "constant*",
                                   "--variant", "halo/*16x16*", "--json", "m.json"},
                                  folder.path());
    CHECK(outcome.exit_code == 0);
    const Json document = results_in(folder / "m.json");
    const fs::path schema = source_folder / "results/schema/camber-model.schema.json";
    CHECK(camber::schema_violations(document, schema).empty());
    int skipped = 0;
    for (const Json& entry : document["models"]) {
        const std::string variant = entry["variant"];
        CAPTURE(variant);
        CHECK(entry.contains("status") == variant.starts_with("water_flow/constant"));
        if (!entry.contains("status")) continue;
        ++skipped;
        CHECK(entry["status"] == "skipped");
        CHECK_THAT(entry["reason"].get<std::string>(), contains("constant memory"));
        CHECK_FALSE(entry.contains("method"));
        CHECK_THAT(outcome.out,
                   contains("skipped " + variant + ": it " + entry["reason"].get<std::string>()));
    }
    CHECK(skipped > 0);
    CHECK_FALSE(document["context"]["camber"].contains("incomplete"));
    // Commands that read the file treat the variant as a case without figures.
    const Outcome compared = run_program({"compare", "m.json", "m.json"}, folder.path());
    CHECK(compared.exit_code == 0);
    CHECK_THAT(compared.out, contains("constant"));
    Json wrong = document;
    for (Json& entry : wrong["models"]) entry.erase("reason");
    CHECK_FALSE(camber::schema_violations(wrong, schema).empty());
}

TEST_CASE("the table of a model is sorted as asked", "[cli][portable][model]") {
    const Arguments some{"--variant", "halo/16x16/*", "--variant", "shared_tile/16x16/*"};
    Arguments by_name = some;
    by_name.insert(by_name.end(), {"--sort", "name"});
    Arguments by_loads = some;
    by_loads.insert(by_loads.end(), {"--sort", "loads"});
    const auto first = [](const std::string& text) { return lines_of(text)[2]; };
    CHECK_THAT(first(page(by_name)), contains("halo/"));
    CHECK_THAT(first(page(by_loads)), contains("shared_tile/"));
    CHECK_THAT(page(by_loads), contains("sorted by loads"));
}

// Checks the table and the file of a single run, because modeling all variants takes half a
// minute.
TEST_CASE("model puts all variants side by side, fewest bytes first, and writes them as JSON",
          "[cli][portable][model][slow]") {
    const TestFolder folder;
    const Outcome outcome =
        model({"--json", "m.json", "--ceilings", "h200", "--sort", "moved"}, folder.path());
    CHECK(outcome.err.empty());
    CHECK(folder.entries() == 1);
    check_json(outcome, folder / "m.json", true);
    const std::string& text = outcome.out;
    const auto lines = lines_of(text);
    CHECK(lines[0] ==
          "life 2048x2048 (uint32 cells, boundary dead), rules of CC 9.0 (CC 5.x and later)");
    for (const std::string& name : listed_variants("simt")) {
        const std::string line = line_with(text, name.substr(5) + " ");
        CAPTURE(name);
        REQUIRE_FALSE(line.empty());
        CHECK(line.size() <= 116);
    }
    for (const std::string& line : lines) CHECK(line.size() <= 116);
    // 491520 requests, 1179648 sectors, 9 / 16 of the bytes used, 524288 sectors stored.
    const std::string row = line_with(text, "shared_tile/16x16/align128 ");
    CHECK_THAT(row, contains(" 492k 1.18M 2.40  56     0  524k "));
    CHECK_THAT(line_with(text, "texture_2d/16x16/align128 "),
               contains("    0     0 0.00 100 6.28M "));
    CHECK_THAT(text, contains("sorted by bytes moved"));
    CHECK_THAT(row, contains(" 1.62 "));
    CHECK_THAT(row, contains("11.5 shared"));
    const auto place = [&](const char* variant) { return text.find(std::string("\n") + variant); };
    CHECK(place("thread_per_input/24x24/n4/align128 ") < place("two_element/64x4/align128 "));
    CHECK(place("two_element/64x4/align128 ") < place("shared_tile/16x16/align128 "));
    CHECK(place("shared_tile/16x16/align128 ") < place("halo/16x16/unaligned "));
}

TEST_CASE("model shows one variant line by line and names the worst", "[cli][portable][model]") {
    const std::string text =
        page({"--variant", "shared_tile/16x16/align128", "--ceilings", limits});
    CHECK_THAT(line_with(text, "  global loads"),
               contains("491520 requests, 1179648 sectors, 2.40 sectors per request"));
    CHECK_THAT(text, contains("\n> shared memory      11.60 us"));
    CHECK_THAT(line_with(text, "> s1 "), contains("shared store") && contains("131072   2.00") &&
                                             contains("50.0 %") && contains("shared_tile.hpp:"));
    CHECK_THAT(text,
               contains("\n> s1, the shared store at shared_tile.hpp:") &&
                   contains("has 2-way bank conflicts: 2 contiguous pieces, 72 bytes apart.\n"
                            "  Remedy: use blocks at least 32 threads wide, or pad the row by 30 "
                            "elements.\n  Picture: --picture s1\n"));
    CHECK_THAT(page({"--variant", "halo/64x4/unaligned", "--size", "300x200"}),
               contains(" % extra: contiguous, but misaligned by ") &&
                   contains("Remedy: align the first lane to 32 bytes"));
}

TEST_CASE("model knows the rules of old devices", "[cli][portable][model]") {
    const std::string text = page({"--variant", "halo/16x16/align128", "--arch", "cc1.0", "--size",
                                   "512x512", "--boundary", "torus", "--cell", "uint8"});
    CHECK_THAT(text, contains("rules of CC 1.0 (CC 1.0-1.1)"));
    CHECK_THAT(text, contains("ONE LAUNCH (1 generation, 2 kernels)"));
    CHECK_THAT(text, contains("512x512 cells of uint8, boundary torus"));
}

TEST_CASE("model draws what one warp touches", "[cli][portable][model]") {
    const Arguments chosen{"--variant", "halo/16x16/unaligned", "--picture"};
    const auto with = [&](Arguments more) {
        Arguments all = chosen;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const std::string text = page(with({"s1", "--block", "1,1", "--warp", "0"}));
    CHECK_THAT(text, contains("block (1,1), warp 0; addresses relative to the start of "
                              "field `cells`"));
    // Rows of 2050 cells: from cell (16, 16), one row up and one column left.
    CHECK_THAT(text, contains("192 bytes moved, 128 used (67 %)"));
    // Independent of the addresses.
    CHECK(text == page(with({"s1", "--block", "1,1", "--warp", "0"})));
    CHECK_THAT(page(with({"rule.hpp:31"})), contains("rule.hpp:31 has several accesses: s"));
    CHECK_THAT(page(with({"31"})), contains("at rule.hpp:31 < halo.hpp:"));

    const TestFolder folder;
    const Outcome outcome = model(with({"s2", "--svg", "warp.svg"}), folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("picture: warp.svg\n"));
    CHECK_THAT(text_of(folder.path() / "warp.svg"), contains("<svg ") && contains("</svg>"));
}

TEST_CASE("model writes what it predicts as JSON", "[cli][portable][model]") {
    const TestFolder folder;
    check_json(model({"--json", "m.json", "--variant", "two_generation/64x4/*", "--size", "70x50"},
                     folder.path()),
               folder / "m.json", false);
}

TEST_CASE("model takes a workload's parameters", "[cli][portable][model]") {
    const auto loads = [](const std::string& radius) {
        const TestFolder folder;
        const Outcome outcome =
            model({"--workload", "gaussian", "--param", "radius=" + radius, "--size", "128x64",
                   "--variant", "halo/64x4/align128", "--json", "m.json"},
                  folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 0);
        return results_in(folder.path() / "m.json")["models"][0]["global_load_requests"]
            .get<double>();
    };
    // One request per warp for each cell of the square, and 256 warps.
    CHECK(loads("1") == 256 * 9);
    CHECK(loads("16") == 256 * 33 * 33);
    const TestFolder folder;
    const Outcome outcome =
        model({"--workload", "gaussian", "--param", "radius=17"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("radius is 17"));
}

TEST_CASE("the time of particles has the making of a list once in as many iterations",
          "[cli][portable][model]") {
    const TestFolder folder;
    std::map<int, double> time;
    for (const int rebuild : {1, 2, 10}) {
        const Outcome outcome = model(
            {"--workload", "sph", "--param", "dp=0.1", "--param",
             "rebuild=" + std::to_string(rebuild), "--variant", "neighbour_list/float4/plain/b64",
             "--ceilings", limits, "--json", "models.json"},
            folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        time[rebuild] = predicted_microseconds(folder / "models.json");
    }
    // T = evaluations + list / rebuild.
    const double list = 2 * (time[1] - time[2]);
    CHECK(list > 0);
    CHECK(time[10] == Approx(time[1] - 0.9 * list).epsilon(0.01));
}

TEST_CASE("without --size, model takes the map that a workload has", "[cli][portable][model]") {
    const TestFolder folder;
    const Outcome outcome =
        model({"--workload", "surface_water", "--variant", "halo/four_kernels/16x16/align128"},
              folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("463x358 cells"));
}

TEST_CASE("model rejects what it cannot mean", "[cli][model]") {
    const auto check = [](const Arguments& arguments, int exit_code, const std::string& part) {
        const TestFolder folder;
        const Outcome outcome = model(arguments, folder.path());
        CAPTURE(part, outcome.err);
        CHECK(outcome.exit_code == exit_code);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, contains(part));
        CHECK(folder.entries() == 0);
    };
    check({"--arch", "sm_1"}, 2, "architecture 'sm_1' is");
    check({"--arch", "pascal"}, 2, "write a compute capability such as");
    check({"--variant", "no_such"}, 2, "matches 'no_such'");
    check({"--picture", "s1"}, 2,
          "--picture shows an access of one variant, but " +
              std::to_string(listed_variants("simt").size()) + " are selected");
    const auto one = [](Arguments more) {
        Arguments all{"--variant", "halo/16x16/align128", "--size", "64x64"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    check(one({"--picture", "rule.hpp:1"}), 2, "choose halo.hpp:");
    check(one({"--picture", "s99"}), 2, "or a site from s1 to s10");
    check(one({"--picture", "s1", "--block", "4,0"}), 2, "the grid has blocks 0,0 to 3,3");
    check(one({"--picture", "s1", "--block", "four"}), 2, "is not X,Y");
    check(one({"--picture", "s1", "--warp", "8"}), 2, "a block has warps 0 to 7");
    check(one({"--svg", "x.svg"}), 2, "--picture");
    check({"--size", "64"}, 2, "is not COLUMNSxROWS");
    check({"--ceilings", "none.json"}, 2, "none.json");
    check({"--ceilings", limits, "--arch", "cc2.0"}, 3, "leave out --arch or --ceilings");
    check({"--json", "no/folder.json"}, 5, "no/folder.json");
}

}  // namespace model_test
