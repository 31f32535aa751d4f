// Global-memory rules: golden patterns, and properties of single requests.
#include "analysis/memory/global_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/analysis/memory/golden_patterns.hpp"
#include "tests/analysis/memory/request_patterns.hpp"
#include "tests/analysis/memory/transaction_sizes.hpp"
#include "tests/catch.hpp"

namespace global_rules_test {

using namespace camber;

TEST_CASE("golden patterns of global memory", "[memory][global]") {
    REQUIRE(golden_patterns().size() == 24);
    for (const GoldenPattern& p : golden_patterns()) {
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
        const auto p = std::ranges::find(golden_patterns(), id,
                                         [](const GoldenPattern& g) { return std::string(g.id); });
        REQUIRE(p != golden_patterns().end());
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

}  // namespace global_rules_test
