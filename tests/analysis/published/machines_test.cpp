// Published entries beside the CPU, on made-up times.
#include "analysis/published/machines.hpp"

#include <map>

#include "analysis/published/measured.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace machines_test {

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
    CHECK(entries("balasalle-6.1") == 2);  // of single kernels the CPU has no times
}

TEST_CASE("measured speedups are of generations, and of whole programs", "[published]") {
    const ProcessSamples core{{5000}};
    const ProcessSamples cores{{1000}};
    const ProcessSamples gpu{{100}};
    const auto all = machine_entries(
        table("magflow-2"),
        [&](const Asked& asked) -> const ProcessSamples* {
            if (asked.size != "382x819" || asked.cell != "float32") return nullptr;
            if (asked.variant == "magflow/reference/serial") return &core;
            return asked.variant == "magflow/reference/threads" ? &cores : &gpu;
        },
        [](const Asked& asked) -> std::optional<double> {
            return asked.variant == "magflow/reference/serial" ? 60 : 4;
        });
    const MachineEntry& fast = entry_of(all, "10 m, GTX 480");
    CHECK(*fast.generations_per_second == Approx(1e7));
    CHECK(*fast.over_core.ratio == 50);
    CHECK(*fast.over_cores.ratio == 10);
    CHECK(*fast.program_seconds == 4);
    CHECK(*fast.program_over_core == 15);
    CHECK_FALSE(entry_of(all, "5 m, GTX 480").generations_per_second.has_value());
    CHECK(*entry_of(all, "10 m, CPU").over_core.ratio == 1);
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
