// Compares predictions with full simulations of the same board, and with published and measured
// counts, also for accesses that depend on data.
#include "harness/predict/prediction.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <tuple>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/predict/prediction_record.hpp"
#include "tests/catch.hpp"
#include "tests/harness/predict/continued.hpp"
#include "tests/harness/predict/data_dependent_technique.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::prediction_test {
namespace {

using namespace continued;

InitialData life_data(const Problem& problem, std::uint64_t seed = 7) {
    return data_of("life", problem, seed);
}

std::vector<const Variant*> life_variants(ElementType cell) {
    std::vector<const Variant*> variants;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == "life" && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt))
            variants.push_back(&variant);
    return variants;
}

const Variant& life(const std::string& name) {
    for (const Variant* variant : life_variants(ElementType::uint32))
        if (variant->info.name() == "life/" + name) return *variant;
    throw std::logic_error("no variant " + name);
}

}  // namespace

TEST_CASE("what follows from small boards equals the simulation of every Life variant",
          "[model][slow]") {
    // Blocks overhang the second board on both sides.
    for (const Size size : {Size{384, 240}, Size{333, 290}}) {
        int extrapolated = 0;
        for (const Variant* variant : life_variants(ElementType::uint32))
            extrapolated += extrapolates(*variant, {size, Boundary::dead, ElementType::uint32});
        CHECK(extrapolated >= 45);
    }
}

TEST_CASE("torus boards, whose halo another kernel refreshes, follow from small ones",
          "[model][slow]") {
    // Wide enough that the halo kernel is extrapolated, too.
    for (const char* name :
         {"global/32x8", "halo/64x4/unaligned", "two_element/16x16/align128",
          "two_generation_linear_load/16x16/align128", "thread_per_input/12x12/n2/align128"})
        CHECK(extrapolates(life(name), {{811, 709}, Boundary::torus, ElementType::uint32}));
    int extrapolated = 0;
    for (const Variant* variant : life_variants(ElementType::uint32))
        extrapolated += extrapolates(*variant, {{300, 211}, Boundary::torus, ElementType::uint32});
    CHECK(extrapolated >= 40);
}

TEST_CASE("arithmetic that a parameter repeats is not repeated on the boards of lines",
          "[model][transfer_overlap]") {
    const auto predicted = [](double repeats) {
        const Workload& workload = *find_workload("transfer_overlap");
        Problem problem{{4096, 1024},
                        Boundary::dead,
                        ElementType::float32,
                        ParameterSet(workload.facts().parameters)};
        problem.parameters.set("repeats", {repeats});
        const auto variant =
            std::ranges::find(registry().variants(), "transfer_overlap/alone/kernel",
                              [](const Variant& one) { return one.info.name(); });
        const std::clock_t start = std::clock();
        Prediction prediction =
            predict(*variant, problem, data_of("transfer_overlap", problem), h200);
        return std::pair(std::move(prediction), std::clock() - start);
    };
    const auto [none, time_of_none] = predicted(0);
    const auto [many, time_of_many] = predicted(2000);
    CHECK(many.method == Method::extrapolated);
    CHECK((many.counts() == none.counts()));
    // The smallest board is traced with all repetitions. With those of the other boards, the
    // prediction takes 90 times as long.
    CHECK(time_of_many < 8 * time_of_none);
}

// Stretches that the edges of the board cut on all sides.
TEST_CASE("boards of streamed cells follow from small ones", "[model][slow]") {
    int streams = 0;
    for (const Variant& variant : registry().variants()) {
        const VariantInfo& info = variant.info;
        if (info.workload != "blur" || info.cell != ElementType::float32 ||
            info.shape.generations < 8 || info.shape.region.rows != 128)
            continue;
        ++streams;
        const int columns = info.shape.region.columns > 500 ? 12010 : 5010;
        const bool torus = info.technique.name == "bulk_copy";
        Problem problem{
            {columns, 650}, torus ? Boundary::torus : Boundary::dead, ElementType::float32};
        problem.parameters = ParameterSet(find_workload("blur")->facts().parameters);
        CHECK(extrapolates(variant, problem));
    }
    CHECK(streams == 5);
}

// A bulk copy is not a load and its bytes are not counted twice: it has one request per 512 bytes.
TEST_CASE("bulk copies have requests and sectors of their own", "[model]") {
    Problem problem{{336, 256}, Boundary::torus, ElementType::float32};
    problem.parameters = ParameterSet(find_workload("blur")->facts().parameters);
    const auto predicted = [&](const std::string& name) {
        for (const Variant& variant : registry().variants())
            if (variant.info.name() == name)
                return predict(variant, problem, data_of("blur", problem), h200);
        throw std::logic_error("no variant " + name);
    };
    const Prediction bulk = predicted("blur/bulk_copy/32x1/v4/n8/r128/k4/align128");
    const Prediction loaded = predicted("blur/register_stream/32x1/v4/n8/r128/align128");
    REQUIRE(bulk.kernels.at(0).model.blocks == 3 * 2);
    const AccessCounts& counts = bulk.kernels[0].model.counts;
    // Six stretches, each of which receives 128 rows, and 8 above and below.
    CHECK(counts.bulk_load.requests == 6 * 144);
    CHECK(counts.bulk_load.sectors == 6 * 144 * 16);
    CHECK(counts.global_load.requests == 0);
    CHECK(counts.shared_load.instructions == 6 * 144);
    CHECK(counts.shared_load.conflicts() == 0);
    CHECK((counts.global_store == loaded.kernels[0].model.counts.global_store));
    // Bulk copies have no reuse distance, because a stretch reads its rows once.
    DistinctCounts reads = loaded.kernels[0].model.reads;
    CHECK(bulk.kernels[0].model.reads.returns == Returns{});
    reads.returns = {};
    CHECK((bulk.kernels[0].model.reads == reads));
}

// The columns of the neighborhoods of a word's 32 cells are summed one by one, without memory
// accesses.
TEST_CASE("rounds of loops that touch no memory are counted", "[model]") {
    const auto rounds_of = [&](const std::string& name, const std::string& rule) {
        Problem problem{{2048, 70}, Boundary::dead, ElementType::bits};
        problem.parameters = ParameterSet(find_workload("larger_than_life")->facts().parameters);
        problem.parameters.set_rule(rule);
        for (const Variant& variant : registry().variants())
            if (variant.info.name() == name && variant.info.cell == ElementType::bits)
                return predict(variant, problem, data_of("larger_than_life", problem), h200)
                    .kernels.at(0)
                    .model.rounds;
        throw std::logic_error("no variant " + name);
    };
    // 64 words in a row: two warps.
    CHECK(rounds_of("larger_than_life/halo/64x4/align128", "") == 70 * 2 * 11);
    CHECK(rounds_of("larger_than_life/global/64x4", "R3,B9..12,S10..15") == 70 * 2 * 7);
    CHECK(rounds_of("larger_than_life/bit_columns/64x1/r64/align128", "") == 0);
}

// Reads from another block's shared memory are not included in the wavefronts of the block's own.
TEST_CASE("reads of other blocks' shared memory are counted by themselves", "[model][cluster]") {
    Problem problem{{480, 352}, Boundary::torus, ElementType::float32};
    problem.parameters = ParameterSet(find_workload("blur")->facts().parameters);
    const auto counts_of = [&](const std::string& name) {
        for (const Variant& variant : registry().variants())
            if (variant.info.name() == name) {
                const Prediction result = predict(variant, problem, data_of("blur", problem), h200);
                return result.kernels.at(0).model;
            }
        throw std::logic_error("no variant " + name);
    };
    const LaunchModel model = counts_of("blur/cluster_tile/32x8/v8/n8/r6/c4/align128");
    // Four clusters of four blocks of eight warps. In 8 generations, a warp reads 8 rows of two
    // packs per lane for the 6 rows that it computes: in the first generation from global memory,
    // in the others from tiles.
    constexpr int clusters = 4, warps = 4 * 4 * 8, rows = 8 * 2;
    CHECK(model.blocks == 4 * 4);
    CHECK(model.counts.global_load.requests == warps * rows);
    // Three edges between the blocks of a cluster, in both directions.
    CHECK(model.counts.distributed_load.instructions == clusters * 3 * 2 * 7 * 2);
    CHECK(model.counts.distributed_load.passes == 4 * clusters * 3 * 2 * 7 * 2);
    CHECK(model.cluster_barriers == 7);
    CHECK(model.counts.shared_load.instructions ==
          warps * rows * 7 - model.counts.distributed_load.instructions);
    CHECK(model.counts.shared_load.conflicts() == 0);
    CHECK(model.counts.shared_load.passes == 4 * model.counts.shared_load.instructions);
    CHECK(model.counts.shared_store.instructions == warps * 6 * 2 * 7);
    CHECK(model.counts.shared_store.conflicts() == 0);
    CHECK(model.counts.distributed_store.instructions == 0);
    // A cluster of one block reads no other block's shared memory.
    const LaunchModel alone = counts_of("blur/cluster_tile/32x8/v8/n8/r6/c1/align128");
    CHECK(alone.cluster_barriers == 0);
    CHECK(alone.blocks == 2 * 11);
    CHECK(alone.counts.distributed_load.instructions == 0);
    CHECK(alone.writes.grid_bytes == model.writes.grid_bytes);
    CHECK(alone.counts.global_load.requests > model.counts.global_load.requests);
}

TEST_CASE("boards of 1-byte cells follow from small ones", "[model][slow]") {
    const auto variants = life_variants(ElementType::uint8);
    int extrapolated = 0;
    for (std::size_t i = 0; i < variants.size(); i += 6)
        extrapolated +=
            extrapolates(*variants[i], {{905, 467}, Boundary::dead, ElementType::uint8});
    CHECK(extrapolated >= 6);
}

TEST_CASE("boards follow from small ones under the rules of old devices", "[model]") {
    for (const char* name : {"global/64x4", "shared_tile/16x16/unaligned", "halo/32x8/align128"})
        for (const char* architecture : {"cc1.0", "cc1.2", "cc2.0", "cc3.5"})
            for (const ElementType cell : {ElementType::uint32, ElementType::uint8})
                for (const Variant* variant : life_variants(cell))
                    if (variant->info.name() == std::string("life/") + name)
                        CHECK(extrapolates(*variant, {{650, 333}, Boundary::dead, cell},
                                           parse_architecture(architecture)));
}

TEST_CASE("predicted requests and sectors are those that an H200 counts", "[model]") {
    using Row = std::tuple<const char*, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    // The first six rows of shared_tile: hardware counters. All others: an independent program for
    // the same rule; counters have confirmed most of them since (results/h200).
    const Row rows[] = {
        {"shared_tile/16x16/align128", 491520, 1179648, 131072, 524288},
        {"shared_tile/64x4/align128", 393216, 983040, 131072, 524288},
        {"shared_tile/32x8/align128", 491520, 983040, 131072, 524288},
        {"shared_tile/16x16/unaligned", 491520, 1474560, 131072, 786432},
        {"shared_tile/64x4/unaligned", 393216, 1179648, 131072, 655360},
        {"shared_tile/32x8/unaligned", 491520, 1146880, 131072, 655360},
        {"two_element/16x16/align128", 327680, 884736, 131072, 524288},
        {"two_element/64x4/align128", 294912, 884736, 131072, 524288},
        {"halo/16x16/align128", 1179648, 6291456, 131072, 524288},
        {"halo/64x4/align128", 1179648, 5505024, 131072, 524288},
        {"halo/32x8/align128", 1179648, 5505024, 131072, 524288},
        {"halo/16x16/unaligned", 1179648, 6684672, 131072, 786432},
        {"two_generation/64x4/align128", 786432, 1572864, 131072, 524288},
        {"two_generation_const/64x4/align128", 786432, 1572864, 131072, 524288},
        {"two_generation_linear/64x4/align128", 786432, 1572864, 131072, 524288},
        {"two_element_two_generation_linear/64x4/align128", 524288, 1310720, 131072, 524288},
        {"two_generation_linear_load/64x4/align128", 278528, 1572864, 131072, 524288},
        {"two_element_two_generation_linear_load/64x4/align128", 270336, 1441792, 131072, 524288},
    };
    const Problem problem{{2048, 2048}, Boundary::dead, ElementType::uint32};
    for (const auto& [name, load_requests, load_sectors, store_requests, store_sectors] : rows) {
        CAPTURE(name);
        const Prediction prediction = predict(life(name), problem, life_data(problem), h200);
        CHECK(prediction.method == Method::extrapolated);
        const AccessCounts total = prediction.counts();
        CHECK(total.global_load.requests == load_requests);
        CHECK(total.global_load.sectors == load_sectors);
        CHECK(total.global_store.requests == store_requests);
        CHECK(total.global_store.sectors == store_sectors);
    }
}

TEST_CASE("small boards are simulated, and tell nothing of other data", "[model]") {
    const Problem problem{{40, 30}, Boundary::torus, ElementType::uint32};
    const Prediction prediction =
        predict(life("shared_tile/16x16/align128"), problem, life_data(problem), h200);
    CHECK(prediction.method == Method::simulated);
    CHECK_FALSE(prediction.data_dependent.has_value());
    // The step and the refresh of the halo.
    REQUIRE(prediction.kernels.size() == 2);
    CHECK(prediction.kernels[0].kernel == "stencil");
    CHECK(prediction.kernels[1].kernel == "torus_halo");
    // Every cell of the board once, and every cell of its halo.
    CHECK(prediction.counts().global_store.requested_bytes == 4 * (40 * 30 + 2 * (42 + 30)));
}

namespace {

struct DataDependent {
    DataDependent() {
        Catalogue<Life<std::uint32_t>> catalogue(local, "life", ElementType::uint32);
        LookRightIfAlive::add(catalogue);
    }
    const Variant& variant() const { return local.variants().front(); }
    Registry local;
    Problem problem{{288, 200}, Boundary::dead, ElementType::uint32};
};

// Rows of 32 columns are warps. Warps with a living cell load once more.
std::int64_t load_requests_by_hand(const State& state, Size size) {
    const auto cells = state.field("cells").cells<std::uint32_t>();
    std::int64_t requests = 0;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; column += 32) {
            const auto warp = cells.subspan(std::size_t(row) * size.columns + column, 32);
            requests += 1 + std::ranges::any_of(warp, [](std::uint32_t cell) { return cell != 0; });
        }
    return requests;
}

}  // namespace

TEST_CASE("accesses that depend on data are recognised and predicted from the data", "[model]") {
    const DataDependent fixture;
    for (const double density : {0.0, 0.01, 0.05}) {
        InitialData data = life_data(fixture.problem);
        data.conditions.density = density;
        const State state = data.workload->initial(data.conditions);
        const Prediction prediction = predict(fixture.variant(), fixture.problem, data, h200);
        CHECK(prediction.method == Method::simulated);
        CHECK(prediction.data_dependent == true);
        CHECK(prediction.counts().global_load.requests ==
              load_requests_by_hand(state, fixture.problem.size));
    }
}

TEST_CASE("a large board's data-dependent accesses are estimated with an interval", "[model]") {
    const DataDependent fixture;
    InitialData data = life_data(fixture.problem);
    data.conditions.density = 0.02;
    const Prediction full = predict(fixture.variant(), fixture.problem, data, h200);
    const std::int64_t requests = full.counts().global_load.requests;
    const std::int64_t sectors = full.counts().global_load.sectors;
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Prediction sampled =
            predict(fixture.variant(), fixture.problem, data, h200,
                    {.simulated_cells = 1000, .sampled_blocks = 60, .sampling_seed = seed});
        CHECK(sampled.method == Method::sampled);
        REQUIRE(sampled.kernels.size() == 1);
        CHECK(sampled.kernels[0].sampled_blocks == 60);
        const AccessCounts low = sampled.low();
        const AccessCounts high = sampled.high();
        CHECK(high.global_load.sectors > low.global_load.sectors);
        // All blocks store alike, so the interval is exact.
        CHECK((low.global_store == full.counts().global_store));
        CHECK((high.global_store == full.counts().global_store));
        covered += low.global_load.requests <= requests && requests <= high.global_load.requests &&
                   low.global_load.sectors <= sectors && sectors <= high.global_load.sectors;
        const auto all = quantities(sampled);
        CHECK(all.contains("global_load_sectors_low"));
        CHECK_FALSE(all.contains("compulsory_dram_bytes"));
    }
    CHECK(covered >= 34);  // of 40, with probability 95 % each
}

TEST_CASE("a variant that cannot run a problem is refused with the reason", "[model]") {
    const Problem problem{{20, 70000 * 4}, Boundary::dead, ElementType::uint32};
    CHECK_THROWS_WITH(predict(life("global/64x4"), problem, life_data(problem), h200),
                      contains("cannot be modelled: it needs 70000 rows of blocks"));
}

TEST_CASE("sites sum up to the launch, the most wasteful first", "[model]") {
    const Problem problem{{512, 512}, Boundary::torus, ElementType::uint32};
    const Prediction prediction =
        predict(life("shared_tile/16x16/unaligned"), problem, life_data(problem), h200);
    const auto rows = site_rows(prediction);
    REQUIRE(rows.size() > 10);
    std::int64_t moved = 0;
    std::int64_t passes = 0;
    double global_share = 0;
    double shared_share = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].number == static_cast<int>(i) + 1);
        if (i > 0) CHECK(rows[i].bytes_wasted() <= rows[i - 1].bytes_wasted());
        if (rows[i].space == Space::global) moved += rows[i].bytes_moved;
        passes += rows[i].passes;
        (rows[i].space == Space::global ? global_share : shared_share) += rows[i].share;
    }
    const AccessCounts total = prediction.counts();
    CHECK(moved == bytes_moved(prediction));
    CHECK(passes == total.shared_load.passes + total.shared_store.passes);
    CHECK(global_share == Approx(1));
    CHECK(shared_share == Approx(1));
    CHECK(bytes_needed(prediction, *find_workload("life")) == 8.0 * 512 * 512);
}

}  // namespace camber::prediction_test
