// Published figures of kernels beside those of a made-up case.
#include "analysis/published/figures.hpp"

#include "harness/base/error.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace figures_test {

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
