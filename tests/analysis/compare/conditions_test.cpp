// Files with different conditions: rejected differences and allowances.
#include "analysis/compare/comparison.hpp"

#include "tests/analysis/compare/plain_document.hpp"
#include "tests/catch.hpp"

namespace conditions_test {

namespace {

using namespace camber;
using namespace camber::comparison;
using namespace camber::compare_test;

Document with_gpu(const std::function<void(results::Gpu& gpu)>& edit) {
    Document document = plain();
    edit(*document.context.run->gpu);
    return document;
}

struct Refusal {
    ExitCode code = ExitCode::success;
    std::string sentence;
    std::string allowance;
};

Refusal refusal_of(const Document& base, const Document& changed,
                   const comparison::GateRules& rules = {}) {
    try {
        compared(base, changed, rules);
    } catch (const ConditionsDiffer& difference) {
        return {difference.code(), difference.what(), difference.allowance()};
    } catch (const Error& error) {
        return {error.code(), error.what(), ""};
    }
    return {};
}

}  // namespace

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
    // Conditions that a file does not state are not compared.
    CHECK(refusal_of(parameters(2), plain()).code == ExitCode::success);
    // A file of an older version lacks a parameter, which counts as 0.
    const auto newer = [&](double skin) {
        Document document = parameters(2);
        for (CaseRecord& record : document.cases)
            record.identity.workload_parameters["skin"] = {skin};
        return document;
    };
    CHECK(refusal_of(parameters(2), newer(0)).code == ExitCode::success);
    CHECK(refusal_of(newer(0), parameters(2)).code == ExitCode::success);
    CHECK(refusal_of(parameters(2), newer(1)).allowance == "parameters");
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
    // A comparison without any common values is not a success.
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

}  // namespace conditions_test
