#include <map>

#include "analysis/published/entries.hpp"
#include "harness/base/error.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace order_test {

// Order of published entries compared with that of made-up times, and shares of kernels.

using namespace camber;
using namespace camber::published;

namespace {

const Table& table(const char* id) {
    return find_table(tables(), id);
}

Measured from(const std::map<std::string, double>& times) {
    std::map<std::string, ProcessSamples> samples;
    for (const auto& [variant, ns] : times) samples[variant] = {{ns}};
    return [samples = std::move(samples)](const Asked& asked) -> const ProcessSamples* {
        const auto found = samples.find(asked.variant);
        return found == samples.end() ? nullptr : &found->second;
    };
}

std::string published(const char* block) {
    return std::string("magflow/published/") + block + "/align128";
}

const OrderedSeries& series_of(const std::vector<OrderedSeries>& all, const std::string& name) {
    for (const OrderedSeries& series : all)
        if (series.name == name) return series;
    throw std::logic_error(name);
}

}  // namespace

TEST_CASE("columns of a row in the published and in the measured order", "[published]") {
    // 4326 > 4285 > 3634 > 3449 in print; made-up times are 200, 100, 400 and 402 ns.
    const auto all = ordered_series(table("magflow-6"), from({{published("64x1"), 402},
                                                              {published("128x1"), 400},
                                                              {published("64x2"), 100},
                                                              {published("64x3"), 200}}));
    REQUIRE(all.size() == 2);
    const OrderedSeries& gtx480 = series_of(all, "GTX 480");
    REQUIRE(gtx480.entries.size() == 6);
    CHECK(gtx480.entries[0].name == "1x64");
    CHECK(gtx480.entries[0].variant == published("64x1"));
    CHECK(gtx480.entries[0].cell == "float32");
    CHECK(gtx480.entries[0].published_share == Approx(3449.0 / 4326));
    CHECK(*gtx480.entries[3].measured == Approx(1e7));
    CHECK(*gtx480.entries[4].measured_share == Approx(0.5));
    CHECK_FALSE(gtx480.entries[5].measured.has_value());
    CHECK(gtx480.published_order() == std::vector<std::string>{"3x64", "2x64", "1x128", "1x64"});
    CHECK(gtx480.measured_order() == std::vector<std::string>{"2x64", "3x64", "1x128", "1x64"});
    // 2x64 and 3x64 are reversed; 1x64 and 1x128 are within 3 %.
    CHECK(gtx480.pairs == 6);
    CHECK(gtx480.hold == 4);
    CHECK(gtx480.reversed == 1);
    CHECK(gtx480.no_difference == 1);
    // "n.a." is not an entry.
    CHECK(series_of(all, "GTX 280").entries.size() == 3);
}

TEST_CASE("entries of lists, the lower the faster", "[published]") {
    const auto all =
        ordered_series(table("sciara-fv2-1"), from({{"sciara_fv2/global/four_kernels/8x8", 10}}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].entries.size() == 12);
    CHECK(all[0].entries[0].name == "global, 8x8");
    CHECK(all[0].entries[0].published_share == Approx(4.554 / 10.895));
    CHECK(*all[0].entries[0].measured_share == 1);
    CHECK(all[0].entries[9].variant ==
          "sciara_fv2/ringless_tile/four_kernels/8x8/align128 on 2 GPUs");
    CHECK(variant_on_gpus(all[0].entries[9].variant).gpus == 2);
    CHECK(variant_on_gpus(all[0].entries[0].variant).variant == all[0].entries[0].variant);
    CHECK(all[0].pairs == 0);
}

TEST_CASE("parts of a table are compared on their own, by type of cells", "[published]") {
    std::map<std::string, int> asked;
    const ProcessSamples fast{{100}};
    const ProcessSamples slow{{110}};
    const auto all = ordered_series(table("sciara-fv3-1"), [&](const Asked& wanted) {
        ++asked[wanted.cell];
        const bool tile = wanted.variant.find("shared_tile") != std::string::npos;
        return tile == (wanted.cell == "float32") ? &fast : &slow;
    });
    CHECK(all.size() == 18);
    CHECK(asked == std::map<std::string, int>{{"float32", 24}, {"float64", 12}});
    const OrderedSeries& single = series_of(all, "GTX 580, plane, float");
    CHECK(single.entries.size() == 2);
    CHECK(single.hold == 1);
    CHECK(series_of(all, "GTX 580, plane, double").reversed == 1);
    CHECK(series_of(all, "GTX 580, plane, float, fast_math").pairs == 1);
    // Equal speedups have no order: 6.6 and 6.6.
    CHECK(series_of(all, "GTX 680, Etna, double").pairs == 0);
    CHECK(ordered_series(table("sciara-fv3-2"), from({})).size() == 4);
    CHECK(ordered_series(table("magflow-2"), from({})).empty());
}

TEST_CASE("pairs whose interval holds 1 make no difference", "[published]") {
    const ProcessSamples wide{{60, 80, 100, 120, 140}};
    const ProcessSamples wider{{70, 90, 110, 130, 150}};
    const auto all = ordered_series(table("sciara-fv2-2"), [&](const Asked& asked) {
        return asked.variant.find("/global/") != std::string::npos ? &wide : &wider;
    });
    REQUIRE(all.size() == 1);
    CHECK(all[0].pairs > 0);
    CHECK(all[0].no_difference == all[0].pairs);
}

TEST_CASE("shares of kernels by name", "[published]") {
    const auto all =
        shares(table("rustico-shares"), [](const std::string& variant, const std::string& kernel) {
            CHECK(variant == published("64x3/l1"));
            return kernel == "flux" ? std::optional<double>(64) : std::nullopt;
        });
    REQUIRE(all.size() == 4);
    CHECK(all[1].column == "CalcFlux");
    CHECK(all[1].printed.reading == 73);
    CHECK(all[1].measured == 64);
    CHECK_FALSE(all[0].measured.has_value());
    CHECK(shares(table("magflow-5"), {}).empty());
}

TEST_CASE("a list of variants has as many as there are columns", "[published]") {
    const std::string document = R"({"source": {"key": "k"}, "tables": [{
        "id": "x-1", "title": "t", "place": "p", "hardware": ["h"], "conditions": "c",
        "columns": [{"name": "a"}, {"name": "b"}],
        "rows": [{"name": "r", "values": ["1", "2"], "camber": {"variants": ["v"]}}]}]})";
    CHECK_THROWS_WITH(parse_tables(document, "x.json"),
                      contains("row 'r' has 1 variants for 2 columns"));
}

}  // namespace order_test

namespace figures_test {

// Published figures of kernels compared with those of a made-up case.

using namespace camber;
using namespace camber::published;

namespace {

const Figure& figure_of(const std::vector<Figure>& all, const std::string& row,
                        const std::string& column) {
    for (const Figure& figure : all)
        if (figure.row == row && figure.column == column) return figure;
    throw std::logic_error(row);
}

}  // namespace

TEST_CASE("figures are those of the row's kernel, and counts those of a generation",
          "[published]") {
    auto record = published_test::timed_case("surface_water/two", {64, 64}, {80});
    record.identity.generations_per_launch = 2;
    record.counters = {{"smsp__inst_executed.sum", 1000},
                       {"smsp__thread_inst_executed.sum", 30000}};
    for (const int registers : {8, 10, 40}) {
        results::Kernel& kernel = record.kernels.emplace_back();
        kernel.registers = registers;
        kernel.occupancy = 0.5;
        kernel.static_shared_bytes = 100;
        kernel.dynamic_shared_bytes = 28;
        kernel.instructions = {{"control", 7}};
    }
    const auto all = figures(
        find_table(tables(), "balasalle-6.3"),
        [&](const std::string& variant) -> const results::CaseRecord* {
            return variant.find("/16x16/unaligned") == std::string::npos ? nullptr : &record;
        });
    CHECK(all.size() == 30);
    CHECK(*figure_of(all, "shared", "registers").measured == 40);  // the third kernel's
    CHECK(figure_of(all, "shared", "registers").printed.reading == 23);
    CHECK(*figure_of(all, "shared", "shared memory").measured == 128);
    CHECK(*figure_of(all, "shared", "occupancy").measured == 0.5);
    CHECK(*figure_of(all, "shared", "branches").measured == 7);
    CHECK(*figure_of(all, "shared", "instructions").measured == 500);
    CHECK(*figure_of(all, "shared", "divergent branches").measured == 2);
    CHECK(figure_of(all, "shared", "instructions").counted_on == Size{64, 64});
    CHECK_FALSE(figure_of(all, "shared", "registers").counted_on.has_value());
    CHECK_FALSE(figure_of(all, "global", "registers").measured.has_value());
    record.counters.clear();
    record.kernels.resize(1);
    const auto fewer =
        figures(find_table(tables(), "balasalle-6.3"), [&](const std::string&) { return &record; });
    CHECK_FALSE(figure_of(fewer, "shared", "registers").measured.has_value());
    CHECK_FALSE(figure_of(fewer, "two generations", "instructions").measured.has_value());
    CHECK(*figure_of(fewer, "two generations", "registers").measured == 8);
}

TEST_CASE("an unknown figure is refused", "[published]") {
    Table table;
    Column& column = table.columns.emplace_back();
    column.name = "c";
    column.figure = "beauty";
    Row& row = table.rows.emplace_back();
    row.name = "r";
    row.values = {Entry{"1", 1, "", ""}};
    CHECK_THROWS_AS(figures(table, [](const std::string&) { return nullptr; }), Error);
}

}  // namespace figures_test
