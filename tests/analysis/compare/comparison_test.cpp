// Deterministic quantities, conditions and exit codes.
#include "analysis/compare/comparison.hpp"

#include <functional>

#include "analysis/compare/self_test.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"

namespace comparison_test {

namespace {

using namespace camber;
using namespace camber::compare;
using namespace camber::compare_test;

const std::vector<double> five{100, 100.1, 100.2, 99.9, 100};

Document plain() {
    Document document = document_of({five});
    CaseRecord& record = document.cases[0];
    record.model = model_of({{"global_load_requests", 1000},
                             {"global_load_sectors", 4000},
                             {"non_redundant_share", 0.5}});
    results::Kernel& kernel = record.kernels.emplace_back();
    kernel.name = "stencil";
    kernel.registers = 22;
    kernel.static_shared_bytes = 2048;
    kernel.dynamic_shared_bytes = 0;
    kernel.local_bytes = 0;
    kernel.instructions = {{"total", 54}, {"global_loads", 9}, {"integer", 13}};
    record.counters = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4000},
                       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000},
                       {"lts__t_sectors_op_read.sum", 777},
                       {"l1tex__t_sector_hit_rate.pct", 50.5},
                       {"sm__sass_inst_executed_op_local_ld.sum", 0}};
    return document;
}

using Edit = std::function<void(CaseRecord& record)>;

// `plain()` with its case changed.
Document with(const Edit& edit) {
    Document document = plain();
    edit(document.cases[0]);
    return document;
}

Edit model_quantity(const std::string& quantity, double value) {
    return [=](CaseRecord& record) { record.model->quantities.at(quantity) = value; };
}

Edit counter(const std::string& metric, double value) {
    return [=](CaseRecord& record) { record.counters.at(metric) = value; };
}

Edit registers(int value) {
    return [=](CaseRecord& record) { record.kernels[0].registers = value; };
}

Edit instructions(const std::string& kind, std::int64_t value) {
    return [=](CaseRecord& record) { record.kernels[0].instructions.at(kind) = value; };
}

Document with_gpu(const std::function<void(results::Gpu& gpu)>& edit) {
    Document document = plain();
    edit(*document.context.run->gpu);
    return document;
}

// A second case, a copy of the first.
CaseRecord& add_case(Document& document, const std::string& name) {
    document.cases.push_back(document.cases[0]);
    document.cases.back().name = name;
    return document.cases.back();
}

struct Refusal {
    ExitCode code = ExitCode::success;
    std::string sentence;
    std::string allowance;
};

Refusal refusal_of(const Document& base, const Document& changed,
                   const compare::Rules& rules = {}) {
    try {
        compared(base, changed, rules);
    } catch (const ConditionsDiffer& difference) {
        return {difference.code(), difference.what(), difference.allowance()};
    } catch (const Error& error) {
        return {error.code(), error.what(), ""};
    }
    return {};
}

compare::Rules allowing(const std::vector<std::string>& names) {
    compare::Rules rules;
    rules.allowed = Allowed(names);
    return rules;
}

}  // namespace

TEST_CASE("more of a deterministic quantity is a regression, less an improvement",
          "[compare][quantities]") {
    struct Planted {
        const char* what;
        Edit edit;
        Effect effect;
        Family family;
    };
    const Planted planted[] = {
        {"a sector more", model_quantity("global_load_sectors", 4001), Effect::regression,
         Family::model},
        {"a sector fewer", model_quantity("global_load_sectors", 3999), Effect::improvement,
         Family::model},
        {"less redundance", model_quantity("non_redundant_share", 0.6), Effect::improvement,
         Family::model},
        {"a register more", registers(23), Effect::regression, Family::registers},
        {"less shared memory",
         [](CaseRecord& record) { record.kernels[0].static_shared_bytes = 1024; },
         Effect::improvement, Family::memory},
        {"spills", [](CaseRecord& record) { record.kernels[0].local_bytes = 8; },
         Effect::regression, Family::memory},
        {"an instruction more", instructions("total", 55), Effect::regression,
         Family::instructions},
        {"another kind of instruction", instructions("integer", 14), Effect::information,
         Family::instructions},
        {"executed local loads", counter("sm__sass_inst_executed_op_local_ld.sum", 32),
         Effect::regression, Family::instructions},
        {"a counted sector more", counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4001),
         Effect::regression, Family::counters},
        {"wavefronts", counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1021),
         Effect::regression, Family::counters},
    };
    for (const Planted& one : planted) {
        CAPTURE(one.what);
        const Comparison comparison = compared(plain(), with(one.edit));
        REQUIRE(comparison.cases[0].quantities.changes.size() == 1);
        CHECK(comparison.cases[0].quantities.changes[0].effect == one.effect);
        CHECK(comparison.cases[0].quantities.changes[0].family == one.family);
        CHECK(comparison.exit_code() ==
              (one.effect == Effect::regression ? ExitCode::regression : ExitCode::success));
    }
    for (const char* jitters : {"lts__t_sectors_op_read.sum", "l1tex__t_sector_hit_rate.pct",
                                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"})
        CHECK(compared(plain(), with(counter(jitters, 1019))).cases[0].quantities.changes.empty());
}

TEST_CASE("with another compiler its doings are information", "[compare][quantities]") {
    Document changed = with(registers(40));
    results::Kernel& kernel = changed.cases[0].kernels[0];
    kernel.local_bytes = 16;
    kernel.instructions["total"] = 80;
    CHECK(compared(plain(), changed).exit_code() == ExitCode::regression);
    changed.context.run->compiler = "GNU 14.2.0, nvcc 13.1.20";
    const Comparison comparison = compared(plain(), changed);
    CHECK(comparison.exit_code() == ExitCode::success);
    CHECK(comparison.counts.information == 3);
    kernel.static_shared_bytes = 4096;
    CHECK(compared(plain(), changed).exit_code() == ExitCode::regression);
}

TEST_CASE("a family that is allowed to differ is shown, not judged", "[compare][quantities]") {
    const Document changed = with(registers(23));
    const Comparison comparison = compared(plain(), changed, allowing({"registers"}));
    CHECK(comparison.exit_code() == ExitCode::success);
    CHECK(comparison.counts.information == 1);
    CHECK(compared(plain(), changed, allowing({"memory"})).exit_code() == ExitCode::regression);
}

TEST_CASE("every kernel of a variant is compared", "[compare][quantities]") {
    Document base = plain();
    auto& kernels = base.cases[0].kernels;
    kernels = {kernels[0], kernels[0]};
    Document changed = base;
    changed.cases[0].kernels[1].registers = 30;
    const Comparison comparison = compared(base, changed);
    REQUIRE(comparison.cases[0].quantities.changes.size() == 1);
    CHECK(comparison.cases[0].quantities.changes[0].quantity == "stencil (2): registers");
}

TEST_CASE("files of other conditions are refused, naming both, or allowed",
          "[compare][conditions]") {
    struct Difference {
        const char* allowance;
        Document changed;
        const char* before;
        const char* after;
    };
    Document other_workload = plain();
    add_case(other_workload, "blur/halo").identity.workload = "blur";
    Document other_driver = plain();
    other_driver.context.run->driver_version = "570.2";
    const Difference differences[] = {
        {"gpu", with_gpu([](results::Gpu& gpu) { gpu.name = "GPU B"; }), "GPU A", "GPU B"},
        {"gpu", with_gpu([](results::Gpu& gpu) { gpu.compute_capability = "10.0"; }), "9.0",
         "10.0"},
        {"gpu", with_gpu([](results::Gpu& gpu) { gpu.sm_count = 114; }), "132", "114"},
        {"driver", other_driver, "580.1", "570.2"},
        {"boundary", with([](CaseRecord& record) { record.identity.boundary = Boundary::torus; }),
         "dead", "torus"},
        {"seed", with([](CaseRecord& record) { record.identity.seed = 2; }), "1", "2"},
        {"generations", with([](CaseRecord& record) { record.identity.generations = 32; }), "16",
         "32"},
        {"arch", with([](CaseRecord& record) { record.model->arch = "8.6"; }), "9.0", "8.6"},
        {"workloads", other_workload, "life", "blur, life"},
    };
    for (const Difference& one : differences) {
        CAPTURE(one.allowance, one.after);
        const Refusal refusal = refusal_of(plain(), one.changed);
        CHECK(refusal.code == ExitCode::incomparable);
        CHECK_THAT(refusal.sentence, contains(one.before) && contains(one.after));
        CHECK(refusal.allowance == one.allowance);
        const Comparison allowed = compared(plain(), one.changed, allowing({one.allowance}));
        REQUIRE(allowed.differences.size() == 1);
        CHECK_THAT(allowed.differences[0], contains(one.before) && contains(one.after));
        CHECK(compared(plain(), one.changed, allowing({"all"})).differences.size() == 1);
    }
}

TEST_CASE("parameters of a workload are told with their values", "[compare][conditions]") {
    const auto parameters = [](double value) {
        return with([=](CaseRecord& record) {
            record.identity.workload_parameters = {{"rain", {value, 0.5}}, {"slope", {3}}};
        });
    };
    const Refusal refusal = refusal_of(parameters(2), parameters(0.125));
    CHECK(refusal.allowance == "parameters");
    CHECK(refusal.sentence ==
          "the workload's parameters is {\"rain\":[2.0,0.5],\"slope\":[3.0]} in base.json and "
          "{\"rain\":[0.125,0.5],\"slope\":[3.0]} in new.json: measure both alike");
    // A condition that a file does not state is not compared.
    CHECK(refusal_of(parameters(2), plain()).code == ExitCode::success);
}

TEST_CASE("files of different rules are not comparable, whatever is allowed",
          "[compare][conditions][rules]") {
    const auto by = [](const std::string& rule) {
        return with([&](CaseRecord& record) {
            record.identity.rule = rule;
            record.name += rule.empty() ? "" : "/rule:B36S23";
        });
    };
    const Refusal refusal = refusal_of(plain(), by("B36/S23"), allowing({"all"}));
    CHECK(refusal.code == ExitCode::incomparable);
    CHECK(refusal.sentence ==
          "the rule is the workload's usual one in base.json and B36/S23 in new.json: measure both "
          "by one rule");
    CHECK(compared(by("B36/S23"), by("B36/S23")).counts.cases == 1);
}

TEST_CASE("predicted times are information, and judge nothing", "[compare][quantities]") {
    const auto predicted = [](double seconds) {
        return with(
            [=](CaseRecord& record) { record.model->quantities["predicted_seconds"] = seconds; });
    };
    const Comparison slower = compared(predicted(1e-3), predicted(2e-3));
    CHECK(slower.exit_code() == ExitCode::success);
    CHECK(slower.counts.information == 1);
    CHECK(slower.counts.more == 0);
    CHECK(compared(predicted(1e-3), predicted(1.0005e-3)).counts.information == 0);
    // A file that was written without a device's limits lacks nothing.
    CHECK(compared(predicted(1e-3), plain()).exit_code() == ExitCode::success);
    CHECK(compared(predicted(1e-3), plain()).counts.regressed == 0);
}

TEST_CASE("a size that is part of the names is recognised", "[compare][conditions]") {
    const Document changed = with([](CaseRecord& record) {
        record.identity.size.columns = 4096;
        record.name = "life/halo/64x4/align128/4096x2048/uint32/cuda";
    });
    const Refusal refusal = refusal_of(plain(), changed);
    CHECK(refusal.code == ExitCode::incomparable);
    CHECK(refusal.allowance == "size");
    CHECK_THAT(refusal.sentence, contains("2048x2048") && contains("4096x2048"));
    CHECK(compared(plain(), changed, allowing({"size"})).counts.cases == 1);
}

TEST_CASE("files without a common case, or without cases, are refused", "[compare][conditions]") {
    const Document changed =
        with([](CaseRecord& record) { record.name = "life/global/16x16/2048x2048/uint32/cuda"; });
    const Refusal refusal = refusal_of(plain(), changed);
    CHECK(refusal.code == ExitCode::incomparable);
    CHECK_THAT(refusal.sentence, contains("no case is in both files"));
    Document empty = plain();
    empty.cases.clear();
    CHECK(refusal_of(plain(), empty).code == ExitCode::incomparable);
    // Nothing that could be compared is no success.
    const Document bare = document_of({});
    CHECK(compared(bare, bare).empty());
    CHECK(compared(bare, bare).counts.pairs == 1);
    CHECK_FALSE(compared(plain(), plain()).empty());
}

TEST_CASE("cases of one file only: missing is a finding, new is not", "[compare][conditions]") {
    Document two = plain();
    add_case(two, "life/global/16x16/2048x2048/uint32/cuda");
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
    const auto with_status = [](results::Status status) {
        return with([=](CaseRecord& record) { record.status = status; });
    };
    Document wrong = slowed(with_status(results::Status::failed), 2);
    wrong.cases[0].verification->status = Verification::Status::failed;
    wrong.cases[0].reason = "3 cells differ";
    const Comparison comparison = compared(plain(), wrong);
    CHECK(comparison.exit_code() == ExitCode::wrong_result);
    CHECK_THAT(comparison.cases[0].reason, contains("3 cells differ"));
    // Also where BASE does not have it.
    wrong.cases.push_back(plain().cases[0]);
    wrong.cases[0].name = "life/new";
    CHECK(compared(plain(), wrong).exit_code() == ExitCode::wrong_result);

    const Document skipped = with_status(results::Status::skipped);
    CHECK(compared(plain(), skipped).exit_code() == ExitCode::regression);
    CHECK(compared(plain(), skipped).cases[0].standing == Standing::lost);
    const Document broken = with_status(results::Status::failed);
    CHECK(compared(plain(), broken).exit_code() == ExitCode::regression);
    CHECK(compared(plain(), broken).cases[0].standing == Standing::broken);
}

TEST_CASE("the scope leaves out what is not asked for", "[compare]") {
    const Document changed = slowed(with(registers(23)), 1.5);
    compare::Rules rules;
    CHECK(compared(plain(), changed, rules).counts.slower == 1);
    rules.scope.times = false;
    CHECK(compared(plain(), changed, rules).counts.timed == 0);
    CHECK(compared(plain(), changed, rules).exit_code() == ExitCode::regression);
    rules.scope.families = {Family::model};
    CHECK(compared(plain(), changed, rules).exit_code() == ExitCode::success);
    CHECK(compared(plain(), changed, rules).counts.quantities == 3);
}

TEST_CASE("the worst case comes first", "[compare]") {
    Document base = plain();
    for (const char* name : {"a", "b", "c"}) add_case(base, name);
    Document changed = base;
    slow_down(changed.cases[1], 1.1);
    slow_down(changed.cases[2], 1.5);
    slow_down(changed.cases[3], 0.5);
    const Comparison comparison = compared(base, changed);
    CHECK(comparison.cases[0].name == "b");
    CHECK(comparison.cases[1].name == "a");
    CHECK(comparison.cases[2].name == "c");
}

TEST_CASE("Google Benchmark's files are compared by time, and what that lacks is told",
          "[compare]") {
    Document base;
    for (const double time : five) {
        CaseRecord& record = base.cases.emplace_back();
        record.name = "BM_a";
        record.by_camber = false;
        record.samples.emplace().ns = {1e3 * time};
    }
    results::merge_repetitions(base);
    const Comparison slower = compared(base, slowed(base, 1.2));
    CHECK(slower.counts.slower == 1);
    CHECK(slower.counts.quantities == 0);
    CHECK(slower.exit_code() == ExitCode::regression);
    CHECK(slower.with_times_only == std::vector<std::string>{"base.json", "new.json"});
    CHECK_FALSE(slower.cases[0].time->cycles_ratio);
    CHECK_FALSE(slower.cases[0].time->time.between_processes_known);
    CHECK(compared(base, base).counts.same == 1);
    CHECK(compared(plain(), plain()).with_times_only.empty());
}

TEST_CASE("times of the simt backend are not compared", "[compare]") {
    const Document base = with([](CaseRecord& record) { record.identity.backend = Backend::simt; });
    const Comparison comparison = compared(base, slowed(base, 3));
    CHECK(comparison.counts.timed == 0);
    CHECK(comparison.times_of_simt);
    CHECK(comparison.exit_code() == ExitCode::success);
}

TEST_CASE("A/A halves are processes, visits or samples", "[compare][self]") {
    const std::vector<double> many(12, 100);
    const auto pairs = [](const Document& document) { return self_test({document}, {}).pairs; };
    CHECK(pairs(document_of({five, five, five, five})).size() == 3);
    CHECK(pairs(document_of({five, five, five, five}))[0].split == "processes");
    CHECK(pairs(document_of({five, five, five, five, five})).size() == 10);
    CHECK(pairs(document_of(std::vector<std::vector<double>>(20, five))).size() == 10);
    CHECK(pairs(document_of({many})).size() == 1);
    CHECK(pairs(document_of({many}))[0].split == "samples");
    CHECK(pairs(document_of({five})).empty());

    // Of four processes in two modes, the one split that parts the modes looks like a change: so
    // few processes cannot tell. The others are seen to be undecided.
    std::vector<double> high = five;
    for (double& sample : high) sample *= 1.12;
    const SelfTest modes = self_test({document_of({five, high, five, high})}, {});
    CHECK(modes.alarms == 1);
    CHECK(modes.undecided == 2);
}

}  // namespace comparison_test
