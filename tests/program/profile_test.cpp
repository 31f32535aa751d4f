// `camber profile` on committed results, and its errors.
#include <algorithm>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace profile_test {

namespace {

using namespace camber::cli_test;

const std::string measured =
    (source_folder / "results/measurement/life-2048-counters.json").string();
const std::string limits = (source_folder / "results/h200/ceilings.json").string();

Outcome profile(Arguments arguments) {
    arguments.insert(arguments.begin(), "profile");
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    CHECK(folder.entries() == 0);
    return outcome;
}

std::string page(const Arguments& arguments) {
    const Outcome outcome = profile(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const auto lines = lines_of(outcome.out);
    CHECK(lines.size() <= 60);
    for (const std::string& line : lines) {
        INFO(line);
        CHECK(line.size() <= 100);
    }
    return outcome.out;
}

// First line that starts with the label; "" if there is none.
std::string row(const std::string& page, const std::string& label) {
    for (const std::string& line : lines_of(page))
        if (line.starts_with("  " + label + " ")) return line;
    return "";
}

void check_error(const Arguments& arguments, int exit_code, const std::string& part) {
    const Outcome outcome = profile(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("camber: "));
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, contains(part));
}

}  // namespace

TEST_CASE("profile explains a measured case on one page", "[cli][profile]") {
    const std::string text = page({"global/16x16", "--from", measured, "--ceilings", limits});
    CHECK(lines_of(text).front() == "life/global/16x16");
    CHECK_THAT(text, contains("NVIDIA H200"));
    for (const char* title : {"TIME", "MEMORY REQUESTS", "EXECUTION", "KERNEL", "WHAT LIMITS IT"})
        CHECK_THAT(text, contains("\n" + std::string(title) + "\n"));
    // This kernel has no tile in shared memory.
    CHECK(text.find("SHARED MEMORY") == std::string::npos);
    CHECK_THAT(row(text, "time per generation"), contains("16.63 us"));
    CHECK_THAT(row(text, "time per generation"), contains("16.61 us to 16.66 us, 10 samples"));
    CHECK_THAT(row(text, "application bandwidth"), contains("2017.7 GB/s"));
    CHECK_THAT(row(text, "application bandwidth"), contains("47.3 %"));
    CHECK_THAT(row(text, "issue slots"), contains("61.8 %  |##########......|"));
    CHECK_THAT(row(text, "sectors per load request"), contains("5.32"));
    CHECK_THAT(row(text, "L1 hits"), contains("75.1 %"));
    CHECK_THAT(row(text, "achieved occupancy"), contains("79.3 %"));
    CHECK_THAT(row(text, "theoretical occupancy"), contains("100.0 %"));
    CHECK_THAT(row(text, "registers per thread"), contains("19"));
    CHECK_THAT(text, contains("Limited by issue slots at 61.8 % of the ceiling"));
    CHECK_THAT(text, contains("Rule: the resource with the largest share"));
    CHECK(text.find("REMARKS") == std::string::npos);
}

TEST_CASE("profile shows two cases side by side", "[cli][profile]") {
    const std::string text =
        page({"shared_tile/16x16/align128", "--against", "life/shared_tile/64x4/align128", "--from",
              measured, "--ceilings", limits});
    const auto lines = lines_of(text);
    CHECK(lines[0] == "A  life/shared_tile/16x16/align128");
    CHECK(lines[1] == "B  life/shared_tile/64x4/align128");
    CHECK_THAT(row(text, "time per generation"), contains("1.35x"));
    CHECK_THAT(row(text, "sectors per load request"), contains("2.40"));  // 1179648 / 491520
    CHECK_THAT(row(text, "sectors per load request"), contains("2.50"));  // 983040 / 393216
    CHECK_THAT(row(text, "of them due to bank conflicts"), contains("%"));
    CHECK_THAT(text, contains("  A: Limited by "));
    CHECK_THAT(text, contains("  B: Limited by "));
    CHECK_THAT(text, contains("Largest difference: "));
}

TEST_CASE("profile gives a missing row of one case a dash", "[cli][profile]") {
    const std::string text = page({"global/16x16", "--against", "shared_tile/16x16/align128",
                                   "--from", measured, "--ceilings", limits});
    CHECK_THAT(row(text, "wavefronts per generation"), contains(" - "));
    CHECK_THAT(text, contains("life/shared_tile/16x16/align128 has wavefronts of shared memory"));
}

TEST_CASE("profile without the device's limits shows what it knows", "[cli][profile]") {
    const std::string text = page({"global/16x16", "--from", measured});
    CHECK_THAT(row(text, "DRAM"), contains("GB/s"));
    CHECK_THAT(row(text, "L2"), contains("ceiling not measured"));
    CHECK(row(text, "L1 ").empty());
    CHECK_THAT(row(text, "issue slots"), contains("61.8 %"));
}

TEST_CASE("profile shows the instruction mix where the file has one", "[cli][profile]") {
    const TestFolder folder;
    Json document = results_in(measured);
    document["context"]["camber"]["ceilings"].update(results_in(limits)["ceilings"]);
    document["benchmarks"][0]["camber"]["kernel"]["instructions"] = {
        {"total", 80},      {"integer", 20},     {"logic", 4},
        {"predicates", 36}, {"global_loads", 9}, {"shared_loads", 0}};
    write_text(folder / "mix.json", document.dump());
    const std::string text = page({"global/16x16", "--from", (folder / "mix.json").string()});
    CHECK_THAT(row(text, "machine instructions"),
               contains("80  predicates 36, integer 20, global loads 9"));
    // 10747904 x 32 x 60/80 / 16.62987714 us / 16.51 Top/s
    CHECK_THAT(row(text, "ALU pipe"), contains("93.9 %"));
    CHECK_THAT(row(text, "ALU pipe"), contains("estimate"));
    CHECK_THAT(text, contains("Limited by ALU pipe (estimate) at 93.9 % of the ceiling"));
}

TEST_CASE("profile without counters shows the rest and says so", "[cli][profile]") {
    const std::string text =
        page({"global/16x16", "--from", (source_folder / "results/h200/life.json").string()});
    CHECK_THAT(text, contains("The results have no hardware counters of life/global/16x16"));
    CHECK_THAT(row(text, "time per generation"), contains("1.085 ms"));
    CHECK(text.find("MEMORY REQUESTS") == std::string::npos);
    CHECK_THAT(text, contains("The limit is unknown"));
}

TEST_CASE("profile every measured case: each has a page and a diagnosis",
          "[cli][portable][profile]") {
    int pages = 0;
    const Json document = results_in(measured);
    for (const Json& entry : document["benchmarks"]) {
        const std::string variant = entry["camber"]["variant"];
        INFO(variant);
        CHECK_THAT(page({variant, "--from", measured, "--ceilings", limits}),
                   contains("WHAT LIMITS IT\n  Limited by "));
        ++pages;
    }
    CHECK(pages == 47);
}

TEST_CASE("profile --json stores facts and diagnosis", "[cli][profile]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"profile", "global/16x16", "--against", "global/64x4", "--from", measured,
                     "--ceilings", limits, "--json", "profile.json"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.out).back() == "figures: profile.json");
    const Json file = results_in(folder / "profile.json");
    REQUIRE(file["profiles"].size() == 2);
    const Json& first = file["profiles"][0];
    CHECK(first["variant"] == "life/global/16x16");
    CHECK(first["limit"] == "resource");
    CHECK(first["resource"] == "issue");
    CHECK(first["resources"][0]["resource"] == "issue");
    CHECK(first["resources"][0]["share"].get<double>() == Approx(0.618204));
    CHECK(first["facts"]["counters"]["smsp__inst_executed.sum"] == 10747904);
    CHECK(first["facts"]["kernel"]["registers"] == 19);
    CHECK(first["figures"]["load_sectors_per_request"].get<double>() ==
          Approx(6277124.0 / 1179648));
    CHECK(file["comparison"].get<std::string>().find("life/global/64x4") != std::string::npos);
    CHECK(file["context"]["camber"]["gpu"]["name"] == "NVIDIA H200");
}

TEST_CASE("profile without a GPU is one sentence that names the alternatives", "[cli][profile]") {
    check_error({"halo/64x4/align128"}, 5, "camber profile needs a GPU");
    check_error({"halo/64x4/align128"}, 5, "camber model");
    check_error({"halo/64x4/align128"}, 5, "--backend simt");
    check_error({"halo/64x4/align128", "--json", "out.json"}, 5, "--from");
}

TEST_CASE("profile wants one variant, by its name", "[cli][portable][profile]") {
    check_error({"halo/*"}, 2, "'halo/*' matches 8 variants");
    check_error({"hallo/64x4/align128"}, 2, "did you mean halo/64x4/align128");
    check_error({"global/16x16", "--from", measured, "--against", "*"}, 2, "matches 47 variants");
    check_error({"globule/16x16", "--from", measured}, 2, "did you mean global/16x16");
    check_error({"global/16x16", "--from", measured, "--against", "life/global/16x16"}, 2,
                "are both life/global/16x16");
    check_error({}, 2, "no variant is given");
    check_error({""}, 2, "empty");
    check_error({"global/16x16", "--workload", "fire"}, 2, "of fire");
}

TEST_CASE("profile --from rejects what holds no results", "[cli][profile]") {
    check_error({"global/16x16", "--from", "absent.json"}, 2, "absent.json");
    check_error({"global/16x16", "--from", (source_folder / "README.md").string()}, 2,
                "is not a JSON document");
    check_error({"global/16x16", "--from", limits}, 2,
                "has no cases: give a file written by camber run");
    check_error({"global/16x16", "--from", measured, "--ceilings", measured}, 2,
                "has no ceilings of a GPU: give a file written by camber ceilings --json");
    check_error({"global/16x16", "--from", measured, "--size", "8x8"}, 2, "--size");
    check_error({"global/16x16", "--ceilings", limits}, 2, "--from");

    const TestFolder folder;
    CHECK(run_program({"run", "--backend", "simt", "--size", "9x9", "--variant", "global/16x16"},
                      folder.path())
              .exit_code == 0);
    check_error(
        {"global/16x16", "--from", (folder / "camber-results.json").string()}, 2,
        "this file has no GPU time of life/global/16x16 with warm caches and without CUDA graphs "
        "(backend simt, status ok)");
    Json other = results_in(limits);
    other["context"]["camber"]["gpu"]["name"] = "NVIDIA A100";
    write_text(folder / "other.json", other.dump());
    check_error(
        {"global/16x16", "--from", measured, "--ceilings", (folder / "other.json").string()}, 3,
        "has the ceilings of NVIDIA A100, but the results are from");
}

TEST_CASE("profile explains itself with the rule and examples", "[cli][profile]") {
    const Outcome outcome = profile({"--help-all"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("at least 60 %"));
    for (const char* option : {"--against", "--from", "--ceilings", "--json", "--size", "--device"})
        CHECK_THAT(outcome.out, contains(option));
}

}  // namespace profile_test
