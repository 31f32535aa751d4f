// A study of variants that take almost no time, for tests of sessions.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/engine.hpp"
#include "harness/measure/session.hpp"
#include "tests/kept_text.hpp"
#include "tests/results/schema_check.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::run_test {

// Life on 37 x 21 cells, or another workload of that size, with very short samples.
struct Fixture {
    explicit Fixture(const char* workload = "life", ElementType cell = ElementType::uint32,
                     Backend backend = Backend::cpu) {
        study.workload = find_workload(workload);
        study.problem = {
            {37, 21}, Boundary::dead, cell, ParameterSet(study.workload->facts().parameters)};
        study.initial = {.size = study.problem.size, .cell = cell, .seed = 3};
        study.generations = 4;
        study.backend = backend;
        study.cpu_threads = 1;
        study.sampling.budget_seconds = 10;
        study.sampling.relative_half_width = 0.25;
        study.sampling.minimum_samples = study.sampling.maximum_samples = 3;
        study.seconds_per_sample = 1e-6;
    }
    // Adds the plain reference as another technique.
    Variant& add(const std::string& technique, const std::string& path = "") {
        auto variant =
            std::make_shared<Variant>(reference_variant(*study.workload, study.problem.cell, 1));
        variant->info.technique.name = kept(technique);
        variant->info.form = path;
        study.composed.push_back(variant);
        study.variants.push_back(variant.get());
        return *variant;
    }
    std::string name_of(std::size_t variant, const Conditions& conditions = {}) const {
        return case_name(study, {study.variants.at(variant), conditions});
    }

    Study study;
    results::ResultsFile results;  // in memory
};

inline std::vector<std::string> violations(const results::Document& document) {
    return schema_violations(
        nlohmann::json::parse(results::to_text(document)),
        std::filesystem::path(CAMBER_SOURCE_DIR) / "results/schema/camber-results.schema.json");
}

}  // namespace camber::run_test
