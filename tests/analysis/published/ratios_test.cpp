// Published ratios beside measured ones, and the fate of conclusions, on made-up times.
#include "analysis/published/ratios.hpp"

#include <map>

#include "harness/base/error.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"

namespace ratios_test {

using namespace camber;
using namespace camber::published;

namespace {

Measured from(const std::map<std::string, std::vector<double>>& samples) {
    std::map<std::string, ProcessSamples> series;
    for (const auto& [variant, ns] : samples) series[variant] = {ns};
    return [series = std::move(series)](const std::string& variant) -> const ProcessSamples* {
        const auto found = series.find(variant);
        return found == series.end() ? nullptr : &found->second;
    };
}

const Table& table(const char* id) {
    return find_table(tables(), id);
}

const Ratio& ratio_of(const std::vector<Ratio>& all, const std::string& row) {
    for (const Ratio& ratio : all)
        if (ratio.row == row) return ratio;
    throw std::logic_error(row);
}

}  // namespace

TEST_CASE("rows of times against the table's baseline row", "[published]") {
    const auto all =
        ratios(table("balasalle-6.2"),
               from({{"surface_water/global/three_kernels/16x16", {200}},
                     {"surface_water/shared_loss/three_kernels/64x4/align128", {80}}}));
    REQUIRE(all.size() == 5);
    CHECK(*ratio_of(all, "global").published == 1);
    CHECK(*ratio_of(all, "global").measured == 1);
    CHECK(*ratio_of(all, "rectangular").published == Approx(5.5995 / 3.7669));
    CHECK(*ratio_of(all, "rectangular").measured == 2.5);
    CHECK_FALSE(ratio_of(all, "shared").measured.has_value());
    CHECK(*ratio_of(all, "two generations").published == Approx(5.5995 / 25.6975));
}

TEST_CASE("rows that state the time saved", "[published]") {
    const auto all =
        ratios(table("balasalle-life"),
               from({{"life/halo/16x16/unaligned", {50}}, {"life/global/16x16", {60}}}));
    CHECK(*ratio_of(all, "halo, against conditional").published == Approx(1 / 0.82));
    CHECK(*ratio_of(all, "halo, against conditional").measured == Approx(1.2));
    CHECK(*ratio_of(all, "shared memory, against halo").published == Approx(1 / 0.7));
}

TEST_CASE("rows that state a speedup, with bounds", "[published]") {
    const auto all = ratios(table("topa-3"), from({}));
    CHECK(*ratio_of(all, "GeForce 9800 GT").published == 4);
    CHECK(ratio_of(all, "GeForce 9800 GT").bound == "at least");
    CHECK(ratio_of(all, "GeForce GTX 295").bound == "at most");
    CHECK_FALSE(ratio_of(all, "GeForce GTX 295").measured.has_value());
}

TEST_CASE("a row without a variant has no measured ratio", "[published]") {
    const auto all = ratios(table("balasalle-6.1"),
                            from({{"surface_water/scatter/five_kernels/16x16/unaligned", {100}}}));
    CHECK(*ratio_of(all, "GPU, first model").published == Approx(3.79).margin(0.005));
    CHECK_FALSE(ratio_of(all, "GPU, first model").measured.has_value());
    CHECK(ratios(table("rustico-6.1"), from({})).empty());
}

TEST_CASE("conclusions hold, are reversed, make no difference, or cannot be decided",
          "[published]") {
    const auto conclusion = [](std::vector<double> global, std::vector<double> shared) {
        std::map<std::string, std::vector<double>> times{
            {"water_flow/halo/two_kernels/16x16/align128", std::move(global)}};
        if (!shared.empty())
            times["water_flow/first_rows/two_kernels/16x16/w19/align128"] = std::move(shared);
        const auto all = conclusions(table("topa-3"), from(times));
        REQUIRE(all.size() == 1);
        return all.front();
    };
    const auto fate = [&](std::vector<double> global, std::vector<double> shared) {
        return conclusion(std::move(global), std::move(shared)).fate;
    };
    CHECK(fate({100}, {80}) == Fate::holds);
    CHECK(fate({100}, {120}) == Fate::reversed);
    CHECK(fate({100}, {102}) == Fate::no_difference);
    CHECK(fate({100}, {99}) == Fate::no_difference);
    CHECK(fate({100}, {}) == Fate::undecided);
    // The medians differ by 10 %, and the samples by more: the interval of the ratio holds 1.
    const Conclusion noisy = conclusion({60, 80, 100, 120, 140}, {70, 90, 110, 130, 150});
    CHECK(noisy.fate == Fate::no_difference);
    CHECK(*noisy.measured == Approx(100.0 / 110));
    CHECK(noisy.interval->low < *noisy.measured);
    CHECK(noisy.interval->high > 1);
    CHECK(name(Fate::holds) == "holds");
    CHECK(name(Fate::reversed) == "reversed");
    CHECK(name(Fate::no_difference) == "no difference");
    CHECK(name(Fate::undecided) == "not decidable");
}

TEST_CASE("all variants that published tables name exist", "[published]") {
    for (const Table& one : tables())
        for (const std::string& variant : variants_of(one)) {
            INFO(one.id << ": " << variant);
            CHECK(std::ranges::any_of(registry().variants(), [&](const Variant& known) {
                return known.info.name() == variant &&
                       known.info.workload == variant.substr(0, variant.find('/'));
            }));
        }
    CHECK(variants_of(table("topa-3")).size() == 2);
}

TEST_CASE("kinds and workloads of tables", "[published]") {
    CHECK(table("balasalle-life").kind == Kind::saved);
    CHECK(table("balasalle-5.1").kind == Kind::counts);
    CHECK(table("balasalle-5.3").kind == Kind::printed);
    CHECK(table("balasalle-6.2").kind == Kind::times);
    CHECK(table("topa-3").kind == Kind::speedups);
    CHECK(table("magflow-2").kind == Kind::absent);
    CHECK(table("rustico-6.1").kind == Kind::scaling);
    CHECK(table("rustico-4.1").kind == Kind::scaling);
    CHECK(table("magflow-2").here.workload == "magflow");
    CHECK(table("rustico-8.1").here.workload.empty());
}

TEST_CASE("counts by the names that columns give them", "[published]") {
    AccessCounts counts;
    counts.global_load.transactions_32 = 1;
    counts.global_load.transactions_64 = 2;
    counts.global_load.transactions_128 = 3;
    counts.global_store.transactions_64 = 4;
    counts.published = {5, 6};
    CHECK(count_named(counts, "loads_32") == 1);
    CHECK(count_named(counts, "loads_64") == 2);
    CHECK(count_named(counts, "loads_128") == 3);
    CHECK(count_named(counts, "stores_64") == 4);
    CHECK(count_named(counts, "coalesced_loads") == 5);
    CHECK(count_named(counts, "uncoalesced_loads") == 6);
    CHECK_THROWS_AS(count_named(counts, "prayers"), Error);
}

}  // namespace ratios_test
