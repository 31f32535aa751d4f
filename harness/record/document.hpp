// The results of a run: what a results file holds, as values.
//
// JSON exists where files are read and written (harness/record/*_fields.cpp) and nowhere else.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/campaign.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/record/model_record.hpp"
#include "harness/record/scaling.hpp"

namespace camber::results {

struct Document {
    std::string source;  // the path as given, for messages; not written
    Context context;
    std::vector<CaseRecord> cases;
    std::vector<Aggregate> aggregates;
    std::vector<scaling::Analysis> scaling;  // of a file of `camber scale`
    std::optional<Ceilings> ceilings;        // of a file of `camber ceilings`
    std::optional<Campaign> campaign;        // of the file that tells of a folder of results
    // The models of a file of `camber model`. Reading it also makes them cases without times.
    std::vector<ModelEntry> models;

    // The case of that name, or null.
    const CaseRecord* find(std::string_view name) const;
    // "" where the file does not say.
    std::string gpu() const { return run() && run()->gpu ? run()->gpu->name : ""; }
    const Run* run() const { return context.run ? &*context.run : nullptr; }
};

// A file that camber or Google Benchmark wrote. Throws Error(usage) where the file is absent,
// cannot be read, is no JSON, or does not have the form of a results file: the sentence names the
// file and the place.
Document read_document(const std::filesystem::path& path);
// The same from a text; `source` names it in messages.
Document parse_document(std::string_view text, const std::string& source);

// The number as a document has it: with as many digits as tell it from all others.
std::string number_text(double value);

// With two blanks of indentation; lists of plain values, and short objects of such, in one line.
// Throws std::logic_error for a number that JSON cannot express, naming its place.
std::string to_text(const Document& document);
// `models` alone, one line each, with sorted keys: what `camber model --baseline` writes.
std::string to_baseline_text(const std::vector<ModelEntry>& models);

}  // namespace camber::results
