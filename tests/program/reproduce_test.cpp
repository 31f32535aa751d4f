// Reproductions of published tables, as printed without a GPU.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/reproduce_pages.hpp"

namespace reproduce_test {

namespace {

using namespace camber::cli_test;

// The only card in the JSON of a reproduction.
Json card_of(const Json& reproduction) {
    REQUIRE(reproduction["cards"].size() == 1);
    return reproduction["cards"][0];
}

std::string h200(const char* file) {
    return (source_folder / "results/h200" / file).string();
}

}  // namespace

TEST_CASE("reproduce lists all published tables and what is here of them", "[cli][portable]") {
    const std::string text = reproduced({});
    CHECK_THAT(text, contains("rustico-6.1"));
    CHECK_THAT(text, contains("7 of 7 rows, measured on a GPU"));     // balasalle-life
    CHECK_THAT(text, contains("8 counts, predicted without a GPU"));  // topa-1
    const Json list = reproduced_json({});
    CHECK(list.size() == lines_of(text).size() - 1);
    const auto here = [&](const std::string& table) {
        for (const Json& one : list)
            if (one["table"] == table) return one["here"].get<std::string>();
        return std::string("not listed");
    };
    CHECK(here("rustico-8.1") == "recomputed, and measured on one GPU and several");
    CHECK(here("rustico-8.6") == "recomputed");
    CHECK(here("balasalle-5.3") ==
          "as printed: the source's cells are scrambled, so no kernel can be told");
    CHECK(here("balasalle-5.4") == "8 counts, predicted without a GPU; 24 figures beside today's");
    CHECK(here("balasalle-6.1") == "2 of 2 rows, measured on a GPU");
    CHECK(here("magflow-3") == "8 of 8 entries, measured on a GPU and on the CPU");
    // Every table has a variant, or a reason for its absence.
    for (const Json& one : list) {
        INFO(one.dump());
        const auto text = one["here"].get<std::string>();
        CHECK(text.find("no variant") == std::string::npos);
        CHECK(text != "as printed");
    }
    CHECK_THAT(reproduced({"--format", "markdown"}), contains("| topa-1 | Topa and Mlocek 2013 |"));
}

TEST_CASE("a table of a workload that is not there says so", "[cli][portable]") {
    const Json workloads = reproduced_json({});
    for (const Json& one : workloads) {
        const auto here = one["here"].get<std::string>();
        if (!here.ends_with("in this build")) continue;
        INFO(one["table"]);
        const std::string text = reproduced({one["table"].get<std::string>()});
        CHECK_THAT(text, contains("no workload"));
        CHECK_THAT(text, contains("As printed"));
    }
}

TEST_CASE("the published transactions are predicted, all but the misprint", "[cli][portable]") {
    const Json first = reproduced_json({"topa-1"});
    REQUIRE(first["counts"].size() == 8);
    for (const Json& count : first["counts"]) {
        INFO(count.dump());
        const bool misprint = count["printed"] == "16385";
        CHECK(count["equal"] == !misprint);
        if (misprint) CHECK(count["predicted"] == 16384);
    }
    const Json second = reproduced_json({"topa-2"});
    REQUIRE(second["counts"].size() == 6);
    for (const Json& count : second["counts"]) CHECK(count["equal"] == true);
    const std::string text = reproduced({"topa-1"});
    CHECK_THAT(text, contains("compute capability 1.2"));
    CHECK_THAT(text, contains("7 of 8 are equal."));
}

TEST_CASE("the published load counters are predicted, all but one kernel's", "[cli][portable]") {
    for (const char* table : {"balasalle-5.1", "balasalle-5.2", "balasalle-5.4"}) {
        const Json json = reproduced_json({table});
        CHECK(json["counts"].size() >= 4);
        for (const Json& count : json["counts"]) {
            INFO(table << ": " << count.dump());
            CHECK(count["equal"] == (count["row"] != "rectangular"));
        }
    }
}

TEST_CASE("without a GPU times are not reproduced, and the page says why", "[cli][portable]") {
    const std::string text = reproduced({"balasalle-life"});
    CHECK_THAT(text, contains("nothing was measured"));
    // The reason before it, which differs between machines, decides where the line breaks.
    CHECK_THAT(std::regex_replace(text, std::regex("\\s+"), " "),
               contains("Without a GPU, only counts are"));
    const Json card = card_of(reproduced_json({"balasalle-life"}));
    CHECK(card["card"] == "");
    for (const Json& ratio : card["ratios"]) CHECK(ratio["measured"].is_null());
    for (const Json& conclusion : card["conclusions"]) CHECK(conclusion["fate"] == "not decidable");
}

TEST_CASE("measured ratios come from results files", "[cli][portable]") {
    const Json json = reproduced_json(
        {"balasalle-life", "--from", h200("blur.json"), "--from", h200("life.json")});
    const Json card = card_of(json);
    CHECK(card["card"] == "H200");
    CHECK_THAT(card["measured_on"][0].get<std::string>(), contains("NVIDIA H200, 16384x16384"));
    REQUIRE(card["ratios"].size() == 7);
    for (const Json& ratio : card["ratios"]) CHECK(ratio["measured"].is_number());
    // results/h200/life.json: 1084.8 and 1490.0 us per generation.
    CHECK(card["ratios"][1]["measured"].get<double>() == Approx(1084.784 / 1490.008).epsilon(1e-4));
    CHECK(card["ratios"][1]["published"].get<double>() == Approx(1 / 0.7));
    CHECK(card["ratios"][1]["fate"] == "reversed");
    CHECK(card["conclusions"][1]["fate"] == "reversed");
    CHECK(json["remarks"].empty());
    const std::string text = reproduced({"balasalle-life", "--from", h200("life.json")});
    CHECK(text.find("How often faster") < text.find("Published conclusions"));
    CHECK(text.find("Published conclusions") < text.find("As printed"));
}

TEST_CASE("measured times of surface water and water flow", "[cli][portable]") {
    const Json surface =
        card_of(reproduced_json({"balasalle-6.2", "--from", h200("surface_water.json")}));
    REQUIRE(surface["ratios"].size() == 20);  // of the total time and of three parts
    for (std::size_t i = 0; i < 5; ++i) CHECK(surface["ratios"][i]["measured"].is_number());
    const Json flow = card_of(reproduced_json({"topa-3", "--from", h200("water_flow.json")}));
    CHECK(flow["ratios"][0]["bound"] == "at least");
    CHECK(flow["conclusions"][0]["fate"] != "not decidable");
}

TEST_CASE("the steps of surface water have times of their own on the CPU, too",
          "[cli][portable][slow]") {
    const TestFolder folder;
    const Outcome run = run_program({"run", "--workload", "surface_water_clock", "--backend", "cpu",
                                     "--size", "463x358", "--generations", "500", "--from-start",
                                     "--quick", "--variant", "*/five_passes", "--out", "cpu.json"},
                                    folder.path());
    REQUIRE(run.exit_code == 0);
    const Json measured = results_in(folder / "cpu.json")["benchmarks"][0]["camber"];
    const Json times = measured["kernel_times"];
    std::vector<std::string> names;
    double sum = 0;
    for (const Json& pass : times["kernels"]) {
        names.push_back(pass["name"]);
        sum += pass["median_ns"].get<double>();
        CHECK(pass["n"] == times["generations"]);
    }
    CHECK(names ==
          std::vector<std::string>{"rain", "infiltration", "outflow", "scatter", "settle"});
    CHECK(sum > 0);
    CHECK(sum < 1.5 * measured["statistics"]["median_ns"].get<double>() / 500);
    const Outcome table =
        run_program({"reproduce", "balasalle-6.1", "--from", "cpu.json"}, folder.path());
    CHECK(table.exit_code == 0);
    std::size_t rows = 0;
    for (const std::string& line : lines_of(table.out))
        if (line.starts_with("serial C++") && line.find("five_passes  ") != std::string::npos &&
            line.ends_with("1.00x"))
            ++rows;
    INFO(table.out);
    CHECK(rows == 4);
}

TEST_CASE("the order of block shapes of MAGFLOW, published and measured", "[cli][portable]") {
    const std::string file = h200("magflow-etna2001.json");
    const Json json = card_of(reproduced_json({"magflow-5", "--from", file}));
    REQUIRE(json["orders"].size() == 3);  // one per GPU
    for (const Json& series : json["orders"]) {
        CHECK(series["entries"].size() == 3);
        CHECK(series["pairs"] == 3);
        CHECK(series["measured_order"][2] == "64x1");
    }
    CHECK(json["orders"][1]["series"] == "GTX 280");
    CHECK(json["orders"][1]["published_order"] == Json({"1x64", "8x8", "64x1"}));
    CHECK(json["orders"][1]["entries"][1]["published_share"].get<double>() ==
          Approx(1347.0 / 2501));
    CHECK(json["conclusions"][2]["text"] == "On a GTX 280 rows of threads are faster than columns");
    CHECK(json["conclusions"][2]["fate"] == "holds");
    const std::string text = reproduced({"magflow-5", "--from", file});
    CHECK_THAT(text, contains("GTX 280"));
    CHECK_THAT(text, contains("Printed: 1x64 > 8x8 > 64x1. Measured: "));
    CHECK_THAT(text, contains("x for a printed 4.5x"));
    CHECK_THAT(reproduced({"magflow-5", "--format", "markdown"}), contains("**GTX 280**"));
}

TEST_CASE("entries that were not measured have places in the published order only",
          "[cli][portable]") {
    const Json json = card_of(reproduced_json(
        {"sciara-fv2-1", "--from",
         (source_folder / "results/experiments/lava/sciara_fv2-whole.json").string()}));
    REQUIRE(json["orders"].size() == 1);
    const Json& entries = json["orders"][0]["entries"];
    REQUIRE(entries.size() == 12);
    CHECK(entries[9]["entry"] == "multi-GPU, 2, 8x8");
    CHECK(entries[9]["variant"] == "sciara_fv2/ringless_tile/four_kernels/8x8/align128 on 2 GPUs");
    CHECK(entries[9]["published_share"] == 1);
    CHECK(entries[9]["generations_per_second"].is_null());
    CHECK(entries[0]["generations_per_second"].is_number());
    // Seven entries were measured.
    CHECK(json["orders"][0]["pairs"] == 21);
    CHECK(json["orders"][0]["published_order"].size() == 7);
}

TEST_CASE("shares of kernels, published and measured", "[cli][portable]") {
    const Json bilotta = card_of(reproduced_json({"magflow-shares"}));
    REQUIRE(bilotta["shares"].size() == 3);
    CHECK(bilotta["shares"][0]["bound"] == "at least");
    CHECK(bilotta["shares"][0]["measured"].is_null());
    const Json measured =
        card_of(reproduced_json({"magflow-shares", "--from", h200("magflow-etna2001-5m.json"),
                                 "--from", h200("magflow-etna2001-shares.json")}));
    // Times of kernels are needed, also where another run has more of the eruption.
    for (const Json& share : measured["shares"]) CHECK(share["measured"].is_number());
    const Json rustico = card_of(reproduced_json({"rustico-shares"}));
    double total = 0;
    for (const Json& share : rustico["shares"]) total += share["published"].get<double>();
    CHECK(total == 100);
    CHECK(rustico["shares"][1]["kernel"] == "flux");
}

TEST_CASE("all tables of a file are reproduced by its name", "[cli][portable]") {
    const Json all = reproduced_json({"bilotta-2011"});
    REQUIRE(all.is_array());
    CHECK(all.size() == 8);
    CHECK(all[0]["table"] == "magflow-2");
    const std::string text = reproduced({"sciara-fv3"});
    CHECK(text.find("sciara-fv3-1:") < text.find("sciara-fv3-2:"));
    CHECK_THAT(reproduce({"bilotta-2012"}).err, contains("bilotta-2011"));
}

TEST_CASE("two cards stand side by side, and what turns over between them is said",
          "[cli][portable]") {
    const TestFolder folder;
    // The second card equals the first one, except that its kernel with a halo takes twice the
    // time.
    Json other = results_in(h200("life.json"));
    other["context"]["camber"]["gpu"]["name"] = "NVIDIA H100 80GB HBM3";
    for (Json& one : other["benchmarks"])
        if (one["camber"]["variant"] == "life/halo/16x16/unaligned")
            for (Json& sample : one["camber"]["samples_ns"]) sample = 2 * sample.get<double>();
    const auto file = folder.path() / "h100" / "deeper" / "life.json";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << other;
    std::ofstream(folder.path() / "h100" / "charts.json") << "[1, 2]";
    const std::string h100 = (folder.path() / "h100").string();
    const Arguments both{"balasalle-life", "--from", h200("life.json"), "--from", h100};
    const Json json = reproduced_json(both);
    REQUIRE(json["cards"].size() == 2);
    CHECK(json["cards"][0]["card"] == "H200");
    CHECK(json["cards"][1]["card"] == "H100");
    CHECK(json["cards"][0]["conclusions"][1]["fate"] == "reversed");
    CHECK(json["cards"][1]["conclusions"][1]["fate"] == "holds");
    CHECK(json["turned_over"].size() >= 2);
    const std::string text = reproduced(both);
    CHECK_THAT(text, contains("published   H200   H100"));
    CHECK_THAT(text, contains("What turns over between the cards"));
    CHECK_THAT(text, contains("reversed on the H200 (0.73x)"));
    CHECK_THAT(text, contains("holds on the H100 (1.46x)"));

    const Json questions = reproduced_json({"--questions", "--from", h200("life.json"), "--from",
                                            h200("life-counters.json"), "--from", h100});
    CHECK(questions[0]["source"] == "Balasalle 2011");
    const Json& staging = questions[0]["questions"][1];
    CHECK(staging["table"] == "balasalle-life");
    CHECK(staging["cards"][1]["fate"] == "holds");
    CHECK_THAT(staging["cards"][0]["reason"].get<std::string>(),
               contains("wavefronts of shared memory, of which halo has none"));
    const std::string answers = reproduced({"balasalle-life", "--questions", "--from", h100});
    CHECK_THAT(answers, contains("What became of the published conclusions"));
    CHECK_THAT(answers, !contains("Topa"));
}

TEST_CASE("questions need results, and a folder has some", "[cli][portable]") {
    const Outcome alone = reproduce({"--questions"});
    CHECK(alone.exit_code == 2);
    CHECK_THAT(alone.err, contains("--questions needs results"));
    const TestFolder folder;
    const Outcome empty = reproduce({"--questions", "--from", folder.path().string()});
    CHECK(empty.exit_code == 2);
    CHECK_THAT(empty.err, contains("has no results file"));
}

TEST_CASE("of a campaign's folder a table takes the part that is named after its workload",
          "[cli][portable]") {
    const std::string text = reproduced({"balasalle-extrema", "--from", h200("")});
    CHECK_THAT(text, contains("4096x4096 (" + h200("extrema.json.zst") + ")"));
}

TEST_CASE("results without the table's variants say so", "[cli][portable]") {
    const std::string text = reproduced({"balasalle-life", "--from", h200("blur.json")});
    CHECK_THAT(text, contains("none of the results has a time of these variants"));
}

TEST_CASE("a scaling table is recomputed, and its inconsistencies are listed", "[cli][portable]") {
    const std::string text = reproduced({"rustico-6.1"});
    for (const char* part : {"1.8582", "0.9291", "0.0763", "0.076", "3.1949", "0.5325", "0.1756",
                             "0.176", "Inconsistencies"})
        CHECK_THAT(text, contains(part));
    CHECK_THAT(text, contains("each additional GPU costs"));
    CHECK_THAT(reproduced({"rustico-8.1"}), contains("'19,71'"));
    CHECK_THAT(reproduced({"rustico-8.7"}), contains("rounded to one decimal"));
    const Json json = reproduced_json({"rustico-8.2"});
    CHECK(json["scaling"].size() == 2);
    CHECK(json["scaling"][1]["verdict"] == "serial_part");
    CHECK(json["inconsistencies"].size() == 2);
    CHECK_THAT(reproduced({"rustico-6.1", "--format", "markdown"}),
               contains("| 2 | 1.8582 | 0.9291 | 0.0763 |"));
}

// In a Markdown table, each column of the legend has its own cell.
TEST_CASE("every column of a scaling table is explained on its page", "[cli][portable]") {
    const std::string series = (source_folder / "results/h100x2/particles").string();
    for (const Arguments& table :
         {Arguments{"rustico-6.1"}, {"rustico-8.1"}, {"rustico-8.3", "--from", series}}) {
        CAPTURE(table.front());
        const std::string text = reproduced(with(table, {"--format", "markdown"}));
        std::string legend = " ";
        std::set<std::string> columns;
        for (const std::string& line : lines_of(text)) {
            if (line.starts_with("- ")) legend += line.substr(2) + " ";
            if (!line.starts_with("| p |")) continue;
            for (std::size_t at = 0; (at = line.find("| ", at)) != std::string::npos; at += 2)
                if (const auto end = line.find(" |", at + 2); end != std::string::npos)
                    columns.insert(line.substr(at + 2, end - at - 2));
        }
        CHECK(columns.size() >= 8);
        for (std::string column : columns) {
            // "S printed" is the printed value of S.
            if (const auto at = column.find(" printed"); at != std::string::npos)
                column = column.substr(0, at);
            CAPTURE(column, legend);
            CHECK((legend.find(" " + column + ":") != std::string::npos ||
                   legend.find(" " + column + ".") != std::string::npos ||
                   legend.find(", " + column + ".") != std::string::npos));
        }
    }
    CHECK(reproduced({"balasalle-life"}).find("scaling tables say") == std::string::npos);
}

TEST_CASE("printed rates of one GPU stand beside measured ones", "[cli][portable]") {
    const std::string text = reproduced({"rustico-8.1", "--from", h200("sph.json")});
    CHECK_THAT(text, contains("On one GPU: as printed, and measured"));
    CHECK_THAT(text, contains("10304") && contains("sph.json"));
    const Json place =
        reproduced_json({"rustico-8.1", "--from", h200("sph.json")})["cards"][0]["one_place"];
    CHECK(place[0]["variant"] == "sph/neighbour_list/float4/plain/b128");
    CHECK(place[0]["kips"].get<double>() > 9e5);
    CHECK(place[0]["seconds_of_printed_iterations"].get<double>() < 50);
}

TEST_CASE("a published series over GPUs stands beside a measured one", "[cli][portable]") {
    const std::string file = (source_folder / "results/h200x2/magflow-etna2001-2m.json").string();
    const std::string text = reproduced({"rustico-6.1", "--from", file});
    CHECK_THAT(text, contains("Measured on H200: magflow/halo/four_kernels/64x3/align128"));
    CHECK_THAT(text, contains("2 units take ") && contains(" us a step more than"));
    const Json json = reproduced_json({"rustico-6.1", "--from", file});
    CHECK(json["cards"][0]["series"][0]["analysis"]["points"].size() == 2);
    CHECK_THAT(reproduced({"rustico-6.1", "--from", h200("life.json")}),
               contains("none of the results has a series of magflow/halo"));
    const Outcome alone = reproduce({"rustico-6.1"});
    CHECK(alone.exit_code == 0);
    CHECK_THAT(alone.out, contains("a series over GPUs needs at least two, and"));
}

TEST_CASE("reproduce refuses what it does not know", "[cli][portable]") {
    const Outcome unknown = reproduce({"rustico-61"});
    CHECK(unknown.exit_code == 2);
    CHECK_THAT(unknown.err, contains("rustico-6.1"));
    CHECK(reproduce({"topa-3", "--from", "absent.json"}).exit_code == 2);
    CHECK(reproduce({"topa-3", "--format", "html"}).exit_code == 2);
    const Outcome alone = reproduce({"--from", h200("life.json")});
    CHECK(alone.exit_code == 2);
    CHECK_THAT(alone.err, contains("needs a TABLE"));
}

}  // namespace reproduce_test
