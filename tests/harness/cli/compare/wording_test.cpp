// Wording of `camber compare`: notes, and suggestions for better measurements.
#include "harness/cli/compare/wording.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"

namespace wording_test {

namespace {

using namespace camber;
using namespace camber::compare_test;
using comparison::Advice;

const std::vector<std::vector<double>> six(6, {100, 100.1, 100.2, 99.9, 100});

std::string notes_between(const Document& base, const Document& changed) {
    std::string notes;
    for (const std::string& note : notes_on(compared(base, changed))) notes += note + "\n";
    return notes;
}

}  // namespace

TEST_CASE("what files of Google Benchmark lack is said", "[compare][wording]") {
    Document base = document_of({six[0]});
    base.context.run.reset();
    base.cases[0].by_camber = false;
    CHECK_THAT(notes_between(base, base),
               contains("base.json was written by Google Benchmark: it has times only") &&
                   contains("new.json was written by Google Benchmark") && contains("clock") &&
                   contains("one process") && contains("measure with --processes 5"));
}

TEST_CASE("few processes, clocks, compilers and times of the executor are said",
          "[compare][wording]") {
    Document base = document_of(six);
    CHECK_THAT(notes_between(document_of({six[0], six[1]}), document_of({six[0], six[1]})),
               contains("in so few processes that up to 33 %") && contains("--processes 5"));
    CHECK_THAT(notes_between(base, base), contains("the files do not tell the SM clock"));
    set_clock(base, 1'980'000'000);
    CHECK(notes_between(base, base).empty());
    Document warm = base;
    set_clock(warm, 1'800'000'000);
    CHECK(notes_between(base, warm) ==
          "1 case is SAME in time at SM clocks that differ by more than the threshold\n");

    Document rebuilt = base;
    rebuilt.context.run->compiler = "another";
    CHECK_THAT(notes_between(base, rebuilt), contains("different compilers"));
    Document modelled = base;
    modelled.cases[0].model = model_of({{"global_load_sectors", 4000}});
    CHECK(notes_between(modelled, base) ==
          "1 quantities of the family model are in BASE only, and were not compared\n");
    modelled.cases[0].identity.backend = Backend::simt;
    CHECK(notes_between(modelled, modelled) ==
          "times of the simt backend say nothing about a GPU: not compared\n");
}

TEST_CASE("what would decide is said with the options that do it", "[compare][wording]") {
    comparison::TimeComparison time;
    time.reason = "so it is";
    CHECK(advice_of(time).empty());
    CHECK(reason_of(time) == "so it is");
    time.advice = Advice::several_processes;
    CHECK(reason_of(time) == "so it is: measure both with --processes 5, or with more --rounds");
    time.advice = Advice::more_samples;
    CHECK_THAT(advice_of(time), contains("at least 5, with more --rounds or --processes"));
    time.base_spread.processes = 7;
    time.new_spread.processes = 6;
    time.advice = Advice::more_processes;
    CHECK_THAT(advice_of(time), contains("raise --processes to 12 or more in both: "));
    time.new_spread.processes = 2;
    time.advice = Advice::processes_or_rounds;
    CHECK_THAT(advice_of(time), contains("raise --processes to 10 or more in both, or --rounds"));
    time.advice = Advice::equal_clocks;
    CHECK_THAT(advice_of(time), contains("at one clock"));
    time.advice = Advice::recorded_clocks;
    CHECK_THAT(advice_of(time), contains("clocks recorded"));
}

}  // namespace wording_test
