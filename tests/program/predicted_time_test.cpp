// Predicted times in the program's output, and their accuracy.
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/agreement.hpp"
#include "tests/results/schema_check.hpp"

namespace predicted_time_test {

namespace {

using namespace camber::cli_test;
using camber::committed::check_agreement;
using camber::committed::figure;
using camber::committed::Reached;

fs::path committed(const std::string& name) {
    return source_folder / "results" / name;
}

Outcome model(Arguments arguments, const fs::path& folder) {
    arguments.insert(arguments.begin(), "model");
    return run_program(arguments, folder);
}

std::string page(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = model(arguments, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
}

std::string refusal(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = model(arguments, folder.path());
    CHECK(outcome.exit_code == 2);
    return outcome.err;
}

const std::string h200 = committed("h200/ceilings.json").string();

}  // namespace

TEST_CASE("with a device's limits the table is ordered by predicted time",
          "[cli][portable][model][time]") {
    const std::string text =
        page({"--size", "16384x16384", "--ceilings", h200, "--variant", "row_stream/64x4/v4/r2/*",
              "--variant", "halo/64x4/align128", "--variant", "texture_2d/64x4/*"});
    CHECK(text.find("row_stream/") < text.find("halo/"));
    CHECK(text.find("halo/") < text.find("texture_2d/"));
    CHECK_THAT(text, contains("DRAM"));
    CHECK_THAT(text, !contains("The device's file lacks"));
    // One line names the figures that a file of an older version lacks.
    CHECK_THAT(page({"--size", "16384x16384", "--ceilings", committed("h100/ceilings.json").string(),
                     "--variant", "halo/64x4/align128"}),
               contains("The device's file lacks ") && contains("load of a constant") &&
                   contains("Assumed (as on an H200): ") && !contains("start of a warp"));
    const std::string older =
        page({"--size", "16384x16384", "--ceilings",
              (source_folder / "tests/harness/cli/ceilings/older_ceilings.json").string(),
              "--variant", "halo/64x4/align128"});
    CHECK_THAT(older, contains("The device's file lacks") && contains("start of a warp"));
}

TEST_CASE("the option --ceilings names a card that the program carries",
          "[cli][portable][model][time]") {
    const auto table = [](const std::string& ceilings) {
        return page({"--size", "4096x4096", "--ceilings", ceilings, "--variant",
                     "halo/64x4/align128", "--variant", "row_stream/64x4/v4/r2/*"});
    };
    const std::string by_name = table("h200");
    CHECK(by_name == table(committed("cards/h200.json").string()));
    CHECK(by_name == table("H200"));
    CHECK_THAT(by_name, contains("NVIDIA H200") && !contains("The device's file lacks"));
    CHECK_THAT(table("h100"), contains("NVIDIA H100 80GB HBM3") &&
                                  contains("The device's file lacks ") &&
                                  contains("Assumed (as on an H200): "));
    CHECK_THAT(table("v100-pcie"), contains("V100-PCIE"));
    const std::string sentence = refusal({"--ceilings", "h300", "--variant", "halo/64x4/align128"});
    CHECK_THAT(sentence, contains("'h300'") && contains("h100, h200, a100-80gb") &&
                             contains("camber ceilings --json"));
    CHECK_THAT(refusal({"--ceilings", "h300.json"}), contains("\"h300.json\""));
}

TEST_CASE("the page of a variant says what its time is made of", "[cli][portable][model][time]") {
    const std::string text =
        page({"--size", "16384x16384", "--ceilings", h200, "--variant", "halo/64x4/align128"});
    const double predicted = figure(text, "PREDICTED LAUNCH TIME +([0-9.]+) us");
    CHECK(predicted > 0.85 * 999.5);  // measured: results/h200/life.json
    CHECK(predicted < 1.15 * 999.5);
    CHECK_THAT(text, contains("dependency chain of a block * 993 waves of 8 blocks per SM"));
}

// The halo refresh is launched first; its machine code differs from the step's.
TEST_CASE("a torus has the step's time and its halo's", "[cli][portable][model][time]") {
    const std::string text = page({"--size", "16384x16384", "--boundary", "torus", "--ceilings",
                                   h200, "--variant", "halo/64x4/align128"});
    const double predicted = figure(text, "PREDICTED LAUNCH TIME +([0-9.]+) us");
    CHECK(predicted > 0.85 * 1006.3);  // measured: results/h200/life-torus.json
    CHECK(predicted < 1.15 * 1006.3);
}

// The kernel computes remainders by the board size only for cells beyond the edge: three quarters
// of the machine code, which a branch skips.
TEST_CASE("what hardly any cell of a torus needs is left out", "[cli][portable][model][time]") {
    const std::string text = page({"--measured", committed("h200/life-torus.json").string(),
                                   "--variant", "global/*", "--variant", "texture_*"});
    CHECK(figure(text, "90th percentile ([0-9]+) %") <= 15);
    CHECK(figure(text, "([0-9]+) % of the measured times are inside the predicted interval") ==
          100);
}

TEST_CASE("a models file has times by the schema", "[cli][portable][model][time]") {
    const TestFolder folder;
    const Outcome outcome = model({"--ceilings", h200, "--variant", "halo/64x4/*", "--variant",
                                   "n_generations/*", "--json", "models.json"},
                                  folder.path());
    CHECK(outcome.exit_code == 0);
    std::ifstream file(folder.path() / "models.json");
    const auto json = nlohmann::json::parse(file);
    CHECK(camber::schema_violations(json, source_folder / "results/schema/camber-model.schema.json")
              .empty());
    for (const auto& entry : json.at("models")) {
        const auto& time = entry.at("time");
        CHECK(time.at("low_seconds") < time.at("predicted_seconds"));
        CHECK(time.at("predicted_seconds") < time.at("high_seconds"));
        const auto& parts = time.at("parts");
        const auto largest = std::ranges::max_element(
            parts, {}, [](const auto& part) { return part.at("seconds").template get<double>(); });
        CHECK(largest->at("resource") == time.at("binding"));
    }
}

TEST_CASE("two variants are compared in one sentence", "[cli][portable][model][time]") {
    const Arguments names{"halo/64x4/align128", "shared_tile/64x4/align128"};
    const std::string text =
        page({"--size", "16384x16384", "--ceilings", h200, "--against", names[0], names[1]});
    CHECK_THAT(text, contains(" times as fast as life/shared_tile/64x4/align128: "));
    CHECK_THAT(text, contains(" life/shared_tile/64x4/align128 has "));
    CHECK_THAT(refusal({"--against", names[0], names[1]}), contains("give --ceilings"));
    CHECK_THAT(refusal({"--ceilings", h200, "--against", "halo/*", names[1]}),
               contains("--against compares two variants"));
}

TEST_CASE("a kernel from a file has a predicted time", "[cli][model][time][candidate]") {
    const std::string text =
        page({"--workload", "blur", "--size", "16384x16384", "--candidate",
              (source_folder / "examples/kernels/blur_rows.cu").string(), "--ceilings", h200});
    const double predicted = figure(text, "PREDICTED LAUNCH TIME +([0-9.]+) us");
    CHECK(predicted > 469);  // the lower bound
    CHECK(predicted < 700);
    // If no disassembler is available, the average instruction counts of kernels are used.
    const bool stands_in =
        text.find("instructions per access, the average of") != std::string::npos;
    CHECK(stands_in == (text.find("Uncertain") != std::string::npos));
}

TEST_CASE("what cannot be predicted is said with the reason", "[cli][portable][model][time]") {
    CHECK_THAT(refusal({"--sort", "time"}), contains("--sort time needs the ceilings of a device"));
    CHECK_THAT(refusal({"--measured", h200}), contains("has no GPU times"));
    // The file's only ceiling is the copy bandwidth.
    const std::string old =
        page({"--ceilings", committed("measurement/life-2048-counters.json").string(), "--variant",
              "halo/64x4/*"});
    CHECK_THAT(old, contains("No predicted times: the device's limits lack copy, read, "));
    const std::string other =
        page({"--ceilings", h200, "--arch", "sm_80", "--variant", "halo/64x4/*"});
    CHECK_THAT(other, contains("machine code for 9.0 is used instead of that for 8.0"));
}

// tests/results/committed_times_test.cpp checks the other files, whose pages take minutes.
TEST_CASE("predicted times agree with measured ones", "[cli][portable][model][time]") {
    const Reached reached{"h200/water_flow.json", 85};
    check_agreement(page({"--measured", committed(reached.file).string()}), reached);
}

struct Counted {
    const char* file;
    std::vector<std::string> variants;
    std::size_t count;  // minimum
    double least;       // minimum of predicted / counted
    double most;
};

void check_instructions(const Counted& of) {
    const TestFolder folder;
    const std::string file = committed(of.file).string();
    Arguments arguments{"--measured", file, "--json", "model.json"};
    for (const std::string& variant : of.variants)
        arguments.insert(arguments.end(), {"--variant", variant});
    REQUIRE(model(arguments, folder.path()).exit_code == 0);
    std::map<std::string, double> counted;
    const Json measured = results_in(file);
    for (const Json& benchmark : measured["benchmarks"])
        if (const Json& about = benchmark["camber"]; about.contains("counters"))
            if (const Json& counters = about["counters"];
                counters.contains("smsp__inst_executed.sum"))
                counted[about["variant"]] = counters["smsp__inst_executed.sum"];
    const Json models = Json::parse(std::ifstream(folder.path() / "model.json"))["models"];
    CHECK(models.size() >= of.count);
    for (const Json& entry : models) {
        CAPTURE(entry["variant"].get<std::string>());
        for (const Json& part : entry["time"]["parts"]) {
            if (part["resource"] != "issue") continue;
            const double predicted = part["seconds"].get<double>() * 132 * 4 * 1.98e9;
            const double ratio = predicted / counted.at(entry["variant"]);
            CHECK(ratio > of.least);
            CHECK(ratio < of.most);
        }
    }
}

TEST_CASE("as many instructions are executed as the hardware counted",
          "[cli][portable][model][time][slow]") {
    // Loops over a neighborhood whose radius is a launch argument.
    check_instructions({"h200/larger_than_life-counters.json",
                        {"global/*", "halo/*", "read_only/*", "texture_*", "box_tile/*"},
                        20,
                        0.85,
                        1.05});
    // Separate loops for the board's edge, and remainder loops of unrolled ones.
    check_instructions({"h100/gaussian-counters-r1.json",
                        {"global/*", "halo/*", "read_only/*", "wide_rows/*", "weighted_stream/*"},
                        8,
                        0.95,
                        1.13});
    // Few warps of a block load the halos of many fields, and all warps compute.
    check_instructions({"h200/water_flow-counters.json",
                        {"shared_tile/fused/*", "two_element/fused/*"},
                        10,
                        0.95,
                        1.06});
}

TEST_CASE("the stand-in's instructions are those of 2011 within what is assumed of them",
          "[cli][portable]") {
    // Balasalle 2011, Table 5.2: instructions for two generations, interpreted as counts of one of
    // the 30 SMs, with blocks of 8 warps on 1600x1600 cells.
    struct Printed {
        const char* variant;
        double instructions;
        double blocks;       // in all launches for two generations
        double blocks_here;  // in one launch on 1536x1600 cells
    };
    for (const Printed& of :
         {Printed{"two_element/16x16/align128", 259276, 2 * 5000, 4800},
          Printed{"two_generation_const/64x4/align128", 528483, 10000, 9600},
          Printed{"two_generation_linear/64x4/align128", 410595, 10000, 9600},
          Printed{"two_element_two_generation_linear/64x4/align128", 269925, 4800, 4800}}) {
        const TestFolder folder;
        const Outcome outcome =
            model({"--size", "1536x1600", "--variant", of.variant, "--json", "model.json",
                   "--ceilings", committed("published-cards/gtx-285.json").string()},
                  folder.path());
        CHECK(outcome.exit_code == 0);
        const Json time =
            Json::parse(std::ifstream(folder.path() / "model.json"))["models"][0]["time"];
        double issue = 0;
        for (const Json& part : time["parts"])
            if (part["resource"] == "issue") issue = part["seconds"];
        const double predicted = issue * 30 * 1.476e9 / 4 / (of.blocks_here * 8);
        const double printed = of.instructions / (of.blocks / 30 * 8);
        INFO(of.variant << ": " << printed << " printed, " << predicted << " predicted");
        CHECK(printed / predicted > 0.5 / 1.25);
        CHECK(printed / predicted < 2 * 1.25);
    }
}

TEST_CASE("a card without a bandwidth has times, and is told what stands in",
          "[cli][portable][model][time]") {
    const std::string text = page({"--size", "16384x16384", "--variant", "halo/64x4/align128",
                                   "--variant", "halo/64x4/unaligned", "--ceilings",
                                   committed("published-cards/rtx-4090.json").string()});
    CHECK_THAT(text, contains("(at 2048 MiB, as that of copies): bandwidth of writes."));
    CHECK_THAT(text, contains("the bandwidth of writes is taken as that of copies"));
    CHECK_THAT(text, !contains("No predicted times"));
    CHECK_THAT(text, contains("? "));
}

TEST_CASE("a card of 2010 whose file lacks what a time needs has none, and is told why", "[cli]") {
    Json card = Json::parse(std::ifstream(committed("published-cards/gtx-480.json")));
    card["ceilings"].erase("l2_bytes_per_second");
    const TestFolder folder;
    std::ofstream(folder.path() / "card.json") << card;
    const Outcome outcome =
        model({"--size", "64x64", "--variant", "halo/64x4/align128", "--ceilings", "card.json"},
              folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("No predicted times: the device's limits lack "
                                     "l2_bytes_per_second, which times on CC 2.0 need"));
}

}  // namespace predicted_time_test
