// Recomputes every number of results/published/topa-transactions.md from traces of camber's
// kernels.
#include <algorithm>
#include <array>
#include <string>

#include "harness/predict/trace_launches.hpp"
#include "tests/catch.hpp"
#include "tests/harness/predict/launch_models.hpp"
#include "tests/results/published_page.hpp"
#include "variants/water/water_flow/execution.hpp"
#include "workloads/water/water_flow/reference.hpp"

namespace camber::topa_transactions_test {
namespace {

using namespace water_flow;

constexpr std::array rule_sets = {RuleSet::cc12, RuleSet::cc10, RuleSet::cc20, RuleSet::cc30,
                                  RuleSet::cc50};
constexpr std::int64_t groups = 1024;  // blocks of 16x16 on 512x512

struct TracedKernel {
    const char* name;
    std::map<RuleSet, AccessCounts> counts;
    const AccessCounts& operator[](RuleSet rules) const { return counts.at(rules); }
};

// Traces one launch of best_levels and one of distribute on 512x512.
std::array<TracedKernel, 2> trace(const WaterFlowTechnique<float>& technique,
                                  const char* best_levels, const char* distribute) {
    constexpr Size size{512, 512};
    simt::HostQueue queue(1);
    WaterFlowExecution<float> execution(queue, size, technique);
    execution.upload(water_flow::random_state<float>(size));
    std::array<TracedKernel, 2> kernels{{{best_levels, {}}, {distribute, {}}}};
    for (TracedKernel& kernel : kernels) {
        const LaunchModels models(
            queue, {RuleSet::cc12, RuleSet::cc10, RuleSet::cc20, RuleSet::cc30, RuleSet::cc50});
        if (&kernel == &kernels[0])
            execution.find_best_levels();
        else
            execution.distribute();
        for (const RuleSet rules : rule_sets) {
            const LaunchModel model = models.under(rules);
            REQUIRE(model.blocks == groups);
            kernel.counts.emplace(rules, model.counts);
        }
    }
    return kernels;
}

const std::array<TracedKernel, 4>& kernels() {
    static const std::array<TracedKernel, 4> traced = [] {
        const auto global =
            trace(water_flow_global<float>(), "best_levels, global", "distribute, global");
        const auto shared = trace(water_flow_shared<float, published_buffer_width>(),
                                  "best_levels, shared", "distribute, shared");
        return std::array{global[0], global[1], shared[0], shared[1]};
    }();
    return traced;
}

// "16,384 (16)": the total and the number per group.
std::string per_group(std::int64_t total, const std::string& mark = "") {
    const std::string whole = total % groups == 0 ? "" : "no whole number ";
    return grouped(total) + mark + " (" + whole + std::to_string(total / groups) + ")";
}

std::string ratio(double value) {
    const int hundredths = static_cast<int>(value * 100 + 0.5);
    const std::string digits = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") + digits;
}

// Transactions by size: loads of 32, 64 and 128 bytes, stores of 64.
using Sizes = std::array<std::int64_t, 4>;

Sizes sizes_of(const AccessCounts& counts) {
    CHECK(counts.global_store.transactions() == counts.global_store.transactions_64);
    return {counts.global_load.transactions_32, counts.global_load.transactions_64,
            counts.global_load.transactions_128, counts.global_store.transactions_64};
}

// One printed number differs from the rule by one (Topa and Mlocek 2013, Table 1).
constexpr std::int64_t misprint = 16385;

// Topa and Mlocek 2013, Tables 1 and 2, as printed.
constexpr Sizes printed[4] = {{16384, 81920, 16384, 16384},
                              {16384, 114688, misprint, 16384},
                              {32768, 34816, 0, 16384},
                              {32768, 67584, 0, 16384}};

TableRows published_rows(int first) {
    TableRows rows;
    for (int k = first; k < first + 2; ++k) {
        const Sizes traced = sizes_of(kernels()[k][RuleSet::cc12]);
        std::vector<std::string> paper{kernels()[k].name, "printed"}, here{"", "traced"};
        for (int i = 0; i < 4; ++i) {
            paper.push_back(printed[k][i] == misprint ? grouped(misprint) + "† (" +
                                                            std::to_string(misprint / groups) + ")"
                                                      : per_group(printed[k][i]));
            here.push_back(per_group(traced[i]));
        }
        rows.push_back(table_row(paper));
        rows.push_back(table_row(here));
    }
    return rows;
}

void check_table(const char* heading, const TableRows& rows) {
    CAPTURE(heading);
    INFO(joined(rows));
    CHECK(PublishedPage("topa-transactions.md").table(heading) == rows);
}

}  // namespace

TEST_CASE("the water-flow kernels make the published transactions", "[water_flow][published]") {
    int differing = 0;
    for (int k = 0; k < 4; ++k) {
        CAPTURE(kernels()[k].name);
        const Sizes traced = sizes_of(kernels()[k][RuleSet::cc12]);
        for (int i = 0; i < 4; ++i) {
            if (printed[k][i] == misprint) {
                CHECK(traced[i] == misprint - 1);
                ++differing;
            } else {
                CHECK(traced[i] == printed[k][i]);
            }
        }
    }
    CHECK(differing == 1);
    check_table("## Table 1: global memory", published_rows(0));
    check_table("## Table 2: shared memory", published_rows(2));
}

TEST_CASE("techniques written for any rule make the published transactions, too",
          "[water_flow][published]") {
    const auto sizes = [](const char* name) {
        const auto variant = std::ranges::find_if(registry().variants(), [&](const Variant& one) {
            return one.info.name() == name && one.factories.contains(Backend::simt);
        });
        REQUIRE(variant != registry().variants().end());
        constexpr Size size{512, 512};
        const State initial = water_flow::random_state<float>(size);
        simt::HostQueue queue(1);
        const auto launches = trace_launches(
            queue, *variant, {size, Boundary::dead, ElementType::float32}, initial, RuleSet::cc12);
        REQUIRE(launches.size() == 2);
        return std::array{sizes_of(launches[0].model.counts), sizes_of(launches[1].model.counts)};
    };
    const auto global = sizes("water_flow/halo/two_kernels/16x16/align128");
    const auto shared = sizes("water_flow/first_rows/two_kernels/16x16/w19/align128");
    CHECK(global[0] == printed[0]);
    CHECK(global[1] == Sizes{16384, 114688, misprint - 1, 16384});
    CHECK(shared[0] == printed[2]);
    CHECK(shared[1] == printed[3]);
}

TEST_CASE("shares of loads that are not redundant", "[water_flow][published]") {
    // Printed: 32,768 of 114,688 (29 %) and 49,152 of 147,456 (33 %). These are every group's own
    // cells of every input array, in half-warps.
    TableRows rows;
    for (int k = 0; k < 2; ++k) {
        const std::int64_t loads = kernels()[k][RuleSet::cc12].global_load.transactions();
        const std::int64_t own = (k == 0 ? 2 : 3) * 16 * groups;
        CHECK(loads == (k == 0 ? 114688 : 147456));
        rows.push_back(table_row({kernels()[k].name, grouped(loads), per_group(own),
                                  std::to_string((100 * own + loads / 2) / loads) + " %"}));
    }
    check_table("## Redundancy", rows);
}

TEST_CASE("the water-flow kernels under every rule set", "[water_flow][published]") {
    // Values computed by an independent implementation of the same rules.
    struct Expected {
        Sizes cc12;
        std::int64_t cc12_bytes;
        Sizes cc10;
        std::int64_t cc10_bytes, lines, requests, sectors;
    };
    const Expected expected[4] = {
        {{16384, 81920, 16384, 16384},
         7864320,
         {524288, 65536, 0, 16384},
         20971520,
         114688,
         49152,
         229376},
        {{16384, 114688, 16384, 16384},
         9961472,
         {524288, 98304, 0, 16384},
         23068672,
         147456,
         65536,
         294912},
        {{32768, 34816, 0, 16384},
         3276800,
         {32768, 34816, 0, 16384},
         3276800,
         67584,
         18432,
         102400},
        {{32768, 67584, 0, 16384},
         5373952,
         {32768, 67584, 0, 16384},
         5373952,
         100352,
         34816,
         167936},
    };
    TableRows rows;
    for (int k = 0; k < 4; ++k) {
        const TracedKernel& kernel = kernels()[k];
        CAPTURE(kernel.name);
        std::vector<std::string> cells{kernel.name};
        const auto sizes = [&](RuleSet rules, const Sizes& wanted, std::int64_t bytes) {
            const Sizes counted = sizes_of(kernel[rules]);
            CHECK(counted == wanted);
            CHECK(kernel[rules].global_load.bytes_moved == bytes);
            cells.push_back(grouped(counted[0]) + " / " + grouped(counted[1]) + " / " +
                            grouped(counted[2]));
            cells.push_back(grouped(kernel[rules].global_load.bytes_moved));
        };
        sizes(RuleSet::cc10, expected[k].cc10, expected[k].cc10_bytes);
        sizes(RuleSet::cc12, expected[k].cc12, expected[k].cc12_bytes);
        const TransferCounts& cached = kernel[RuleSet::cc20].global_load;
        CHECK(cached.transactions_128 == expected[k].lines);
        CHECK(cached.transactions() == expected[k].lines);
        cells.push_back(grouped(cached.transactions_128));
        for (const RuleSet rules : {RuleSet::cc30, RuleSet::cc50}) {
            CHECK(kernel[rules].global_load.requests == expected[k].requests);
            CHECK(kernel[rules].global_load.sectors == expected[k].sectors);
            CHECK(kernel[rules].global_store.requests == 8192);
            CHECK(kernel[rules].global_store.sectors == 32768);
        }
        cells.push_back(grouped(kernel[RuleSet::cc50].global_load.requests) + " / " +
                        grouped(kernel[RuleSet::cc50].global_load.sectors));
        rows.push_back(table_row(cells));
    }
    check_table("## Loads under every rule", rows);
}

TEST_CASE("bytes of a step, global to shared", "[water_flow][published]") {
    const auto bytes = [](RuleSet rules, int first) {
        std::int64_t sum = 0;
        for (int k = first; k < first + 2; ++k)
            sum += kernels()[k][rules].global_load.bytes_moved +
                   kernels()[k][rules].global_store.bytes_moved;
        return sum;
    };
    const auto row = [&](const char* name, RuleSet rules, const char* speedups) {
        const double quotient = static_cast<double>(bytes(rules, 0)) / bytes(rules, 2);
        return table_row(
            {name, grouped(bytes(rules, 0)), grouped(bytes(rules, 2)), ratio(quotient), speedups});
    };
    CHECK(static_cast<double>(bytes(RuleSet::cc12, 0)) / bytes(RuleSet::cc12, 2) ==
          Approx(1.85).margin(0.005));
    CHECK(static_cast<double>(bytes(RuleSet::cc10, 0)) / bytes(RuleSet::cc10, 2) ==
          Approx(4.29).margin(0.005));
    check_table("## Bytes and published speedups",
                {row("1.0, 1.1", RuleSet::cc10,
                     "more than 4 (GeForce 9800 GT), more than 2 (Quadro NVS 140M)"),
                 row("1.2, 1.3", RuleSet::cc12,
                     "up to 1.7 (Quadro FX 4800), up to 1.2 (GeForce GTX 295)")});
}

namespace {

// Passes of one instruction on the buffer; all instructions of a kind take the same number.
struct Passes {
    std::map<int, int> of_width;
    void add(std::int64_t passes) { ++of_width[static_cast<int>(passes)]; }
    int only() const {
        REQUIRE(of_width.size() == 1);
        return of_width.begin()->first;
    }
};

struct BufferPasses {
    Passes reads, cells, edge_rows, edge_columns;
};

template <int Width>
BufferPasses buffer_passes(RuleSet rules) {
    constexpr Size size{32, 32};
    simt::HostQueue queue(1);
    WaterFlowExecution<float> execution(queue, size, water_flow_shared<float, Width>());
    execution.upload(water_flow::random_state<float>(size));
    BufferPasses passes;
    const LaunchModels models(queue, {}, [&](const WarpRequest& request) {
        if (request.space != Space::shared) return;
        const std::int64_t count = count_passes(request, rules).passes;
        const std::int64_t step = request.address[1] - request.address[0];
        const std::int64_t next_row = request.address[16] - request.address[0];
        REQUIRE(request.active == ~0u);
        if (request.operation == Operation::load)
            passes.reads.add(count);
        else if (step == 4 * Width)
            passes.edge_columns.add(count);
        else
            (next_row == 4 * Width ? passes.cells : passes.edge_rows).add(count);
    });
    execution.advance(1);
    return passes;
}

template <int Width>
std::vector<std::string> bank_cells(const char* name, RuleSet rules) {
    const BufferPasses passes = buffer_passes<Width>(rules);
    CHECK(passes.reads.only() == passes.cells.only());
    return {std::to_string(Width), name, std::to_string(passes.reads.only()),
            std::to_string(passes.edge_rows.only()), std::to_string(passes.edge_columns.only())};
}

}  // namespace

TEST_CASE("bank conflicts of the buffer", "[water_flow][published]") {
    // Row reads and edge-column stores: patterns S15 to S18 of an independent implementation, and
    // widths without conflicts among reads.
    CHECK(buffer_passes<18>(RuleSet::cc12).edge_columns.only() == 4);
    CHECK(buffer_passes<19>(RuleSet::cc12).edge_columns.only() == 2);
    CHECK(buffer_passes<18>(RuleSet::cc50).reads.only() == 2);
    CHECK(buffer_passes<18>(RuleSet::cc50).edge_columns.only() == 1);
    CHECK(buffer_passes<19>(RuleSet::cc50).edge_columns.only() == 2);
    CHECK(buffer_passes<48>(RuleSet::cc50).reads.only() == 1);
    CHECK(buffer_passes<48>(RuleSet::cc50).edge_columns.only() == 8);
    TableRows rows;
    for (const auto& [name, rules] :
         {std::pair{"1.x (16 banks, at least 2)", RuleSet::cc12},
          std::pair{"5.x and later (32 banks, at least 1)", RuleSet::cc50}}) {
        rows.push_back(table_row(bank_cells<18>(name, rules)));
        rows.push_back(table_row(bank_cells<19>(name, rules)));
        rows.push_back(table_row(bank_cells<48>(name, rules)));
    }
    check_table("## Bank conflicts of the buffer", rows);
}

TEST_CASE("the page of water-flow transactions has no table without a test",
          "[water_flow][published]") {
    CHECK(PublishedPage("topa-transactions.md").tables() == 6);
}

}  // namespace camber::topa_transactions_test
