#include <map>

#include "analysis/published/entries.hpp"
#include "analysis/published/measured.hpp"
#include "analysis/published/ratios.hpp"
#include "harness/base/error.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/registry/registry.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace ratios_test {

// Published ratios compared with measured ones, and the outcome of conclusions, from made-up times.

using namespace camber;
using namespace camber::published;

namespace {

Measured from(const std::map<std::string, std::vector<double>>& samples) {
    std::map<std::string, ProcessSamples> series;
    for (const auto& [variant, ns] : samples) series[variant] = {ns};
    return [series = std::move(series)](const Asked& asked) -> const ProcessSamples* {
        std::string key = asked.variant;
        for (const std::string& kernel : asked.kernels) key += " " + kernel;
        if (!asked.size.empty()) key += " on " + asked.size;
        const auto found = series.find(key);
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
    REQUIRE(all.size() == 20);
    CHECK(*ratio_of(all, "global").published == 1);
    CHECK(*ratio_of(all, "global").measured.ratio == 1);
    CHECK(*ratio_of(all, "rectangular").published == Approx(5.5995 / 3.7669));
    CHECK(*ratio_of(all, "rectangular").measured.ratio == 2.5);
    CHECK_FALSE(ratio_of(all, "shared").measured.ratio.has_value());
    CHECK(*ratio_of(all, "two generations").published == Approx(5.5995 / 25.6975));
}

TEST_CASE("columns of single kernels are compared by the time of those kernels", "[published]") {
    const auto all =
        ratios(table("balasalle-6.2"),
               from({{"surface_water/global/three_kernels/16x16 rain", {30}},
                     {"surface_water/shared_loss/three_kernels/64x4/align128 rain", {20}}}));
    CHECK(*ratio_of(all, "rectangular, add").published == Approx(1.2948 / 0.7046));
    CHECK(*ratio_of(all, "rectangular, add").measured.ratio == 1.5);
    CHECK_FALSE(ratio_of(all, "rectangular, remove").measured.ratio.has_value());
}

TEST_CASE("rows of boards of their own", "[published]") {
    const auto all =
        ratios(table("topa-figure-5"),
               from({{"water_flow/halo/two_kernels/16x16/align128 on 512x512", {30}},
                     {"water_flow/first_rows/two_kernels/16x16/w19/align128 on 512x512", {20}}}));
    CHECK(*ratio_of(all, "512x512").measured.ratio == 1.5);
    CHECK_FALSE(ratio_of(all, "512x512").published.has_value());
    CHECK_FALSE(ratio_of(all, "1024x1024").measured.ratio.has_value());
}

TEST_CASE("rows that state the time saved", "[published]") {
    const auto all =
        ratios(table("balasalle-life"),
               from({{"life/halo/16x16/unaligned", {50}}, {"life/global/16x16", {60}}}));
    CHECK(*ratio_of(all, "halo, against conditional").published == Approx(1 / 0.82));
    CHECK(*ratio_of(all, "halo, against conditional").measured.ratio == Approx(1.2));
    CHECK(*ratio_of(all, "shared memory, against halo").published == Approx(1 / 0.7));
}

TEST_CASE("rows that state a speedup, with bounds", "[published]") {
    const auto all = ratios(table("topa-3"), from({}));
    CHECK(*ratio_of(all, "GeForce 9800 GT").published == 4);
    CHECK(ratio_of(all, "GeForce 9800 GT").bound == "at least");
    CHECK(ratio_of(all, "GeForce GTX 295").bound == "at most");
    CHECK_FALSE(ratio_of(all, "GeForce GTX 295").measured.ratio.has_value());
}

TEST_CASE("a row without a variant has no measured ratio", "[published]") {
    const auto all = ratios(table("balasalle-6.1"),
                            from({{"surface_water_clock/scatter/five_kernels/16x16/unaligned", {100}}}));
    CHECK(*ratio_of(all, "GPU, first model").published == Approx(3.79).margin(0.005));
    CHECK_FALSE(ratio_of(all, "GPU, first model").measured.ratio.has_value());
    CHECK(ratios(table("rustico-6.1"), from({})).empty());
}

TEST_CASE("rows hold in their direction, or are reversed", "[published]") {
    const auto outcome = [](double capped) {
        const auto all =
            ratios(table("magflow-strategies"),
                   from({{"magflow/halo/four_kernels/64x1/align128", {100}},
                         {"magflow/vector_packed/four_kernels/64x1/align128", {80}},
                         {"magflow/register_cap/four_kernels/64x1/align128", {capped}}}));
        CHECK(ratio_of(all, "vectors of fields, 9500 GT").measured.outcome == Outcome::holds);
        CHECK(ratio_of(all, "vectors of fields, GTX 280").measured.outcome == Outcome::reversed);
        return ratio_of(all, "32 registers instead of 33, 9500 GT").measured.outcome;
    };
    // Printed as "no gain".
    CHECK(outcome(100) == Outcome::holds);
    CHECK(outcome(80) == Outcome::reversed);
}

TEST_CASE("conclusions are judged by both times, and carry what is printed", "[published]") {
    const ProcessSamples global{{100}};
    const ProcessSamples shared{{80}};
    const auto all = conclusions(table("balasalle-life"), [&](const Statement& stated) {
        const bool halo = stated.faster == "life/halo/16x16/unaligned";
        return halo ? std::pair(&shared, &global) : std::pair(&shared, nullptr);
    });
    REQUIRE(all.size() > 2);
    CHECK(all[0].measured.outcome == Outcome::holds);
    CHECK(*all[0].measured.ratio == 1.25);
    CHECK(all[1].measured.outcome == Outcome::undecided);
    // From the table's row, 18 % saved.
    REQUIRE(all[0].printed);
    CHECK(*all[0].printed->reading == Approx(1 / 0.82));
    // From the statement itself.
    const auto own = conclusions(table("magflow-7"),
                                 [&](const Statement&) { return std::pair(&shared, &global); });
    REQUIRE(own[0].printed);
    CHECK(own[0].printed->printed == "2.7 %");
    CHECK(own[0].printed->reading == 1.027);
}

TEST_CASE("all variants that published tables name exist", "[published]") {
    Registry known_variants = registry();
    for (const auto& workload : workloads()) add_reference_variants(known_variants, *workload);
    for (const Table& one : tables())
        for (const std::string& named : variants_of(one)) {
            INFO(one.id << ": " << named);
            const std::string variant = variant_on_gpus(named).variant;
            CHECK(std::ranges::any_of(known_variants.variants(), [&](const Variant& known) {
                return known.info.name() == variant &&
                       known.info.workload == variant.substr(0, variant.find('/'));
            }));
        }
    CHECK(variants_of(table("topa-3")).size() == 2);
}

TEST_CASE("kinds and workloads of tables", "[published]") {
    CHECK(table("balasalle-life").kind == Kind::saved);
    CHECK(table("balasalle-5.1").kind == Kind::counts);
    CHECK(table("balasalle-5.3").kind == Kind::absent);
    CHECK(table("balasalle-6.2").kind == Kind::times);
    CHECK(table("topa-3").kind == Kind::speedups);
    CHECK(table("magflow-2").kind == Kind::machines);
    CHECK(table("balasalle-6.3").kind == Kind::figures);
    CHECK(table("rustico-6.1").kind == Kind::scaling);
    CHECK(table("rustico-4.1").kind == Kind::scaling);
    CHECK(table("magflow-2").here.workload == "magflow");
    CHECK(table("rustico-8.1").here.workload == "sph");
    CHECK(table("rustico-8.1").kind == Kind::scaling);
    CHECK(table("rustico-8.6").here.workload.empty());
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

namespace machines_test {

// Published entries compared with the CPU, from made-up times.

using namespace camber;
using namespace camber::published;

namespace {

const Table& table(const char* id) {
    return find_table(tables(), id);
}

const MachineEntry& entry_of(const std::vector<MachineEntry>& all, const std::string& name) {
    for (const MachineEntry& entry : all)
        if (entry.name == name) return entry;
    throw std::logic_error(name);
}

const ProcessSamples* nothing(const Asked&) {
    return nullptr;
}
std::optional<double> no_program(const Asked&) {
    return std::nullopt;
}

}  // namespace

TEST_CASE("rates, times and speedups in print are speedups over the CPU", "[published]") {
    const auto over_cpu = [](const char* id, const char* name) {
        return *entry_of(machine_entries(table(id), nothing, no_program), name).published;
    };
    CHECK(over_cpu("magflow-2", "10 m, GTX 480") == Approx(4415 / 86.2));
    CHECK(over_cpu("magflow-2", "5 m, CPU") == 1);
    CHECK(over_cpu("magflow-3", "5 m, GTX 480") == 98.5);
    CHECK(over_cpu("magflow-4", "10 m, GTX 280") == Approx(22041.0 / 838));
    CHECK(over_cpu("balasalle-6.1", "GPU, first model, total") == Approx(77.2817 / 20.3935));
    CHECK(over_cpu("sciara-fv2-1", "global, 8x8") == Approx(293.27 / 10.895));
    CHECK(over_cpu("topa-figure-4", "GeForce GTX 295") == 250);
    CHECK(machine_entries(table("magflow-5"), nothing, no_program).empty());
}

TEST_CASE("tables beside the CPU have all the entries of print", "[published]") {
    const auto entries = [](const char* id) {
        return machine_entries(table(id), nothing, no_program).size();
    };
    CHECK(entries("magflow-2") == 8);
    CHECK(entries("magflow-3") == 8);
    CHECK(entries("magflow-4") == 8);
    CHECK(entries("sciara-fv2-1") == 12);
    CHECK(entries("sciara-fv3-1") == 36);
    CHECK(entries("sciara-fv3-2") == 8);
    CHECK(entries("balasalle-6.1") == 2);  // the CPU has no times of single kernels
}

TEST_CASE("measured speedups are of generations, and of whole programs", "[published]") {
    const ProcessSamples core{{5000}};
    const ProcessSamples cores{{1000}};
    const ProcessSamples gpu{{100}};
    const ProcessSamples list{{400}};
    const ProcessSamples lists{{300}};
    bool has_list = false;
    const auto entries = [&] { return machine_entries(
        table("magflow-2"),
        [&](const Asked& asked) -> const ProcessSamples* {
            if (asked.size != "382x819" || asked.cell != "float32") return nullptr;
            if (asked.variant == "magflow/reference/active_list") return has_list ? &list : nullptr;
            if (asked.variant == "magflow/reference/active_list_threads")
                return has_list ? &lists : nullptr;
            if (asked.variant == "magflow/reference/serial") return &core;
            return asked.variant == "magflow/reference/threads" ? &cores : &gpu;
        },
        [](const Asked& asked) -> std::optional<double> {
            return asked.variant == "magflow/reference/serial" ? 60 : 4;
        }); };
    const auto all = entries();
    const MachineEntry& fast = entry_of(all, "10 m, GTX 480");
    CHECK(*fast.generations_per_second == Approx(1e7));
    CHECK(*fast.over_core.ratio == 50);
    CHECK(*fast.over_cores.ratio == 10);
    CHECK(*fast.program_seconds == 4);
    CHECK(*fast.program_over_core == 15);
    CHECK(fast.core == "magflow/reference/serial");
    CHECK_FALSE(entry_of(all, "5 m, GTX 480").generations_per_second.has_value());
    CHECK(*entry_of(all, "10 m, CPU").over_core.ratio == 1);
    // The source's CPU program replaces the plain reference where it was measured.
    has_list = true;
    const auto over_list = entries();
    CHECK(entry_of(over_list, "10 m, GTX 480").core == "magflow/reference/active_list");
    CHECK(*entry_of(over_list, "10 m, GTX 480").over_core.ratio == 4);
    CHECK(*entry_of(over_list, "10 m, GTX 480").over_cores.ratio == 3);
}

TEST_CASE("a program's seconds are its generations' and what is beside them", "[published]") {
    const char* const variant = "water_flow/first_rows/two_kernels/16x16/w19/align128";
    auto record = published_test::timed_case(variant, {2048, 2048}, {2e6});
    record.identity.generations = 500;  // 1 s
    record.program = {.load = 0.5, .upload = 0.25, .download = 0.125, .save = 2};
    const std::vector<results::Document> documents{published_test::document_of("GPU", {record})};
    MeasuredTable times(table("topa-figure-4"), documents);
    CHECK(*times.program({variant, "float32"}) == 3.875);
    CHECK_FALSE(times.program({variant, "float32", "64x64"}).has_value());
}

TEST_CASE("times of single kernels are their share of a generation", "[published]") {
    const char* const variant = "water_flow/first_rows/two_kernels/16x16/w19/align128";
    auto record = published_test::timed_case(variant, {64, 64}, {80});
    results::KernelTimes& kernels = record.kernel_times.emplace();
    for (const auto& [name, ns] : {std::pair("best_levels", 60), std::pair("distribute", 20)}) {
        kernels.kernels.emplace_back().name = name;
        kernels.kernels.back().statistics = {.n = 1, .median = static_cast<double>(ns)};
    }
    const std::vector<results::Document> documents{published_test::document_of("GPU", {record})};
    MeasuredTable times(table("topa-3"), documents);
    const ProcessSamples* const part = times({variant, "float32", "", {"distribute"}});
    REQUIRE(part);
    CHECK((*part)[0][0] == 20);
    CHECK(times({variant, "float32", "", {"rain"}}) == nullptr);
    CHECK((*times({variant, "float32"}))[0][0] == 80);
}

}  // namespace machines_test
