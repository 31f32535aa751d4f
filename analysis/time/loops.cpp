#include "analysis/time/executed.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/time/code_regions.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

class Solver {
  public:
    Solver(const std::vector<results::CodeRegion>& regions, Amounts accesses, double copies,
           const ModelSettings& settings)
        : regions_(regions),
          settings_(settings),
          left_(std::move(accesses)),
          rounds_(regions.size()),
          part_(regions.size(), 1) {
        for (const results::CodeRegion& region : regions) {
            texts_.push_back(text_of(region));
            within_.push_back(static_cast<std::size_t>(region.within));
        }
        align_widths();
        made_ = left_;
        straight(copies);
    }

    std::vector<RegionExecution> solve() {
        while (take_single() || (uses(Term::boundary_loops) && pass_over_slow()) ||
               (uses(Term::nests) && take_nest()) || take_all()) {
        }
        std::vector<double> rounds;
        for (const auto& of_region : rounds_) rounds.push_back(of_region.value_or(0));
        const FormsForEdge at_edge(regions_, std::move(rounds));
        std::vector<RegionExecution> executions;
        for (std::size_t r = 0; r < texts_.size(); ++r) executions.push_back(execution(r, at_edge));
        return executions;
    }

  private:
    // The compiler joins and splits accesses. If some counted width does not occur in the code, all
    // widths of that kind are added up.
    void align_widths() {
        if (!uses(Term::widths)) return;
        for (const std::string_view kind : kinds_with_width) {
            const bool strange = std::ranges::any_of(left_, [&](const auto& entry) {
                return is_of(entry.first, kind) && entry.second > 0 &&
                       std::ranges::none_of(texts_, [&](const Amounts& text) {
                           return amount_of(text, entry.first) > 0;
                       });
            });
            if (!strange) continue;
            join(left_, kind);
            for (Amounts& text : texts_) join(text, kind);
        }
    }
    static void join(Amounts& amounts, std::string_view kind) {
        const double sum = total_of(amounts, kind);
        std::erase_if(amounts, [&](const auto& entry) { return is_of(entry.first, kind); });
        if (sum > 0) amounts[std::string(kind)] = sum;
    }

    // If loops have forms, the code outside of them has forms too, and a warp executes one. Returns
    // the executed share of accesses outside of loops, over the kinds that occur in no loop.
    double share_of_forms() const {
        std::vector<std::size_t> loops;
        for (std::size_t r = 1; r < texts_.size(); ++r)
            if (within_[r] == 0) loops.push_back(r);
        if (!cheaper_form(loops)) return 1;
        double in_text = 0;
        double made = 0;
        for (const auto& [name, count] : texts_[0]) {
            const double counted = amount_of(left_, name);
            if (!is_access(name) || counted <= 0 || in_all_texts(name) > count) continue;
            in_text += count;
            made += std::min(count, counted);
        }
        return in_text > 0 ? made / in_text : 1;
    }

    double in_all_texts(const std::string& name) const {
        double everywhere = 0;
        for (const Amounts& text : texts_) everywhere += amount_of(text, name);
        return everywhere;
    }

    // If the code's loops are unknown and it makes more accesses than it has, all code is taken as
    // inside of a loop. Loads from shared memory may be fewer in the code, because the compiler
    // keeps words in registers.
    double unknown_rounds() const {
        if (texts_.size() > 1) return 1;
        double in_text = 0;
        double made = 0;
        for (const auto& [name, count] : texts_[0]) {
            if (!is_access(name) || is_of(name, "shared_loads")) continue;
            in_text += count;
            made += amount_of(left_, name);
        }
        return in_text > 0 ? made / in_text : 1;
    }

    void straight(double copies) {
        double in_text = 0;
        double made = 0;
        double staging_in_text = 0;
        double staged = 0;
        const double of_forms = share_of_forms();
        const double repeats = unknown_rounds();
        for (const auto& [name, count] : texts_[0]) {
            if (!is_access(name)) continue;
            const double everywhere = in_all_texts(name);
            const double counted = amount_of(left_, name);
            // Fewer accesses than in straight code: all accesses of the code are equally likely.
            const double here = counted >= count ? (everywhere > count ? count * of_forms : count)
                                                 : counted * count / everywhere;
            in_text += count;
            made += here;
            left_[name] = counted - here;
            if (!is_of(name, "global_loads") && !is_of(name, "shared_stores")) continue;
            staging_in_text += count;
            staged += here;
        }
        const double share = in_text > 0 && uses(Term::straight_share) ? made / in_text : 1;
        rounds_[0] = repeats > 1 ? repeats : std::sqrt(share);
        const double all = amount_of(texts_[0], "total");
        if (all == 0 || repeats > 1 || !stages_words() || !uses(Term::staging)) return;
        const double stages = std::min(all, 2 * staging_in_text);
        const double executed = staging_in_text > 0 ? staged / staging_in_text : 1;
        rounds_[0] = (stages * executed + (all - stages) * std::min(copies, of_forms)) / all;
    }

    bool stages_words() const {
        const auto stages = [](const Amounts& text) { return total_of(text, "shared_stores") > 0; };
        return stages(made_) && std::ranges::any_of(texts_, stages);
    }

    std::vector<std::size_t> open_loops_with(const std::string& name) const {
        std::vector<std::size_t> loops;
        for (std::size_t r = 1; r < texts_.size(); ++r)
            if (!rounds_[r] && amount_of(texts_[r], name) > 0) loops.push_back(r);
        return loops;
    }

    void settle(std::size_t loop, double rounds) {
        rounds_[loop] = rounds;
        for (const auto& [name, count] : texts_[loop])
            if (is_access(name) && left_.contains(name))
                left_[name] = std::max(0.0, left_[name] - rounds * count);
    }

    // Solves a loop that is the only one with accesses of some kind.
    bool take_single() {
        for (std::size_t r = 1; r < texts_.size(); ++r) {
            if (rounds_[r]) continue;
            std::optional<double> most;
            for (const auto& [name, count] : texts_[r])
                if (is_access(name) && amount_of(left_, name) > 0 &&
                    open_loops_with(name).size() == 1)
                    most = std::max(most.value_or(0), amount_of(left_, name) / count);
            if (!most) continue;
            settle(r, *most);
            return true;
        }
        return false;
    }

    // Ratio of a loop's accesses with widths that are never counted to its other accesses.
    double never_made(std::size_t loop) const {
        double made = 0;
        double never = 0;
        for (const auto& [name, count] : texts_[loop])
            if (is_access(name)) (amount_of(made_, name) > 0 ? made : never) += count;
        return never / std::max(made, 1e-9);
    }

    // Among loops that match the same accesses, a loop with more accesses that are never executed
    // is a form for the board's edge. The form without boundary tests executes all of its accesses;
    // if some of its widths are not counted, the compiler has narrowed wider accesses.
    bool pass_over_slow() {
        for (const auto& [name, count] : left_) {
            if (count <= 0) continue;
            const auto loops = open_loops_with(name);
            if (loops.size() < 2) continue;
            const auto of_loop = [&](std::size_t loop) { return never_made(loop); };
            const std::size_t slow = *std::ranges::max_element(loops, {}, of_loop);
            const std::size_t fast = *std::ranges::min_element(loops, {}, of_loop);
            if (never_made(slow) <= never_made(fast)) continue;
            if (within_[slow] == within_[fast])
                widen(fast);
            else if (never_made(fast) > 0)
                continue;
            settle(slow, 0);
            return true;
        }
        return false;
    }

    // Counts accesses with widths that are never executed as accesses of an executed width.
    void widen(std::size_t loop) {
        for (const std::string_view kind : kinds_with_width) {
            const auto made = std::ranges::find_if(texts_[loop], [&](const auto& entry) {
                return is_of(entry.first, kind) && amount_of(made_, entry.first) > 0;
            });
            if (made == texts_[loop].end()) continue;
            double narrow = 0;
            std::erase_if(texts_[loop], [&](const auto& entry) {
                const bool gone = is_of(entry.first, kind) && amount_of(made_, entry.first) <= 0;
                narrow += gone ? entry.second : 0;
                return gone;
            });
            texts_[loop][made->first] += narrow;
        }
    }

    // A warp passes once through straight code, however much of it branches skip.
    double rounds_around(std::size_t loop) const {
        return within_[loop] == 0 ? 1 : rounds_[within_[loop]].value_or(1);
    }

    bool take_nest() {
        for (const auto& [name, count] : left_) {
            if (count <= 0) continue;
            const auto loops = open_loops_with(name);
            if (loops.size() != 2 || within_[loops[1]] != loops[0]) continue;
            const std::size_t outer = loops[0];
            const std::size_t inner = loops[1];
            const double entries = std::max(rounds_around(outer), 1e-9);
            const double accesses = count / entries;
            const double rows = std::min(accesses, std::sqrt(accesses));
            const double inner_count = amount_of(texts_[inner], name);
            const double outer_count = amount_of(texts_[outer], name);
            // Whole iterations of the inner loop per row, and the row's other accesses.
            const double whole = std::floor(accesses / rows / inner_count + 1e-2);
            const double rest = std::max(0.0, accesses / rows - whole * inner_count);
            if (outer_count <= 0 || rest > outer_count) continue;
            settle(inner, entries * rows * whole);
            part_[outer] = std::sqrt(rest / outer_count);
            settle(outer, entries * rows);
            return true;
        }
        return false;
    }

    Amounts accesses_in(std::size_t loop) const {
        Amounts accesses;
        for (const auto& [name, count] : texts_[loop])
            if (is_access(name)) accesses[name] = count;
        return accesses;
    }
    // Among the kinds found in the fewest loops, takes the kind that implies the most iterations.
    bool take_all() {
        std::string least;
        std::vector<std::size_t> loops;
        double most = 0;
        for (const auto& [name, count] : left_) {
            const auto open = open_loops_with(name);
            if (count <= 0 || open.empty()) continue;
            double in_text = 0;
            for (const std::size_t r : open) in_text += amount_of(texts_[r], name);
            const double rounds = count / in_text;
            if (!loops.empty() &&
                (open.size() > loops.size() || (open.size() == loops.size() && rounds <= most)))
                continue;
            least = name;
            loops = open;
            most = rounds;
        }
        if (loops.empty()) return false;
        if (const auto cheaper = cheaper_form(loops)) {
            const std::size_t other = loops[0] == *cheaper ? loops[1] : loops[0];
            settle(*cheaper, left_[least] / amount_of(texts_[*cheaper], least));
            settle(other, 0);
            return true;
        }
        for (const std::size_t r : loops) settle(r, most);
        return true;
    }

    // Two adjacent loops with the same accesses are forms of one: one for the board's edge, which
    // few warps execute, and one without boundary tests.
    std::optional<std::size_t> cheaper_form(const std::vector<std::size_t>& loops) const {
        if (!uses(Term::loop_forms)) return std::nullopt;
        if (loops.size() != 2 || within_[loops[0]] != within_[loops[1]] ||
            accesses_in(loops[0]) != accesses_in(loops[1]))
            return std::nullopt;
        return amount_of(texts_[loops[0]], "total") < amount_of(texts_[loops[1]], "total")
                   ? loops[0]
                   : loops[1];
    }

    // Share of a loop's accesses whose kind and width the launch executes.
    double made_in(std::size_t loop) const {
        double all = 0;
        double made = 0;
        for (const auto& [name, count] : texts_[loop]) {
            if (!is_access(name)) continue;
            all += count;
            if (amount_of(made_, name) > 0) made += count;
        }
        return all > 0 ? made / all : 1;
    }

    RegionExecution execution(std::size_t region, const FormsForEdge& at_edge) const {
        RegionExecution result;
        const double rounds = rounds_[region].value_or(0);
        const double total = amount_of(texts_[region], "total");
        const double skipped =
            uses(Term::skippable) * std::min(total, amount_of(texts_[region], "skippable"));
        const double without = total > 0 ? 1 - skipped / total : 1;
        const bool counted = amount_of(texts_[region], std::string(text_counts::rounds)) > 0;
        const double unskipped = counted ? (without + 1) / 2 : without;
        const double made = region > 0 ? made_in(region) : 1;
        const double taken = unskipped * std::sqrt(made) * part_[region];
        const double of_edge = at_edge.is_form(region) ? unskipped : taken;
        const double most = rounds > 0 ? std::max(rounds, 1.0) * unskipped * made_in(region) : 0;
        for (const auto& [name, count] : texts_[region]) {
            result.usual[name] = rounds * taken * count;
            result.most[name] = std::max(most, rounds * taken) * count;
            result.edge[name] = at_edge.rounds(region) * of_edge * count;
        }
        result.rounds = rounds;
        return result;
    }

    bool uses(Term term) const { return settings_.uses(term); }

    const std::vector<results::CodeRegion>& regions_;
    const ModelSettings& settings_;
    Amounts made_;
    Amounts left_;  // remaining accesses, not assigned to a region yet
    std::vector<Amounts> texts_;
    std::vector<std::size_t> within_;
    std::vector<std::optional<double>> rounds_;
    std::vector<double> part_;  // executed share of an iteration's code
};

}  // namespace

std::vector<RegionExecution> region_executions(const std::vector<results::CodeRegion>& regions,
                                               std::map<std::string, double> accesses,
                                               double copies, const ModelSettings& settings) {
    return Solver(regions, std::move(accesses), copies, settings).solve();
}

}  // namespace camber
