// Runs variants of a workload on the SIMT executor and compares every cell with the reference: on
// boards that blocks overhang, and on boards that they divide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::every_variant {

// Problem on which a workload's variants run.
struct Trial {
    const char* workload;
    ElementType cell;
    int generations;  // variants whose generations per launch do not divide it are left out
    std::vector<Size> sizes;
    std::vector<std::uint64_t> seeds{3};
    std::string rule = "";  // "": the workload's usual one
    bool fits = true;       // also test boards that the variants' blocks divide
};

inline std::vector<const Variant*> variants_of(const Trial& trial) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == trial.workload && variant.info.cell == trial.cell &&
            variant.factories.contains(Backend::simt) &&
            trial.generations % variant.info.shape.generations == 0 &&
            (trial.rule.empty() || variant.rules != Rules::usual))
            found.push_back(&variant);
    return found;
}

inline Study study_of(const Trial& trial, Size size, Boundary boundary, std::uint64_t seed) {
    Study study;
    study.workload = find_workload(trial.workload);
    study.problem = {size, boundary, trial.cell, ParameterSet(study.workload->facts().parameters)};
    study.problem.parameters.set_rule(trial.rule);
    study.initial = {.size = size, .cell = trial.cell, .seed = seed, .density = 0.4};
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;  // such tests run side by side
    return study;
}

// True for the only reasons for which these boards may skip a variant.
inline bool may_be_skipped(const Variant& variant, const Problem& problem,
                           const std::string& reason) {
    const std::string_view technique = variant.info.technique.name;
    if (technique == "array_of_structures" || technique == "vector_packed")
        return problem.boundary == Boundary::torus && reason.find("no torus") != std::string::npos;
    if (problem.cell == ElementType::bits && technique == "global")
        return problem.boundary == Boundary::torus && problem.size.columns % bits_per_word != 0 &&
               reason.find("its last word is not full") != std::string::npos;
    return technique == "constant" && problem.size.cells() * 4 >= 65536 / 2 &&
           reason.find("bytes of constant memory") != std::string::npos;
}

// Returns the number of verified variants.
inline int verify(const Study& study, const std::vector<const Variant*>& variants) {
    int verified = 0;
    CaseRunner runner(study);
    std::int64_t cells = 0;
    for (const HostField& field : runner.initial().fields) cells += field.size().cells();
    for (const Variant* variant : variants) {
        const CaseResult result = runner.run(*variant);
        CAPTURE(result.record.name, study.generations, study.initial.seed, result.record.reason);
        if (result.record.status == results::Status::skipped) {
            CHECK(may_be_skipped(*variant, study.problem, result.record.reason));
            continue;
        }
        CHECK(result.record.status == results::Status::ok);
        REQUIRE(result.record.verification);
        CHECK(result.record.verification->compared_cells == cells);
        ++verified;
    }
    return verified;
}

// Board that blocks divide, and number of generations for one launch.
struct Fit {
    int order;
    Size size;
    int generations;
    bool operator<(const Fit& other) const {
        return std::pair(order, generations) < std::pair(other.order, other.generations);
    }
};

// Variants by board: each on the first board that several of its blocks cover exactly.
inline std::map<Fit, std::vector<const Variant*>> fitting(
    const std::vector<const Variant*>& variants, ElementType cell) {
    // With one-bit cells, a block of threads computes 32 times as many cells.
    const int cells = cell == ElementType::bits ? bits_per_word : 1;
    // Some boards are for blocks that compute fewer rows and columns than they have threads, or
    // three times as many columns. Further ones are for stretches of 31 lanes (four), stretches of
    // cells of a word (eight), tall stretches (two), clusters of blocks (four), pairs of warps
    // (two) and stretches in double (four); the last one is for long strips.
    constexpr Size boards[] = {
        {48, 48},    {256, 32},   {512, 64},  {2048, 32},  {512, 256}, {112, 112}, {480, 168},
        {112, 48},   {180, 60},   {384, 12},  {248, 64},   {248, 360}, {248, 532}, {248, 1064},
        {240, 256},  {224, 128},  {224, 382}, {224, 1171}, {480, 128}, {480, 365}, {1504, 128},
        {1504, 456}, {960, 256},  {512, 512}, {480, 80},   {240, 352}, {480, 368}, {112, 736},
        {248, 512},  {248, 8460}, {240, 288}, {4032, 312}, {448, 140}, {448, 92},  {512, 1024},
        {112, 256},  {96, 382},   {96, 1171}, {224, 365},  {240, 384}};
    std::map<Fit, std::vector<const Variant*>> fits;
    for (const Variant* variant : variants) {
        CAPTURE(variant->info.name());
        REQUIRE_FALSE(variant->info.regions.empty());
        const auto takes = [&](Size board) {
            return std::ranges::all_of(variant->info.regions, [&](Region region) {
                const int columns = board.columns * cells;
                return columns % region.columns == 0 && board.rows % region.rows == 0 &&
                       Size{columns, board.rows} != Size{region.columns, region.rows};
            });
        };
        const auto found = std::ranges::find_if(boards, takes);
        REQUIRE(found != std::end(boards));
        const Size size{found->columns * cells, found->rows};
        const int generations = variant->info.shape.generations;
        fits[{static_cast<int>(found - boards), size, generations}].push_back(variant);
    }
    return fits;
}

inline void verify_all(const Trial& trial) {
    const auto variants = variants_of(trial);
    REQUIRE_FALSE(variants.empty());
    for (const Boundary boundary : find_workload(trial.workload)->facts().boundaries) {
        for (const Size size : trial.sizes)
            for (const std::uint64_t seed : trial.seeds) {
                Study study = study_of(trial, size, boundary, seed);
                study.generations = trial.generations;
                CHECK(verify(study, variants) > 0);
            }
        if (!trial.fits) continue;
        for (const auto& [board, chosen] : fitting(variants, trial.cell)) {
            Study study = study_of(trial, board.size, boundary, trial.seeds[0]);
            study.generations = board.generations;
            verify(study, chosen);
        }
    }
}

}  // namespace camber::every_variant
