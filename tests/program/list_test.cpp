// Lists of workloads, variants and techniques that the program prints.
#include <algorithm>
#include <regex>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace list_test {

namespace {

using namespace camber::cli_test;

std::string output_of(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(folder.entries() == 0);
    return outcome.out;
}

}  // namespace

TEST_CASE("list shows workloads with their cells, boundaries and source", "[cli]") {
    const std::string text = output_of({"list", "workloads"});
    CHECK_THAT(text, contains("life\n"));
    CHECK_THAT(text, contains("Conway's Game of Life"));
    CHECK_THAT(text, contains("uint32, uint8, bits"));
    CHECK_THAT(text, contains("source: Gardner 1970"));
    CHECK_THAT(text,
               contains("  cells: uint32, uint8, bits; boundaries: dead, torus; files: RLE\n"));
    for (const char* workload : {"larger_than_life", "blur", "gaussian", "dog", "dog_image",
                                 "extrema", "extrema_stack", "surface_water",
                                 "surface_water_clock", "water_flow", "sciara_fv2", "sciara_fv3",
                                 "magflow", "transfer_overlap", "sph"})
        CHECK_THAT(text, contains("\n" + std::string(workload) + "\n"));
    CHECK_THAT(text, contains("  cells: float32; boundaries: dead, torus; files: PGM or PNG\n"));
}

TEST_CASE("list shows what is peculiar to a workload: parameters, boundaries, size", "[cli]") {
    const std::string text = output_of({"list", "workloads"});
    CHECK_THAT(text, contains("  cells: float32, float64; boundaries: dead; files: ESRI ASCII "
                              "grid; usual size: 463x358\n"
                              "  parameters (--param) and their default values:\n"
                              "    dx=10 m: side of a cell"));
    CHECK_THAT(text, contains("\n    manning=0.05 s/m^(1/3): Manning's roughness of the ground\n"));
    CHECK_THAT(text, contains("\n    rain_steps=250: steps that it rains, from the start\n"));
    CHECK_THAT(text, contains("\n    weights=0.0625,0.125,0.0625,"));
    CHECK_THAT(text, contains("\n    sigma=0 cells: above 0: "));
    CHECK_THAT(text,
               contains("  cells: float32, float64; boundaries: dead; files: ESRI ASCII grid\n"));
}

TEST_CASE("list shows the steps of the workloads that have several, and their choices", "[cli]") {
    const auto lines = lines_of(output_of({"list", "steps"}));
    std::vector<std::string> found;
    for (const std::string& line : lines) {
        CHECK(line.size() <= 100);
        if (!line.starts_with("    ")) found.push_back(line);
    }
    CHECK(found == std::vector<std::string>{"dog_image",
                                            "  wide_blur",
                                            "  narrow_blur: as wide_blur",
                                            "  difference",
                                            "magflow",
                                            "  erupt",
                                            "  flux: as erupt",
                                            "  minimum: as erupt",
                                            "  update: as erupt",
                                            "sciara_fv2",
                                            "  emission",
                                            "  outflows",
                                            "  exchange",
                                            "  cooling: as emission",
                                            "sciara_fv3",
                                            "  emission",
                                            "  candidates",
                                            "  clock: as emission",
                                            "  outflow: as candidates",
                                            "  exchange: as candidates",
                                            "  cooling: as emission",
                                            "surface_water",
                                            "  rain",
                                            "  infiltration",
                                            "  flow",
                                            "water_flow",
                                            "  best_levels",
                                            "  distribute: as best_levels"});
    const auto flow = std::ranges::find(lines, "  flow");
    std::string choices;
    for (auto line = flow + 1; line != lines.end() && line->starts_with("    "); ++line)
        choices += *line + "  ";
    for (const char* choice : {"halo/64x4/align128", "shared_loss/16x16/align128", "global/16x16"})
        CHECK_THAT(choices, contains("  " + std::string(choice) + "  "));
}

TEST_CASE("list shows every variant with technique, parameters, source and backends", "[cli]") {
    const std::string text = output_of({"list", "variants", "--workload", "life"});
    for (const char* technique :
         {"global", "halo", "shared_tile", "two_element", "two_generation", "two_generation_const",
          "two_generation_linear", "two_element_two_generation_linear", "thread_per_input",
          "reference"})
        CHECK_THAT("\n" + text, contains(std::string("\n") + technique + ": "));
    CHECK_THAT(text, contains("source: Balasalle 2011, section 5.2.1, Figure 5.4"));

    auto names = listed_variants("simt", "");
    CHECK(names.size() > 30);
    std::ranges::sort(names);
    CHECK(std::ranges::adjacent_find(names) == names.end());
    for (const char* name :
         {"life/global/16x16", "life/halo/16x16/align128", "life/shared_tile/64x4/align128",
          "life/thread_per_input/16x16/n4/align128"})
        CHECK(std::ranges::binary_search(names, std::string(name)));
    for (const std::string& line : lines_of(text)) {
        if (!line.starts_with("    life/")) continue;
        INFO(line);
        CHECK(
            std::regex_match(line, std::regex(R"(    life/\S+ +(\w+=[\w/]+(, )?)+ \[[a-z, ]+\])")));
    }
    std::vector<std::string> references;
    for (const char* workload : {"life", "larger_than_life", "blur", "gaussian", "dog", "dog_image",
                                 "extrema", "extrema_stack", "surface_water",
                                 "surface_water_clock", "water_flow", "sciara_fv2", "sciara_fv3",
                                 "magflow", "transfer_overlap", "sph"})
        for (const char* path : {"serial", "threads"})
            references.push_back(std::string(workload) + "/reference/" + path);
    const auto water = std::ranges::find(references, "surface_water/reference/threads");
    references.insert(water + 1, "surface_water/reference/five_passes");
    const auto clock = std::ranges::find(references, "surface_water_clock/reference/threads");
    references.insert(clock + 1, "surface_water_clock/reference/five_passes");
    for (const char* lava : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        const std::string name = std::string(lava) + "/reference/";
        const auto threads = std::ranges::find(references, name + "threads");
        references.insert(threads + 1, {name + "active_list", name + "active_list_threads"});
    }
    CHECK(listed_variants("cpu", "") == references);
}

TEST_CASE("list says which cell types have a variant where not all have it", "[cli]") {
    const auto listed = [](const std::string& cell) {
        auto names = listed_variants("simt", "life", cell);
        std::ranges::sort(names);
        CHECK(std::ranges::adjacent_find(names) == names.end());
        return names;
    };
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::binary_search(names, name);
    };
    const auto words = listed("uint32");
    const auto bytes = listed("uint8");
    // Sixteen bytes are 4 words, or 16 bytes.
    CHECK(has(words, "life/packed/64x4/v4/align128"));
    CHECK_FALSE(has(bytes, "life/packed/64x4/v4/align128"));
    CHECK(has(bytes, "life/packed/64x4/v16/align128"));
    CHECK_FALSE(has(words, "life/packed/64x4/v16/align128"));
    for (const auto& names : {words, bytes}) CHECK(has(names, "life/halo/64x4/align128"));
}

TEST_CASE("list shows every backend and why it is not usable", "[cli]") {
    const auto lines = lines_of(output_of({"list", "backends"}));
    REQUIRE(lines.size() == 5);
    CHECK_THAT(lines[0], contains("cuda  not usable: "));
    CHECK(lines[0].size() > std::string("cuda  not usable: ").size());
    CHECK_THAT(lines[1], contains("simt  usable: "));
    CHECK_THAT(lines[2], contains("cpu   usable: "));
    CHECK_THAT(lines[3], contains("nccl  usable: ") || contains("nccl  not usable: "));
    CHECK_THAT(lines[4], contains("ranks usable: ") || contains("ranks not usable: this camber"));
}

TEST_CASE("list alone is a page of workloads", "[cli]") {
    const auto lines = lines_of(output_of({"list"}));
    CHECK(lines.size() <= 24);
    CHECK_THAT(lines[1],
               contains("life ") && contains("Game of Life") && contains("uint32, uint8, bits"));
    const Json variants =
        Json::parse(output_of({"list", "variants", "--workload", "life", "--format", "json"}));
    CHECK(lines[1].ends_with(" " + std::to_string(variants.size())));
    CHECK_THAT(output_of({"list"}), contains("camber list variants --workload life"));
}

TEST_CASE("variants are listed by workload and technique", "[cli]") {
    const std::string all = output_of({"list", "variants"});
    CHECK(lines_of(all).size() < 100);
    CHECK_THAT(all, contains("\nwater_flow: ") && contains("--workload W"));
    const std::string halo =
        output_of({"list", "variants", "--workload", "life", "--technique", "halo"});
    CHECK(halo.starts_with("halo: "));
    CHECK_THAT(halo, contains("    life/halo/64x4/align128 "));
    CHECK(halo.find("/global/") == std::string::npos);
    CHECK(halo.find("blur/") == std::string::npos);
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, const char* words) {
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(words));
    };
    refused({"list", "variants", "--workload", "lif"}, "did you mean life");
    refused({"list", "variants", "--technique", "hallo"}, "did you mean halo");
    refused({"list", "backends", "--workload", "life"}, "camber list variants");
    refused({"list", "steps", "--format", "json"}, "not steps");
}

TEST_CASE("lists are there for programs", "[cli]") {
    const Json workloads = Json::parse(output_of({"list", "--format", "json"}));
    CHECK(workloads.size() == 16);
    CHECK(workloads[0]["workload"] == "life");
    CHECK(workloads[0]["cells"] == Json({"uint32", "uint8", "bits"}));
    const Json variants = Json::parse(output_of(
        {"list", "variants", "--workload", "life", "--technique", "halo", "--format", "json"}));
    const auto found = std::ranges::find_if(
        variants, [](const Json& one) { return one["variant"] == "life/halo/64x4/align128"; });
    REQUIRE(found != variants.end());
    CHECK((*found)["technique"] == "halo");
    CHECK((*found)["family"] == "global memory");
    CHECK((*found)["parameters"]["block"] == "64x4");
    CHECK((*found)["cells"] == Json({"uint32", "uint8", "bits"}));
}

TEST_CASE("every command explains itself with examples", "[cli]") {
    for (const Arguments& arguments : {Arguments{"--help"},
                                       {"-h"},
                                       {"run", "--help"},
                                       {"run", "-h"},
                                       {"list", "--help"},
                                       {"model", "--help"}}) {
        const std::string text = output_of(arguments);
        const auto examples = text.find("Examples:\n  camber ");
        CHECK(examples != std::string::npos);
        CHECK_THAT(text, contains("Usage: camber"));
    }
    CHECK_THAT(output_of({"--help"}), contains("Exit codes: 0 success"));
    const std::string run_help = output_of({"run", "--help-all"});
    for (const char* option : {"--workload", "--variant", "--size", "--generations", "--boundary",
                               "--pattern", "--at", "--seed", "--density", "--backend", "--device",
                               "--out", "--save", "--quick", "--compose"})
        CHECK_THAT(run_help, contains(option));
}

TEST_CASE("the version is one line", "[cli]") {
    CHECK(std::regex_match(output_of({"--version"}), std::regex(R"(camber \d+\.\d+\.\d+\n)")));
}

}  // namespace list_test
