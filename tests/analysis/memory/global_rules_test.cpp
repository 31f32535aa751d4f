// The golden patterns P01 to P24 of the specification (rules of the CUDA C Programming Guide worked
// out for each), and properties over random requests.
#include "analysis/memory/global_rules.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/analysis/memory/request_patterns.hpp"
#include "tests/catch.hpp"

using namespace camber;

namespace {

struct Golden {
    const char* id;
    std::function<std::int64_t(int)> address;
    std::uint32_t size;
    std::array<int, 3> cc10;  // 32-, 64-, 128-byte transactions
    std::array<int, 3> cc12;
    int cc12_bytes;
    std::array<int, 2> cc20;  // requests, lines
    int sectors_cc30;         // also 2.x without L1
    std::array<int, 3> cc50;  // requests, lines, sectors
    std::uint32_t active = ~0u;
};

const std::vector<Golden>& golden() {
    static const std::vector<Golden> patterns = {
        {"P01", [](int l) { return 4 * l; }, 4, {0, 2, 0}, {0, 2, 0}, 128, {1, 1}, 4, {1, 1, 4}},
        {"P02",
         [](int l) { return 4 * (l + 1); },
         4,
         {32, 0, 0},
         {1, 1, 1},
         224,
         {1, 2},
         5,
         {1, 2, 5}},
        {"P03",
         [](int l) { return 4 * (l + 8); },
         4,
         {32, 0, 0},
         {2, 0, 1},
         192,
         {1, 2},
         4,
         {1, 2, 4}},
        {"P04",
         [](int l) { return 4 * (l + 16); },
         4,
         {0, 2, 0},
         {0, 2, 0},
         128,
         {1, 2},
         4,
         {1, 2, 4}},
        {"P05",
         [](int l) { return 4 * (l + 63); },
         4,
         {32, 0, 0},
         {1, 1, 1},
         224,
         {1, 2},
         5,
         {1, 2, 5}},
        {"P06", [](int l) { return 8 * l; }, 4, {32, 0, 0}, {0, 0, 2}, 256, {1, 2}, 8, {1, 2, 8}},
        {"P07",
         [](int l) { return 4 * (31 - l); },
         4,
         {32, 0, 0},
         {0, 2, 0},
         128,
         {1, 1},
         4,
         {1, 1, 4}},
        {"P08",
         [](int l) { return 4 * (l ^ 1); },
         4,
         {32, 0, 0},
         {0, 2, 0},
         128,
         {1, 1},
         4,
         {1, 1, 4}},
        {"P09", [](int) { return 0; }, 4, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 1, {1, 1, 1}},
        {"P10", [](int l) { return 8 * l; }, 8, {0, 0, 2}, {0, 0, 2}, 256, {2, 2}, 8, {1, 2, 8}},
        {"P11",
         [](int l) { return 8 * (l + 1); },
         8,
         {32, 0, 0},
         {2, 0, 2},
         320,
         {2, 4},
         10,
         {1, 3, 9}},
        {"P12",
         [](int l) { return 16 * l; },
         16,
         {0, 0, 4},
         {0, 0, 4},
         512,
         {4, 4},
         16,
         {1, 4, 16}},
        {"P13",
         [](int l) { return 16 * (l + 1); },
         16,
         {32, 0, 0},
         {2, 0, 4},
         576,
         {4, 8},
         20,
         {1, 5, 17}},
        {"P14",
         [](int l) { return 4 * l; },
         4,
         {0, 1, 0},
         {0, 1, 0},
         64,
         {1, 1},
         2,
         {1, 1, 2},
         0x0000ffff},
        {"P15",
         [](int l) { return 4 * l; },
         4,
         {0, 2, 0},
         {0, 2, 0},
         128,
         {1, 1},
         4,
         {1, 1, 4},
         0xaaaaaaaa},
        {"P16",
         [](int l) { return 2048 * l; },
         4,
         {32, 0, 0},
         {32, 0, 0},
         1024,
         {1, 32},
         32,
         {1, 32, 32}},
        {"P17",
         [](int l) { return 128 * l; },
         4,
         {32, 0, 0},
         {32, 0, 0},
         1024,
         {1, 32},
         32,
         {1, 32, 32}},
        {"P18",
         [](int l) { return 4 * (l % 16 + 2112 * (l / 16)); },
         4,
         {0, 2, 0},
         {0, 2, 0},
         128,
         {1, 2},
         4,
         {1, 2, 4}},
        {"P19", [](int l) { return l; }, 1, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 1, {1, 1, 1}},
        {"P20", [](int l) { return 2 * l; }, 2, {32, 0, 0}, {2, 0, 0}, 64, {1, 1}, 2, {1, 1, 2}},
        {"P21", [](int) { return 60; }, 4, {1, 0, 0}, {1, 0, 0}, 32, {1, 1}, 1, {1, 1, 1}, 1},
        {"P22",
         [](int l) { return 12 * l; },
         4,
         {32, 0, 0},
         {0, 2, 2},
         384,
         {1, 3},
         12,
         {1, 3, 12}},
        {"P23", [](int) { return 0; }, 8, {32, 0, 0}, {2, 0, 0}, 64, {2, 2}, 2, {1, 1, 1}},
        {"P24",
         [](int l) { return 16 * l; },
         8,
         {32, 0, 0},
         {0, 0, 4},
         512,
         {2, 4},
         16,
         {1, 4, 16}},
    };
    return patterns;
}

std::array<int, 3> by_size(const std::vector<Transaction>& list) {
    std::array<int, 3> counts{};
    for (const Transaction& t : list) ++counts[t.size == 32 ? 0 : t.size == 64 ? 1 : 2];
    return counts;
}

std::array<int, 3> by_size(const TransactionCounts& counts) {
    return {static_cast<int>(counts.transactions_32), static_cast<int>(counts.transactions_64),
            static_cast<int>(counts.transactions_128)};
}

// Distinct granules by a set of lane addresses.
std::int64_t distinct(const WarpRequest& request, std::int64_t granule) {
    std::set<std::int64_t> set;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (request.is_active(lane)) {
            set.insert((request.address[lane] + (std::int64_t{1} << 40)) / granule);
        }
    }
    return static_cast<std::int64_t>(set.size());
}

bool at_most(const TransactionCounts& a, const TransactionCounts& b) {
    return a.requests <= b.requests && a.sectors <= b.sectors && a.lines <= b.lines &&
           a.bytes_moved <= b.bytes_moved && a.useful_bytes <= b.useful_bytes;
}

}  // namespace

TEST_CASE("golden patterns of global memory", "[memory][global]") {
    REQUIRE(golden().size() == 24);
    for (const Golden& p : golden()) {
        for (const Operation operation : {Operation::load, Operation::store}) {
            CAPTURE(p.id, operation == Operation::load);
            const WarpRequest request =
                make_request(p.size, p.address, p.active, Space::global, operation);
            const auto count = [&](RuleSet rules) { return count_transactions(request, rules); };
            const auto list = [&](RuleSet rules) { return transactions(request, rules); };

            CHECK(by_size(count(RuleSet::cc10)) == p.cc10);
            CHECK(by_size(list(RuleSet::cc10)) == p.cc10);
            CHECK(by_size(count(RuleSet::cc12)) == p.cc12);
            CHECK(by_size(list(RuleSet::cc12)) == p.cc12);
            CHECK(count(RuleSet::cc12).bytes_moved == p.cc12_bytes);

            const std::array sectors_only = {p.sectors_cc30, 0, 0};
            if (operation == Operation::load) {
                CHECK(count(RuleSet::cc20).requests == p.cc20[0]);
                CHECK(count(RuleSet::cc20).lines == p.cc20[1]);
                CHECK(by_size(list(RuleSet::cc20)) == std::array{0, 0, p.cc20[1]});
            } else {
                CHECK(count(RuleSet::cc20).requests == p.cc20[0]);
                CHECK(by_size(list(RuleSet::cc20)) == sectors_only);
            }
            for (const RuleSet rules : {RuleSet::cc20_uncached, RuleSet::cc30}) {
                CHECK(count(rules).requests == p.cc20[0]);
                CHECK(count(rules).sectors == p.sectors_cc30);
                CHECK(by_size(count(rules)) == sectors_only);
                CHECK(by_size(list(rules)) == sectors_only);
            }
            CHECK(count(RuleSet::cc50).requests == p.cc50[0]);
            CHECK(count(RuleSet::cc50).lines == p.cc50[1]);
            CHECK(count(RuleSet::cc50).sectors == p.cc50[2]);
            CHECK(by_size(list(RuleSet::cc50)) == std::array{p.cc50[2], 0, 0});
        }
    }
}

TEST_CASE("printed lists of transactions under CC 1.2", "[memory][global]") {
    using List = std::vector<Transaction>;
    const std::vector<std::pair<std::string, List>> printed = {
        {"P02", {{0, 128}, {64, 64}, {128, 32}}},
        {"P03", {{0, 128}, {96, 32}, {128, 32}}},
        {"P05", {{224, 32}, {256, 64}, {256, 128}}},
        {"P07", {{64, 64}, {0, 64}}},
        {"P11", {{0, 128}, {128, 32}, {128, 128}, {256, 32}}},
        {"P19", {{0, 32}, {0, 32}}},
        {"P22", {{0, 128}, {128, 64}, {192, 64}, {256, 128}}},
    };
    for (const auto& [id, expected] : printed) {
        CAPTURE(id);
        const auto p =
            std::ranges::find(golden(), id, [](const Golden& g) { return std::string(g.id); });
        REQUIRE(p != golden().end());
        CHECK((transactions(make_request(p->size, p->address, p->active), RuleSet::cc12) ==
               expected));
    }
}

TEST_CASE("an instruction without active lanes causes nothing", "[memory][global]") {
    const WarpRequest request = make_request(
        4, [](int l) { return 4 * l; }, 0);
    for (const RuleSet rules : all_rule_sets) {
        CHECK(transactions(request, rules).empty());
        CHECK(count_transactions(request, rules) == TransactionCounts{});
        CHECK(count_transactions(request, rules).efficiency() == 1);
    }
}

TEST_CASE("useful bytes count a byte once however many lanes want it", "[memory][global]") {
    const auto useful = [](const WarpRequest& request) {
        const TransactionCounts counts = count_transactions(request, RuleSet::cc50);
        return std::pair(counts.useful_bytes, counts.efficiency());
    };
    CHECK(useful(make_request(4, [](int l) { return 4 * l; })) ==
          std::pair<std::int64_t, double>(128, 1));
    CHECK(useful(make_request(4, [](int) { return 64; })) ==
          std::pair<std::int64_t, double>(4, 0.125));
    CHECK(useful(make_request(4, [](int l) { return 4 * (l / 2); })) ==
          std::pair<std::int64_t, double>(64, 1));
    CHECK(useful(make_request(4, [](int l) { return 4 * (31 - l / 2); })) ==
          std::pair<std::int64_t, double>(64, 1));
}

TEST_CASE("texture loads are sectors, atomics are stores, local memory is global memory",
          "[memory][global]") {
    std::mt19937_64 engine(11);
    for (int i = 0; i < 300; ++i) {
        WarpRequest request = random_request(engine);
        for (const RuleSet rules : all_rule_sets) {
            request.space = Space::global;
            request.operation = Operation::store;
            const TransactionCounts store = count_transactions(request, rules);
            request.operation = Operation::atomic;
            CHECK(count_transactions(request, rules) == store);
            request.operation = Operation::load;
            const TransactionCounts load = count_transactions(request, rules);
            request.space = Space::local;
            CHECK(count_transactions(request, rules) == load);
            request.space = Space::texture;
            CHECK(count_transactions(request, rules).transactions_32 == distinct(request, 32));
            CHECK(count_transactions(request, rules).requests == (request.active != 0));
        }
    }
}

TEST_CASE("impossible requests are refused", "[memory][global]") {
    const auto at = [](std::int64_t address) { return [address](int) { return address; }; };
    CHECK_THROWS_WITH(transactions(make_request(3, at(0)), RuleSet::cc50),
                      "a lane cannot access 3 bytes at once; use 1, 2, 4, 8 or 16");
    CHECK_THROWS_AS(check_request(make_request(0, at(0))), std::invalid_argument);
    CHECK_THROWS_AS(check_request(make_request(32, at(0))), std::invalid_argument);
    CHECK_THROWS_WITH(transactions(make_request(4, at(6), 0x8), RuleSet::cc12),
                      contains("lane 3's address 6 is not a multiple of the access's 4 bytes"));
    CHECK_THROWS_AS(transactions(make_request(4, at(0), 1, Space::shared), RuleSet::cc50),
                    std::invalid_argument);
    CHECK_THROWS_AS(count_transactions(make_request(4, at(0), 1, Space::shared), RuleSet::cc50),
                    std::invalid_argument);
    CHECK_NOTHROW(check_request(make_request(16, at(-16))));
}

TEST_CASE("counts agree with the list and transactions cover every byte, all rule sets",
          "[memory][global]") {
    std::mt19937_64 engine(12);
    for (int i = 0; i < 4000; ++i) {
        const WarpRequest request = random_request(engine);
        for (const RuleSet rules : all_rule_sets) {
            const auto list = transactions(request, rules);
            const TransactionCounts counts = count_transactions(request, rules);
            CAPTURE(i, to_string(rules));
            REQUIRE(by_size(list) == by_size(counts));
            std::int64_t moved = 0;
            for (const Transaction& t : list) {
                moved += t.size;
                REQUIRE((t.base & (t.size - 1)) == 0);
            }
            REQUIRE(moved == counts.bytes_moved);
            REQUIRE(counts.useful_bytes == distinct(request, request.size) * request.size);
            REQUIRE(counts.sectors >= distinct(request, 32));
            REQUIRE(counts.lines >= distinct(request, 128));
            for (int lane = 0; lane < warp_lanes; ++lane) {
                if (!request.is_active(lane)) continue;
                const std::int64_t from = request.address[lane];
                REQUIRE(std::ranges::any_of(list, [&](const Transaction& t) {
                    return t.base <= from && from + request.size <= t.base + t.size;
                }));
            }
            if (rules == RuleSet::cc50) {
                REQUIRE(counts.sectors == distinct(request, 32));
                REQUIRE(counts.lines == distinct(request, 128));
            }
        }
    }
}

TEST_CASE("the order of lanes does not matter where the warp is one request", "[memory][global]") {
    std::mt19937_64 engine(13);
    for (int i = 0; i < 2000; ++i) {
        WarpRequest request = random_request(engine);
        std::array<std::pair<std::int64_t, bool>, warp_lanes> lanes;
        for (int lane = 0; lane < warp_lanes; ++lane) {
            lanes[lane] = {request.address[lane], request.is_active(lane)};
        }
        std::ranges::shuffle(lanes, engine);
        WarpRequest permuted = request;
        permuted.active = 0;
        for (int lane = 0; lane < warp_lanes; ++lane) {
            permuted.address[lane] = lanes[lane].first;
            permuted.active |= std::uint32_t{lanes[lane].second} << lane;
        }
        REQUIRE(count_transactions(permuted, RuleSet::cc50) ==
                count_transactions(request, RuleSet::cc50));
        if (request.size <= 4) {
            REQUIRE(count_transactions(permuted, RuleSet::cc30) ==
                    count_transactions(request, RuleSet::cc30));
        }
    }
}

TEST_CASE("one more active lane never lowers a count", "[memory][global]") {
    std::mt19937_64 engine(14);
    for (int i = 0; i < 2000; ++i) {
        const WarpRequest full = random_request(engine);
        for (std::uint32_t left = full.active; left != 0; left &= left - 1) {
            WarpRequest fewer = full;
            fewer.active &= ~(left & (0u - left));
            for (const RuleSet rules : {RuleSet::cc20, RuleSet::cc30, RuleSet::cc50}) {
                REQUIRE(at_most(count_transactions(fewer, rules), count_transactions(full, rules)));
            }
        }
    }
}

TEST_CASE("no request for as many distinct bytes is cheaper than an aligned contiguous one",
          "[memory][global]") {
    std::mt19937_64 engine(15);
    for (int i = 0; i < 2000; ++i) {
        const WarpRequest request = random_request(engine);
        const std::int64_t size = request.size;
        if (request.active == 0 || distinct(request, size) != std::popcount(request.active))
            continue;
        const int lanes = std::popcount(request.active);
        const std::uint32_t first_lanes = lanes == 32 ? ~0u : (1u << lanes) - 1;
        const WarpRequest ideal = make_request(
            request.size, [&](int l) { return size * l; }, first_lanes);
        REQUIRE(at_most(count_transactions(ideal, RuleSet::cc50),
                        count_transactions(request, RuleSet::cc50)));
    }
    for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
        const WarpRequest ideal = make_request(size, [&](int l) { return std::int64_t{size} * l; });
        CHECK(count_transactions(ideal, RuleSet::cc50).sectors == size);
        CHECK(count_transactions(ideal, RuleSet::cc50).efficiency() == 1);
    }
}

TEST_CASE("CC 3.x and CC 5.x move the same sectors for up to four bytes a lane",
          "[memory][global]") {
    std::mt19937_64 engine(16);
    for (int i = 0; i < 2000; ++i) {
        const WarpRequest request = random_request(engine);
        if (request.size > 4) continue;
        REQUIRE(count_transactions(request, RuleSet::cc30) ==
                count_transactions(request, RuleSet::cc50));
    }
}
