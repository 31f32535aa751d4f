// Deterministic quantities, conditions and exit codes.
#include "analysis/compare/comparison.hpp"

#include "analysis/compare/self_test.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"

namespace {

using namespace camber;
using namespace camber::compare;
using namespace camber::compare_test;

const std::vector<double> five{100, 100.1, 100.2, 99.9, 100};

Json plain() {
    Json document = document_of({five});
    Json& camber = document["benchmarks"][0]["camber"];
    camber["model"] = {{"arch", "9.0"},
                       {"global_load_requests", 1000},
                       {"global_load_sectors", 4000},
                       {"non_redundant_share", 0.5}};
    camber["kernel"] = {{"name", "stencil"},
                        {"registers", 22},
                        {"static_shared_bytes", 2048},
                        {"dynamic_shared_bytes", 0},
                        {"local_bytes", 0},
                        {"instructions", {{"total", 54}, {"global_loads", 9}, {"integer", 13}}}};
    camber["counters"] = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4000},
                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000},
                          {"lts__t_sectors_op_read.sum", 777},
                          {"l1tex__t_sector_hit_rate.pct", 50.5},
                          {"sm__sass_inst_executed_op_local_ld.sum", 0}};
    return document;
}

// `plain()` with one value of the case changed.
Json with(const char* pointer, const Json& value) {
    Json document = plain();
    document["benchmarks"][0]["camber"][Json::json_pointer(pointer)] = value;
    return document;
}

Json with_context(const char* pointer, const Json& value) {
    Json document = plain();
    document["context"]["camber"][Json::json_pointer(pointer)] = value;
    return document;
}

struct Refusal {
    ExitCode code = ExitCode::success;
    std::string sentence;
};

Refusal refusal_of(const Json& base, const Json& changed, const Rules& rules = {}) {
    try {
        compared(base, changed, rules);
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

Rules allowing(const std::vector<std::string>& names) {
    Rules rules;
    rules.allowed = Allowed(names);
    return rules;
}

}  // namespace

TEST_CASE("more of a deterministic quantity is a regression, less an improvement",
          "[compare][quantities]") {
    struct Planted {
        const char* pointer;
        Json value;
        Effect effect;
        Family family;
    };
    const Planted planted[] = {
        {"/model/global_load_sectors", 4001, Effect::regression, Family::model},
        {"/model/global_load_sectors", 3999, Effect::improvement, Family::model},
        {"/model/non_redundant_share", 0.6, Effect::improvement, Family::model},
        {"/kernel/registers", 23, Effect::regression, Family::registers},
        {"/kernel/static_shared_bytes", 1024, Effect::improvement, Family::memory},
        {"/kernel/local_bytes", 8, Effect::regression, Family::memory},
        {"/kernel/instructions/total", 55, Effect::regression, Family::instructions},
        {"/kernel/instructions/integer", 14, Effect::information, Family::instructions},
        {"/counters/sm__sass_inst_executed_op_local_ld.sum", 32, Effect::regression,
         Family::instructions},
        {"/counters/l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4001, Effect::regression,
         Family::counters},
        {"/counters/l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1021, Effect::regression,
         Family::counters},
    };
    for (const Planted& one : planted) {
        CAPTURE(one.pointer, one.value);
        const Comparison comparison = compared(plain(), with(one.pointer, one.value));
        REQUIRE(comparison.cases[0].quantities.changes.size() == 1);
        CHECK(comparison.cases[0].quantities.changes[0].effect == one.effect);
        CHECK(comparison.cases[0].quantities.changes[0].family == one.family);
        CHECK(comparison.exit_code() ==
              (one.effect == Effect::regression ? ExitCode::regression : ExitCode::success));
    }
    for (const char* jitters :
         {"/counters/lts__t_sectors_op_read.sum", "/counters/l1tex__t_sector_hit_rate.pct",
          "/counters/l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"})
        CHECK(compared(plain(), with(jitters, 1019)).cases[0].quantities.changes.empty());
}

TEST_CASE("an extra sector per request is caught without any time", "[compare][quantities]") {
    Json base = committed("results/h200/life-model-2048x2048.json");
    for (Json& benchmark : base["benchmarks"])
        for (const char* timed : {"samples_ns", "visits", "statistics", "kernel_times"})
            benchmark["camber"].erase(timed);
    CHECK(compared(base, base).exit_code() == ExitCode::success);
    CHECK(compared(base, base).counts.timed == 0);

    Json changed = base;
    for (Json& benchmark : changed["benchmarks"]) {
        Json& model = benchmark["camber"]["model"];
        model["global_load_sectors"] = model["global_load_sectors"].get<std::int64_t>() +
                                       model["global_load_requests"].get<std::int64_t>();
    }
    const Comparison comparison = compared(base, changed);
    CHECK(comparison.counts.regressed == base["benchmarks"].size());
    CHECK(comparison.exit_code() == ExitCode::regression);
}

TEST_CASE("counters of two runs of one program are equal where they are gated",
          "[compare][quantities]") {
    const Comparison comparison = compared(committed("results/h200/life-2048-counters.json"),
                                           committed("results/h200/life-model-2048x2048.json"));
    CHECK(comparison.counts.quantities > 500);
    CHECK(comparison.counts.more == 0);
    CHECK(comparison.counts.fewer == 0);
}

TEST_CASE("with another compiler its doings are information", "[compare][quantities]") {
    Json changed = with("/kernel/registers", 40);
    changed["benchmarks"][0]["camber"]["kernel"]["local_bytes"] = 16;
    changed["benchmarks"][0]["camber"]["kernel"]["instructions"]["total"] = 80;
    CHECK(compared(plain(), changed).exit_code() == ExitCode::regression);
    changed["context"]["camber"]["compiler"] = "GNU 14.2.0, nvcc 13.1.20";
    const Comparison comparison = compared(plain(), changed);
    CHECK(comparison.exit_code() == ExitCode::success);
    CHECK(comparison.counts.information == 3);
    changed["benchmarks"][0]["camber"]["kernel"]["static_shared_bytes"] = 4096;
    CHECK(compared(plain(), changed).exit_code() == ExitCode::regression);
}

TEST_CASE("a family that is allowed to differ is shown, not judged", "[compare][quantities]") {
    const Json changed = with("/kernel/registers", 23);
    const Comparison comparison = compared(plain(), changed, allowing({"registers"}));
    CHECK(comparison.exit_code() == ExitCode::success);
    CHECK(comparison.counts.information == 1);
    CHECK(compared(plain(), changed, allowing({"memory"})).exit_code() == ExitCode::regression);
}

TEST_CASE("every kernel of a variant is compared", "[compare][quantities]") {
    Json base = plain();
    const Json kernel = base["benchmarks"][0]["camber"]["kernel"];
    base["benchmarks"][0]["camber"]["kernels"] = {kernel, kernel};
    Json changed = base;
    changed["benchmarks"][0]["camber"]["kernels"][1]["registers"] = 30;
    const Comparison comparison = compared(base, changed);
    REQUIRE(comparison.cases[0].quantities.changes.size() == 1);
    CHECK(comparison.cases[0].quantities.changes[0].quantity == "stencil (2): registers");
}

TEST_CASE("files of other conditions are refused, naming both, or allowed",
          "[compare][conditions]") {
    struct Difference {
        const char* allowance;
        Json changed;
        const char* before;
        const char* after;
    };
    Json other_workload = plain();
    other_workload["benchmarks"].push_back(other_workload["benchmarks"][0]);
    other_workload["benchmarks"][1]["run_name"] = "blur/halo";
    other_workload["benchmarks"][1]["camber"]["workload"] = "blur";
    const Difference differences[] = {
        {"gpu", with_context("/gpu/name", "GPU B"), "GPU A", "GPU B"},
        {"gpu", with_context("/gpu/compute_capability", "10.0"), "9.0", "10.0"},
        {"gpu", with_context("/gpu/sm_count", 114), "132", "114"},
        {"driver", with_context("/driver_version", "570.2"), "580.1", "570.2"},
        {"boundary", with("/boundary", "torus"), "dead", "torus"},
        {"seed", with("/seed", 2), "1", "2"},
        {"generations", with("/generations", 32), "16", "32"},
        {"arch", with("/model/arch", "8.6"), "9.0", "8.6"},
        {"workloads", other_workload, "life", "blur, life"},
    };
    for (const Difference& one : differences) {
        CAPTURE(one.allowance, one.after);
        const Refusal refusal = refusal_of(plain(), one.changed);
        CHECK(refusal.code == ExitCode::incomparable);
        CHECK_THAT(refusal.sentence, contains(one.before) && contains(one.after) &&
                                         contains(std::string("--allow ") + one.allowance));
        const Comparison allowed = compared(plain(), one.changed, allowing({one.allowance}));
        REQUIRE(allowed.differences.size() == 1);
        CHECK_THAT(allowed.differences[0], contains(one.before) && contains(one.after));
        CHECK(compared(plain(), one.changed, allowing({"all"})).differences.size() == 1);
    }
}

TEST_CASE("a size that is part of the names is recognised", "[compare][conditions]") {
    Json changed = with("/size/columns", 4096);
    changed["benchmarks"][0]["run_name"] = "life/halo/64x4/align128/4096x2048/uint32/cuda";
    const Refusal refusal = refusal_of(plain(), changed);
    CHECK(refusal.code == ExitCode::incomparable);
    CHECK_THAT(refusal.sentence, contains("2048x2048") && contains("4096x2048"));
    CHECK(compared(plain(), changed, allowing({"size"})).counts.cases == 1);
}

TEST_CASE("files without a common case, or without cases, are refused", "[compare][conditions]") {
    Json changed = plain();
    changed["benchmarks"][0]["run_name"] = "life/global/16x16/2048x2048/uint32/cuda";
    const Refusal refusal = refusal_of(plain(), changed);
    CHECK(refusal.code == ExitCode::incomparable);
    CHECK_THAT(refusal.sentence, contains("no case is in both files"));
    Json empty = plain();
    empty["benchmarks"] = Json::array();
    CHECK(refusal_of(plain(), empty).code == ExitCode::incomparable);
    // Nothing that could be compared is no success.
    Json bare = document_of({});
    CHECK(refusal_of(bare, bare).code == ExitCode::incomparable);
}

TEST_CASE("an allowance that does not exist is a usage error", "[compare][conditions]") {
    CHECK_THROWS_WITH(Allowed({"gpus"}), contains("gpus") && contains("gpu"));
}

TEST_CASE("cases of one file only: missing is a finding, new is not", "[compare][conditions]") {
    Json two = plain();
    two["benchmarks"].push_back(two["benchmarks"][0]);
    two["benchmarks"][1]["run_name"] = "life/global/16x16/2048x2048/uint32/cuda";
    const Comparison added = compared(plain(), two);
    CHECK(added.counts.added == 1);
    CHECK(added.exit_code() == ExitCode::success);
    const Comparison missing = compared(two, plain());
    CHECK(missing.counts.missing == 1);
    CHECK(missing.exit_code() == ExitCode::regression);
    CHECK(missing.cases[0].standing == Standing::missing);
    CHECK(compared(two, plain(), allowing({"missing"})).exit_code() == ExitCode::success);
}

TEST_CASE("a case that failed verification outweighs everything", "[compare][exit-code]") {
    Json wrong = slowed(with("/verification/status", "failed"), 2);
    wrong["benchmarks"][0]["camber"]["status"] = "failed";
    wrong["benchmarks"][0]["camber"]["reason"] = "3 cells differ";
    const Comparison comparison = compared(plain(), wrong);
    CHECK(comparison.exit_code() == ExitCode::wrong_result);
    CHECK_THAT(comparison.cases[0].reason, contains("3 cells differ"));
    // Also where BASE does not have it.
    wrong["benchmarks"].push_back(plain()["benchmarks"][0]);
    wrong["benchmarks"][0]["run_name"] = "life/new";
    CHECK(compared(plain(), wrong).exit_code() == ExitCode::wrong_result);

    Json skipped = with("/status", "skipped");
    CHECK(compared(plain(), skipped).exit_code() == ExitCode::regression);
    CHECK(compared(plain(), skipped).cases[0].standing == Standing::lost);
    Json broken = with("/status", "failed");
    CHECK(compared(plain(), broken).exit_code() == ExitCode::regression);
    CHECK(compared(plain(), broken).cases[0].standing == Standing::broken);
}

TEST_CASE("the scope leaves out what is not asked for", "[compare]") {
    Json changed = slowed(with("/kernel/registers", 23), 1.5);
    Rules rules;
    CHECK(compared(plain(), changed, rules).counts.slower == 1);
    rules.scope.times = false;
    CHECK(compared(plain(), changed, rules).counts.timed == 0);
    CHECK(compared(plain(), changed, rules).exit_code() == ExitCode::regression);
    rules.scope.families = {Family::model};
    CHECK(compared(plain(), changed, rules).exit_code() == ExitCode::success);
    CHECK(compared(plain(), changed, rules).counts.quantities == 3);
}

TEST_CASE("the worst case comes first", "[compare]") {
    Json base = plain();
    for (const char* name : {"a", "b", "c"}) {
        base["benchmarks"].push_back(base["benchmarks"][0]);
        base["benchmarks"].back()["run_name"] = name;
    }
    Json changed = base;
    const auto scale = [&](std::size_t index, double factor) {
        for (Json& sample : changed["benchmarks"][index]["camber"]["samples_ns"])
            sample = sample.get<double>() * factor;
    };
    scale(1, 1.1);
    scale(2, 1.5);
    scale(3, 0.5);
    const Comparison comparison = compared(base, changed);
    CHECK(comparison.cases[0].name == "b");
    CHECK(comparison.cases[1].name == "a");
    CHECK(comparison.cases[2].name == "c");
}

TEST_CASE("Google Benchmark's files are compared by time, and what that lacks is said",
          "[compare]") {
    Json base{{"context", {{"host_name", "h"}}}, {"benchmarks", Json::array()}};
    for (const double time : five)
        base["benchmarks"].push_back({{"name", "BM_a"},
                                      {"run_name", "BM_a"},
                                      {"run_type", "iteration"},
                                      {"real_time", time},
                                      {"time_unit", "us"}});
    const Comparison slower = compared(base, slowed(base, 1.2));
    CHECK(slower.counts.slower == 1);
    CHECK(slower.counts.quantities == 0);
    CHECK(slower.exit_code() == ExitCode::regression);
    std::string notes;
    for (const std::string& note : slower.notes) notes += note + "\n";
    CHECK_THAT(notes, contains("Google Benchmark") && contains("clock") && contains("one process"));
    CHECK(compared(base, base).counts.same == 1);
}

TEST_CASE("times of the simt backend are not compared", "[compare]") {
    const Json base = with("/backend", "simt");
    const Comparison comparison = compared(base, slowed(base, 3));
    CHECK(comparison.counts.timed == 0);
    CHECK(comparison.exit_code() == ExitCode::success);
}

TEST_CASE("A/A halves are processes, visits or samples", "[compare][self]") {
    const std::vector<double> many(12, 100);
    const auto pairs = [](const Json& document) {
        return self_test({results::parse_results(document, "x.json")}, {}).pairs;
    };
    CHECK(pairs(document_of({five, five, five, five})).size() == 3);
    CHECK(pairs(document_of({five, five, five, five}))[0].split == "processes");
    CHECK(pairs(document_of({five, five, five, five, five})).size() == 10);
    CHECK(pairs(document_of(std::vector<std::vector<double>>(20, five))).size() == 10);
    CHECK(pairs(document_of({many})).size() == 1);
    CHECK(pairs(document_of({many}))[0].split == "samples");
    CHECK_THROWS_WITH(pairs(document_of({five})), contains("--processes"));

    // Of four processes in two modes, the one split that parts the modes looks like a change: so
    // few processes cannot tell. The others are seen to be undecided.
    std::vector<double> high = five;
    for (double& sample : high) sample *= 1.12;
    const SelfTest modes =
        self_test({results::parse_results(document_of({five, high, five, high}), "x.json")}, {});
    CHECK(modes.alarms == 1);
    CHECK(modes.undecided == 2);
}
