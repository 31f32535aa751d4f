// --leave-out-hopeless skips dominated variants, and a later run without it measures them.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "analysis/time/ranking.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace hopeless_program_test {

namespace {

using namespace camber::cli_test;

const std::string limits = (source_folder / "results/h200/ceilings.json").string();

// On this board, loads of single bytes take twice as long as those in words of 16 bytes, and two
// textures five times as long.
const Arguments board{"run",
                      "--backend",
                      "simt",
                      "--cell",
                      "uint8",
                      "--size",
                      "4096x512",
                      "--generations",
                      "1",
                      "--variant",
                      "packed/64x4/v16/align128",
                      "--variant",
                      "global/16x16",
                      "--variant",
                      "texture_2d/*",
                      "--out",
                      "out.json"};
const Arguments leaving_out = with(board, {"--leave-out-hopeless", "--ceilings", limits});

std::map<std::string, std::string> states(const fs::path& file) {
    std::map<std::string, std::string> states;
    const Json results = results_in(file);
    for (const Json& one : results.at("benchmarks")) {
        const Json& camber = one.at("camber");
        const bool left_out = camber.value("left_out", false);
        CHECK(left_out == (camber.at("status") == "skipped"));
        states[camber.at("variant")] = left_out ? "left out" : std::string(camber.at("status"));
    }
    return states;
}

std::string refusal(const Arguments& arguments) {
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK(lines_of(outcome.err).size() == 1);
    return outcome.err;
}

}  // namespace

TEST_CASE("hopeless variants are skipped with both predicted times", "[cli][portable][run][time]") {
    const TestFolder folder;
    const Outcome outcome = run_program(leaving_out, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("2 of 4 variants are left out by their predicted times; the "
                                     "best is life/packed/64x4/v16/align128, predicted "));
    CHECK_THAT(outcome.out, contains("left out life/texture_2d/64x4/align128: predicted "));
    const fs::path file = folder / "out.json";
    CHECK(defects(results_in(file)) == std::vector<std::string>{});
    CHECK(states(file) ==
          std::map<std::string, std::string>{{"life/packed/64x4/v16/align128", "ok"},
                                             {"life/global/16x16", "ok"},
                                             {"life/texture_2d/16x16/align128", "left out"},
                                             {"life/texture_2d/64x4/align128", "left out"}});

    // With the option, nothing is left to measure; without it, all variants are.
    CHECK_THAT(run_program(with(leaving_out, {"--resume"}), folder.path()).out,
               contains("are already measured"));
    const Outcome rest = run_program(with(board, {"--resume"}), folder.path());
    CHECK(rest.exit_code == 0);
    for (const auto& [variant, state] : states(file)) CHECK(state == "ok");
    CHECK(results_in(file).at("benchmarks").size() == 4);
    CHECK_FALSE(results_in(file).at("context").at("camber").contains("incomplete"));
}

TEST_CASE("a dry run says how many variants are left out, and measures nothing",
          "[cli][portable][run][time]") {
    const TestFolder folder;
    const Outcome outcome = run_program(with(leaving_out, {"--dry-run"}), folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.out).size() == 1);
    CHECK_FALSE(fs::exists(folder / "out.json"));
    CHECK_THAT(
        run_program(with(leaving_out, {"--dry-run", "--keep", "texture_2d/64x4/*"}), folder.path())
            .out,
        contains("1 of 4 variants is left out"));
}

TEST_CASE("what a prediction says nothing about is refused", "[cli][run][time]") {
    CHECK_THAT(refusal(with(board, {"--leave-out-hopeless"})),
               contains("give --ceilings with a card (h100, h200) or a file"));
    CHECK_THAT(refusal(with(board, {"--ceilings", limits})),
               contains("combine a file with --leave-out-hopeless"));
    CHECK_THAT(refusal(with(board, {"--dry-run"})),
               contains("--dry-run applies to --leave-out-hopeless only"));
    CHECK_THAT(refusal(with(leaving_out, {"--graph"})), contains("which --graph changes"));
    CHECK_THAT(refusal(with(leaving_out, {"--processes", "2"})), contains("--processes"));
    CHECK_THAT(refusal({"run", "--backend", "cpu", "--leave-out-hopeless", "--size", "32x32"}),
               contains("the cpu backend has none"));
    CHECK_THAT(refusal({"run", "--backend", "simt", "--workload", "sph", "--leave-out-hopeless",
                        "--ceilings", limits}),
               contains("but sph does more in a generation"));
    CHECK_THAT(
        refusal(with(board,
                     {"--leave-out-hopeless", "--ceilings",
                      (source_folder / "results/measurement/life-2048-counters.json").string()})),
        contains("the device's limits lack copy, read, "));
    // A device for which the program has no machine code.
    const TestFolder folder;
    Json other = Json::parse(text_of(limits));
    other["context"]["camber"]["gpu"]["compute_capability"] = "8.0";
    write_text(folder / "other.json", other.dump());
    CHECK_THAT(refusal(with(board, {"--leave-out-hopeless", "--ceilings",
                                    (folder / "other.json").string()})),
               contains("compute capability 8.0, for which this program has no machine code"));
}

TEST_CASE("the help says by what factor a variant is hopeless", "[cli]") {
    const TestFolder folder;
    const std::string help = run_program({"run", "--help"}, folder.path()).out;
    const std::string words = std::regex_replace(help, std::regex("\\s+"), " ");
    CHECK_THAT(words,
               contains(fmt::format("predicted time is more than {:g} times that of the best",
                                    camber::dominated_factor)));
}

}  // namespace hopeless_program_test
