// A kernel that omits cells never passes: every technique of every workload and cell type, with
// every second store omitted and with all of them omitted, on states that are mostly 0.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/measure/verifier.hpp"
#include "tests/catch.hpp"
#include "tests/variants/named_variant.hpp"
#include "tests/variants/skipped_stores.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::unwritten_cells_test {
namespace {

Study study_of(const Workload& workload, ElementType cell) {
    Study study;
    study.workload = &workload;
    study.problem = {{70, 36},
                     workload.facts().boundaries.front(),
                     cell,
                     ParameterSet(workload.facts().parameters)};
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;
    study.generations = 1;
    if (const ParameterStart* const start = workload.capabilities().parameter_start) {
        if (workload.name() == "sph") study.problem.parameters.set("dp", {0.08});
        study.problem.size = start->size_for(study.problem.parameters);
    }
    if (workload.capabilities().eruption) study.problem.size = {34, 18};  // many kernels per step
    study.initial = {.size = study.problem.size, .cell = cell, .seed = 3, .density = 0.02};
    return study;
}

// Images are 0 except for a patch, so that most outputs are 0, too.
State sparse_start(const Study& study) {
    State state = start_of(*study.workload, study.initial, study.problem.parameters);
    const std::set<std::string_view> images{"blur",      "gaussian", "dog",
                                            "dog_image", "extrema",  "extrema_stack"};
    if (!images.contains(study.workload->name())) return state;
    for (HostField& field : state.fields) {
        const Size size = field.size();
        const auto bytes = static_cast<std::size_t>(info(field.element()).size);
        for (std::int64_t i = 0; i < size.cells(); ++i)
            if (i / size.columns < 32 || i % size.columns < 64)
                std::ranges::fill(field.bytes().subspan(static_cast<std::size_t>(i) * bytes, bytes),
                                  std::byte{0});
    }
    return state;
}

// True for fields that contain outputs, by the kernels' names: fields of the state, and fields of
// layouts that store them differently.
bool is_output(const Workload& workload, std::string_view field) {
    const std::set<std::string_view> of_layouts{
        "structures", "records", "place", "motion", "record", "x",       "y",
        "z",          "density", "vx",    "vy",     "vz",     "pressure"};
    return workload.writes(field) || of_layouts.contains(field);
}

// Verifies the mutant; an error caused by the missing cells also counts as a rejection.
std::string rejection(const Study& study, const State& initial, const State& expected,
                      const Variant& mutant) {
    simt::HostQueue queue(1);
    queue.set_label(mutant.info.name());
    try {
        const auto execution = mutant.factories.at(Backend::simt)(queue, study.problem);
        Verifier verifier(study, queue, initial, expected);
        const Verification found = verifier.verify(*execution, {&mutant, {}}).verification;
        return found.passed() ? "" : describe(found);
    } catch (const simt::KernelFault& fault) {
        return fault.what();
    } catch (const Error& error) {
        return error.what();
    }
}

// One variant of each technique.
std::vector<const Variant*> techniques_of(const Workload& workload, ElementType cell) {
    std::vector<const Variant*> found;
    std::set<std::string> known;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == workload.name() && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt) &&
            known.insert(std::string(variant.info.technique.name)).second)
            found.push_back(&variant);
    return found;
}

void reject_mutants(const Workload& workload, ElementType cell,
                    const std::vector<const Variant*>& variants) {
    Study study = study_of(workload, cell);
    const State initial = sparse_start(study);
    const simt::HostQueue device(1);
    int rejected = 0;
    int named = 0;
    for (const Variant* const variant : variants) {
        study.generations = variant->info.shape.generations;
        if (reason_to_skip(*variant, study.problem, study.generations, device.limits(),
                           Backend::simt))
            continue;
        const State expected =
            expected_state(workload, initial, cell,
                           {study.problem.boundary, study.problem.parameters}, study.generations);
        for (const Skipped skipped : {Skipped::every_second_cell, Skipped::every_cell}) {
            CAPTURE(variant->info.name(), info(cell).name, static_cast<int>(skipped));
            std::int64_t stores = 0;
            const Variant mutant = mutant_of(
                *variant, skipped,
                [&](std::string_view field) { return is_output(workload, field); }, stores);
            const std::string reason = rejection(study, initial, expected, mutant);
            CHECK(stores > 0);
            CHECK(reason != "");
            rejected += reason != "";
            named += reason.find("never wrote") != std::string::npos;
        }
    }
    UNSCOPED_INFO(workload.name() << " " << info(cell).name << ": " << rejected << " rejected, "
                                  << named << " named");
    CHECK(rejected > 0);
    // These workloads change their state in place, so an omitted cell keeps its old value; a
    // particle without a position ends the run with an error of its own.
    const std::set<std::string_view> otherwise{"transfer_overlap", "magflow", "sph"};
    CHECK((named > 0 || otherwise.contains(workload.name())));
}

}  // namespace

TEST_CASE("kernels that leave out cells are rejected", "[verification][unwritten][slow]") {
    for (const auto& workload : workloads())
        for (const ElementType cell : workload->facts().cell_types) {
            const auto variants = techniques_of(*workload, cell);
            if (variants.empty()) continue;  // defined by a test
            DYNAMIC_SECTION(workload->name() << " " << info(cell).name) {
                reject_mutants(*workload, cell, variants);
            }
        }
}

TEST_CASE("kernels that leave out cells are rejected on several places",
          "[verification][unwritten]") {
    GroupChoice choice;
    choice.devices = {0, 0, 0};
    choice.division.weights = {1, 1, 1};
    const struct {
        const char* variant;
        ElementType cell;
    } trials[] = {{"life/halo/32x8/align128", ElementType::uint32},
                  {"life/halo/32x8/align128", ElementType::bits},
                  {"blur/halo/32x8/align128", ElementType::float32}};
    for (const auto& [name, cell] : trials) {
        const Variant divided = on_group(executor_variant(name, cell), choice);
        reject_mutants(*find_workload(divided.info.workload), cell, {&divided});
    }
}

}  // namespace camber::unwritten_cells_test
