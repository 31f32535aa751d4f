// Results files as the analyses take them: cases with their times and their deterministic
// quantities, from camber's own files or from Google Benchmark's.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber::results {

// The times that one process measured, ns per generation (camber) or per iteration (Google
// Benchmark), in the order of the file. Samples of one process share its memory placement and the
// state of the machine: they are not independent of each other.
struct ProcessTimes {
    int process = 0;
    std::vector<double> samples_ns;
    // How many of them each visit to the case took, in order; their sum is all.
    std::vector<std::size_t> visits;
};

enum class Status { ok, skipped, failed };

// One element of benchmarks[] or models[]; repetitions of a case are one.
struct Case {
    std::string name;  // run_name: "life/halo/64x4/align128/16384x16384/uint32/cuda"
    Status status = Status::ok;
    std::string reason;  // why it was skipped or failed
    std::vector<ProcessTimes> times;

    // The camber object of the element as it stands in the file; null in Google Benchmark's files.
    // Of an element of models[]: its fields, and its counts in an object "model".
    nlohmann::ordered_json camber;

    // All samples of all processes, ns.
    std::vector<double> samples() const;
    // A text field of the camber object ("workload", "variant", "backend"...); "" where absent.
    std::string text(const char* key) const;
    // A number at a JSON pointer below the camber object ("/derived/share_of_copy").
    std::optional<double> number(std::string_view pointer) const;
    // The numbers of an object below the camber object ("/counters"), by name; empty where absent.
    std::map<std::string, double> numbers(std::string_view pointer) const;
};

struct ResultSet {
    std::string source;  // the path as given, for messages
    bool by_camber = true;
    nlohmann::ordered_json context;  // the file's context; the camber part is context["camber"]
    std::vector<Case> cases;
    nlohmann::ordered_json scaling;  // the document's list "scaling"; null where absent

    // The case of that name, or null.
    const Case* find(std::string_view name) const;
};

// A JSON document as it stands. Throws Error(usage) where the file is absent or is no JSON: the
// sentence names the file.
nlohmann::ordered_json read_document(const std::filesystem::path& path);

// Also takes what `camber model --json` and `--baseline` write, as cases without times. Throws
// Error(usage) where the file is absent, is no JSON, or has no benchmarks[] or models[] of that
// form: the sentence names the file and the place.
ResultSet read_results(const std::filesystem::path& path);

// The same from a document in memory; `source` names it in messages.
ResultSet parse_results(const nlohmann::ordered_json& document, const std::string& source);

}  // namespace camber::results
