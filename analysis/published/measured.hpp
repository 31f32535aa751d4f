// Selects the measured times of one GPU that are compared with a published table.
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
#include "analysis/published/work.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Times of one problem from one results file, so that like is compared with like, and times of the
// plain CPU references for the same problem from any file. A problem is a board size, cell type and
// boundary and, for runs from the start, also the number of generations and the workload's
// parameters.
struct MeasuredTimes {
    MeasuredWork work;                                 // its origin is "" if there are no times
    std::string reference_cpu;                         // model, cores and file of the references
    std::map<std::string, ProcessSamples> samples_ns;  // by variant
    // Kernel times in percent of a generation, by variant and kernel. Runs from the start do not
    // time kernels; their shares come from a run of the same board that was timed launch by launch.
    std::map<std::string, std::map<std::string, double>> shares;
    // Seconds of a whole program run, by variant.
    std::map<std::string, double> program_seconds;

    const ProcessSamples* find(const std::string& variant) const;
};

// Returns true if the case ran with these workload parameters ("NAME=NUMBER" each).
bool has_parameters(const results::Identity& identity, const std::vector<std::string>& parameters);

// Samples of a case, by process.
ProcessSamples samples_of(const results::CaseRecord& record);

// Selects times for a table. Ignores times of the simt backend, of cold caches, of CUDA graphs and
// of parts of a GPU.
class MeasuredTable {
  public:
    MeasuredTable(const Table& table, const std::vector<results::Document>& documents);

    // Times for a cell type and board size, "" for any. Order of preference: times with a plain
    // reference, if the table requires one; then those of the source's kind of work; then those of
    // most of the table's variants; then the table's own board size; then boards that are no torus;
    // then the largest board; then the first.
    const MeasuredTimes& times(const std::string& cell, const std::string& size = "");
    // Samples of the variant in times(); null if there are none.
    const ProcessSamples* operator()(const Asked& asked);
    // Seconds of the whole program in times().
    std::optional<double> program(const Asked& asked);
    // The case of the variant with recorded kernels and the most counters; null if there is none.
    const results::CaseRecord* known(const std::string& variant) const;
    // Times of both variants of a statement: from times() if it has both and is of the source's
    // kind of work, else from the best times that have both. If the two sides differ in cell type
    // or parameters, from two runs that differ in nothing else.
    struct Pair {
        const ProcessSamples* faster = nullptr;
        const ProcessSamples* than = nullptr;
        MeasuredWork work;
    };
    Pair both(const Statement& stated);
    // Comparison of the work behind times() or both() with the source's.
    Basis basis(const Asked& asked);
    Basis basis(const Statement& stated);
    // Kernel time in percent of all kernels of the variant, for the table's cell type.
    std::optional<double> share(const std::string& variant, const std::string& kernel);
    // Works of all times that were requested so far and found, each origin once.
    std::vector<MeasuredWork> works() const;
    // Machines of the references among them, each once.
    std::vector<std::string> reference_cpus() const;

  private:
    // Prefers times that contain all needed variants.
    const MeasuredTimes& best(const std::vector<std::string>& variants, const std::string& cell,
                              const std::string& size = "",
                              const std::vector<std::string>& needed = {});
    // The best-ranked two problems for a statement whose sides differ only in cell type or
    // parameters. Empty if there is no such pair.
    const std::pair<MeasuredTimes, MeasuredTimes>& two_problems(const Statement& stated,
                                                                const std::string& cell,
                                                                const std::string& than_cell);

    const Table& table_;
    const std::vector<results::Document>& documents_;
    std::vector<std::string> variants_;
    // Best times, by variants, needed variants, cell type and size.
    std::map<std::tuple<std::vector<std::string>, std::vector<std::string>, std::string, std::string>,
             MeasuredTimes>
        found_;
    std::map<std::vector<std::string>, ProcessSamples> parts_;           // times of single kernels
    std::deque<std::pair<MeasuredTimes, MeasuredTimes>> problem_pairs_;  // results of
                                                                         // two_problems()
};

}  // namespace camber::published
