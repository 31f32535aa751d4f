#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/correctness/reference_cache.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/list/workloads.hpp"

namespace ledger_test {

using namespace camber;

namespace {

// Account of `generations` of a workload on a small synthetic board.
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
        // The gain of neighbors equals the loss of cells.
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
    CHECK(all.size() == 51);  // at most 64 intervals, so every second generation
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

namespace camber::reference_cache_test {
namespace {

using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;
namespace fs = std::filesystem;

// A run of lava on its own map.
struct Run {
    const Workload& workload = *find_workload("sciara_fv3");
    GenerationContext context{Boundary::dead, ParameterSet(workload.facts().parameters)};
    State initial = workload.initial({.size = {60, 40}, .cell = ElementType::float64});
    int generations = 30;
    std::string program = "build";

    ReferenceCache cache(const fs::path& folder) const {
        return {CacheFolder(folder), program, workload, initial, context, generations};
    }
    CachedReference computed() const {
        Ledger ledger(workload, generations, 8);
        State state = expected_state(workload, initial, ElementType::float64, context, generations,
                                     [&](int done, const State& now) { ledger.enter(done, now); });
        return {std::move(state), ledger.entered()};
    }
};

void check_equal(const CachedReference& a, const CachedReference& b) {
    REQUIRE(a.state.fields.size() == b.state.fields.size());
    for (std::size_t k = 0; k < a.state.fields.size(); ++k) {
        CHECK(a.state.fields[k].name() == b.state.fields[k].name());
        CHECK(std::ranges::equal(a.state.fields[k].bytes(), b.state.fields[k].bytes()));
    }
    CHECK(a.state.account == b.state.account);
    REQUIRE(a.rows.size() == b.rows.size());
    for (std::size_t k = 0; k < a.rows.size(); ++k) {
        CHECK(a.rows[k].generation == b.rows[k].generation);
        CHECK(a.rows[k].state.quantity == b.rows[k].state.quantity);
        CHECK(a.rows[k].state.amount == b.rows[k].state.amount);
        CHECK(a.rows[k].state.checksum == b.rows[k].state.checksum);
        CHECK(a.rows[k].state.account == b.rows[k].state.account);
    }
}

fs::path only_file(const TestFolder& folder) {
    REQUIRE(folder.entries() == 1);
    return fs::directory_iterator(folder.path())->path();
}

TEST_CASE("a kept reference comes back to the last bit", "[reference_cache]") {
    const TestFolder folder;
    const Run run;
    CHECK_FALSE(run.cache(folder.path()).read());
    const CachedReference computed = run.computed();
    REQUIRE(computed.rows.size() > 3);
    run.cache(folder.path()).write(computed.state, computed.rows);
    const auto kept = run.cache(folder.path()).read();
    REQUIRE(kept);
    check_equal(*kept, computed);
}

TEST_CASE("a reference is kept for its own start and program only", "[reference_cache]") {
    const TestFolder folder;
    const Run run;
    const CachedReference computed = run.computed();
    run.cache(folder.path()).write(computed.state, computed.rows);
    const auto differs = [&](const auto& change) {
        Run other;
        change(other);
        return !other.cache(folder.path()).read();
    };
    CHECK(differs([](Run& other) { other.program = "another build"; }));
    CHECK(differs([](Run& other) { other.program = ""; }));
    CHECK(differs([](Run& other) { other.generations = 31; }));
    CHECK(differs([](Run& other) { other.context.number = 1; }));
    CHECK(differs([](Run& other) { other.context.parameters.set("cooling", {1.508}); }));
    CHECK(differs([](Run& other) { other.initial.account["emitted"] += 1; }));
    CHECK(differs([](Run& other) { other.initial.fields.front().bytes().back() ^= std::byte{1}; }));
    CHECK_FALSE(differs([](Run&) {}));
}

TEST_CASE("a damaged or foreign file is no reference", "[reference_cache]") {
    const TestFolder folder;
    const Run run;
    const CachedReference computed = run.computed();
    run.cache(folder.path()).write(computed.state, computed.rows);
    const fs::path file = only_file(folder);
    const std::string text = text_of(file);
    for (const std::size_t place : {std::size_t{3}, text.size() / 2, text.size() - 1}) {
        std::string damaged = text;
        damaged[place] ^= 1;
        write_text(file, damaged);
        CHECK_FALSE(run.cache(folder.path()).read());
    }
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{20}, text.size() / 2, text.size() - 1}) {
        write_text(file, text.substr(0, size));
        CHECK_FALSE(run.cache(folder.path()).read());
    }
    // An entry of another start, stored under this start's name.
    Run other;
    other.generations = 31;
    const TestFolder elsewhere;
    const CachedReference others = other.computed();
    other.cache(elsewhere.path()).write(others.state, others.rows);
    write_text(file, text_of(only_file(elsewhere)));
    CHECK_FALSE(run.cache(folder.path()).read());
    write_text(file, text);
    CHECK(run.cache(folder.path()).read());
}

TEST_CASE("the oldest references make way", "[reference_cache]") {
    const TestFolder folder;
    const CacheFolder cache(folder.path());
    const auto now = fs::file_time_type::clock::now();
    for (int k = 0; k < 4; ++k) {
        const std::string name = "reference-" + std::to_string(k);
        cache.write(name, std::string(1000, 'x'));
        fs::last_write_time(folder / name, now - std::chrono::hours(10 - k));
    }
    cache.write("other", std::string(1000, 'x'));
    cache.make_room("reference-", 2500);
    CHECK_FALSE(cache.read("reference-0"));
    CHECK_FALSE(cache.read("reference-1"));
    CHECK(cache.read("reference-2"));
    CHECK(cache.read("reference-3"));
    CHECK(cache.read("other"));
}

TEST_CASE("long flows of lava are worth keeping", "[reference_cache]") {
    const Workload& lava = *find_workload("sciara_fv2");
    CHECK(is_worth_keeping(lava, {517, 378}, 16000));
    CHECK_FALSE(is_worth_keeping(lava, {60, 40}, 8));
    CHECK_FALSE(is_worth_keeping(lava, {4136, 4158}, 4));
    CHECK_FALSE(is_worth_keeping(*find_workload("life"), {16384, 16384}, 16));
    CHECK_FALSE(program_mark().empty());
}

}  // namespace
}  // namespace camber::reference_cache_test
