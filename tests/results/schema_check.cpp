#include "tests/results/schema_check.hpp"

// False positive about std::regex in valijson under -fsanitize=address: GCC bug 105562.
#if defined(__GNUC__) && !defined(__clang__)
    #pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace camber {

namespace {

// The parsed schema, which is read once per process: tests check thousands of documents.
const valijson::Schema& rules_of(const std::filesystem::path& schema) {
    using valijson::adapters::NlohmannJsonAdapter;
    static std::map<std::filesystem::path, valijson::Schema> known;
    if (const auto found = known.find(schema); found != known.end()) return found->second;
    try {
        std::ifstream file(schema);
        if (!file) throw std::runtime_error("it cannot be opened");
        const nlohmann::json text = nlohmann::json::parse(file);
        valijson::Schema& rules = known[schema];
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(NlohmannJsonAdapter(text), rules);
        return rules;
    } catch (const std::exception& error) {
        known.erase(schema);
        throw std::runtime_error("cannot use the JSON Schema \"" + schema.string() +
                                 "\": " + error.what());
    }
}

}  // namespace

std::vector<std::string> schema_violations(const nlohmann::json& document,
                                           const std::filesystem::path& schema) {
    using valijson::adapters::NlohmannJsonAdapter;
    const valijson::Schema& rules = rules_of(schema);
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    valijson::ValidationResults results;
    const bool conforms = validator.validate(rules, NlohmannJsonAdapter(document), &results);

    std::vector<std::string> violations;
    for (const valijson::ValidationResults::Error& error : results) {
        std::string place;
        for (const std::string& step : error.context) place += step;
        violations.push_back(place + ": " + error.description);
    }
    if (!conforms && violations.empty()) violations.push_back("<root>: does not conform");
    return violations;
}

}  // namespace camber
