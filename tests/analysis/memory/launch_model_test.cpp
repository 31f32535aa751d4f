#include "analysis/memory/launch_model.hpp"

#include <array>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tests/analysis/memory/toy_kernels.hpp"
#include "tests/catch.hpp"

namespace launch_model_test {

using namespace camber;

namespace {

constexpr std::int64_t output = std::int64_t{1} << 26;

std::array<std::int64_t, 4> measurable(const LaunchModel& model) {
    const AccessCounts& t = model.counts;
    return {t.global_load.requests, t.global_load.sectors, t.global_store.requests,
            t.global_store.sectors};
}

}  // namespace

TEST_CASE("Life kernels: what an H200's counters read", "[memory][launch]") {
    const ToyBoard aligned{2048, 2048, 2112, 2112 + 32};
    const ToyBoard unaligned{2048, 2048, 2082, (2048 + 64) + 33};
    using Counts = std::array<std::int64_t, 4>;
    const auto tile = [](const ToyBoard& board, int width, int height) {
        return measurable(life_tile(RuleSet::cc50, board, width, height, output));
    };
    CHECK(tile(aligned, 16, 16) == Counts{491520, 1179648, 131072, 524288});
    CHECK(tile(aligned, 64, 4) == Counts{393216, 983040, 131072, 524288});
    CHECK(tile(aligned, 32, 8) == Counts{491520, 983040, 131072, 524288});
    CHECK(tile(unaligned, 16, 16) == Counts{491520, 1474560, 131072, 786432});
    CHECK(tile(unaligned, 64, 4) == Counts{393216, 1179648, 131072, 655360});
    CHECK(tile(unaligned, 32, 8) == Counts{491520, 1146880, 131072, 655360});
}

TEST_CASE("Life by nine loads", "[memory][launch]") {
    const ToyBoard aligned{2048, 2048, 2112, 2112 + 32};
    const ToyBoard unaligned{2048, 2048, 2082, (2048 + 64) + 33};
    using Counts = std::array<std::int64_t, 4>;
    const auto halo = [](const ToyBoard& board, int width, int height) {
        return measurable(life_halo(RuleSet::cc50, board, width, height, output));
    };
    CHECK(halo(aligned, 16, 16) == Counts{1179648, 6291456, 131072, 524288});
    CHECK(halo(aligned, 64, 4) == Counts{1179648, 5505024, 131072, 524288});
    CHECK(halo(aligned, 32, 8) == Counts{1179648, 5505024, 131072, 524288});
    CHECK(halo(unaligned, 16, 16) == Counts{1179648, 6684672, 131072, 786432});
}

TEST_CASE("water flow: the published transaction counts and their model on later GPUs",
          "[memory][launch]") {
    // Topa and Mlocek 2013, tables 1 and 2 (CC 1.2, 512 x 512); other architectures by rule.
    struct Row {
        int aligned;
        bool shared;
        std::array<std::int64_t, 3> cc12, cc10;  // loads of 32, 64, 128 bytes
        std::int64_t cc12_bytes, cc10_bytes, lines, requests, sectors;
    };
    const std::vector<Row> rows = {
        {1,
         false,
         {16384, 81920, 16384},
         {524288, 65536, 0},
         7864320,
         20971520,
         114688,
         49152,
         229376},
        {3,
         false,
         {16384, 114688, 16384},
         {524288, 98304, 0},
         9961472,
         23068672,
         147456,
         65536,
         294912},
        {1, true, {32768, 34816, 0}, {32768, 34816, 0}, 3276800, 3276800, 67584, 18432, 102400},
        {3, true, {32768, 67584, 0}, {32768, 67584, 0}, 5373952, 5373952, 100352, 34816, 167936},
    };
    for (const std::int64_t pitch : {512, 528, 576}) {
        const ToyBoard board{512, 512, pitch, 4096};
        for (const Row& row : rows) {
            CAPTURE(pitch, row.aligned, row.shared);
            // The tile's load of the neighbor array is site 0 in both forms; kernel 2 also reads
            // level, terrain and sources.
            const auto total = [&](RuleSet rules) {
                return water_flow(rules, board, row.aligned, row.shared).counts;
            };
            const auto by_size = [](const TransferCounts& t) {
                return std::array{t.transactions_32, t.transactions_64, t.transactions_128};
            };
            const AccessCounts cc12 = total(RuleSet::cc12);
            CHECK(by_size(cc12.global_load) == row.cc12);
            CHECK(cc12.global_load.bytes_moved == row.cc12_bytes);
            CHECK(by_size(cc12.global_store) == std::array<std::int64_t, 3>{0, 16384, 0});
            const AccessCounts cc10 = total(RuleSet::cc10);
            CHECK(by_size(cc10.global_load) == row.cc10);
            CHECK(cc10.global_load.bytes_moved == row.cc10_bytes);
            CHECK(by_size(cc10.global_store) == std::array<std::int64_t, 3>{0, 16384, 0});
            CHECK(total(RuleSet::cc20).global_load.lines == row.lines);
            for (const RuleSet rules : {RuleSet::cc30, RuleSet::cc50}) {
                const AccessCounts counts = total(rules);
                CHECK(counts.global_load.requests == row.requests);
                CHECK(counts.global_load.sectors == row.sectors);
                CHECK(counts.global_store.requests == 8192);
                CHECK(counts.global_store.sectors == 32768);
            }
        }
    }
}

TEST_CASE("sums of one launch, worked out by hand", "[memory][launch]") {
    LaunchAccumulator accumulator(RuleSet::cc50);
    const auto row = [](std::int64_t base) { return [base](int l) { return base + 4 * l; }; };
    // Block 7: the same 128 bytes twice and one word of the next line; block 3: the first 128 bytes
    // again.
    accumulator.add(2, make_request(4, row(0)), 7);
    accumulator.add(2, make_request(4, row(0)), 7);
    accumulator.add(4,
                    make_request(
                        4, [](int) { return 132; }, 0x3),
                    7);
    accumulator.add(2, make_request(4, row(0)), 3);
    accumulator.add(5, make_request(4, row(64), ~0u, Space::global, Operation::store), 3);
    accumulator.add(6,
                    make_request(
                        8, [](int l) { return 16 * l; }, ~0u, Space::shared),
                    3);
    accumulator.add(9, make_request(4, row(0), 0), 3);  // no active lane
    const LaunchModel model = accumulator.finish();

    CHECK(model.blocks == 2);
    REQUIRE(model.sites.size() == 4);
    CHECK(model.sites[0].site == 2);
    CHECK(model.sites[3].site == 6);
    const TransferCounts& site = model.sites[0].counts.global_load;
    CHECK(site.instructions == 3);
    CHECK(site.sectors == 12);
    CHECK(site.sectors_per_request() == 4);
    CHECK(site.efficiency() == 1);

    const TransferCounts& load = model.counts.global_load;
    CHECK(load.instructions == 4);
    CHECK(load.requests == 4);
    CHECK(load.sectors == 13);
    CHECK(load.transactions_32 == 13);
    CHECK(load.bytes_moved == 13 * 32);
    CHECK(load.useful_bytes == 3 * 128 + 4);
    CHECK(load.bytes_moved - load.useful_bytes == 28);
    CHECK(load.requested_bytes == 3 * 128 + 8);
    CHECK(model.counts.global_store.bytes_moved == 128);
    CHECK(model.counts.shared_load.instructions == 1);
    CHECK(model.counts.shared_load.passes == 4);
    CHECK(model.counts.shared_load.conflicts() == 2);
    CHECK(model.counts.instructions() == 6);
    CHECK(model.counts.published.coalesced == 7);
    CHECK(model.counts.published.uncoalesced == 0);

    DistinctCounts reads{9, 2 * 128 + 4, 5, 128 + 4};
    reads.returns[return_place(4)] = 4;  // the repeated load in block 7
    CHECK(model.reads == reads);
    CHECK(model.writes == DistinctCounts{4, 128, 4, 128});
    CHECK(model.distinct_sectors == 6);  // bytes 0 to 191; the word at 132 is in the third sector
                                         // of the store
    CHECK(model.compulsory_bytes() == 32 * 9);
    CHECK(model.block_bytes() == 32 * 13);
    CHECK(model.non_redundant_share() == Approx(132.0 / 392));
}

TEST_CASE("a launch without accesses is empty and wastes nothing", "[memory][launch]") {
    const LaunchModel model = LaunchAccumulator(RuleSet::cc12).finish();
    CHECK(model.blocks == 0);
    CHECK(model.sites.empty());
    CHECK(model.counts == AccessCounts{});
    CHECK(model.compulsory_bytes() == 0);
    CHECK(model.non_redundant_share() == 1);
    CHECK(model.counts.global_load.sectors_per_request() == 0);
}

TEST_CASE("atomics read and write, textures read, local memory stays out of the distinct bytes",
          "[memory][launch]") {
    LaunchAccumulator accumulator(RuleSet::cc50);
    const auto row = [](int l) { return 4 * l; };
    const auto add = [&](Space space, Operation operation, std::int64_t base) {
        accumulator.add(0,
                        make_request(
                            4, [&](int l) { return base + row(l); }, ~0u, space, operation),
                        0);
    };
    add(Space::global, Operation::atomic, 0);
    CHECK(accumulator.finish().reads.grid_bytes == 128);
    CHECK(accumulator.finish().writes.grid_bytes == 128);
    add(Space::texture, Operation::load, 1024);
    CHECK(accumulator.finish().reads.grid_bytes == 256);
    add(Space::local, Operation::store, 2048);
    add(Space::local, Operation::load, 2048);
    add(Space::shared, Operation::atomic, 0);
    const LaunchModel model = accumulator.finish();
    CHECK(model.reads.grid_bytes == 256);
    CHECK(model.writes.grid_bytes == 128);
    CHECK(model.counts.global_atomic.sectors == 4);
    CHECK(model.counts.texture_load.sectors == 4);
    CHECK(model.counts.local_load.sectors == 4);
    CHECK(model.counts.local_store.sectors == 4);
    CHECK(model.counts.shared_atomic.passes == 1);
    CHECK(model.counts.published == PublishedLoads{});
    CHECK(model.non_redundant_share() == 1);
}

TEST_CASE("the published counter of half-warp loads", "[memory][launch]") {
    // Balasalle 2011, section 5: per block coalesced = BX BY / 16 + 2 BX / 16 (per element), and
    // uncoalesced = 2 BY + 4.
    const ToyBoard board{256, 256, 320, 320 + 32};
    for (const auto& [width, height] : {std::pair(16, 16), std::pair(64, 4)}) {
        CAPTURE(width);
        const LaunchModel model = life_tile(RuleSet::cc12, board, width, height, output);
        const std::int64_t blocks = 256 * 256 / 256;
        CHECK(model.counts.published.coalesced == blocks * (16 + 2 * width / 16));
        CHECK(model.counts.published.uncoalesced == blocks * (2 * height + 4));
    }
}

TEST_CASE("distinct bytes and sectors agree with sets of bytes", "[memory][launch]") {
    std::mt19937_64 engine(31);
    for (int launch = 0; launch < 20; ++launch) {
        LaunchAccumulator accumulator(RuleSet::cc50);
        std::set<std::int64_t> grid[2], block[2];
        std::map<std::int64_t, std::int64_t> loaded;  // by sector of a block
        DistinctCounts expected[2];
        const auto sectors = [](const std::set<std::int64_t>& bytes) {
            std::set<std::int64_t> set;
            for (const std::int64_t byte : bytes) set.insert(byte >> 5);
            return static_cast<std::int64_t>(set.size());
        };
        for (int b = 0; b < 6; ++b) {
            block[0].clear();
            block[1].clear();
            loaded.clear();
            std::int64_t loads = 0;
            for (int i = 0; i < 20; ++i) {
                const WarpRequest request = random_request(engine);
                accumulator.add(i, request, 5 - b);
                const int kind = request.operation == Operation::store;
                std::set<std::int64_t> bytes;
                for (int l = 0; l < warp_lanes; ++l)
                    for (std::uint32_t k = 0; request.is_active(l) && k < request.size; ++k)
                        bytes.insert(request.address[l] + k);
                grid[kind].insert(bytes.begin(), bytes.end());
                block[kind].insert(bytes.begin(), bytes.end());
                if (kind == 1) continue;
                std::set<std::int64_t> of_request;
                for (const std::int64_t byte : bytes) of_request.insert(byte >> 5);
                for (const std::int64_t sector : of_request) {
                    if (const auto before = loaded.find(sector); before != loaded.end()) {
                        const std::int64_t meanwhile = loads - before->second;
                        ++expected[0].returns[return_place(static_cast<std::uint32_t>(meanwhile))];
                    }
                    loaded[sector] = loads;
                }
                loads += static_cast<std::int64_t>(of_request.size());
            }
            for (const int kind : {0, 1}) {
                expected[kind].block_bytes += static_cast<std::int64_t>(block[kind].size());
                expected[kind].block_sectors += sectors(block[kind]);
            }
        }
        for (const int kind : {0, 1}) {
            expected[kind].grid_bytes = static_cast<std::int64_t>(grid[kind].size());
            expected[kind].grid_sectors = sectors(grid[kind]);
        }
        const LaunchModel model = accumulator.finish();
        REQUIRE(model.reads == expected[0]);
        REQUIRE(model.writes == expected[1]);
        grid[0].merge(grid[1]);
        REQUIRE(model.distinct_sectors == sectors(grid[0]));
    }
}

TEST_CASE("sites add up to the total", "[memory][launch]") {
    std::mt19937_64 engine(32);
    for (const RuleSet rules : all_rule_sets) {
        LaunchAccumulator accumulator(rules);
        TransactionCounts load, store;
        BankCounts shared;
        for (int i = 0; i < 500; ++i) {
            const WarpRequest request =
                random_request(engine, i % 3 == 0 ? Space::shared : Space::global);
            accumulator.add(i % 7, request, i / 50);
            if (request.space == Space::shared) {
                shared += count_passes(request, rules);
            } else {
                (request.operation == Operation::load ? load : store) +=
                    count_transactions(request, rules);
            }
        }
        const LaunchModel model = accumulator.finish();
        CHECK(model.blocks == 10);
        CHECK(model.sites.size() == 7);
        AccessCounts sum;
        for (const SiteCounts& site : model.sites) sum += site.counts;
        CHECK(sum == model.counts);
        CHECK(static_cast<const TransactionCounts&>(model.counts.global_load) == load);
        CHECK(static_cast<const TransactionCounts&>(model.counts.global_store) == store);
        BankCounts banks = model.counts.shared_load;
        banks += model.counts.shared_store;
        CHECK(banks == shared);
    }
}

TEST_CASE("the accumulator refuses what cannot be", "[memory][launch]") {
    LaunchAccumulator accumulator(RuleSet::cc50);
    const auto word = [](int) { return 0; };
    CHECK_THROWS_WITH(accumulator.add(-1, make_request(4, word), 0),
                      "call site -1 is negative; number sites from 0");
    CHECK_THROWS_AS(accumulator.add(0, make_request(5, word), 0), std::invalid_argument);
    CHECK_THROWS_AS(
        accumulator.add(0, make_request(4, word, 1, Space::texture, Operation::store), 0),
        std::invalid_argument);
}

TEST_CASE("a constant load takes a pass for each address in it", "[memory][launch]") {
    const auto passes = [](std::uint32_t size, auto address, std::uint32_t active = ~0u) {
        std::int64_t found = -1;
        for (const RuleSet rules : all_rule_sets) {
            LaunchAccumulator accumulator(rules);
            accumulator.add(0, make_request(size, address, active, Space::constant), 0);
            const LaunchModel model = accumulator.finish();
            const SharedCounts& counts = model.counts.constant_load;
            CHECK(counts.instructions == 1);
            CHECK(counts.minimum == 1);
            CHECK(model.counts.instructions() == 1);
            CHECK(model.counts.global_load == TransferCounts{});
            CHECK(model.counts.published == PublishedLoads{});
            CHECK(model.reads == DistinctCounts{});
            CHECK((found == -1 || found == counts.passes));
            found = counts.passes;
        }
        return found;
    };
    CHECK(passes(4, [](int) { return 400; }) == 1);
    CHECK(passes(4, [](int l) { return 4 * l; }) == 32);
    CHECK(passes(8, [](int l) { return 8 * (l % 5); }) == 5);
    CHECK(passes(1, [](int l) { return l / 2; }) == 16);
    CHECK(passes(4, [](int l) { return 4 * (l / 16) + 65528; }) == 2);
    CHECK(passes(
              4, [](int l) { return 4 * l; }, 0x00ff0001) == 9);
    CHECK(passes(
              4, [](int) { return 0; }, 0x80000000) == 1);
    LaunchAccumulator accumulator(RuleSet::cc50);
    accumulator.add(0,
                    make_request(
                        4, [](int l) { return l; }, 0, Space::constant),
                    0);
    CHECK(accumulator.finish().counts == AccessCounts{});
}

}  // namespace launch_model_test
