// The schema accepts documents written by camber and rejects every single defect.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace schema_test {

// Root of the source tree, set by the build; by default the tests start there.
#ifndef CAMBER_SOURCE_DIR
    #define CAMBER_SOURCE_DIR "."
#endif

namespace {

using nlohmann::json;

const std::filesystem::path root = CAMBER_SOURCE_DIR;
const std::filesystem::path schema = root / "results/schema/camber-results.schema.json";

json read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

// A document with a measured GPU case, an executor case, a rejected and a skipped case, and an
// aggregate.
json valid_document() {
    return read(root / "tests/results/valid_document.json");
}

struct Defect {
    std::string name;
    std::string place;  // substring of the JSON pointer in the error message
    std::function<void(json& document)> make;
};

json& camber_of(json& document, std::size_t index) {
    return document["benchmarks"][index]["camber"];
}

// Verification of a flow whose statistics agree although its cells differ.
void verify_by_statistics(json& document) {
    json& verification = camber_of(document, 0)["verification"];
    verification["differing_cells"] = 12;
    verification["first_difference"] = camber_of(document, 2)["verification"]["first_difference"];
    verification["method"] = "statistics";
    json figures{{"jaccard", 0.99},         {"share_within_10_percent", 0.6},
                 {"largest_difference", 7}, {"mean_difference", 0.5},
                 {"differing_cells", 4},    {"mass_difference", 0},
                 {"time_difference", 0.01}};
    verification["spread"] = figures;
    verification["spread"]["runs"] = 5;
    figures.update(
        {{"expected_cells", 9}, {"covered_cells", 8}, {"mass_error", 1e-16}, {"event_fit", 0.5}});
    verification["statistics"] = figures;
    verification["limits"] = {{"jaccard", 0.98}, {"mass_error", 1e-9}};
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// Calls `visit` with every schema inside `node`, including itself, and its JSON pointer.
void for_each_schema(const json& node, const std::string& pointer,
                     const std::function<void(const json&, const std::string&)>& visit) {
    if (!node.is_object()) return;
    visit(node, pointer);
    for (const char* key : {"properties", "definitions"}) {
        if (!node.contains(key)) continue;
        for (const auto& [name, child] : node[key].items()) {
            for_each_schema(child, pointer + "/" + key + "/" + name, visit);
        }
    }
    for (const char* key : {"items", "additionalProperties", "if", "then", "else"}) {
        if (node.contains(key)) for_each_schema(node[key], pointer + "/" + key, visit);
    }
    for (const char* key : {"allOf", "anyOf"}) {
        if (!node.contains(key)) continue;
        for (std::size_t i = 0; i < node[key].size(); ++i) {
            for_each_schema(node[key][i], pointer + "/" + key + "/" + std::to_string(i), visit);
        }
    }
}

}  // namespace

TEST_CASE("a complete document conforms to the schema", "[schema]") {
    CHECK(joined(camber::schema_violations(valid_document(), schema)).empty());
}

TEST_CASE("what may be missing may be missing", "[schema]") {
    json document = valid_document();
    json& run = document["context"]["camber"];
    for (const char* key : {"gpu", "driver", "runtime", "flags", "git"}) run[key] = nullptr;
    run["ceilings"] = json::object();
    camber_of(document, 0).erase("kernels");
    for (const char* key : {"step_bytes_per_cell", "step_share_of_copy"})
        camber_of(document, 0)["derived"].erase(key);
    // Absent in files of older versions.
    for (const char* key : {"driver_version", "cpu", "os", "memory_bytes"}) run.erase(key);
    CHECK(joined(camber::schema_violations(document, schema)).empty());
    document["benchmarks"] = json::array();
    CHECK(joined(camber::schema_violations(document, schema)).empty());
}

TEST_CASE("cells may differ where statistics decide, and only there", "[schema]") {
    json document = valid_document();
    verify_by_statistics(document);
    CHECK(joined(camber::schema_violations(document, schema)).empty());
    const auto defect = [&](const auto& make, const char* place) {
        json other = document;
        make(camber_of(other, 0)["verification"]);
        CHECK_THAT(joined(camber::schema_violations(other, schema)), contains(place));
    };
    defect([](json& v) { v["method"] = "cells"; }, "differing_cells");
    defect([](json& v) { v.erase("method"); }, "differing_cells");
    defect([](json& v) { v["method"] = "trust"; }, "method");
    defect([](json& v) { v.erase("limits"); }, "limits");
    defect([](json& v) { v.erase("statistics"); }, "statistics");
    defect([](json& v) { v["exceeded"] = {"mass error"}; }, "exceeded");
    defect([](json& v) { v["statistics"]["jaccard"] = 1.5; }, "jaccard");
    defect([](json& v) { v["statistics"].erase("mass_error"); }, "mass_error");
    defect([](json& v) { v["limits"]["luck"] = 1; }, "luck");
    defect([](json& v) { v["spread"]["runs"] = 1; }, "runs");
    document["benchmarks"][0]["camber"]["verification"] =
        valid_document()["benchmarks"][0]["camber"]["verification"];
    camber_of(document, 0)["verification"]["limits"] = {{"mass_error", 1e-9}};
    CHECK_THAT(joined(camber::schema_violations(document, schema)), contains("limits"));
}

TEST_CASE("every single defect is found", "[schema]") {
    const std::vector<Defect> defects = {
        {"no context", "<root>", [](json& d) { d.erase("context"); }},
        {"a third key beside context and benchmarks", "extra", [](json& d) { d["extra"] = 1; }},
        {"another schema version", "schema_version",
         [](json& d) { d["context"]["camber"]["schema_version"] = 2; }},
        {"an unknown key about the run", "colour",
         [](json& d) { d["context"]["camber"]["colour"] = "red"; }},
        {"a GPU without its number of SMs", "sm_count",
         [](json& d) { d["context"]["camber"]["gpu"].erase("sm_count"); }},
        {"a ceiling that is text", "ceilings",
         [](json& d) { d["context"]["camber"]["ceilings"]["copy_bytes_per_second"] = "fast"; }},
        {"a curve without its sizes", "working_set_bytes",
         [](json& d) { d["context"]["camber"]["ceilings"]["copy"][0].erase("working_set_bytes"); }},
        {"a ceiling of no known kind", "speed",
         [](json& d) { d["context"]["camber"]["ceilings"]["speed"] = 1; }},
        {"a processor without its threads", "logical_cpus",
         [](json& d) { d["context"]["camber"]["cpu"].erase("logical_cpus"); }},
        {"an unknown key about the system", "user",
         [](json& d) { d["context"]["camber"]["os"]["user"] = "me"; }},
        {"MIG in words", "mig", [](json& d) { d["context"]["camber"]["gpu"]["mig"] = "off"; }},
        {"an instruction class too few", "fp64",
         [](json& d) { camber_of(d, 0)["kernel"]["instructions"].erase("fp64"); }},
        {"a measurement without the camber object", "camber",
         [](json& d) { d["benchmarks"][0].erase("camber"); }},
        {"an aggregate without its kind", "aggregate_name",
         [](json& d) { d["benchmarks"][4].erase("aggregate_name"); }},
        {"an unknown time unit", "time_unit",
         [](json& d) { d["benchmarks"][0]["time_unit"] = "h"; }},
        {"a time of a generation without its interval", "ci95_ns",
         [](json& d) { camber_of(d, 0)["per_generation"].erase("ci95_ns"); }},
        {"a time of a generation in words", "median_ns",
         [](json& d) { camber_of(d, 0)["per_generation"]["median_ns"] = "short"; }},
        {"another time of a generation", "mean_ns",
         [](json& d) { camber_of(d, 0)["per_generation"]["mean_ns"] = 1; }},
        {"a misspelt key", "varaint", [](json& d) { camber_of(d, 0)["varaint"] = "life"; }},
        {"an unknown backend", "backend", [](json& d) { camber_of(d, 1)["backend"] = "opencl"; }},
        {"a device of the executor", "device", [](json& d) { camber_of(d, 1)["device"] = 0; }},
        {"a measurement on no device", "device", [](json& d) { camber_of(d, 0).erase("device"); }},
        {"no columns", "columns", [](json& d) { camber_of(d, 0)["size"]["columns"] = 0; }},
        {"a list as a parameter", "parameters",
         [](json& d) {
             camber_of(d, 0)["parameters"]["block"] = {64, 4};
         }},
        {"an unknown cell type", "cell", [](json& d) { camber_of(d, 0)["cell"] = "int"; }},
        {"no samples", "samples_ns",
         [](json& d) { camber_of(d, 0)["samples_ns"] = json::array(); }},
        {"a sample that was NaN", "samples_ns",
         [](json& d) { camber_of(d, 0)["samples_ns"][1] = nullptr; }},
        {"samples without statistics", "statistics",
         [](json& d) { camber_of(d, 0).erase("statistics"); }},
        {"an interval with one end", "ci95_ns",
         [](json& d) { camber_of(d, 0)["statistics"]["ci95_ns"] = {1}; }},
        {"a cache neither hot nor cold", "cache",
         [](json& d) { camber_of(d, 0)["cache"] = "lukewarm"; }},
        {"a visit to no known process", "process",
         [](json& d) { camber_of(d, 0)["visits"][0]["process"] = -1; }},
        {"kernel times without the gap", "launch_gap_ns",
         [](json& d) { camber_of(d, 0)["kernel_times"].erase("launch_gap_ns"); }},
        {"a kernel timed but not sampled", "samples_ns",
         [](json& d) {
             camber_of(d, 0)["kernel_times"]["kernels"][0]["samples_ns"] = json::array();
         }},
        {"a kernel without its counters", "counters",
         [](json& d) { camber_of(d, 0)["kernel_counters"][0].erase("counters"); }},
        {"a kernel of a launch of one", "kernel_counters",
         [](json& d) { camber_of(d, 0)["kernel_counters"].erase(1); }},
        {"an order without its seed", "order_seed",
         [](json& d) { d["context"]["camber"]["sampling"].erase("order_seed"); }},
        {"sampling stopped for no known reason", "stopped_by",
         [](json& d) { camber_of(d, 0)["statistics"]["stopped_by"] = "bored"; }},
        {"a GPU time without derived figures", "derived",
         [](json& d) { camber_of(d, 0).erase("derived"); }},
        {"bytes of steps below nothing", "step_bytes_per_cell",
         [](json& d) { camber_of(d, 0)["derived"]["step_bytes_per_cell"] = -1; }},
        {"a limit that no device has", "limit",
         [](json& d) { camber_of(d, 0)["derived"]["limit"] = "patience"; }},
        {"a rule without a text", "rule", [](json& d) { camber_of(d, 0)["rule"] = ""; }},
        {"a share of the copy in words", "step_share_of_copy",
         [](json& d) { camber_of(d, 0)["derived"]["step_share_of_copy"] = "half"; }},
        {"a list of one kernel", "kernels", [](json& d) { camber_of(d, 0)["kernels"].erase(1); }},
        {"a kernel of several without a name", "name",
         [](json& d) { camber_of(d, 0)["kernels"][1].erase("name"); }},
        {"no final state", "final", [](json& d) { camber_of(d, 0).erase("final"); }},
        {"a final state without population or mass", "final",
         [](json& d) { camber_of(d, 0)["final"].erase("population"); }},
        {"a checksum in decimal", "checksum",
         [](json& d) { camber_of(d, 0)["final"]["checksum"] = "123"; }},
        {"occupancy in percent", "occupancy",
         [](json& d) { camber_of(d, 0)["kernel"]["occupancy"] = 100; }},
        {"ok without verification", "verification",
         [](json& d) { camber_of(d, 0).erase("verification"); }},
        {"ok though verification was skipped", "verification",
         [](json& d) {
             camber_of(d, 1)["verification"] = {{"status", "skipped"}};
         }},
        {"passed with a differing cell", "differing_cells",
         [](json& d) { camber_of(d, 0)["verification"]["differing_cells"] = 1; }},
        {"a failed verification in a skipped case", "status",
         [](json& d) { camber_of(d, 2)["status"] = "skipped"; }},
        {"failed without the first difference", "first_difference",
         [](json& d) { camber_of(d, 2)["verification"].erase("first_difference"); }},
        {"failed with no differing cell", "differing_cells",
         [](json& d) { camber_of(d, 2)["verification"]["differing_cells"] = 0; }},
        {"a first difference without a column", "column",
         [](json& d) { camber_of(d, 2)["verification"]["first_difference"].erase("column"); }},
        {"failed with a speedup", "derived",
         [](json& d) { camber_of(d, 2)["derived"] = camber_of(d, 0)["derived"]; }},
        {"failed without a reason", "reason", [](json& d) { camber_of(d, 2).erase("reason"); }},
        {"skipped without a reason", "reason", [](json& d) { camber_of(d, 3).erase("reason"); }},
        {"skipped with samples", "samples_ns",
         [](json& d) { camber_of(d, 3)["samples_ns"] = {1.5}; }},
    };
    for (const Defect& defect : defects) {
        INFO(defect.name);
        json document = valid_document();
        defect.make(document);
        REQUIRE(document != valid_document());
        CHECK_THAT(joined(camber::schema_violations(document, schema)), contains(defect.place));
    }
}

TEST_CASE("keywords of the schema are those of draft 7, and references resolve", "[schema]") {
    // Validators ignore unknown keywords, so that a misspelled one would silently weaken the
    // schema.
    const std::set<std::string> keywords = {
        "$schema",     "$ref",      "title",    "description", "type",
        "enum",        "const",     "required", "properties",  "additionalProperties",
        "definitions", "items",     "minItems", "maxItems",    "minimum",
        "maximum",     "minLength", "pattern",  "allOf",       "anyOf",
        "if",          "then",      "else"};
    const json document = read(schema);
    CHECK(document["$schema"] == "http://json-schema.org/draft-07/schema#");
    for_each_schema(document, "", [&](const json& node, const std::string& pointer) {
        INFO("at " << pointer);
        for (const auto& [key, value] : node.items()) CHECK(keywords.count(key) == 1);
        if (node.contains("$ref")) {
            const std::string reference = node["$ref"];
            REQUIRE(reference.front() == '#');
            CHECK(document.contains(json::json_pointer(reference.substr(1))));
        }
    });
}

TEST_CASE("every field is described, and camber's own objects are closed", "[schema]") {
    for_each_schema(read(schema), "", [&](const json& node, const std::string& pointer) {
        // Branches of a condition only refine fields that are described elsewhere.
        const bool in_condition = pointer.find("/allOf/") != std::string::npos;
        if (in_condition || !node.contains("properties")) return;
        INFO("at " << pointer);
        for (const auto& [name, field] : node["properties"].items()) {
            INFO("field " << name);
            CHECK(field.value("description", "").size() > 3);
        }
        const bool google = pointer == "/properties/context" || pointer == "/definitions/benchmark";
        CHECK(node.contains("additionalProperties") != google);
    });
}

TEST_CASE("the description of every number names its unit", "[schema]") {
    // Descriptions of time fields state the timed unit: a generation, a sample or a launch.
    const std::set<std::string> ends = {"median_ns",         "min_ns",      "iqr_ns", "ci95_ns",
                                        "predicted_seconds", "predicted_ns"};
    std::size_t numbers = 0;
    for (const char* name :
         {"results", "model", "comparison", "self-test", "inspection", "code-comparison"}) {
        const json document =
            read(root / "results/schema" / ("camber-" + std::string(name) + ".schema.json"));
        const std::function<bool(const json&)> is_numeric = [&](const json& field) {
            if (field.contains("$ref")) {
                const std::string reference = field["$ref"];
                return is_numeric(document[json::json_pointer(reference.substr(1))]);
            }
            const json type = field.value("type", json());
            const auto has = [&](const char* one) {
                return type == one || (type.is_array() && std::ranges::count(type, json(one)) > 0);
            };
            return has("number") || has("integer") ||
                   (has("array") && field.contains("items") && is_numeric(field["items"]));
        };
        for_each_schema(document, "", [&](const json& node, const std::string& pointer) {
            if (pointer.find("/allOf/") != std::string::npos || !node.contains("properties"))
                return;
            for (const auto& [key, field] : node["properties"].items()) {
                if (!field.is_object() || !is_numeric(field)) continue;
                ++numbers;
                const std::string description = field.value("description", "");
                INFO(name << " at " << pointer << ", field " << key << ": " << description);
                CHECK_THAT(description, contains("Unit: "));
                if (ends.contains(key)) CHECK_THAT(description, contains(" per "));
            }
        });
    }
    CHECK(numbers > 350);
}

TEST_CASE("a schema that cannot be used is an error, not a success", "[schema]") {
    CHECK_THROWS_WITH(camber::schema_violations(json::object(), "absent.json"),
                      contains("absent.json"));
}

}  // namespace schema_test
