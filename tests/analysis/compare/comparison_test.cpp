// Comparisons of deterministic quantities: verdicts, scope, order and exit codes.
#include "analysis/compare/comparison.hpp"

#include "analysis/compare/self_test.hpp"
#include "tests/analysis/compare/plain_document.hpp"
#include "tests/catch.hpp"

namespace comparison_test {

namespace {

using namespace camber;
using namespace camber::comparison;
using namespace camber::compare_test;

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

}  // namespace

TEST_CASE("more of a deterministic quantity is a regression, less an improvement",
          "[compare][quantities]") {
    struct Planted {
        const char* what;
        Edit edit;
        Effect effect;
        QuantityFamily family;
    };
    const Planted planted[] = {
        {"a sector more", model_quantity("global_load_sectors", 4001), Effect::regression,
         QuantityFamily::model},
        {"a sector fewer", model_quantity("global_load_sectors", 3999), Effect::improvement,
         QuantityFamily::model},
        {"less redundance", model_quantity("non_redundant_share", 0.6), Effect::improvement,
         QuantityFamily::model},
        {"a register more", registers(23), Effect::regression, QuantityFamily::registers},
        {"less shared memory",
         [](CaseRecord& record) { record.kernels[0].static_shared_bytes = 1024; },
         Effect::improvement, QuantityFamily::memory},
        {"spills", [](CaseRecord& record) { record.kernels[0].local_bytes = 8; },
         Effect::regression, QuantityFamily::memory},
        {"an instruction more", instructions("total", 55), Effect::regression,
         QuantityFamily::instructions},
        {"another kind of instruction", instructions("integer", 14), Effect::information,
         QuantityFamily::instructions},
        {"executed local loads", counter("sm__sass_inst_executed_op_local_ld.sum", 32),
         Effect::regression, QuantityFamily::instructions},
        {"a counted sector more", counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4001),
         Effect::regression, QuantityFamily::counters},
        {"wavefronts", counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1021),
         Effect::regression, QuantityFamily::counters},
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
    // A file that was written without device limits counts as complete.
    CHECK(compared(predicted(1e-3), plain()).exit_code() == ExitCode::success);
    CHECK(compared(predicted(1e-3), plain()).counts.regressed == 0);
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
    // Even if BASE does not contain the case.
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
    comparison::GateRules rules;
    CHECK(compared(plain(), changed, rules).counts.slower == 1);
    rules.scope.times = false;
    CHECK(compared(plain(), changed, rules).counts.timed == 0);
    CHECK(compared(plain(), changed, rules).exit_code() == ExitCode::regression);
    rules.scope.quantity_families = {QuantityFamily::model};
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

    // Four processes in two modes: the split that separates the modes looks like a change, since so
    // few processes cannot decide. The other splits are undecided.
    std::vector<double> high = five;
    for (double& sample : high) sample *= 1.12;
    const SelfTest modes = self_test({document_of({five, high, five, high})}, {});
    CHECK(modes.alarms == 1);
    CHECK(modes.undecided == 2);
}

}  // namespace comparison_test
