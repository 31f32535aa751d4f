#include "harness/measure/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace ledger_test {

using namespace camber;

namespace {

// The account of `generations` of a workload on a small synthetic board.
std::vector<results::AccountRow> account_of(const char* name, int generations, int rows = 64) {
    const Workload& workload = *find_workload(name);
    const State start = workload.initial({.size = {20, 30}, .cell = ElementType::float32});
    Ledger ledger(workload, generations, rows);
    expected_state(workload, start, ElementType::float32,
                   {Boundary::dead, ParameterSet(workload.facts().parameters), 0, 1}, generations,
                   [&](int done, const State& state) { ledger.enter(done, state); });
    return ledger.rows();
}

double change(const results::AccountRow& row, const std::string& entry) {
    using Change = std::pair<std::string, double>;
    const auto found = std::ranges::find(row.changes, entry, &Change::first);
    REQUIRE(found != row.changes.end());
    return found->second;
}

}  // namespace

TEST_CASE("every generation's water is accounted for", "[run][ledger]") {
    const auto account = account_of("surface_water", 12);
    REQUIRE(account.size() == 13);
    CHECK(account[0].quantity == "mass");
    CHECK(account[0].generation == 0);
    CHECK(change(account[0], "rained") == 0);
    for (std::size_t k = 1; k < account.size(); ++k) {
        CAPTURE(k);
        CHECK(account[k].generation == static_cast<int>(k));
        CHECK(change(account[k], "rained") > 0);
        CHECK(change(account[k], "infiltrated") >= 0);
        // What cells lose to their neighbours, these gain.
        CHECK(change(account[k], "lost") > 0);
        CHECK(change(account[k], "gained") == Approx(change(account[k], "lost")).epsilon(1e-12));
        CHECK(std::abs(account[k].unaccounted) < 1e-12 * account[k].amount);
    }
    const double kept = change(account[1], "rained") - change(account[1], "infiltrated");
    CHECK(account[1].amount == Approx(account[0].amount + kept).epsilon(1e-12));
}

TEST_CASE("sources and sinks of water flow are accounted for", "[run][ledger]") {
    const auto account = account_of("water_flow", 5);
    REQUIRE(account.size() == 6);
    for (std::size_t k = 1; k < account.size(); ++k) {
        CHECK(change(account[k], "added") > 0);
        CHECK(change(account[k], "drained") >= 0);
        // The reference computes in float.
        CHECK(std::abs(account[k].unaccounted) < 1e-5 * account[k].amount);
    }
}

TEST_CASE("a long run's account has few rows, and loses nothing", "[run][ledger]") {
    const auto all = account_of("surface_water", 100);
    const auto few = account_of("surface_water", 100, 7);
    CHECK(all.size() == 51);  // at most 64 intervals: every second generation
    REQUIRE(few.size() == 8);
    CHECK(few[1].generation == 15);
    CHECK(few.back().generation == 100);
    const auto total = [](const std::vector<results::AccountRow>& account) {
        double sum = 0;
        for (const auto& row : account) sum += change(row, "rained");
        return sum;
    };
    CHECK(total(few) == Approx(total(all)).epsilon(1e-12));
}

TEST_CASE("workloads without a mass keep no account", "[run][ledger]") {
    CHECK(account_of("blur", 3).empty());
}

}  // namespace ledger_test
