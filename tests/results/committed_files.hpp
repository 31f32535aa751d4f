// Access to the committed measurements for tests.
#pragma once

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "harness/base/files.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::committed {

using results::CaseRecord;
using results::Document;

inline const std::filesystem::path source_dir = CAMBER_SOURCE_DIR;

inline std::string text_of(const std::filesystem::path& path) {
    return read_file(path, "committed file", "a file of the repository");
}

// Name of a results file, without the suffix of compressed ones.
inline std::string plain_name(const std::filesystem::path& path) {
    return (path.extension() == compressed_suffix ? path.stem() : path.filename()).string();
}

// Variants of committed files that no longer exist: those that lost to others everywhere, and one
// that has longer strips since its rows are divided evenly (r96).
inline bool was_removed(const std::string& variant) {
    if (variant == "surface_water/loss_slide/fused/32x4/v4/r72/align128") return true;
    static const std::set<std::string> removed = [] {
        std::set<std::string> variants;
        std::istringstream page(text_of(source_dir / "results/code/dominated.md"));
        for (std::string line; std::getline(page, line);)
            if (line.starts_with("| `"))
                variants.insert(line.substr(3, line.find('`', 3) - 3));
        REQUIRE_FALSE(variants.empty());
        return variants;
    }();
    return removed.contains(variant);
}

// Calls check(path, text) for every JSON file of the results, decompressed.
template <class Check>
void for_each_file(Check&& check) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir / "results"))
        if (is_json_file(entry.path())) check(entry.path(), text_of(entry.path()));
}

// True for the text of a file written by `camber run`.
inline bool is_measured(std::string_view text) {
    return text.find("\n  \"benchmarks\": [") != text.npos;
}

inline bool is_campaign(const std::filesystem::path& file) {
    return std::filesystem::exists(file.parent_path() / "campaign.json");
}

// Calls check(path, document) for every file written by `camber run` with GPU counters.
template <class Check>
void for_each_counted_file(Check&& check) {
    for_each_file([&](const std::filesystem::path& path, const std::string& text) {
        if (is_measured(text) && text.find("\"counters\": {") != text.npos)
            check(path, results::parse_document(text, path.string()));
    });
}

// Calls check(document, case) for every case with GPU counters.
template <class Check>
int for_each_counted_case(Check&& check) {
    int cases = 0;
    for_each_counted_file([&](const std::filesystem::path& path, const Document& document) {
        for (const CaseRecord& record : document.cases) {
            if (record.counters.empty()) continue;
            CAPTURE(path.string(), record.name);
            check(document, record);
            ++cases;
        }
    });
    return cases;
}

// Returns true if the accesses depend on the data and therefore on the counted generation: only the
// part of the board that lava covers is computed, particles move, and a cell's water leaves when
// its clock says so.
inline bool follows_data(const CaseRecord& counted) {
    const std::string& workload = counted.identity.workload;
    return workload == "sciara_fv2" || workload == "sciara_fv3" || workload == "magflow" ||
           workload == "sph" || workload == "surface_water_clock";
}

}  // namespace camber::committed
