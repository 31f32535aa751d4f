// Conclusions of every published source and their outcome on every measured GPU, with reasons.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Results of one GPU.
struct Card {
    std::string name;  // "H200"; "" if no document names a GPU
    std::vector<results::Document> documents;
};

// "NVIDIA H100 80GB HBM3" -> "H100", "NVIDIA GeForce RTX 4090" -> "RTX 4090".
std::string short_card_name(std::string_view gpu);

// Groups documents by GPU, in order of first appearance. Two GPUs whose short names agree retain
// their long names. Documents without a GPU, such as CPU times, are added to every card.
std::vector<Card> by_card(std::vector<results::Document> documents);

// Outcome of one conclusion on one card.
struct Answer {
    Judged measured;
    std::string origin;  // machine, size and file of the times; "" if there are none
    std::string reason;  // a clause based on counters; "no counters" without them; "" if there are
                         // no times
};

struct Question {
    std::string table;  // table id
    Statement stated;
    std::optional<Entry> printed;  // printed speedup
    std::vector<Answer> answers;   // one per card
};

// Number of a source's conclusions per outcome, on one card.
struct Tally {
    int hold = 0;
    int reversed = 0;
    int no_difference = 0;
    int undecided = 0;
    int withheld = 0;  // measured, but on other work or too little of it
};

struct SourceQuestions {
    std::string source;  // "Balasalle 2011"
    std::vector<Question> questions;
    std::vector<Tally> tallies;  // one per card
    // Works behind the conclusions, by table, without repetitions.
    std::vector<std::pair<std::string, std::vector<WorkRow>>> works;
};

// Conclusions of the sources of `tables`, in that order; sources without conclusions are omitted.
std::vector<SourceQuestions> questions(std::span<const Table* const> tables,
                                       const std::vector<Card>& cards);

// Sentence on a statement whose outcome differs between the measured cards: "Tiles are faster:
// holds on the H200 (1.20x), reversed on the H100 (0.91x)". "" if the outcome is the same on all
// cards.
std::string turn_over(const std::string& text, const std::vector<std::string>& cards,
                      const std::vector<Judged>& measured);

// "1.25x (1.24 to 1.26)"; "-" if there is no ratio.
std::string ratio_text(const Judged& measured);

// Cost of neighbor lists in particle simulations as a function of the rebuild period (iterations
// that share one list): predicted from kernel times for every period, and measured in whole runs.

inline constexpr const char* published_particles = "sph/neighbour_list/float4/plain/b128";

// Times of one case whose kernels were timed, in ns.
struct ListCost {
    std::string origin;   // "23195 particles (sph-counters.json)"
    int period = 0;       // iterations that share a list
    double building = 0;  // per list
    double sorting = 0;   // before each build: cell indices, the library's sort, reordering of
                          // particles
    double forces = 0;    // per iteration
    double others = 0;

    double iteration(int shared_by) const {
        return forces + others + (building + sorting) / shared_by;
    }
    double building_share(int shared_by) const {
        return building / shared_by / iteration(shared_by);
    }
    double sorting_share(int shared_by) const { return sorting / shared_by / iteration(shared_by); }
    double forces_share(int shared_by) const { return forces / iteration(shared_by); }
};

// Cost for the largest number of particles at which the variant's kernels were timed; absent if
// they were not.
std::optional<ListCost> list_cost(const std::vector<results::Document>& documents,
                                  std::string_view variant);

// Times of whole runs of the variant in ns per iteration, by rebuild period. Uses the board and the
// number of iterations for which the most periods were measured.
std::map<int, double> run_times_by_period(const std::vector<results::Document>& documents,
                                          std::string_view variant);

// Memory counters of the loads of the kernel Forces.
struct ForcesLoads {
    std::string variant;
    std::string origin;
    double sectors_per_request = 0;
    double l1_hit_percent = 0;
    double l2_sectors = 0;               // sectors read, per evaluation and particle
    std::optional<double> times_slower;  // whole runs, relative to the published form
};

// Counters of the published form and then of the forms that it is compared with, as far as counted.
std::vector<ForcesLoads> forces_loads(const std::vector<results::Document>& documents);

}  // namespace camber::published
