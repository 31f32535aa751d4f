// Golden patterns S01 to S21 of the specification, and properties over random requests.
#include "analysis/memory/shared_rules.hpp"

#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "tests/analysis/memory/request_patterns.hpp"
#include "tests/catch.hpp"

namespace shared_rules_test {

using namespace camber;

namespace {

struct Golden {
    const char* id;
    std::function<std::int64_t(int)> address;  // bytes
    int cc1, cc2, cc3, cc5;                    // passes
    std::uint32_t size = 4;
    Operation operation = Operation::load;
};

const std::vector<Golden>& golden() {
    constexpr Operation write = Operation::store;
    static const std::vector<Golden> patterns = {
        {"S01", [](int l) { return 4 * l; }, 2, 1, 1, 1},
        {"S02", [](int l) { return 4 * 2 * l; }, 4, 2, 1, 2},
        {"S03", [](int l) { return 4 * 3 * l; }, 2, 1, 1, 1},
        {"S04", [](int l) { return 4 * 16 * l; }, 32, 16, 8, 16},
        {"S05", [](int l) { return 4 * 32 * l; }, 32, 32, 16, 32},
        {"S06", [](int) { return 0; }, 2, 1, 1, 1},
        {"S07", [](int l) { return 4 * 32 * (l & 1); }, 4, 2, 1, 2},
        {"S08", [](int l) { return 4 * (l & 1); }, 4, 1, 1, 1},
        {"S09", [](int) { return 0; }, 2, 1, 1, 1, 4, write},
        {"S10", [](int l) { return 4 * 2 * l; }, 4, 2, 1, 2, 4, write},
        {"S11", [](int l) { return 8 * l; }, 8, 2, 1, 2, 8},
        {"S12", [](int l) { return 16 * l; }, 32, 8, 2, 4, 16},
        {"S13", [](int l) { return l; }, 8, 1, 1, 1, 1},
        {"S14", [](int l) { return 2 * l; }, 4, 1, 1, 1, 2},
        {"S15", [](int l) { return 4 * ((l % 16 + 1) + 18 * (l / 16 + 1)); }, 2, 2, 1, 2},
        {"S16", [](int l) { return 4 * ((l % 16 + 1) + 19 * (l / 16 + 1)); }, 2, 2, 1, 2},
        {"S17", [](int l) { return 4 * (17 * (l / 16) + 18 * (l % 16 + 1)); }, 4, 1, 1, 1, 4,
         write},
        {"S18", [](int l) { return 4 * (17 * (l / 16) + 19 * (l % 16 + 1)); }, 2, 2, 2, 2, 4,
         write},
        {"S19", [](int l) { return 4 * ((l % 16) + 32 * (l / 16)); }, 2, 2, 1, 2},
        {"S20", [](int l) { return 4 * (31 - l); }, 2, 1, 1, 1},
        {"S21", [](int l) { return 4 * 17 * l; }, 2, 1, 1, 1},
    };
    return patterns;
}

WarpRequest shared_request(std::uint32_t size, const std::function<std::int64_t(int)>& address,
                           Operation operation = Operation::load, std::uint32_t active = ~0u) {
    return make_request(size, address, active, Space::shared, operation);
}

std::int64_t passes(const WarpRequest& request, RuleSet rules) {
    return count_passes(request, rules).passes;
}

// Literal implementation of the 5.x rule: distinct words per bank, the fullest bank, per part.
std::int64_t passes_by_definition(const WarpRequest& request) {
    const int part = request.size <= 4 ? 32 : request.size == 8 ? 16 : 8;
    std::int64_t sum = 0;
    for (int first = 0; first < warp_lanes; first += part) {
        std::map<std::int64_t, std::set<std::int64_t>> banks;
        for (int lane = first; lane < first + part; ++lane) {
            if (!request.is_active(lane)) continue;
            for (std::uint32_t byte = 0; byte < request.size; ++byte) {
                const std::int64_t word = (request.address[lane] + byte) / 4;
                banks[word % 32].insert(word);
            }
        }
        std::size_t most = 0;
        for (const auto& [bank, words] : banks) most = std::max(most, words.size());
        sum += static_cast<std::int64_t>(most);
    }
    return sum;
}

}  // namespace

TEST_CASE("golden patterns of shared memory", "[memory][shared]") {
    REQUIRE(golden().size() == 21);
    for (const Golden& p : golden()) {
        CAPTURE(p.id);
        const WarpRequest request = shared_request(p.size, p.address, p.operation);
        const std::vector<std::pair<RuleSet, int>> expected = {
            {RuleSet::cc10, p.cc1},          {RuleSet::cc12, p.cc1}, {RuleSet::cc20, p.cc2},
            {RuleSet::cc20_uncached, p.cc2}, {RuleSet::cc30, p.cc3}, {RuleSet::cc50, p.cc5}};
        for (const auto& [rules, count] : expected) {
            CAPTURE(to_string(rules));
            CHECK(passes(request, rules) == count);
            CHECK(bank_passes(request, rules).size() == static_cast<std::size_t>(count));
        }
    }
}

TEST_CASE("conflicts are passes beyond what the width takes", "[memory][shared]") {
    const auto counts = [](std::uint32_t size, std::int64_t stride, RuleSet rules,
                           std::uint32_t active = ~0u) {
        const WarpRequest request = shared_request(
            size, [&](int l) { return stride * l; }, Operation::load, active);
        return count_passes(request, rules);
    };
    CHECK(counts(4, 4, RuleSet::cc10) == BankCounts{2, 2});
    CHECK(counts(4, 8, RuleSet::cc10).conflicts() == 2);
    CHECK(counts(8, 8, RuleSet::cc10) == BankCounts{8, 4});  // 2-way for doubles, as in the guide
    CHECK(counts(16, 16, RuleSet::cc10) == BankCounts{32, 8});
    CHECK(counts(8, 8, RuleSet::cc20) == BankCounts{2, 2});
    CHECK(counts(16, 16, RuleSet::cc20) == BankCounts{8, 8});
    CHECK(counts(8, 8, RuleSet::cc30) == BankCounts{1, 1});
    CHECK(counts(16, 16, RuleSet::cc30) == BankCounts{2, 2});
    CHECK(counts(8, 8, RuleSet::cc50) == BankCounts{2, 2});
    CHECK(counts(16, 16, RuleSet::cc50) == BankCounts{4, 4});
    CHECK(counts(8, 16, RuleSet::cc50) == BankCounts{4, 2});
    CHECK(counts(4, 128, RuleSet::cc50).conflicts() == 31);
    // Parts without an active lane take no pass.
    CHECK(counts(16, 16, RuleSet::cc50, 0x0000ff00) == BankCounts{1, 1});
    CHECK(counts(4, 4, RuleSet::cc10, 0xffff0000) == BankCounts{1, 1});
    for (const RuleSet rules : all_rule_sets) CHECK(counts(4, 4, rules, 0) == BankCounts{});
}

TEST_CASE("a stride of S words conflicts gcd(S, banks)-fold", "[memory][shared]") {
    for (int stride = 1; stride <= 70; ++stride) {
        CAPTURE(stride);
        const WarpRequest request =
            shared_request(4, [&](int l) { return std::int64_t{4} * stride * l; });
        CHECK(passes(request, RuleSet::cc50) == std::gcd(stride, 32));
        CHECK(passes(request, RuleSet::cc20) == std::gcd(stride, 32));
        CHECK(passes(request, RuleSet::cc12) == 2 * std::gcd(stride, 16));
        if (stride % 2 == 1) CHECK(count_passes(request, RuleSet::cc30).conflicts() == 0);
    }
}

TEST_CASE("multicast: any number of words may be broadcast from 2.x on", "[memory][shared]") {
    const WarpRequest eight_words = shared_request(4, [](int l) { return 4 * (l / 4); });
    CHECK(passes(eight_words, RuleSet::cc50) == 1);
    CHECK(passes(eight_words, RuleSet::cc20) == 1);
    CHECK(passes(eight_words, RuleSet::cc12) ==
          8);  // a half-warp: four words, one broadcast a pass
}

TEST_CASE("passes agree with the definition and with the list of passes", "[memory][shared]") {
    std::mt19937_64 engine(21);
    for (int i = 0; i < 4000; ++i) {
        const WarpRequest request = random_request(engine, Space::shared);
        CAPTURE(i, request.size, request.active);
        REQUIRE(passes(request, RuleSet::cc50) == passes_by_definition(request));
        for (const RuleSet rules : all_rule_sets) {
            CAPTURE(to_string(rules));
            const BankCounts counts = count_passes(request, rules);
            const auto list = bank_passes(request, rules);
            REQUIRE(list.size() == static_cast<std::size_t>(counts.passes));
            REQUIRE(counts.conflicts() >= 0);
            if (request.active != 0) {
                const std::int64_t pieces = std::max(1u, request.size / 4);
                REQUIRE(counts.minimum >= 1);
                REQUIRE(counts.passes <= warp_lanes * pieces + 4);  // 4: 2.x, 16 bytes
            }
            // Every lane is served, and only by passes of its own part.
            std::uint32_t served = 0;
            for (const BankPass& pass : list) {
                for (const std::uint32_t lanes : pass.lanes) {
                    REQUIRE((lanes & ~pass.part) == 0);
                    served |= lanes;
                }
            }
            REQUIRE(served == request.active);
        }
    }
}

TEST_CASE("for single words the order of lanes and one lane fewer do no harm", "[memory][shared]") {
    std::mt19937_64 engine(22);
    for (int i = 0; i < 2000; ++i) {
        const WarpRequest request = random_request(engine, Space::shared);
        if (request.size > 4 || request.active == 0) continue;
        WarpRequest reversed = request;
        reversed.active = 0;
        for (int lane = 0; lane < warp_lanes; ++lane) {
            reversed.address[31 - lane] = request.address[lane];
            reversed.active |= std::uint32_t{request.is_active(lane)} << (31 - lane);
        }
        WarpRequest fewer = request;
        fewer.active &= fewer.active - 1;
        for (const RuleSet rules : {RuleSet::cc20, RuleSet::cc30, RuleSet::cc50}) {
            REQUIRE(passes(reversed, rules) == passes(request, rules));
            REQUIRE(passes(fewer, rules) <= passes(request, rules));
        }
    }
}

}  // namespace shared_rules_test
