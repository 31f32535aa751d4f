// Techniques written outside variants/: a correct one takes part, a faulty one is rejected.
#include <fstream>
#include <iterator>
#include <string>

#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/variants/toy_technique.hpp"
#include "tests/variants/wrong_techniques.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::own_technique_test {
namespace {

Study study_of(int generations) {
    Study study;
    study.workload = find_workload("life");
    study.problem = {{37, 21}, Boundary::dead, ElementType::uint32};
    study.initial = {.size = study.problem.size, .seed = 3};
    study.generations = generations;
    study.backend = Backend::simt;
    study.time = false;
    return study;
}

template <class Technique>
CaseResult run(int generations) {
    Registry local;
    Catalogue<Life<std::uint32_t>> catalogue(local, "life", ElementType::uint32);
    Technique::add(catalogue);
    const Study study = study_of(generations);
    CaseRunner runner(study);
    CaseResult result = runner.run(local.variants().front());
    result.variant = nullptr;  // it lives in the local registry
    return result;
}

std::string text_of(const std::string& path) {
    std::ifstream file(std::string(CAMBER_SOURCE_DIR) + "/" + path);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("the technique that CONTRIBUTING.md names as an example works", "[contributing]") {
    CHECK(run<Transposed>(4).record.status == results::Status::ok);
    CHECK_THAT(text_of("CONTRIBUTING.md"), contains("`tests/variants/toy_technique.hpp`"));
}

TEST_CASE("a wrong rule is rejected with the first differing cell", "[verification]") {
    const CaseResult result = run<Wrong<Fault::diagonal_forgotten>>(1);
    CHECK(result.record.status == results::Status::failed);
    CHECK_FALSE(result.record.samples);
    REQUIRE(result.record.verification);
    REQUIRE(result.record.verification->first_difference);
    const DifferingCell& first = *result.record.verification->first_difference;
    CHECK(first.field == "cells");
    CHECK(first.row == 3);  // the only row whose sum is wrong
    CHECK(result.record.verification->differing_cells > 0);
    CHECK(result.record.verification->differing_cells <= 37);
    CHECK(result.record.verification->compared_cells == 37 * 21);
    CHECK(first.expected != first.actual);
    CHECK_THAT(result.record.reason, contains("of 777 cells differ") && contains("row 3, column") &&
                                         contains("expected") && contains("got"));
}

TEST_CASE("a cell that is never written is named as such", "[verification]") {
    for (const int generations : {1, 2, 3}) {
        const CaseResult result = run<Wrong<Fault::cell_left_out>>(generations);
        CHECK(result.record.status == results::Status::failed);
        REQUIRE(result.record.verification->first_difference);
        if (generations == 1) {
            CHECK(result.record.verification->differing_cells == 1);
            CHECK(result.record.verification->first_difference->row == 5);
            CHECK(result.record.verification->first_difference->column == 7);
            CHECK(std::get<std::string>(result.record.verification->first_difference->actual) ==
                  never_written);
            CHECK_THAT(result.record.reason,
                       contains("the first is row 5, column 7 of `cells`: expected ") &&
                           contains("but the kernel never wrote this cell"));
        }
    }
}

TEST_CASE("a halo that is written to changes the next generation", "[verification]") {
    CHECK(run<Wrong<Fault::halo_overwritten>>(8).record.status == results::Status::failed);
}

TEST_CASE("an access out of bounds fails the case and says where", "[verification]") {
    const CaseResult result = run<Wrong<Fault::out_of_bounds>>(1);
    CHECK(result.record.status == results::Status::failed);
    CHECK_THAT(result.record.reason, contains("life/wrong/16x16/align128") &&
                                         contains("block (0,0)") && contains("thread (4,2)") &&
                                         contains("row -2, column 4") && contains("`cells`") &&
                                         contains("rule.hpp:"));
}

}  // namespace camber::own_technique_test
