// The document reader is as strict as the schemas. Each value of a valid document is replaced by
// one of another type or sign; the reader must reject it with its JSON pointer if the schema
// rejects it.
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::strict_reader_test {

namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;
using results_test::text_of;

const std::filesystem::path root = CAMBER_SOURCE_DIR;
const std::filesystem::path schemas = root / "results/schema";

// Error message of the reader; "" if it accepts the document.
std::string refusal(const Json& document) {
    try {
        results::parse_document(document.dump(), "a.json");
        return "";
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
}

void collect(const Json& value, const Pointer& at, std::vector<Pointer>& leaves) {
    if (!value.is_structured() || value.empty()) {
        leaves.push_back(at);
        return;
    }
    if (value.is_array())
        collect(value[0], at / 0, leaves);  // the other elements are similar
    else
        for (const auto& [key, child] : value.items()) collect(child, at / key, leaves);
}

// Returns true for values that camber derives when it writes a document, and does not read, and for
// ceilings that only older files have.
bool is_unread(const std::string& pointer) {
    for (const char* part :
         {"/run_type", "/superlinear", "/p_is_effective", "/requirements", "/json_schema_version",
          "/kernel/", "/error_occurred", "/error_message", "/launches_per_sample", "family_index",
          "per_family_instance_index", "/label", "/per_generation/", "/barrier_seconds",
          "/instruction_fetch", "/int32_multiply_adds_per_second", "/places_in_clusters_of_"})
        if (pointer.find(part) != std::string::npos) return true;
    return false;
}

void check_all_values(const Json& document, const char* schema) {
    const auto conforms = [&](const Json& changed) {
        return schema_violations(changed, schemas / schema).empty();
    };
    REQUIRE(refusal(document).empty());
    std::vector<Pointer> leaves;
    collect(document, Pointer(), leaves);
    std::size_t refused = 0;
    for (const Pointer& at : leaves) {
        const bool text = document.at(at).is_string();
        const Json others[] = {
            Json::array(), Json::object(), text ? Json(7) : Json("x"), true, -5, 1.5};
        for (const Json& other : others) {
            Json changed = document;
            changed[at] = other;
            const std::string sentence = refusal(changed);
            INFO(at.to_string() << " = " << other.dump() << ": " << sentence);
            if (sentence.empty()) {
                // For some values the schema requires more, for example that board sizes match the
                // samples.
                const bool of_type = !other.is_structured() && document.at(at).is_number() &&
                                     other.is_number() && other > 0;
                if (!is_unread(at.to_string()) && !of_type) CHECK(conforms(changed));
            } else {
                ++refused;
                CHECK(sentence.find("a.json") != std::string::npos);
                CHECK(sentence.find(at.parent_pointer().to_string()) != std::string::npos);
            }
        }
    }
    CHECK(refused > leaves.size());
}

Json first_of(const char* path, const char* list, std::size_t count) {
    Json document =
        Json::parse(read_file(root / path, "committed file", "a results file"));
    while (document[list].size() > count) document[list].erase(document[list].size() - 1);
    return document;
}

}  // namespace

TEST_CASE("every value of a results file is read as the schema has it", "[results][schema]") {
    check_all_values(Json::parse(text_of(root / "tests/results/valid_document.json")),
                     "camber-results.schema.json");
}

TEST_CASE("every value of a scale file is read as the schema has it", "[results][schema][slow]") {
    for (const char* path : {"results/h100/scaling-sms.json", "results/h100/scaling-sms-weak.json"})
        check_all_values(first_of(path, "benchmarks", 1), "camber-results.schema.json");
}

TEST_CASE("every value of a campaign file is read as the schema has it", "[results][schema]") {
    check_all_values(Json::parse(text_of(root / "results/h100/campaign.json")),
                     "camber-results.schema.json");
}

TEST_CASE("every value of a file of models is read as the schema has it", "[results][schema]") {
    check_all_values(first_of("results/baseline/model.json", "models", 2),
                     "camber-model.schema.json");
}

TEST_CASE("a model has every count of its schema, and no other key", "[results][schema]") {
    const Json sound = first_of("results/baseline/model.json", "models", 1);
    const Json schema = Json::parse(text_of(schemas / "camber-model.schema.json"));
    for (const Json& key : schema["definitions"]["model"]["required"]) {
        const auto name = key.get<std::string>();
        if (name == "rules" || name == "method") continue;  // absent in files of older versions
        Json lacking = sound;
        lacking["models"][0].erase(name);
        CHECK_THAT(refusal(lacking), contains("/models/0") && contains("'" + name + "'"));
    }
    for (const char* name : {"compulsory_dram_bytes", "non_redundant_share"}) {
        Json lacking = sound;
        lacking["models"][0].erase(name);
        CHECK_THAT(refusal(lacking), contains(name));
        lacking["models"][0]["method"] = "sampled";
        CHECK(refusal(lacking).empty());
    }
    Json other = sound;
    other["models"][0]["global_laod_requests"] = "x";
    CHECK_THAT(refusal(other), contains("/models/0/global_laod_requests"));
}

TEST_CASE("JSON ends where the file ends", "[results]") {
    const std::string sound = text_of(root / "tests/results/valid_document.json");
    const auto sentence = [](const std::string& text) {
        try {
            results::parse_document(text, "a.json");
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    CHECK(sentence(sound).empty());
    CHECK_THAT(sentence(sound + std::string("\0garbage{", 9)),
               contains("a.json") && contains("NUL"));
    CHECK_THAT(sentence(sound + std::string(1, '\0')), contains("NUL"));
    CHECK_THAT(sentence(sound + "garbage{"), contains("is not a JSON document"));
    const std::string string(3 << 20, 'a');
    CHECK_THAT(sentence("{\"benchmarks\": [{\"name\": \"" + string + "\"}]}"),
               contains("has a string of 3145728 bytes at byte 26"));
    CHECK(sentence("{\"benchmarks\": [], \"other\": \"\\\"\\\\\"}").empty());
}

}  // namespace camber::strict_reader_test
