#include "harness/run/ledger.hpp"

#include "harness/cli/common/account_table.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

using namespace camber;

namespace {

// The account of `generations` of a workload on a small synthetic board.
nlohmann::ordered_json account_of(const char* name, int generations, int rows = 64) {
    const Workload& workload = *find_workload(name);
    const State start = workload.initial({.size = {20, 30}, .cell = ElementType::float32});
    Ledger ledger(workload, generations, rows);
    expected_state(workload, start, ElementType::float32,
                   {Boundary::dead, ParameterSet(workload.facts().parameters), 0, 1}, generations,
                   [&](int done, const State& state) { ledger.enter(done, state); });
    return ledger.to_json();
}

}  // namespace

TEST_CASE("every generation's water is accounted for", "[run][ledger]") {
    const auto account = account_of("surface_water", 12);
    REQUIRE(account.size() == 13);
    CHECK(account[0]["generation"] == 0);
    CHECK(account[0]["rained"] == 0);
    for (std::size_t k = 1; k < account.size(); ++k) {
        CAPTURE(k);
        CHECK(account[k]["generation"] == k);
        CHECK(account[k]["rained"].get<double>() > 0);
        CHECK(account[k]["infiltrated"].get<double>() >= 0);
        // What cells lose to their neighbours, these gain.
        CHECK(account[k]["lost"].get<double>() > 0);
        CHECK(account[k]["gained"].get<double>() ==
              Approx(account[k]["lost"].get<double>()).epsilon(1e-12));
        CHECK(std::abs(account[k]["unaccounted"].get<double>()) <
              1e-12 * account[k]["mass"].get<double>());
    }
    const double kept =
        account[1]["rained"].get<double>() - account[1]["infiltrated"].get<double>();
    CHECK(account[1]["mass"].get<double>() ==
          Approx(account[0]["mass"].get<double>() + kept).epsilon(1e-12));
}

TEST_CASE("sources and sinks of water flow are accounted for", "[run][ledger]") {
    const auto account = account_of("water_flow", 5);
    REQUIRE(account.size() == 6);
    for (std::size_t k = 1; k < account.size(); ++k) {
        CHECK(account[k]["added"].get<double>() > 0);
        CHECK(account[k]["drained"].get<double>() >= 0);
        // The reference computes in float.
        CHECK(std::abs(account[k]["unaccounted"].get<double>()) <
              1e-5 * account[k]["mass"].get<double>());
    }
}

TEST_CASE("a long run's account has few rows, and loses nothing", "[run][ledger]") {
    const auto all = account_of("surface_water", 100);
    const auto few = account_of("surface_water", 100, 7);
    CHECK(all.size() == 51);  // at most 64 intervals: every second generation
    REQUIRE(few.size() == 8);
    CHECK(few[1]["generation"] == 15);
    CHECK(few.back()["generation"] == 100);
    const auto total = [](const nlohmann::ordered_json& account) {
        double sum = 0;
        for (const auto& row : account) sum += row["rained"].get<double>();
        return sum;
    };
    CHECK(total(few) == Approx(total(all)).epsilon(1e-12));
}

TEST_CASE("workloads without a mass keep no account", "[run][ledger]") {
    CHECK(account_of("blur", 3).is_null());
    CHECK(account_table(nullptr).empty());
}

TEST_CASE("the printed account adds up what lies between its lines", "[run][ledger]") {
    const auto account = nlohmann::ordered_json::parse(R"([
        {"generation": 0, "rained": 0, "lost": 0, "mass": 1, "unaccounted": 0},
        {"generation": 1, "rained": 2, "lost": 0.5, "mass": 3, "unaccounted": 0},
        {"generation": 2, "rained": 3, "lost": 0.25, "mass": 6, "unaccounted": 1e-9},
        {"generation": 3, "rained": 4, "lost": 0.125, "mass": 10, "unaccounted": 0}])");
    const std::string expected =
        "generation          rained            lost            mass     unaccounted\n"
        "         1        2.000000        0.500000        3.000000         0.0e+00\n"
        "         3        7.000000        0.375000       10.000000         1.0e-09\n"
        "       all        9.000000        0.875000       10.000000         1.0e-09\n";
    CHECK(account_table(account, 2) == expected);
}
