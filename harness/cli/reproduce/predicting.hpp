// Predicted times of a published table's variants on the source's card, which is not available, and
// the comparison with the printed order.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/published/outcome.hpp"
#include "analysis/published/table.hpp"
#include "analysis/time/early_kernel_time.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/predict/prediction.hpp"

namespace camber {

// Times of variants on a card that is not at hand, under everything that is assumed of it.

// Of a generation, in seconds.
struct PredictedEntry {
    std::string variant;
    double seconds = 0;
    double low = 0;
    double high = 0;
    std::string binding;  // the largest part
};

// Predicts variants of a published table on one of its source's cards, each once.
class SourceCardTimes {
  public:
    // `card`: a file of results/published-cards without its ending. Throws Error(usage) where there
    // is none, or where it lacks what a time needs.
    SourceCardTimes(const published::Table& table, const std::string& card,
                    const std::string& size);

    const std::string& card_name() const { return device_.gpu.name; }
    // Null where the variant has no time, which remarks() then tells.
    const PredictedEntry* entry(const std::string& variant);
    // Nothing where one of them has no time.
    std::optional<published::PredictedRatio> ratio(const std::string& faster,
                                                   const std::string& than);
    // What stands in for what.
    std::vector<std::string> notes() const;
    std::vector<std::string> remarks() const { return remarks_; }

  private:
    // Each kernel's own code as the stand-in's, shorter, and longer.
    static constexpr std::array<double, 3> own_texts{1, 1 / own_text_factor, own_text_factor};

    // A variant under each of the machine's assumptions and each of own_texts.
    struct Supposed {
        std::vector<std::array<double, own_texts.size()>> seconds;  // of a generation
        std::vector<results::Kernel> code;
        bool atomics = false;  // how long those that meet wait is not modelled
        PredictedEntry entry;
    };

    const Supposed* find(const std::string& variant);
    std::variant<Supposed, std::string> suppose(const std::string& name);
    Supposed supposed(const std::string& name, const std::vector<KernelWork>& works,
                      const std::vector<results::Kernel>& code, int generations) const;
    const std::vector<results::Kernel>* code_of(const std::string& variant) const;

    const published::Table& table_;
    const Workload& workload_;
    ModelDevice device_;
    Architecture architecture_;
    Size size_;
    Machine machine_;
    std::vector<EarlyAssumptions> assumptions_;  // the usual first
    std::vector<results::CodeTable> codes_;
    std::map<std::string, std::optional<Supposed>> all_;
    std::vector<std::string> remarks_;
    bool data_dependent_ = false;
};

// Times of a published table's variants on the card of the source, which is not at hand: predicted,
// and set beside the printed orders.

// That one variant is faster than another: printed in the table's rows, or a conclusion of the
// text.
struct PredictedPair {
    bool row = false;
    std::string text;
    std::string faster;
    std::string than;
    std::optional<double> printed;  // how often faster; absent: only that it is
    std::optional<published::PredictedRatio> predicted;
    bool repeats = false;  // an earlier pair is of the same two variants

    published::Explained verdict() const;
};

struct PredictedTable {
    std::string card;  // "NVIDIA GeForce GTX 285, published figures"
    std::string file;  // "results/published-cards/gtx-285.json"
    std::string size;
    std::vector<PredictedEntry> times;  // in the order of the table's variants
    std::vector<PredictedPair> pairs;
    std::optional<double> tau;         // over all pairs, each once
    std::vector<std::string> notes;    // what stands in for what
    std::vector<std::string> remarks;  // which variants have no time, and why

    // Of the pairs, each once.
    int count(published::Explained verdict) const;
    // How many of those with a printed value have it in their interval.
    struct Held {
        int inside = 0;
        int printed = 0;
    };
    Held held() const;
};

// On each card that the table or a statement of it names: nothing where none does. `size`: of the
// board; "": the source's. Throws Error(usage) where a card's file does not suffice.
std::vector<PredictedTable> predict_on_source_cards(const published::Table& table,
                                                    const std::string& size);

}  // namespace camber
