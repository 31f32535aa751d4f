// Results documents for the tests of comparisons: committed measurements, and small made-up ones.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "analysis/compare/comparison.hpp"

namespace camber::compare_test {

using Json = nlohmann::ordered_json;

inline Json committed(const std::string& path) {
    std::ifstream file(std::filesystem::path(CAMBER_SOURCE_DIR) / path);
    return Json::parse(file);
}

// The document with all its times multiplied.
inline Json slowed(Json document, double factor) {
    for (Json& benchmark : document["benchmarks"]) {
        benchmark["real_time"] = benchmark["real_time"].get<double>() * factor;
        if (!benchmark.contains("camber") || !benchmark["camber"].contains("samples_ns")) continue;
        for (Json& sample : benchmark["camber"]["samples_ns"])
            sample = sample.get<double>() * factor;
    }
    return document;
}

inline compare::Comparison compared(const Json& base, const Json& changed,
                                    const compare::Rules& rules = {}) {
    return compare::compare(results::parse_results(base, "base.json"),
                            results::parse_results(changed, "new.json"), rules);
}

// `count` samples around `center`, with that relative standard deviation.
inline std::vector<double> samples_around(double center, double deviation, std::size_t count,
                                          std::mt19937_64& engine) {
    std::normal_distribution<double> normal(center, deviation * center);
    std::vector<double> samples(count);
    for (double& sample : samples) sample = normal(engine);
    return samples;
}

// One case, measured in as many processes as there are lists of samples (ns per generation).
inline Json document_of(const std::vector<std::vector<double>>& processes) {
    Json camber{{"workload", "life"},
                {"variant", "life/halo/64x4/align128"},
                {"size", {{"columns", 2048}, {"rows", 2048}}},
                {"cell", "uint32"},
                {"generations", 16},
                {"backend", "cuda"},
                {"boundary", "dead"},
                {"seed", 1},
                {"status", "ok"},
                {"verification", {{"status", "passed"}}},
                {"generations_per_sample", 1},
                {"samples_ns", Json::array()},
                {"visits", Json::array()}};
    for (std::size_t k = 0; k < processes.size(); ++k) {
        for (const double sample : processes[k]) camber["samples_ns"].push_back(sample);
        camber["visits"].push_back({{"process", k}, {"round", 0}, {"n", processes[k].size()}});
    }
    const char* name = "life/halo/64x4/align128/2048x2048/uint32/cuda";
    const Json gpu{{"name", "GPU A"}, {"compute_capability", "9.0"}, {"sm_count", 132}};
    const Json benchmark{
        {"name", name}, {"run_name", name}, {"real_time", 1.0}, {"camber", camber}};
    Json document;
    document["context"]["camber"] = {{"gpu", gpu},
                                     {"driver", "13.0"},
                                     {"driver_version", "580.1"},
                                     {"compiler", "GNU 12.2.0, nvcc 13.0.88"}};
    document["benchmarks"] = Json::array({benchmark});
    return document;
}

inline void set_clock(Json& document, double hertz) {
    const Json state{{"sm_clock_hz", hertz}};
    for (Json& benchmark : document["benchmarks"])
        benchmark["camber"]["device_state"] = {
            {"before", state}, {"during", {state, state}}, {"after", state}};
}

}  // namespace camber::compare_test
