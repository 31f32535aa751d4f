// The clock of SCIARA-fv3 on the device: over many steps of changing duration, across the time
// slots of the emission.
#include <algorithm>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::clock_test {

namespace {

Study eruption(ElementType cell) {
    Study study;
    study.workload = find_workload("sciara_fv3");
    study.problem = {
        {40, 36}, Boundary::dead, cell, ParameterSet(study.workload->facts().parameters)};
    study.problem.parameters.set("slot_length", {100});
    study.initial = {.size = study.problem.size, .cell = cell, .seed = 7, .density = 0};
    study.generations = 60;
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;
    return study;
}

const HostField& clock_of(const State& state) {
    return state.field("clock");
}

}  // namespace

TEST_CASE("kernels keep the reference's clock to the last bit", "[sciara_fv3][slow]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32}) {
        const Study study = eruption(cell);
        CaseRunner runner(study);
        const auto clock = clock_of(runner.expected()).cells<double>();
        // Checks that the run is meaningful: it is past the first slots, and not all steps have
        // maximum length.
        CHECK(clock[1] > 200);
        CHECK(clock[1] < 60 * 59);
        int verified = 0;
        for (const Variant& variant : registry().variants()) {
            const VariantInfo& info = variant.info;
            if (info.workload != "sciara_fv3" || info.cell != cell ||
                !variant.factories.contains(Backend::simt) ||
                info.path().find("16x16") == std::string::npos)
                continue;
            const CaseResult result = runner.run(variant);
            CAPTURE(result.record.name, result.record.reason);
            CHECK(result.record.status == results::Status::ok);
            ++verified;
        }
        CHECK(verified >= 12);
    }
}

TEST_CASE("a run that is started anew begins with the first clock", "[sciara_fv3]") {
    const Study study = eruption(ElementType::float64);
    const State initial = study.workload->initial(study.initial);
    for (const Variant& variant : registry().variants()) {
        if (variant.info.name() != "sciara_fv3/fused_minimum/16x16" ||
            variant.info.cell != ElementType::float64)
            continue;
        simt::HostQueue queue(1);
        const auto execution = variant.factories.at(Backend::simt)(queue, study.problem);
        State first = initial, second = initial;
        for (State* state : {&first, &second}) {
            execution->upload(initial);
            execution->advance(7);
            execution->download(*state);
        }
        for (std::size_t i = 0; i < first.fields.size(); ++i)
            CHECK(std::ranges::equal(first.fields[i].bytes(), second.fields[i].bytes()));
        CHECK(clock_of(first).cells<double>()[1] > 0);
    }
}

}  // namespace camber::clock_test
