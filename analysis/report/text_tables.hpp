// Results as tables in Markdown, LaTeX and CSV, and as JSON for services that track benchmarks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

// One heading and one table per group, in GitHub-flavored Markdown.
std::string to_markdown(const Report& report);

// One longtable per group with the rules of booktabs, to be \input into a document that uses the
// packages booktabs and longtable.
std::string to_latex(const Report& report);

// One line per case under a single header with units in the column names, in RFC 4180 format except
// for line feeds. Numbers have all digits of the file; an absent value is an empty field.
std::string to_csv(const Report& report);

// Escapes characters with a special meaning in Markdown.
std::string escape_markdown(std::string_view text);
std::string escape_latex(std::string_view text);
std::string escape_csv(std::string_view text);

// Results as JSON for services that track benchmarks over commits

// Bencher Metric Format: for each case "latency", in ns per generation with its 95 % interval, and
// the deterministic quantities under names with hyphens: "global-load-sectors". Cases that failed
// or were skipped are omitted. Throws Error(usage) if no case has a value.
std::string to_bencher(const std::vector<results::Document>& documents);

// List for the tool customSmallerIsBetter of github-action-benchmark: one element for the time of
// each case, and one for each of its deterministic quantities. Same cases and errors.
std::string to_github_action_benchmark(const std::vector<results::Document>& documents);

}  // namespace camber::report
