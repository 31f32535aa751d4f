// Recomputes every number of results/published/balasalle-counts.md from traces of the variants.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>

#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/harness/predict/launch_models.hpp"
#include "tests/results/published_page.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::balasalle_counts_test {
namespace {

constexpr int side = 1600;  // of the published board
constexpr int strip = 16;   // rows after which addresses repeat modulo 128 bytes in every layout

// Loads of one launch over the published board: those of an inner strip times the number of strips.
// Columns that do not fill a whole block are not computed, as in the published kernels.
struct Loads {
    std::int64_t blocks = 0;
    int generations = 0;  // per launch
    std::int64_t cells = 0;
    PublishedLoads published;
    TransferCounts cc13;
};

// Variant of one of the source's workloads on cells of 4 bytes.
const Variant& variant_named(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && info(variant.info.cell).size == 4) return variant;
    throw std::logic_error("no variant " + name);
}

// Columns and rows computed by a block.
Size region_of(const Variant& variant) {
    for (const Parameter& parameter : variant.info.parameters)
        if (parameter.name == "region") {
            const auto& text = std::get<std::string>(parameter.value);
            return {std::stoi(text), std::stoi(text.substr(text.find('x') + 1))};
        }
    throw std::logic_error("no region");
}

Loads trace(const std::string& name) {
    const Variant& variant = variant_named(name);
    const Workload& workload = *find_workload(variant.info.workload);
    const Size region = region_of(variant);
    const int blocks_per_row = side / region.columns;
    const Size size{blocks_per_row * region.columns, 3 * strip};
    simt::HostQueue queue(1);
    const auto execution = variant.factories.at(Backend::simt)(
        queue,
        {size, Boundary::dead, variant.info.cell, ParameterSet(workload.facts().parameters)});
    execution->upload(workload.initial({.size = size, .cell = variant.info.cell}));
    // Use the inner one of three strips: strips at the board's edge load less if a test skips
    // loads.
    queue.executor().set_block_filter([&](std::uint64_t block) {
        const int row = static_cast<int>(block) / blocks_per_row * region.rows;
        return row >= strip && row < 2 * strip;
    });
    LaunchModels models(queue, {RuleSet::cc12});
    execution->advance(variant.info.shape.generations);
    const LaunchModel model = models.under(RuleSet::cc12);

    constexpr int strips = side / strip;
    Loads loads{.blocks = model.blocks * strips,
                .generations = variant.info.shape.generations,
                .cells = std::int64_t{size.columns} * side,
                .published = model.counts.published,
                .cc13 = model.counts.global_load};
    loads.published.coalesced *= strips;
    loads.published.uncoalesced *= strips;
    for (int i = 1; i < strips; ++i) loads.cc13 += model.counts.global_load;
    return loads;
}

// Traces each variant once per test run.
const Loads& loads_of(const std::string& name) {
    static std::map<std::string, Loads> known;
    const auto found = known.find(name);
    return found != known.end() ? found->second : known.emplace(name, trace(name)).first->second;
}

const Loads& life_loads(const std::string& name) {
    return loads_of("life/" + name);
}

std::string fixed(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

void check_table(const char* heading, const TableRows& rows) {
    CAPTURE(heading);
    INFO(joined(rows));
    CHECK(PublishedPage("balasalle-counts.md").table(heading) == rows);
}

// A column of a published table and the corresponding variant.
struct Published {
    const char* table;
    const char* kernel;   // as printed
    const char* variant;  // corresponding variant
    int repeats;          // counted launches
    std::int64_t coalesced, uncoalesced;
    bool reproduced = true;

    // The GPU's counters cover one of its ten clusters of SMs.
    PublishedLoads cluster() const {
        const Loads& loads = loads_of(variant);
        REQUIRE(repeats * loads.published.coalesced % 10 == 0);
        return {repeats * loads.published.coalesced / 10,
                repeats * loads.published.uncoalesced / 10};
    }
};

// Balasalle 2011, Tables 5.1, 5.2 and 5.4.
const Published published[] = {
    {"5.1", "two-element", "life/two_element/16x16/align128", 2, 36000, 36000},
    {"5.1", "two generations", "life/two_generation/64x4/align128", 1, 32000, 32000},
    {"5.2", "two-element", "life/two_element/16x16/align128", 2, 36000, 36000},
    {"5.2", "two generations", "life/two_generation_const/64x4/align128", 1, 32000, 32000},
    {"5.2", "two generations, linear", "life/two_generation_linear/64x4/align128", 1, 32000, 32000},
    {"5.2", "two generations, two-element, linear",
     "life/two_element_two_generation_linear/64x4/align128", 1, 30720, 15360},
    {"5.4", "extrema, aligned", "extrema/shared_tile/16x16/align128", 1, 54000, 108000},
    {"5.4", "extrema, two-element", "extrema/two_element/16x16/align128", 1, 54000, 54000},
    {"5.4", "extrema, rectangular", "extrema/shared_tile/64x4/align128", 1, 71964, 32285, false},
    {"5.4", "extrema, two-element rectangular", "extrema/two_element/64x4/align128", 1, 69120,
     17280},
};

}  // namespace

TEST_CASE("the published load counts follow from traces", "[published]") {
    TableRows rows;
    for (const Published& entry : published) {
        CAPTURE(entry.kernel);
        const PublishedLoads counted = entry.cluster();
        const bool equal = counted == PublishedLoads{entry.coalesced, entry.uncoalesced};
        CHECK(equal == entry.reproduced);
        const Loads& loads = loads_of(entry.variant);
        const auto per_block = [&](std::int64_t number) {
            CHECK(number % loads.blocks == 0);
            return std::to_string(number / loads.blocks);
        };
        rows.push_back(table_row(
            {entry.table, entry.kernel, std::string("`") + entry.variant + "`",
             std::to_string(entry.repeats) + " x " + grouped(loads.blocks / 10),
             per_block(loads.published.coalesced) + ", " + per_block(loads.published.uncoalesced),
             grouped(counted.coalesced) + ", " + grouped(counted.uncoalesced),
             grouped(entry.coalesced) + ", " + grouped(entry.uncoalesced), equal ? "yes" : "no"}));
    }
    check_table("## Reproduced", rows);
}

TEST_CASE("ratios between published kernels, by his counter and by the CC 1.3 rule",
          "[published]") {
    TableRows rows;
    const Published* base = nullptr;
    for (const Published& entry : published) {
        CAPTURE(entry.kernel);
        // With an aligned layout and conventional loads, the counter equals the rule.
        const Loads& loads = loads_of(entry.variant);
        CHECK(loads.cc13.transactions_128 == 0);
        CHECK(loads.cc13.transactions_64 == loads.published.coalesced);
        CHECK(loads.cc13.transactions_32 == loads.published.uncoalesced);
        if (!base || std::string(base->table) != entry.table) {
            base = &entry;
            continue;
        }
        const auto ratio = [&](auto&& value) {
            return fixed(static_cast<double>(value(entry)) / static_cast<double>(value(*base)), 3);
        };
        const auto traced = [&](std::int64_t TransactionCounts::*member) {
            return ratio([member](const Published& e) {
                return e.repeats * (loads_of(e.variant).cc13.*member);
            });
        };
        rows.push_back(
            table_row({entry.table, std::string(entry.kernel) + " / " + base->kernel,
                       ratio([](const Published& e) { return e.coalesced; }),
                       traced(&TransactionCounts::transactions_64),
                       ratio([](const Published& e) { return e.uncoalesced; }),
                       traced(&TransactionCounts::transactions_32), ratio([](const Published& e) {
                           return e.repeats * loads_of(e.variant).cc13.transactions();
                       }),
                       traced(&TransactionCounts::bytes_moved)}));
    }
    check_table("## Ratios", rows);
}

TEST_CASE("loads of Life's techniques under the CC 1.3 rule", "[published]") {
    const char* names[] = {"global/16x16",
                           "halo/16x16/unaligned",
                           "shared_tile/16x16/unaligned",
                           "shared_tile/16x16/align32",
                           "shared_tile/16x16/align64",
                           "shared_tile/16x16/align128",
                           "shared_tile/32x8/align128",
                           "shared_tile/64x4/align128",
                           "two_element/16x16/align128",
                           "two_element/64x4/align128",
                           "two_generation/64x4/align128",
                           "two_generation_linear/64x4/align128",
                           "two_generation_linear_load/64x4/align128",
                           "two_element_two_generation_linear/64x4/align128",
                           "two_element_two_generation_linear_load/64x4/align128"};
    TableRows rows;
    for (const char* name : names) {
        CAPTURE(name);
        const Loads& loads = life_loads(name);
        // Per 1024 cells and generation.
        const double work = static_cast<double>(loads.cells) * loads.generations / 1024;
        const auto per_work = [&](std::int64_t number) { return fixed(number / work, 1); };
        CHECK(loads.cc13.useful_bytes <= loads.cc13.bytes_moved);
        CHECK(loads.cc13.requests == loads.published.coalesced + loads.published.uncoalesced);
        rows.push_back(table_row(
            {std::string("`") + name + "`", per_work(loads.published.coalesced),
             per_work(loads.published.uncoalesced),
             per_work(loads.cc13.transactions_32) + " / " + per_work(loads.cc13.transactions_64) +
                 " / " + per_work(loads.cc13.transactions_128),
             per_work(loads.cc13.transactions()),
             fixed(static_cast<double>(loads.cc13.bytes_moved) / 1024 / work, 2)}));
    }
    check_table("## Life's techniques under the CC 1.3 rule", rows);

    // The page's statements on the order of the published times, from the halo kernel on.
    for (int i = 2; i < 10; ++i) {
        CAPTURE(names[i]);
        const auto per_cell = [&](int which, std::int64_t number) {
            return static_cast<double>(number) / life_loads(names[which]).cells;
        };
        const auto transactions = [&](int which) {
            return per_cell(which, life_loads(names[which]).cc13.transactions());
        };
        const auto bytes = [&](int which) {
            return per_cell(which, life_loads(names[which]).cc13.bytes_moved);
        };
        CHECK(transactions(i) <= transactions(i - 1));
        CHECK(bytes(i) <= bytes(i - 1));
        const bool same = transactions(i) == transactions(i - 1) && bytes(i) == bytes(i - 1);
        CHECK(same == (std::string(names[i]) == "shared_tile/16x16/align128"));
    }
}

TEST_CASE("the published load counts of the difference of Gaussians", "[published]") {
    // Balasalle 2011, Table 5.3: the assignment of values to kernels is lost. Neither operand has
    // neighbors, so that every half-warp of a block loads both, and no load has a single active
    // lane.
    constexpr std::int64_t row_of_coalesced[] = {32000, 30270, 16000, 30720};
    constexpr std::int64_t row_of_uncoalesced[] = {32000, 16000, 15360, 36000};
    struct Kernel {
        const char* name;
        const char* variant;
        std::int64_t counted;
    };
    const Kernel kernels[] = {
        {"one element", "dog/halo/64x4/align128", 32000},
        {"two-element", "dog/two_element/64x4/align128", 30720},
        {"packed", "dog/packed/16x16/v2/align128", 16000},
        {"two-element packed", "dog/two_element_packed/64x4/v2/align128", 15360}};
    TableRows rows;
    for (const Kernel& kernel : kernels) {
        CAPTURE(kernel.name);
        const Loads& loads = loads_of(kernel.variant);
        CHECK(loads.published.uncoalesced == 0);
        REQUIRE(loads.published.coalesced % 10 == 0);
        CHECK(loads.published.coalesced / 10 == kernel.counted);
        CHECK(loads.published.coalesced % loads.blocks == 0);
        const bool among_coalesced =
            std::ranges::find(row_of_coalesced, kernel.counted) != std::end(row_of_coalesced);
        const bool among_uncoalesced =
            std::ranges::find(row_of_uncoalesced, kernel.counted) != std::end(row_of_uncoalesced);
        CHECK((among_coalesced || among_uncoalesced));
        rows.push_back(table_row(
            {kernel.name, std::string("`") + kernel.variant + "`", grouped(loads.blocks / 10),
             std::to_string(loads.published.coalesced / loads.blocks),
             grouped(loads.published.coalesced / 10), among_coalesced ? "yes" : "no",
             among_uncoalesced ? "yes" : "no"}));
    }
    check_table("## Difference of Gaussians", rows);
}

TEST_CASE("less than half the uncoalesced loads by a second element", "[published]") {
    // Statement on the blur (Balasalle 2011, section 5.3.1).
    const auto uncoalesced = [](const char* name) {
        return static_cast<double>(loads_of(name).published.uncoalesced);
    };
    const double share = uncoalesced("blur/two_element/64x4/align128") /
                         uncoalesced("blur/shared_tile/64x4/align128");
    CHECK(share < 0.5);
    CHECK_THAT(PublishedPage("balasalle-counts.md").text(),
               contains("The share is " + fixed(share, 2)));
}

TEST_CASE("the page of published load counts has no table without a test", "[published]") {
    CHECK(PublishedPage("balasalle-counts.md").tables() == 4);
}

}  // namespace camber::balasalle_counts_test
