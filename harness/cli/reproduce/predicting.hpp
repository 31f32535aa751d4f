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

// Times of variants on a card that is not available, under all plausible assumptions about it.

// Time of a generation, in seconds.
struct PredictedEntry {
    std::string variant;
    double seconds = 0;
    double low = 0;
    double high = 0;
    std::string binding;  // largest component of the time
};

// Predicts variants of a published table on one of its source's cards; each variant only once.
class SourceCardTimes {
  public:
    // `card`: name of a file in results/published-cards without its extension. Throws Error(usage)
    // if the file does not exist, or lacks data that a time requires.
    SourceCardTimes(const published::Table& table, const std::string& card,
                    const std::string& size);

    const std::string& card_name() const { return device_.gpu.name; }
    // nullptr if the variant has no time; remarks() then contains the reason.
    const PredictedEntry* entry(const std::string& variant);
    // nullopt if one of the variants has no time.
    std::optional<published::PredictedRatio> ratio(const std::string& faster,
                                                   const std::string& than);
    // Assumed values for unavailable data.
    std::vector<std::string> notes() const;
    std::vector<std::string> remarks() const { return remarks_; }

  private:
    // Factors on each kernel's own code: equal to the stand-in code, shorter, and longer.
    static constexpr std::array<double, 3> own_texts{1, 1 / own_text_factor, own_text_factor};

    // Predictions of a variant under each of the machine's assumptions and each of own_texts.
    struct Supposed {
        std::vector<std::array<double, own_texts.size()>> seconds;  // per generation
        std::vector<results::Kernel> code;
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
    std::vector<EarlyAssumptions> assumptions_;  // the default first
    std::vector<results::CodeTable> codes_;
    std::map<std::string, std::optional<Supposed>> all_;
    std::vector<std::string> remarks_;
    bool data_dependent_ = false;
};

// Predicted times of a published table's variants on the source's card, which is not available,
// compared with the printed order.

// Statement that one variant is faster than another: a row of the printed table, or a conclusion of
// the text.
struct TablePair {
    bool row = false;
    std::string text;
    std::string faster;
    std::string than;
    std::optional<double> printed;  // printed speedup; absent if only the order is printed
    std::optional<published::PredictedRatio> predicted;
    bool repeats = false;  // an earlier pair has the same two variants

    published::Explained verdict() const;
};

struct PredictedTable {
    std::string card;  // "NVIDIA GeForce GTX 285, published figures"
    std::string file;  // "results/published-cards/gtx-285.json"
    std::string size;
    std::vector<PredictedEntry> times;  // in the order of the table's variants
    std::vector<TablePair> pairs;
    std::optional<double> tau;         // over all distinct pairs
    std::vector<std::string> notes;    // assumed values for unavailable data
    std::vector<std::string> remarks;  // variants without a time, with reasons

    // Counts distinct pairs.
    int count(published::Explained verdict) const;
    // Number of pairs whose predicted interval contains the printed value, among all with one.
    struct Held {
        int inside = 0;
        int printed = 0;
    };
    Held held() const;
};

// Predictions on each card that the table or one of its statements names; empty if there is none.
// `size`: board size; "": the source's. Throws Error(usage) if a card's file lacks required data.
std::vector<PredictedTable> predict_on_source_cards(const published::Table& table,
                                                    const std::string& size);

}  // namespace camber
