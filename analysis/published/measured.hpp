// The measured times of one card that stand beside a published table.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/published/outcome.hpp"
#include "analysis/published/ratios.hpp"
#include "analysis/published/table.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Those of one problem in one results file, so that like is compared with like, and those of the
// plain references on the CPU for the same problem, in any of the files. A problem is a size, a
// type of cells, a boundary and, of runs from the start, the generations and the workload's
// parameters.
struct MeasuredTimes {
    std::string origin;                                // machine, size and file; "" without any
    std::map<std::string, ProcessSamples> samples_ns;  // by variant
    // Percent of a generation that kernels take, by variant and kernel. Of runs from the start that
    // do not know: from a run of the same board, launch after launch.
    std::map<std::string, std::map<std::string, double>> shares;
    // Seconds of a whole program from the start, by variant.
    std::map<std::string, double> program_seconds;

    const ProcessSamples* find(const std::string& variant) const;
};

// Whether the case is of a run with these parameters of the workload, "NAME=NUMBER" each.
bool has_parameters(const results::Identity& identity, const std::vector<std::string>& parameters);

// Of a case, process by process.
ProcessSamples samples_of(const results::CaseRecord& record);

// Picks them, table by table. Times of the simt backend, of cold caches, of graphs and of parts of
// a GPU are left out.
class MeasuredTable {
  public:
    MeasuredTable(const Table& table, const std::vector<results::Document>& documents);

    // On cells of a type and boards of a size, "" for any: the times that have a plain reference,
    // where the table asks for one; of those the times that have the most of the table's variants;
    // of equals those of the table's own size, then those of a board that is no torus, then those
    // of the largest board, then the first.
    const MeasuredTimes& times(const std::string& cell, const std::string& size = "");
    // The samples among them; null where there are none.
    const ProcessSamples* operator()(const Asked& asked);
    // Seconds of the whole program among them.
    std::optional<double> program(const Asked& asked);
    // A case of the variant that knows its kernels: the one that was counted most, if there is one.
    const results::CaseRecord* known(const std::string& variant) const;
    // The same where they have both variants of a statement, else the times that have both; where
    // its sides differ in cells or parameters, those of two runs that differ in nothing else.
    struct Pair {
        const ProcessSamples* faster = nullptr;
        const ProcessSamples* than = nullptr;
        std::string origin;
    };
    Pair both(const Statement& stated);
    // Percent of the sum of a variant's kernels, on cells of the table's type.
    std::optional<double> share(const std::string& variant, const std::string& kernel);
    // Of all times that were asked for so far and found, each once.
    std::vector<std::string> origins() const;

  private:
    const MeasuredTimes& best(const std::vector<std::string>& variants, const std::string& cell,
                              const std::string& size = "");
    // Of a statement whose sides differ in the type of cells or in parameters, and in nothing else:
    // those of the best rank. Empty where no two problems are such a pair.
    const std::pair<MeasuredTimes, MeasuredTimes>& two_problems(const Statement& stated,
                                                                const std::string& cell,
                                                                const std::string& than_cell);

    const Table& table_;
    const std::vector<results::Document>& documents_;
    std::vector<std::string> variants_;
    // By the variants that they are the best of, the type of cells and the size.
    std::map<std::tuple<std::vector<std::string>, std::string, std::string>, MeasuredTimes> found_;
    std::map<std::vector<std::string>, ProcessSamples> parts_;           // times of single kernels
    std::deque<std::pair<MeasuredTimes, MeasuredTimes>> problem_pairs_;  // that were asked for
};

}  // namespace camber::published
