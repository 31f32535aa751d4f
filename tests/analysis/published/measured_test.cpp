// Selection of times for a table: kernel shares in runs from the start.
#include "analysis/published/measured.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace measured_test {

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

constexpr Size golden{463, 358};
const std::string on_gpu = "surface_water_clock/scatter_tile/five_kernels/16x16/unaligned";
const std::string serial = "surface_water_clock/reference/five_passes";
const std::string revised = "surface_water/global/three_kernels/16x16";

results::CaseRecord with_kernels(results::CaseRecord record,
                                 const std::vector<std::pair<const char*, double>>& ns) {
    auto& times = record.kernel_times.emplace();
    for (const auto& [name, median] : ns) {
        results::KernelTime& kernel = times.kernels.emplace_back();
        kernel.name = name;
        kernel.statistics.n = 1;
        kernel.statistics.median = median;
    }
    return record;
}

results::CaseRecord from_start(results::CaseRecord record) {
    record.identity.from_start = true;
    record.identity.generations = 500;
    return record;
}

results::CaseRecord on_cpu(results::CaseRecord record) {
    record.identity.backend = Backend::cpu;
    return record;
}

double part(std::vector<results::Document> documents, const std::string& variant,
            const std::string& kernel) {
    MeasuredTable times(find_table(tables(), "balasalle-6.1"), documents);
    const ProcessSamples* const found = times(Asked{variant, "float32", "", {kernel}});
    return found == nullptr ? 0 : found->front().front();
}

}  // namespace

TEST_CASE("parts of a run from the start follow from launch after launch on the same board",
          "[published]") {
    const auto launched = [](Size size) {
        return document_of(
            "NVIDIA H200",
            {with_kernels(timed_case(on_gpu, size, {900}), {{"rain", 100}, {"outflow", 300}})},
            "launched.json");
    };
    const auto run = document_of("NVIDIA H200", {from_start(timed_case(on_gpu, golden, {1000}))});
    const auto reference =
        document_of("", {on_cpu(with_kernels(from_start(timed_case(serial, golden, {80000})),
                                             {{"rain", 20000}, {"outflow", 60000}}))});
    // The total comes from the run from the start, the kernels' shares from single launches.
    const std::vector documents{launched(golden), run, reference};
    CHECK(part(documents, on_gpu, "rain") == Approx(250));
    CHECK(part(documents, on_gpu, "outflow") == Approx(750));
    CHECK(part(documents, serial, "rain") == Approx(20000));
    // Kernel times of another board do not apply.
    CHECK(part({launched({4096, 4096}), run, reference}, on_gpu, "rain") == 0);
    CHECK(part({run, reference}, on_gpu, "rain") == 0);
}

TEST_CASE("a table compares two workloads that two runs measured", "[published]") {
    const std::vector documents{
        document_of("NVIDIA H200", {from_start(timed_case(revised, golden, {500}))}),
        document_of("NVIDIA H200", {from_start(timed_case(on_gpu, golden, {1000}))}),
        document_of("", {on_cpu(from_start(timed_case(serial, golden, {80000})))})};
    MeasuredTable times(find_table(tables(), "balasalle-6.1"), documents);
    for (const auto& [variant, ns] : {std::pair{revised, 500}, {on_gpu, 1000}, {serial, 80000}}) {
        const ProcessSamples* const found = times(Asked{variant, "float32", "", {}});
        REQUIRE(found != nullptr);
        CHECK(found->front().front() == ns);
    }
}

TEST_CASE("of several cases that were counted the one with the most counters is known",
          "[published]") {
    const auto counted = [](Size size, std::map<std::string, double> counters) {
        results::CaseRecord record = timed_case(on_gpu, size, {1000}, std::move(counters));
        record.kernels.emplace_back();
        return record;
    };
    const std::vector documents{
        document_of("NVIDIA H200", {counted({1, 1}, {})}),
        document_of("NVIDIA H200", {counted({1000, 777}, {{"sectors", 1}})}),
        document_of("NVIDIA H200",
                    {counted({2048, 2048}, {{"sectors", 1}, {"smsp__inst_executed.sum", 2}})}),
        document_of("NVIDIA H200", {counted({64, 64}, {{"sectors", 1}})})};
    const MeasuredTable times(find_table(tables(), "balasalle-6.1"), documents);
    REQUIRE(times.known(on_gpu) != nullptr);
    CHECK(times.known(on_gpu)->identity.size == Size{2048, 2048});
    CHECK(times.known(serial) == nullptr);
}

TEST_CASE("a table that asks for the CPU takes times that have both", "[published]") {
    const Table& table = find_table(tables(), "balasalle-6.1");
    std::vector<results::CaseRecord> many;
    for (const std::string& variant : variants_of(table))
        if (variant.find("/reference/") == std::string::npos)
            many.push_back(timed_case(variant, golden, {10}));
    REQUIRE(many.size() > 2);
    const std::vector documents{
        document_of("NVIDIA H200", std::move(many), "counters.json"),
        document_of("NVIDIA H200", {from_start(timed_case(on_gpu, golden, {1000}))}, "run.json"),
        document_of("", {on_cpu(from_start(timed_case(serial, golden, {80000})))}, "cpu.json")};
    MeasuredTable times(table, documents);
    CHECK(times.times("float32").work.origin == "NVIDIA H200, 463x358 (run.json)");
    CHECK(times.times("float32").find(serial) != nullptr);
}

TEST_CASE("two types of cells are compared on one problem", "[published]") {
    const Table& table = find_table(tables(), "sciara-fv3-1");
    const auto stated = std::ranges::find_if(
        table.conclusions, [](const Statement& one) { return !one.than_cell.empty(); });
    REQUIRE(stated != table.conclusions.end());
    const auto run = [&](const std::string& variant, const std::string& cell, int generations,
                         double density, double ns) {
        results::CaseRecord record = timed_case(variant, {517, 378}, {ns});
        record.identity.cell = cell;
        record.identity.from_start = generations > 4;
        record.identity.generations = generations;
        record.identity.workload_parameters["vents"] = {density};
        return record;
    };
    const results::CaseRecord faster = run(stated->faster, stated->cell, 4000, 2, 100);
    // Another number of generations, another ground, and the same problem.
    const std::vector documents{
        document_of("NVIDIA H200", {run(stated->than, stated->than_cell, 4, 2, 900)}, "a.json"),
        document_of("NVIDIA H200", {run(stated->than, stated->than_cell, 4000, 1, 800)}, "b.json"),
        document_of("NVIDIA H200", {faster}, "c.json"),
        document_of("NVIDIA H200", {run(stated->than, stated->than_cell, 4000, 2, 150)}, "d.json")};
    MeasuredTable times(table, documents);
    const auto pair = times.both(*stated);
    REQUIRE(pair.faster);
    REQUIRE(pair.than);
    CHECK(pair.faster->front().front() == 100);
    CHECK(pair.than->front().front() == 150);
    CHECK(pair.work.origin == "NVIDIA H200, 517x378 (c.json)");
    const std::vector without{documents[0], documents[1], documents[2]};
    MeasuredTable none(table, without);
    CHECK_FALSE(none.both(*stated).faster);
}

}  // namespace measured_test
