// Input and output files of commands: none is lost or incomplete.
#include <chrono>
#include <csignal>
#include <thread>

#include "harness/machine/counters/cupti_host.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace files_test {

namespace {

using namespace camber::cli_test;
using namespace std::chrono_literals;

const Arguments short_run{"run", "--quick", "--size", "9x9", "--variant", "global/16x16"};

// Runs a shell command line in which `camber` stands for the program.
Outcome run_in_shell(const std::string& command, const fs::path& folder) {
    return run_program(
        {"-c", "camber() { " + std::string(built::program) + " \"$@\"; }; " + command}, folder,
        "/bin/sh");
}

}  // namespace

TEST_CASE("output that cannot be written is said, and ends with 5", "[cli][portable][files]") {
    const TestFolder folder;
    REQUIRE(run_program(with(short_run, {"--out", "r.json"}), folder.path()).exit_code == 0);
    for (const std::string command :
         {"--help", "--version", "run --help", "list", "list --matrix", "counters",
          "run --quick --size 9x9 --variant global/16x16", "check global/16x16 --size 9x9",
          "report r.json --format csv", "reproduce", "reproduce --format json",
          "reproduce topa-1 --format json", "model --size 64x64 --variant global/16x16",
          "model --size 64x64", "scale --from " CAMBER_SOURCE_DIR "/results/none.json"}) {
        INFO(command);
        if (command == "counters" && !camber::counters::why_no_cupti().empty()) continue;
        const bool fails = command.starts_with("scale");
        const Outcome outcome = run_in_shell("camber " + command + " > /dev/full", folder.path());
        CHECK(outcome.exit_code == (fails ? 2 : 5));
        if (!fails)
            CHECK_THAT(outcome.err, contains("camber: cannot write to standard output: ") &&
                                        contains("No space left on device"));
        CHECK(lines_of(outcome.err).size() == 1);
    }
}

TEST_CASE("an output that is an input, or another output, is refused", "[cli][portable][files]") {
    const TestFolder folder;
    REQUIRE(run_program(with(short_run, {"--out", "r.json"}), folder.path()).exit_code == 0);
    fs::copy_file(source_folder / "workloads/life/patterns/glider.rle", folder / "glider.rle");
    camber::lava::write_numbered_event(folder);
    fs::create_symlink("r.json", folder / "soft.json");
    fs::create_hard_link(folder / "r.json", folder / "hard.json");
    fs::create_symlink("absent.json", folder / "dangling.json");
    const std::string before = text_of(folder / "r.json");
    const auto entries = folder.entries();
    const std::vector<Arguments> commands{
        {"report", "r.json", "-o", "r.json"},
        {"report", "r.json", "-o", "soft.json"},
        {"report", "r.json", "-o", "hard.json"},
        {"report", "soft.json", "-o", "./r.json"},
        {"compare", "r.json", "hard.json", "--out", "soft.json"},
        {"compare", "--self", "r.json", "--out", "r.json"},
        {"model", "--ceilings", "r.json", "--json", "hard.json"},
        {"model", "--baseline", "b.json", "--json", "b.json"},
        {"profile", "global/16x16", "--from", "r.json", "--json", "soft.json"},
        {"picture", ".", "-o", "test_000000000000_Morphology.png", "--show", "none"},
        {"run", "--pattern", "glider.rle", "--out", "glider.rle"},
        {"run", "--pattern", "glider.rle", "--save", "glider.rle"},
        {"run", "--save", "absent.json", "--out", "dangling.json"},
        {"run", "--workload", "sciara_fv2", "--input", ".", "--out", "test_000000000000.cfg"},
        {"run", "--workload", "sciara_fv2", "--input", ".", "--save", "."},
        {"scale", "--over", "threads", "--pattern", "glider.rle", "--out", "glider.rle"},
    };
    for (const Arguments& command : commands) {
        INFO(command[0] << " ... " << command.back());
        const Outcome outcome = run_program(command, folder.path());
        CHECK(outcome.exit_code == 2);
        if (command[0] != "picture")
            CHECK_THAT(outcome.err,
                       contains("would overwrite what is read") || contains("are the same file"));
        CHECK(lines_of(outcome.err).size() == 1);
    }
    CHECK(text_of(folder / "r.json") == before);
    CHECK(folder.entries() == entries);
}

TEST_CASE("results that would go to the usual file leave those that are there",
          "[cli][portable][files]") {
    const TestFolder folder;
    for (int run = 0; run < 3; ++run) {
        const Outcome outcome = run_program(short_run, folder.path());
        REQUIRE(outcome.exit_code == 0);
        const std::string kept = "the previous camber-results.json was renamed to camber-results-" +
                                 std::to_string(run) + ".json\n";
        CHECK((outcome.out.find(kept) != std::string::npos) == (run > 0));
    }
    CHECK(folder.entries() == 3);
    CHECK(defects(results_in(folder / "camber-results-2.json")) == std::vector<std::string>{});
    // A file that is named explicitly may be replaced.
    for (int run = 0; run < 2; ++run)
        REQUIRE(run_program(with(short_run, {"--out", "mine.json"}), folder.path()).exit_code == 0);
    CHECK(folder.entries() == 4);
    const Outcome scaled =
        run_program({"scale", "--over", "threads", "--units", "1,2", "--size", "99x99", "--quick"},
                    folder.path());
    if (scaled.exit_code == 0) CHECK(fs::exists(folder / "camber-scaling.json"));
    CHECK_FALSE(fs::exists(folder / "camber-results-3.json"));
}

TEST_CASE("of two runs that write one file the second says so and stops",
          "[cli][portable][files]") {
    const TestFolder folder;
    Program first({"run", "--backend", "simt", "--size", "120x90", "--out", "r.json"},
                  folder.path());
    while (!fs::exists(folder / "r.json") && first.running()) std::this_thread::sleep_for(1ms);
    fs::create_symlink("r.json", folder / "link.json");
    for (const char* name : {"r.json", "link.json"}) {
        const Outcome second = run_program(with(short_run, {"--out", name}), folder.path());
        CHECK(second.exit_code == 5);
        CHECK_THAT(second.err, contains(name) && contains("another camber, process ") &&
                                   contains("is writing it"));
    }
    REQUIRE(first.running());
    // The lock that a killed process leaves does not block others.
    first.send(SIGKILL);
    first.wait();
    CHECK(run_program(with(short_run, {"--out", "r.json"}), folder.path()).exit_code == 0);
    CHECK(folder.entries() == 2);
}

TEST_CASE("a full disk leaves nothing half, and what was there", "[cli][portable][files]") {
    const TestFolder folder;
    // A file size limit of 64 KiB: enough for results, but not for the saved state.
    const std::string full = "trap '' XFSZ; ulimit -f 128; ";
    const std::string run = "camber run --backend cpu --variant reference/serial --quick ";
    const auto fails = [&](const std::string& arguments) {
        const Outcome outcome = run_in_shell(full + run + arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 5);
        CHECK_THAT(outcome.err, contains("File too large"));
    };
    write_text(folder / "board.rle", "old board");
    write_text(folder / "image.png", "old image");
    fails("--size 900x900 --save board.rle --out r.json");
    fails("--workload blur --size 500x500 --save image.png --out r.json");
    fails("--workload water_flow --size 300x300 --save grid.asc --out r.json");
    fails("--workload sciara_fv2 --size 300x200 --generations 8 --save lava --out r.json");
    CHECK(text_of(folder / "board.rle") == "old board");
    CHECK(text_of(folder / "image.png") == "old image");
    CHECK(folder.entries() == 3);  // including the results
}

TEST_CASE("an eruption is saved twice into one folder", "[cli][portable][files]") {
    const TestFolder folder;
    const auto save = [&](const std::string& generations) {
        return run_program({"run", "--workload", "sciara_fv2", "--backend", "cpu", "--variant",
                            "reference/serial", "--size", "20x16", "--generations", generations,
                            "--save", "after/", "--out", "r.json"},
                           folder.path());
    };
    REQUIRE(save("8").exit_code == 0);
    write_text(folder / "after/notes.txt", "mine");
    const Outcome again = save("16");
    INFO(again.err);
    REQUIRE(again.exit_code == 0);
    CHECK(text_of(folder / "after/notes.txt") == "mine");
    CHECK_FALSE(fs::exists(folder / "after/volcano_000000000008.cfg"));
    CHECK(fs::exists(folder / "after/volcano_000000000016.cfg"));
    CHECK_THAT(text_of(folder / "after/camber.txt"),
               contains("16 generations") && contains("\nvolcano_000000000016.cfg\n"));
    CHECK(run_program({"picture", "after", "-o", "after/map.png"}, folder.path()).exit_code == 0);
    CHECK(folder.entries() == 2);

    // Files that camber did not write are not replaced.
    fs::copy_file(folder / "after/volcano_000000000016.cfg", folder / "after/own_000000000000.cfg");
    const Outcome refused = save("24");
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, contains("own_000000000000.cfg") && contains("another --save folder"));
    CHECK(fs::exists(folder / "after/volcano_000000000016.cfg"));
}

TEST_CASE("a picture that cannot be written names no option of another command",
          "[cli][portable][files]") {
    const TestFolder folder;
    camber::lava::write_numbered_event(folder);
    const Outcome outcome = run_program({"picture", ".", "-o", "absent/map.png"}, folder.path());
    CHECK(outcome.exit_code == 5);
    CHECK_THAT(outcome.err, contains("\"absent/map.png\"") && contains("create the folder") &&
                                !contains("--save"));
}

TEST_CASE("a saved grid lies where the terrain lies", "[cli][portable][files]") {
    const TestFolder folder;
    const std::string cells = " 30 31 32 33\n30 29 28 31\n31 -32768 27 30\n32 31 30 29\n";
    write_text(folder / "degrees.asc",
               "ncols 4\nnrows 4\nxllcenter 14.99986111111\n"
               "yllcenter -37.75013888889\ncellsize 0.00027777777778\n"
               "NODATA_value -32768\n" +
                   cells);
    write_text(folder / "metres.asc",
               "ncols 4\nnrows 4\nxllcorner 500000.5\nyllcorner 4177000.25\ncellsize 10\n"
               "30 31 32 33\n30 29 28 31\n31 30 27 30\n32 31 30 29\n");
    for (const std::string workload : {"water_flow", "surface_water"})
        for (const std::string map : {"degrees.asc", "metres.asc"}) {
            INFO(workload << " " << map);
            const Outcome outcome = run_program(
                {"run", "--workload", workload, "--backend", "cpu", "--variant", "reference/serial",
                 "--quick", "--input", map, "--save", "saved.asc", "--out", "r.json"},
                folder.path());
            INFO(outcome.err);
            REQUIRE(outcome.exit_code == 0);
            camber::AsciiGridHeader expected = camber::read_ascii_grid_header(folder / map);
            if (!expected.no_data) expected.no_data = -9999;
            const camber::AsciiGrid saved = camber::read_ascii_grid_file(folder / "saved.asc");
            CHECK(saved.header == expected);
            if (map == "degrees.asc") CHECK_FALSE(saved.has_data(9));
        }
}

TEST_CASE("a saved eruption lies where the eruption lies", "[cli][portable][files]") {
    for (const std::string workload : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        INFO(workload);
        const TestFolder folder;
        const fs::path input = folder / "input";
        fs::copy(source_folder / "examples/eruption", input);
        const fs::path ground = input / "eruption_000000000000_Morphology.asc";
        std::string text = text_of(ground);
        const auto replace = [&](const std::string& from, const std::string& to) {
            REQUIRE(text.find(from) != std::string::npos);
            text.replace(text.find(from), from.size(), to);
        };
        replace("xllcorner 500000", "xllcorner 500000.12345678");
        replace("NODATA_value -9999", "NODATA_value -32768");
        replace("1704.5", "-32768");
        write_text(ground, text);
        const Outcome outcome = run_program(
            {"run", "--workload", workload, "--backend", "cpu", "--variant", "reference/serial",
             "--input", "input", "--generations", "2", "--save", "saved"},
            folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const camber::AsciiGrid saved =
            camber::read_ascii_grid_file(folder / "saved/eruption_000000000002_Morphology.asc");
        CHECK(saved.header == camber::read_ascii_grid_header(ground));
        CHECK_FALSE(saved.has_data(0));
    }
}

}  // namespace files_test
