// Comparisons of committed files with deterministic quantities.
#include "analysis/compare/comparison.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"

namespace committed_test {

using namespace camber;
using namespace camber::comparison;
using namespace camber::compare_test;

TEST_CASE("an extra sector per request is caught without any time", "[compare][quantities]") {
    Document base = committed("results/measurement/life-2048-counters-again.json");
    for (CaseRecord& record : base.cases) record.samples.reset();
    CHECK(compared(base, base).exit_code() == ExitCode::success);
    CHECK(compared(base, base).counts.timed == 0);

    Document changed = base;
    for (CaseRecord& record : changed.cases) {
        auto& quantities = record.model->quantities;
        quantities.at("global_load_sectors") += quantities.at("global_load_requests");
    }
    const Comparison comparison = compared(base, changed);
    CHECK(comparison.counts.regressed == base.cases.size());
    CHECK(comparison.exit_code() == ExitCode::regression);
}

TEST_CASE("counters of two runs of one program are equal where they are gated",
          "[compare][quantities]") {
    const Comparison comparison =
        compared(committed("results/measurement/life-2048-counters.json"),
                 committed("results/measurement/life-2048-counters-again.json"));
    CHECK(comparison.counts.quantities > 500);
    CHECK(comparison.counts.more == 0);
    CHECK(comparison.counts.fewer == 0);
}

}  // namespace committed_test
