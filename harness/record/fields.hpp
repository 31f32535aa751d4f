// The parts of a document as JSON, for the one reader and the one writer. Reading throws FormError.
#pragma once

#include "harness/record/archive.hpp"
#include "harness/record/document.hpp"

namespace camber::results {

Json to_json(const Context& context);
Json to_json(const Ceilings& ceilings);
Json to_json(const Campaign& campaign);
Json to_json(const CaseRecord& record);
Json to_json(const Aggregate& aggregate);
Json to_json(const ModelEntry& entry);
Json to_json(const scaling::Analysis& analysis);

void from_json(const Json& json, Context& context);
void from_json(const Json& json, Ceilings& ceilings);
void from_json(const Json& json, Campaign& campaign);
void from_json(const Json& json, CaseRecord& record);  // camber's or Google Benchmark's
void from_json(const Json& json, Aggregate& aggregate);
void from_json(const Json& json, ModelEntry& entry);
void from_json(const Json& json, scaling::Analysis& analysis);

// Any document in the form of results files: two blanks of indentation, lists of plain values and
// short objects of such in one line. Throws std::logic_error for a number that JSON cannot express,
// naming its place.
std::string to_text(const Json& json);

// What a final state is measured by.
bool is_final_quantity(std::string_view name);  // "population" or "mass"

}  // namespace camber::results
