// `camber run` from end to end: verification, output and results file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace run_test {

namespace {

using namespace camber::cli_test;

// Runs in a new folder, and checks the properties of every successful run.
struct Run {
    explicit Run(Arguments arguments) {
        arguments.insert(arguments.begin(), {"run", "--quick"});
        outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        results = results_in(folder / "camber-results.json");
        CHECK(defects(results) == std::vector<std::string>{});
    }

    const Json& cases() const { return results["benchmarks"]; }

    std::vector<std::string> variants(const std::string& status = "ok") const {
        std::vector<std::string> names;
        for (const Json& entry : cases())
            if (entry["camber"]["status"] == status) names.push_back(entry["camber"]["variant"]);
        return names;
    }

    TestFolder folder;
    Outcome outcome;
    Json results;
};

// Lists are sorted by technique, runs by order of registration.
std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    return names;
}

// Variants whose launches compute no more than the 8 generations of a quick run.
std::vector<std::string> of_eight_generations(std::vector<std::string> names) {
    std::erase_if(names, [](const std::string& name) { return name.find("/bits_inside/") != name.npos; });
    return names;
}

// First words of the table's lines that name a variant.
std::vector<std::string> variants_in_table(const std::string& text) {
    std::vector<std::string> names;
    for (const std::string& line : lines_of(text))
        if (line.starts_with("life/")) names.push_back(line.substr(0, line.find(' ')));
    return names;
}

void check_verified(const Json& entry, std::int64_t cells) {
    INFO(entry["name"]);
    CHECK(entry["camber"]["status"] == "ok");
    const Json& verification = entry["camber"]["verification"];
    CHECK(verification["status"] == "passed");
    CHECK(verification["compared_cells"] == cells);
    CHECK(verification["differing_cells"] == 0);
    CHECK(verification["first_difference"].is_null());
}

}  // namespace

TEST_CASE("a quick run verifies every variant on the executor", "[cli][portable][run]") {
    const Run run({"--backend", "simt", "--all-rows"});
    const auto listed = listed_variants("simt");
    CHECK(variants_in_table(run.outcome.out) == run.variants());
    CHECK(sorted(run.variants()) == sorted(of_eight_generations(listed)));
    CHECK(run.cases().size() == listed.size());
    std::set<std::string> final_states;
    for (const Json& entry : run.cases()) {
        if (entry["camber"]["status"] == "skipped") continue;
        check_verified(entry, 70 * 50);
        const Json& camber = entry["camber"];
        CHECK(camber["backend"] == "simt");
        CHECK(camber["size"] == Json{{"columns", 70}, {"rows", 50}});
        CHECK_FALSE(camber.contains("derived"));  // the executor's times are meaningless
        final_states.insert(camber["final"].dump());
    }
    CHECK(final_states.size() == 1);
    CHECK(run.folder.entries() == 1);

    const auto lines = lines_of(run.outcome.out);
    CHECK(lines.front() ==
          "life 70x50 (uint32 cells, random, seed 1, density 0.5), 8 generations, simt on this "
          "CPU");
    CHECK_THAT(run.outcome.out, contains("it has no meaningful times"));
    CHECK(lines.back() == "results: camber-results.json");
    for (const char* unit : {" ms", " us", "Gcell/s", "speedup"})
        CHECK(run.outcome.out.find(unit) == std::string::npos);
    // The heading, the table with its header, a note, the final state, the file, and a line for
    // each variant that was skipped.
    CHECK(lines.size() == listed.size() + 5);
}

TEST_CASE("without a GPU a run of many variants is summarized", "[cli][run]") {
    const Run run({"--backend", "simt"});
    const auto listed = listed_variants("simt");
    const std::size_t verified = of_eight_generations(listed).size();
    const std::string& text = run.outcome.out;
    CHECK(run.variants().size() == verified);  // in the results
    CHECK_THAT(text,
               contains(fmt::format("\n{} of {} variants verified: every cell of the board matches "
                                    "the reference after 8 generations. {} skipped.\n",
                                    verified, listed.size(), listed.size() - verified)));
    const auto shown = variants_in_table(text);
    REQUIRE(shown.size() == 10);
    // Sorted by the model's counts, in ascending order.
    double before = 0;
    for (const std::string& line : lines_of(text)) {
        if (!line.starts_with("life/")) continue;
        std::istringstream words(line);
        std::string name;
        double generations = 0, bytes = 0, ratio = 0;
        words >> name >> generations >> bytes >> ratio;
        CHECK(bytes >= before);
        CHECK(bytes == Approx(8 * ratio).margin(0.05));
        before = bytes;
    }
    const std::string best = shown.front().substr(shown.front().find('/') + 1);
    for (const std::string& command :
         {"\n  camber model --variant " + best + "\n", std::string("\n  camber check '"),
          std::string("\n  camber run --all-rows\n")})
        CHECK_THAT(text, contains(command));
    CHECK_THAT(text, contains("results: camber-results.json"));
    for (const std::string& line : lines_of(text)) CHECK(line.size() <= 110);
}

TEST_CASE("a few verified variants and skipped ones have a row each", "[cli][portable][run]") {
    const Run few({"--backend", "simt", "--variant", "halo/*"});
    CHECK(variants_in_table(few.outcome.out) == few.variants());
    CHECK_THAT(few.outcome.out, !contains("Next:"));
    // Variants that compute two generations per launch cannot compute three.
    const Run skipping({"--backend", "simt", "--generations", "3"});
    const auto skipped = skipping.variants("skipped");
    REQUIRE(!skipped.empty());
    CHECK_THAT(skipping.outcome.out, contains(fmt::format(" {} skipped.\n", skipped.size())));
    for (const std::string& variant : skipped)
        CHECK_THAT(skipping.outcome.out, contains("skipped " + variant + ": "));
}

TEST_CASE("a run tells what its time went to", "[cli][run][slow]") {
    for (const std::string backend : {"simt", "cpu"}) {
        const auto start = std::chrono::steady_clock::now();
        const Run run({"--backend", backend, "--size", "300x200"});
        const double took =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const Json& wall = run.results["context"]["camber"]["wall_seconds"];
        const double total = wall["total"];
        double parts = 0;
        for (const auto& [part, seconds] : wall.items())
            if (part != "total") parts += seconds.get<double>();
        INFO(backend << " " << wall.dump());
        CHECK(parts == Approx(total).epsilon(0.03));
        CHECK(total < took + 0.02);  // the system reports a process's age in units of 10 ms
        CHECK(total > 0.3 * took);   // the test itself also takes time to read and check
        CHECK(wall["verification"] > 0);
        CHECK(wall["other"] < 0.2 * total);  // little time is unaccounted for
        CHECK(wall["limits"] < 0.05);
        CHECK(wall["static_facts"] < 0.05);
        const auto lines = lines_of(run.outcome.out);
        const bool told = lines.at(lines.size() - 2).starts_with("time: ");
        CHECK(told == (backend == "cpu"));
    }
}

TEST_CASE("on a terminal a case has a row as soon as it is measured", "[cli][run]") {
    const TestFolder folder;
    const Outcome outcome = run_on_terminal(
        {"run", "--quick", "--backend", "cpu", "--size", "30x20", "--rounds", "2"}, folder.path());
    CHECK(outcome.exit_code == 0);
    for (const std::string variant : {"  life/reference/serial ", "  life/reference/threads "}) {
        const auto row = outcome.err.find(variant);
        REQUIRE(row != std::string::npos);
        CHECK(outcome.err.find(variant, row + 1) == std::string::npos);
        const auto end = outcome.err.find('\n', row);
        CHECK_THAT(outcome.err.substr(row, end - row), contains(" us ") && contains(" GB/s"));
    }
}

TEST_CASE("the limits of a device are kept or fresh", "[cli][run]") {
    const Run run({"--ceilings", "fresh", "--size", "5x4", "--variant", "global/16x16"});
    CHECK(run.results["context"]["camber"]["ceilings"].empty());
    const TestFolder folder;
    const Outcome refused = run_program({"run", "--ceilings", "old"}, folder.path());
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, contains("--ceilings"));
}

TEST_CASE("without a GPU the backend is the executor", "[cli][run]") {
    const Run run({"--variant", "global/16x16", "--size", "5x4"});
    CHECK(run.cases()[0]["camber"]["backend"] == "simt");
}

TEST_CASE("the usual size of a workload holds where times are measured", "[cli][portable][run]") {
    const auto size = [](const Arguments& arguments) {
        return Run(arguments).cases()[0]["camber"]["size"];
    };
    const Json usual{{"columns", 463}, {"rows", 358}};
    CHECK(size({"--workload", "surface_water", "--backend", "cpu"}) == usual);
    // The executor uses small boards.
    CHECK(size({"--workload", "surface_water", "--backend", "simt", "--variant",
                "halo/fused/64x4/align128"}) == Json{{"columns", 70}, {"rows", 50}});
}

TEST_CASE("every variant is right on boards of any shape", "[cli][portable][run][slow]") {
    for (const std::string cell : {"uint32", "uint8"}) {
        const auto listed = listed_variants("simt", "life", cell);
        for (const std::string boundary : {"dead", "torus"})
            for (const auto& [columns, rows] : {std::pair(1, 1), {1, 7}, {7, 1}, {17, 33}}) {
                const std::string size = std::to_string(columns) + "x" + std::to_string(rows);
                INFO(size << " " << cell << " " << boundary);
                // The longest launch computes 64 generations.
                const Run run({"--backend", "simt", "--size", size, "--cell", cell, "--boundary",
                               boundary, "--generations", "64"});
                CHECK(sorted(run.variants()) == sorted(listed));
                for (const Json& entry : run.cases()) {
                    check_verified(entry, columns * rows);
                    CHECK(entry["camber"]["cell"] == cell);
                    CHECK(entry["camber"]["boundary"] == boundary);
                }
            }
    }
}

TEST_CASE("globs choose variants, with or without the workload in front", "[cli][portable][run]") {
    const auto chosen = [](std::vector<std::string> globs) {
        Arguments arguments{"--size", "9x5"};
        for (const std::string& glob : globs)
            arguments.insert(arguments.end(), {"--variant", glob});
        return Run(arguments).variants();
    };
    const auto matching = [](const std::string& part) {
        auto names = listed_variants("simt");
        std::erase_if(
            names, [&](const std::string& name) { return name.find(part) == std::string::npos; });
        return names;
    };
    using Names = std::vector<std::string>;
    CHECK(chosen({"global/16x16"}) == Names{"life/global/16x16"});
    CHECK(chosen({"life/global/16x16"}) == Names{"life/global/16x16"});
    CHECK(chosen({"halo/*"}) == matching("life/halo/"));
    CHECK(chosen({"life/halo/*"}) == matching("life/halo/"));
    CHECK(sorted(chosen({"*64x4*"})) == sorted(matching("64x4")));
    CHECK(chosen({"halo/16x16/align128", "global/16x16"}) ==
          Names{"life/halo/16x16/align128", "life/global/16x16"});
    // A variant that is chosen twice runs once.
    CHECK(chosen({"halo/*", "life/halo/16x16/align128"}) == matching("life/halo/"));
}

TEST_CASE("a variant that cannot run is skipped with a reason", "[cli][run]") {
    const Run run({"--backend", "simt", "--generations", "6", "--size", "20x9"});
    auto many_at_once = listed_variants("simt");
    std::erase_if(many_at_once, [](const std::string& name) {
        return name.find("/n4/") == name.npos && name.find("/n8/") == name.npos &&
               name.find("/bits_inside/") == name.npos;
    });
    CHECK(many_at_once.size() >= 4);
    CHECK(sorted(run.variants("skipped")) == sorted(many_at_once));
    CHECK(run.variants("failed").empty());
    CHECK(run.variants().size() + many_at_once.size() == listed_variants("simt").size());
    for (const Json& entry : run.cases()) {
        if (entry["camber"]["status"] == "ok") continue;
        const auto variant = entry["camber"]["variant"].get<std::string>();
        const std::size_t digits = variant.find("/n", variant.find('x')) + 2;
        CHECK_THAT(entry["camber"]["reason"].get<std::string>(),
                   contains(std::to_string(std::atoi(variant.c_str() + digits)) + " generations"));
        CHECK_THAT(entry["camber"]["reason"].get<std::string>(), contains("6"));
        CHECK(entry["error_occurred"] == true);
        CHECK_FALSE(entry["camber"].contains("final"));
    }
    for (const std::string& name : many_at_once)
        CHECK_THAT(run.outcome.out, contains("skipped " + name + ": "));
}

TEST_CASE("the cpu backend gives times and what follows from them", "[cli][run]") {
    const Run run({"--backend", "cpu", "--size", "200x100"});
    REQUIRE(run.cases().size() == 2);
    for (const Json& entry : run.cases()) {
        check_verified(entry, 200 * 100);
        const Json& camber = entry["camber"];
        CHECK(camber["samples_ns"].size() == camber["statistics"]["n"]);
        CHECK(camber["statistics"]["min_ns"] <= camber["statistics"]["median_ns"]);
        CHECK(entry["time_unit"] == "ns");
        const double time = entry["real_time"];
        CHECK(time > 0);
        CHECK(time == Approx(camber["statistics"]["median_ns"].get<double>() /
                             camber["generations_per_sample"].get<double>()));
        const double rate = camber["derived"]["cells_per_second"];
        CHECK(rate == Approx(200 * 100 / (time * 1e-9)));
        CHECK(camber["derived"]["application_bandwidth_bytes_per_second"].get<double>() ==
              Approx(8 * rate));
        // The baseline of speedups is a kernel, and the copy bandwidth belongs to a device.
        CHECK(camber["derived"]["speedup_vs_baseline"].is_null());
        CHECK(camber["derived"]["share_of_copy"].is_null());
    }
    CHECK_THAT(run.outcome.out, contains("rank  variant"));
    CHECK_THAT(run.outcome.out, contains("   1  life/reference/"));
    CHECK_THAT(run.outcome.out, contains("   2  life/reference/"));
    CHECK_THAT(run.outcome.out, contains("Gcell/s"));
}

TEST_CASE("the results go where --out says", "[cli][portable][run]") {
    const TestFolder folder;
    fs::create_directory(folder / "sub");
    const Outcome outcome =
        run_program({"run", "--size", "4x3", "--variant", "global/16x16", "--out", "sub/mine.json"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.out).back() == "results: sub/mine.json");
    CHECK(defects(results_in(folder / "sub/mine.json")) == std::vector<std::string>{});
    CHECK(folder.entries() == 1);

    const auto command = results_in(folder / "sub/mine.json")["context"]["camber"]["command"];
    CHECK(command.back() == "sub/mine.json");
}

TEST_CASE("the results say what machine they are from", "[cli][run]") {
    const Run run({"--backend", "simt", "--variant", "global/16x16", "--size", "5x4"});
    const Json& context = run.results["context"]["camber"];
    CHECK(context["cpu"]["logical_cpus"].get<int>() >= 1);
    CHECK(context["memory_bytes"].get<std::int64_t>() > 0);
    CHECK(context["os"]["kernel"].is_string());
    // No GPU was used, so none is recorded.
    CHECK(context["gpu"].is_null());
    CHECK(context["driver_version"].is_null());
    CHECK(context["ceilings"].empty());
}

TEST_CASE("progress shows on a terminal and goes when the run ends", "[cli][run]") {
    const camber::UsualTerminal terminal;
    const TestFolder folder;
    const Arguments arguments{"run", "--size", "9x9", "--variant", "global/*"};
    const Outcome outcome = run_on_terminal(arguments, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, contains("[0/4] computing the reference"));
    CHECK_THAT(outcome.err, contains("[0/4] life/global/16x16"));
    CHECK_THAT(outcome.err, contains("[3/4] life/global/128x2"));
    CHECK(outcome.err.find('\n') == std::string::npos);
    CHECK(outcome.err.ends_with("\r\033[K"));
    const TestFolder other;
    CHECK(outcome.out == run_program(arguments, other.path()).out);
}

TEST_CASE("progress does not stand before an error", "[cli][run]") {
    const camber::UsualTerminal terminal;
    const TestFolder folder;
    // The header is valid, so the cells cause the first error.
    std::ofstream(folder / "wrong.rle") << "x = 2, y = 2, rule = B3/S23\n?!\n";
    const Outcome outcome = run_on_terminal({"run", "--pattern", "wrong.rle"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("\r\033[Kcamber: ") && contains("wrong.rle"));
}

}  // namespace run_test
