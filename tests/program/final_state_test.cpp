// Final boards of runs: known histories, pattern files as input and output, and equal boards for
// all backends.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "workloads/life/patterns.hpp"

namespace final_state_test {

namespace {

using namespace camber::cli_test;
using Cells = std::vector<std::pair<std::int64_t, std::int64_t>>;  // column, row

std::string pattern(const std::string& name) {
    return (source_folder / "workloads/life/patterns" / (name + ".rle")).string();
}

Json final_state(const TestFolder& folder, Arguments arguments) {
    arguments.insert(arguments.begin(), {"run", "--quick"});
    const Outcome outcome = run_program(arguments, folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    for (const Json& entry : results["benchmarks"]) {
        REQUIRE(entry["camber"]["status"] == "ok");
        CHECK(entry["camber"]["final"] == results["benchmarks"][0]["camber"]["final"]);
    }
    const Json final = results["benchmarks"][0]["camber"]["final"];
    CHECK_THAT(outcome.out, contains("population " + final["population"].dump() + ", checksum " +
                                     final["checksum"].get<std::string>()));
    return final;
}

Json final_state(const Arguments& arguments) {
    const TestFolder folder;
    return final_state(folder, arguments);
}

Json state(int population, const std::string& checksum) {
    return {{"population", population}, {"checksum", "0x" + checksum}};
}

// Live cells of a pattern file, in reading order.
Cells live_cells(const fs::path& file, std::int64_t columns_right = 0, std::int64_t rows_down = 0) {
    Cells cells;
    for (const auto& cell : camber::read_rle_file(file).live)
        cells.emplace_back(cell.column + columns_right, cell.row + rows_down);
    return cells;
}

}  // namespace

// The expected numbers were computed by an independent program from the same definition of the
// random board.
TEST_CASE("random boards end in the known states", "[cli][portable][run]") {
    const Arguments board{"--backend", "cpu", "--size", "64x64", "--seed", "1", "--density", "0.5"};
    const auto after = [&](const std::string& generations) {
        Arguments arguments = board;
        arguments.insert(arguments.end(), {"--generations", generations});
        return final_state(arguments);
    };
    CHECK(after("1") == state(1221, "68d80441778b8834"));
    CHECK(after("2") == state(1173, "757073e7a284e39c"));
    CHECK(after("10") == state(769, "b083bd02f4b9a1a0"));
    CHECK(after("100") == state(352, "570b1b8c73705f8b"));
    CHECK(final_state({"--backend", "cpu", "--size", "463x358", "--generations", "10"}) ==
          state(33388, "ae302399b726e3fb"));
}

TEST_CASE("a seed means the same board on every backend and cell type", "[cli][portable][run]") {
    const Json known = state(769, "b083bd02f4b9a1a0");
    for (const std::string cell : {"uint32", "uint8", "bits"}) {
        const Arguments board{"--size", "64x64", "--generations", "10", "--cell", cell};
        Arguments cpu = board;
        cpu.insert(cpu.end(), {"--backend", "cpu"});
        CHECK(final_state(cpu) == known);
        Arguments simt = board;
        const std::string other = cell == "bits" ? "row_stream/*" : "two_generation_linear/*";
        simt.insert(simt.end(), {"--backend", "simt", "--variant", "*/16x16", "--variant", other});
        CHECK(final_state(simt) == known);
    }
    CHECK(final_state({"--size", "64x64", "--generations", "10", "--backend", "cpu", "--seed",
                       "2"}) != known);
    CHECK(final_state({"--size", "9x9", "--backend", "cpu", "--density", "0"})["population"] == 0);
}

TEST_CASE("a glider moves by one cell in four generations", "[cli][portable][run]") {
    const TestFolder folder;
    const fs::path saved = folder / "moved.rle";
    const Json final =
        final_state(folder, {"--backend", "simt", "--variant", "halo/16x16/align128", "--size",
                             "20x18", "--pattern", pattern("glider"), "--at", "5,7",
                             "--generations", "4", "--save", saved.string()});
    CHECK(final["population"] == 5);
    const camber::Pattern board = camber::read_rle_file(saved);
    CHECK(board.columns == 20);
    CHECK(board.rows == 18);
    CHECK(live_cells(saved) == live_cells(pattern("glider"), 6, 8));
    CHECK(folder.entries() == 2);

    // The saved board is a pattern from which another run starts.
    CHECK(final_state(folder, {"--size", "20x18", "--pattern", saved.string(), "--generations", "8",
                               "--backend", "cpu", "--save", "further.rle"})["population"] == 5);
    CHECK(live_cells(folder / "further.rle") == live_cells(pattern("glider"), 8, 10));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(results["benchmarks"][0]["camber"]["seed"].is_null());
}

TEST_CASE("a glider of bits crosses the edge of a torus, several generations per launch",
          "[cli][portable][run]") {
    const TestFolder folder;
    const fs::path saved = folder / "moved.rle";
    // In 72 generations, the glider moves 18 cells to the right and down, on a board of 150x40 from
    // 145,30.
    const Json final = final_state(
        folder, {"--backend", "simt", "--cell", "bits", "--variant", "bit_stream/32x1/s4/n8/r64/*",
                 "--boundary", "torus", "--size", "150x40", "--pattern", pattern("glider"), "--at",
                 "145,30", "--generations", "72", "--save", saved.string()});
    CHECK(final["population"] == 5);
    const camber::Pattern board = camber::read_rle_file(saved);
    CHECK(board.columns == 150);
    CHECK(board.rows == 40);
    CHECK(live_cells(saved) == live_cells(pattern("glider"), 145 + 18 - 150, 30 + 18 - 40));
}

TEST_CASE("a pattern is centred unless it is given a place", "[cli][portable][run]") {
    const TestFolder folder;
    final_state(folder, {"--variant", "global/16x16", "--size", "13x9", "--pattern",
                         pattern("blinker"), "--generations", "2", "--save", "final.rle"});
    const camber::Pattern blinker = camber::read_rle_file(pattern("blinker"));
    CHECK(live_cells(folder / "final.rle") ==
          live_cells(pattern("blinker"), (13 - blinker.columns) / 2, (9 - blinker.rows) / 2));
}

TEST_CASE("a glider goes round a torus and not over an edge", "[cli][portable][run]") {
    const TestFolder folder;
    const auto after_a_round = [&](const std::string& boundary) {
        final_state(folder, {"--backend", "simt", "--variant", "global/16x16", "--variant",
                             "thread_per_input/16x16/n4/*", "--size", "8x8", "--pattern",
                             pattern("glider"), "--at", "1,2", "--generations", "32", "--boundary",
                             boundary, "--save", "round.rle"});
        return live_cells(folder / "round.rle");
    };
    CHECK(after_a_round("torus") == live_cells(pattern("glider"), 1, 2));
    // At the edge, the glider becomes a block.
    CHECK(after_a_round("dead") == Cells{{5, 6}, {6, 6}, {5, 7}, {6, 7}});
}

TEST_CASE("the R-pentomino settles with 116 cells", "[cli][portable][run]") {
    // The pattern's gliders move one cell in four generations, so none reaches the edge, which is
    // 320 cells away.
    CHECK(final_state({"--backend", "cpu", "--variant", "reference/threads", "--size", "640x640",
                       "--pattern", pattern("r_pentomino"), "--generations",
                       "1103"})["population"] == 116);
}

TEST_CASE("a board without live cells is saved and read back", "[cli][portable][run]") {
    const TestFolder folder;
    final_state(folder, {"--backend", "cpu", "--size", "6x4", "--density", "0", "--save", "e.rle"});
    CHECK(live_cells(folder / "e.rle").empty());
    CHECK(final_state(folder, {"--size", "6x4", "--pattern", "e.rle", "--backend",
                               "cpu"})["population"] == 0);
}

}  // namespace final_state_test
