// Small results documents to report.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report_test {

using Json = nlohmann::ordered_json;

// A timed case of life on 10 x 10 cells: 800 bytes per generation must move.
inline Json timed_case(const std::string& variant, const std::string& technique, double median_ns,
                       double speedup) {
    Json camber = Json::parse(R"({"workload": "life", "size": {"columns": 10, "rows": 10},
        "cell": "uint32", "backend": "cuda", "boundary": "dead", "cache": "hot",
        "submission": "stream", "status": "ok", "generations_per_launch": 1,
        "generations_per_sample": 1,
        "verification": {"status": "passed", "compared_cells": 100}})");
    camber["variant"] = "life/" + variant;
    camber["technique"] = technique;
    camber["samples_ns"] = {median_ns - 1, median_ns, median_ns + 1};
    camber["statistics"] = {{"n", 3},
                            {"min_ns", median_ns - 1},
                            {"median_ns", median_ns},
                            {"iqr_ns", 1.0},
                            {"ci95_ns", {median_ns - 1, median_ns + 1}}};
    const double bandwidth = 800 / median_ns * 1e9;
    camber["derived"] = {{"cells_per_second", 100 / median_ns * 1e9},
                         {"application_bandwidth_bytes_per_second", bandwidth},
                         {"share_of_copy", bandwidth / 10e9},
                         {"speedup_vs_baseline", speedup}};
    return {{"name", "life/" + variant}, {"run_name", "life/" + variant}, {"camber", camber}};
}

inline Json document(const std::vector<Json>& cases, const std::string& gpu = "GPU A",
                     const std::string& date = "2026-01-01T00:00:00+0000") {
    Json whole = {{"context",
                   {{"date", date},
                    {"camber",
                     {{"gpu", {{"name", gpu}, {"sm_clock_hz", 1980000000}}},
                      {"git", {{"commit", "0123456789abcdef"}, {"dirty", true}}},
                      {"ceilings",
                       {{"copy_bytes_per_second", 10e9},
                        {"copy", {{{"working_set_bytes", 1024}, {"bytes_per_second", 5e9}}}}}}}}}},
                  {"benchmarks", Json::array()}};
    for (const Json& one : cases) whole["benchmarks"].push_back(one);
    return whole;
}

inline report::Report report_of(const std::vector<std::pair<std::string, Json>>& documents) {
    std::vector<results::ResultSet> sets;
    for (const auto& [name, json] : documents) sets.push_back(results::parse_results(json, name));
    return report::build_report(sets, [](std::string_view technique) {
        return technique == "halo" ? Family::global_memory : Family::other;
    });
}

}  // namespace camber::report_test
