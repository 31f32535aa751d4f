// Global-memory rules: properties that hold for any request, over random ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <utility>

#include "analysis/memory/global_rules.hpp"
#include "tests/analysis/memory/request_patterns.hpp"
#include "tests/analysis/memory/transaction_sizes.hpp"
#include "tests/catch.hpp"

namespace global_rules_random_test {

using namespace camber;

namespace {

// Number of distinct granules, from a set of lane addresses.
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

}  // namespace global_rules_random_test
