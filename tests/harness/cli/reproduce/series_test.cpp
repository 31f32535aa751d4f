// Measurement of published scaling tables, here on simulated devices, whose times are meaningless.
// Therefore only the runs and the analysis of their results are checked.
#include <fmt/format.h>

#include <string>

#include "analysis/published/scaling_tables.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/list/workloads.hpp"

namespace series_measuring_test {

using namespace camber;

namespace {

const published::Table& rustico() {
    return published::find_table(published::tables(), "rustico-6.1");
}

RunOptions on_executor() {
    RunOptions options;
    options.workload = rustico().here.workload;
    options.cell = rustico().here.cell;
    options.backend = "simt";
    options.generations = 3;
    return options;
}

// A case on `places` devices with a made-up time.
results::CaseRecord timed(int places, double ns, Size size) {
    results::CaseRecord record;
    record.name = fmt::format("{}x{}/{}", size.columns, size.rows, places);
    record.identity.workload = "magflow";
    record.identity.variant = rustico().here.variants.front();
    record.identity.backend = Backend::cuda;
    record.identity.size = size;
    record.identity.cell = "float32";
    record.identity.scaling = {scaling::Unit::gpu, places, 1, scaling::Mode::strong};
    record.samples.emplace().ns = {ns, ns * 1.001, ns * 0.999};
    record.samples->statistics = summarize(record.samples->ns, 1);
    record.samples->generations_per_sample = 1;
    return record;
}

results::Document document_of(std::vector<results::CaseRecord> cases) {
    results::Document document;
    document.source = "made up";
    document.context.run.emplace().gpu.emplace().name = "NVIDIA H200";
    document.cases = std::move(cases);
    return document;
}

}  // namespace

TEST_CASE("a published series is measured on one place and more", "[portable][published][group]") {
    RunOptions options = on_executor();
    options.size = "70x24";
    const std::vector<results::Document> documents =
        measure_series(rustico(), options, {1, 2, 3}, {});
    REQUIRE(documents.size() == 1);
    const results::Document& document = documents.front();
    REQUIRE(document.cases.size() == 3 * rustico().here.variants.size());
    for (const results::CaseRecord& record : document.cases) {
        CAPTURE(record.name);
        CHECK(record.status == results::Status::ok);
        REQUIRE(record.verification);
        CHECK(record.verification->passed());
        REQUIRE(record.identity.scaling);
        CHECK(record.identity.group.has_value() == (record.identity.scaling->units > 1));
        if (record.identity.group) CHECK(record.identity.group->exchange == "stores");
    }
    // The document provides a series of each variant for comparison with the table.
    const auto series = published::measured_series(rustico(), {document});
    REQUIRE(series.size() == rustico().here.variants.size());
    CHECK(series[0].analysis.points.size() == 3);
    CHECK(series[0].analysis.points[2].units == 3);
}

// The table's scene with few particles. Tests of groups check whether slices move.
TEST_CASE("particles are measured with balance and without", "[portable][published][group][sph]") {
    const published::Table& table = published::find_table(published::tables(), "rustico-8.3");
    RunOptions options;
    options.workload = table.here.workload;
    options.cell = table.here.cell;
    options.backend = "simt";
    options.generations = 3;
    options.size = table.here.size;  // replaced by the parameters
    options.parameters = {"scene=2", "dp=0.1"};
    const auto documents = measure_series(table, options, {1, 2, 3}, {});
    REQUIRE(documents.size() == 2);
    const std::size_t variants = table.here.variants.size();
    for (const results::Document& document : documents) {
        const bool is_balanced = &document == &documents.back();
        CHECK(document.cases.size() == 3 * variants);
        for (const results::CaseRecord& record : document.cases) {
            CAPTURE(record.name, record.reason);
            CHECK(record.status == results::Status::ok);
            REQUIRE(record.verification);
            CHECK(record.verification->passed());
            CHECK(record.identity.size == Size{576, 1});
            const auto& group = record.identity.group;
            REQUIRE(group.has_value() == (record.identity.scaling->units > 1));
            if (!group) continue;
            CHECK(group->exchange == "copies");
            CHECK(group->balancing.has_value() == is_balanced);
            if (is_balanced) CHECK(group->balancing->rule == "published");
            CHECK(group->moved_rows.has_value() == is_balanced);
        }
    }
    // Each measured series is compared with the printed series of the same kind.
    const auto series = published::measured_series(table, documents);
    REQUIRE(series.size() == 2 * variants);
    for (std::size_t k = 0; k < series.size(); ++k) {
        const bool is_balanced = k >= variants;
        CHECK(series[k].analysis.points.size() == 3);
        CHECK(series[k].balance == (is_balanced ? "published" : ""));
        CHECK(published::rows_beside(table, series[k]).name ==
              (is_balanced ? "load balancing on" : "load balancing off"));
    }
    // Both series share the time of one device.
    CHECK(series[0].analysis.points[0].median_ns == series[variants].analysis.points[0].median_ns);
}

// Made-up times of 1.6 million particles on one and two GPUs, with and without balancing, and of
// ten million.
TEST_CASE("measured rates of particles stand beside printed ones",
          "[portable][published][group][sph]") {
    const published::Table& table = published::find_table(published::tables(), "rustico-8.4");
    const auto of = [&](int places, double ns, const char* balance, Size size) {
        results::CaseRecord record = timed(places, ns, size);
        record.identity.workload = "sph";
        record.identity.variant = table.here.variants.front();
        if (places == 1) return record;
        results::GroupRecord& group = record.identity.group.emplace();
        group.kind = "gpus";
        group.places = places;
        group.exchange = "copies";
        if (*balance != '\0') group.balancing = {balance, 10, 1};
        return record;
    };
    const Size own{1604739, 1};
    const Size large{10081682, 1};
    const auto document = [&](const char* balance, double ns, Size size, double alone) {
        return document_of({of(1, alone, "", size), of(2, ns, balance, size)});
    };
    const auto made = reproduce(
        table, {document("", 900e3, own, 1600e3), document("published", 850e3, own, 1600e3),
                document("", 5200e3, large, 10000e3)});
    REQUIRE(made.cards[0].series.size() == 3);
    const std::string page = reproduction_page(made, PageFormat::markdown);
    const std::string name = "Measured on H200: " + table.here.variants.front() + ", ";
    CHECK_THAT(page, contains(name + "1604739x1 (made up)"));
    CHECK_THAT(page, contains(name + "1604739x1, balance published (made up)"));
    CHECK_THAT(page, contains(name + "10081682x1 (made up)"));
    // 1600/900, half of it, and 1,604,739 particles in 900 us; the table prints 19149, after 9977
    // on one GPU.
    CHECK_THAT(page, contains("| 2 | 1.9193 | 0.9597 | 0.0420 | 900.0 us | 1.7778 | 0.8889 | "
                              "0.1250 |"));
    CHECK_THAT(page, contains(" | 19149 | 1783043 |"));
    // 1600/850, compared with the printed series with balancing.
    CHECK_THAT(page, contains("| 2 | 1.9425 | 0.9712 | 0.0296 | 850.0 us | 1.8824 |"));
    CHECK_THAT(page, contains(" | 19380 | 1887928 |"));
    CHECK_THAT(page, contains("| 6 | ") && contains(" | 49491 | - |"));
}

TEST_CASE("runs of particles on one GPU and on two make a series",
          "[portable][published][group][sph]") {
    const published::Table& table = published::find_table(published::tables(), "rustico-8.2");
    const auto of = [&](int places, double ns, const char* rule) {
        results::CaseRecord record = timed(1, ns, {1604739, 1});
        record.name = fmt::format("{} {}", places, rule);
        record.identity.workload = "sph";
        record.identity.variant = table.here.variants.front();
        record.identity.scaling.reset();
        record.identity.workload_parameters = {{"scene", {0}}, {"dp", {0.00425}}};
        if (places == 1) return record;
        results::GroupRecord& group = record.identity.group.emplace();
        group.kind = "gpus";
        group.places = places;
        group.exchange = "copies";
        group.partition = "rows";
        group.allocation = "slab";
        group.overlap = true;
        if (*rule != '\0') group.balancing = {rule, 10, 1};
        return record;
    };
    results::Document one = document_of({of(1, 1600e3, "")});
    one.source = "one.json";
    results::Document two = document_of({of(2, 1000e3, ""), of(2, 800e3, "improved")});
    two.source = "two.json";
    const auto made = reproduce(table, {one, two});
    REQUIRE(made.cards.at(0).series.size() == 2);
    CHECK(made.cards[0].series[0].origin == "one.json and two.json");
    const std::string page = reproduction_page(made, PageFormat::markdown);
    const std::string name = "Measured on H200: " + table.here.variants.front();
    CHECK_THAT(page, contains(name + ", copies, overlap, 1604739x1 (one") &&
                         contains(name + ", copies, overlap, balance improved, 1604739x1 (one"));
    // Compared with the printed series without and with balancing.
    CHECK_THAT(page, contains("| 2 | 1.8970 | 0.9485 | 0.0543 | 1000.0 us | 1.6000 | 0.8000 |") &&
                         contains("| 2 | 1.9117 | 0.9558 | 0.0462 | 800.0 us | 2.0000 | 1.0000 |"));
    // The time on one device comes from the file that is measured like the others: with the same
    // lists, and with samples as long.
    one.cases.front().samples->generations_per_sample = 2;
    results::Document lists = one;
    lists.source = "lists.json";
    lists.cases.front().identity.workload_parameters["rebuild"] = {1};
    results::Document start = one;
    start.source = "start.json";
    start.cases.front().samples->generations_per_sample = 1;
    CHECK(reproduce(table, {lists, start, one, two}).cards.at(0).series.at(0).origin ==
          "one.json and two.json");
    // Another number of particles is another problem.
    two.cases[0].identity.workload_parameters["dp"] = {0.005};
    two.cases.pop_back();
    CHECK(reproduce(table, {one, two}).cards.at(0).series.empty());
}

TEST_CASE("series of particles are apart by developed state and division",
          "[portable][published][group][sph]") {
    const published::Table& table = published::find_table(published::tables(), "rustico-8.2");
    const auto of = [&](int places, double ns, int begin, double measure, double threshold) {
        results::CaseRecord record = timed(1, ns, {1604739, 1});
        record.name = fmt::format("{} {} {} {}", places, begin, measure, threshold);
        record.identity.workload = "sph";
        record.identity.variant = table.here.variants.front();
        record.identity.scaling.reset();
        if (begin > 0) record.identity.begin = begin;
        record.identity.workload_parameters = {{"scene", {0}},
                                               {"dp", {0.00425}},
                                               {"divide_by", {measure}},
                                               {"balance_threshold", {threshold}}};
        if (places == 1) return record;
        results::GroupRecord& group = record.identity.group.emplace();
        group.kind = "gpus";
        group.places = places;
        group.exchange = "copies";
        if (threshold != 0.5) group.balancing = {"published", 10, 1};
        return record;
    };
    const auto file = [](results::CaseRecord record, const char* source) {
        results::Document document = document_of({std::move(record)});
        document.source = source;
        return document;
    };
    const std::vector documents{file(of(1, 1600e3, 0, 0, 0.5), "start.json"),
                                file(of(1, 1700e3, 22000, 0, 0.5), "later.json"),
                                file(of(2, 820e3, 0, 0, 0.5), "start-2.json"),
                                file(of(2, 1300e3, 22000, 2, 0.5), "static.json"),
                                file(of(2, 900e3, 22000, 2, 0.0), "adaptive.json")};
    const auto made = reproduce(table, documents);
    const auto& series = made.cards.at(0).series;
    REQUIRE(series.size() == 3);
    CHECK(series[0].origin == "start.json and start-2.json");
    CHECK(series[0].stage.empty());
    CHECK(series[1].origin == "later.json and adaptive.json");
    CHECK(series[1].stage ==
          ", from step 22000, divided by particles at the start, adaptive threshold");
    CHECK(series[2].origin == "later.json and static.json");
    CHECK(series[2].stage == ", from step 22000, divided by particles at the start");
    CHECK(series[2].analysis.points[1].speedup == Approx(1.7 / 1.3));
    CHECK(published::basis_of(table, &series[0].work) == published::Basis::short_run);
    CHECK(published::basis_of(table, &series[2].work) == published::Basis::same);
    CHECK_THAT(reproduction_page(made, PageFormat::markdown),
               contains("1604739x1, from step 22000, divided by particles at the start (later"));
}

TEST_CASE("an eruption's cells are made as small as the table's", "[portable][published][group]") {
    // A saved state with cells of the default size.
    const Workload& workload = *find_workload("magflow");
    const InitialConditions conditions{
        .size = {14, 10}, .cell = ElementType::float32, .seed = 3, .density = 0.4};
    const results_test::TestFolder folder;
    workload.save(workload.initial(conditions), folder.path() / "saved",
                  {conditions, workload.parameters_for(conditions), 0});
    RunOptions options = on_executor();
    options.input = (folder.path() / "saved").string();
    options.generations = 2;
    const results::Document document = measure_series(rustico(), options, {1, 2}, {}).front();
    REQUIRE(!document.cases.empty());
    for (const results::CaseRecord& record : document.cases) {
        CAPTURE(record.name, record.reason);
        CHECK(record.identity.size == Size{70, 50});
        CHECK(record.status == results::Status::ok);
    }
}

TEST_CASE("measured speedups stand beside the printed ones", "[portable][published][group]") {
    const Size own{1910, 4095};
    const Size large{4202, 4914};
    const auto made =
        reproduce(rustico(), {document_of({timed(1, 300e3, own), timed(2, 170e3, own)}),
                              document_of({timed(1, 1500e3, large), timed(2, 760e3, large)})});
    REQUIRE(made.cards.size() == 1);
    REQUIRE(made.cards[0].series.size() == 1);
    CHECK(made.cards[0].series[0].analysis.series.rows == own.rows);
    const std::string page = reproduction_page(made, PageFormat::markdown);
    CHECK_THAT(page, contains("Measured on H200: magflow/halo/four_kernels/64x3/align128, "
                              "1910x4095 (made up)"));
    // 300 / 170, half of it, and its serial fraction.
    CHECK_THAT(page, contains("| 2 | 1.8582 | 0.9291 | 0.0763 | 170.0 us | 1.7647 | 0.8824 | "
                              "0.1333 |"));
    CHECK_THAT(page, contains("| 6 | 3.1949 | 0.5325 | 0.1756 | - |"));
    // Each unit costs 20 us, and a fourth one gains 300 / 12.
    CHECK_THAT(page,
               contains("20.0 us for each unit that was added") && contains("it pays up to D = 4"));
    // If the table's own board was not measured, the largest board is used.
    const auto other = reproduce(
        rustico(), {document_of({timed(1, 1500e3, large), timed(2, 760e3, large)}),
                    document_of({timed(1, 30e3, {382, 819}), timed(2, 40e3, {382, 819})})});
    REQUIRE(other.cards[0].series.size() == 1);
    CHECK(other.cards[0].series[0].analysis.series.rows == large.rows);
    // A single GPU is no series.
    const auto none = reproduce(rustico(), {document_of({timed(1, 300e3, own)})});
    CHECK(none.cards[0].series.empty());
    CHECK_THAT(reproduction_page(none, PageFormat::table),
               contains("none of the results has a series of"));
}

TEST_CASE("entries of two GPUs have times of two GPUs", "[portable][published][group]") {
    const published::Table& table = published::find_table(published::tables(), "sciara-fv2-1");
    const auto named = [](const char* variant, double ns, std::optional<int> places) {
        results::CaseRecord record = timed(1, ns, {517, 378});
        record.name = fmt::format("{} {}", variant, places.value_or(1));
        record.identity.workload = "sciara_fv2";
        record.identity.variant = variant;
        record.identity.cell = "float64";
        record.identity.scaling.reset();
        record.identity.cache = CacheState::hot;
        record.identity.submission = Submission::stream;
        if (places) {
            results::GroupRecord& group = record.identity.group.emplace();
            group.kind = "gpus";
            group.places = *places;
        }
        return record;
    };
    const char* const tile = "sciara_fv2/ringless_tile/four_kernels/8x8/align128";
    const auto made = reproduce(table, {document_of({named(tile, 40e3, std::nullopt),
                                                     named(tile, 50e3, 2), named(tile, 70e3, 4)})});
    const auto& entries = made.cards.at(0).orders.at(0).entries;
    const auto entry = [&](const std::string& name) {
        const auto found = std::ranges::find(entries, name, &published::OrderedEntry::name);
        REQUIRE(found != entries.end());
        return *found;
    };
    CHECK(*entry("tiled without halo, 8x8").measured == Approx(25000));
    CHECK(*entry("multi-GPU, 2, 8x8").measured == Approx(20000));
    CHECK(entry("multi-GPU, 2, 8x8").variant == std::string(tile) + " on 2 GPUs");
    CHECK_FALSE(entry("multi-GPU, 2, 16x16").measured);
}

}  // namespace series_measuring_test
