// Iterations of a kernel's loops, derived from the accesses that a warp makes.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/time/executed.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr std::array<std::string_view, 4> kinds_with_width{"global_loads", "global_stores",
                                                           "shared_loads", "shared_stores"};

double total_of(const Amounts& amounts, std::string_view kind) {
    double sum = 0;
    for (const auto& [name, amount] : amounts)
        if (is_of(name, kind)) sum += amount;
    return sum;
}

double size_of(const Amounts& text) {
    return amount_of(text, text_counts::total);
}

// Bytes that a lane loads in one execution.
double bytes_read(const Amounts& text) {
    double bytes = 0;
    for (const std::string_view kind : {"global_loads", "shared_loads"})
        for (const auto& [name, count] : text)
            if (is_of(name, kind) && name.size() > kind.size())
                bytes += count * std::stod(name.substr(kind.size() + 1));
    return bytes;
}

class Solver {
  public:
    Solver(const std::vector<results::CodeRegion>& regions, Amounts accesses, double copies,
           const ModelSettings& settings)
        : settings_(settings),
          left_(std::move(accesses)),
          rounds_(regions.size()),
          part_(regions.size(), 1) {
        for (const results::CodeRegion& region : regions) {
            texts_.emplace_back(region.instructions.begin(), region.instructions.end());
            within_.push_back(static_cast<std::size_t>(region.within));
        }
        originals_ = texts_;
        align_widths();
        made_ = left_;
        straight(copies);
    }

    std::vector<Executions> solve() {
        while (take_single() || (uses(Term::boundary_loops) && pass_over_slow()) ||
               (uses(Term::nests) && take_nest()) || take_all()) {
        }
        const std::vector<std::optional<double>> edge = rounds_at_edge();
        std::vector<Executions> executions;
        for (std::size_t r = 0; r < texts_.size(); ++r) executions.push_back(execution(r, edge[r]));
        return executions;
    }

  private:
    bool uses(Term term) const { return settings_.uses(term); }

    // Calls `visit(name, count)` for the accesses in a region's code.
    template <class Visit>
    void for_each_access(std::size_t region, const Visit& visit) const {
        for (const auto& [name, count] : texts_[region])
            if (is_access(name)) visit(name, count);
    }

    double in_all_texts(const std::string& name) const {
        double everywhere = 0;
        for (const Amounts& text : texts_) everywhere += amount_of(text, name);
        return everywhere;
    }

    // The compiler joins and splits accesses. If some counted width does not occur in the code, all
    // widths of that kind are added up.
    void align_widths() {
        if (!uses(Term::widths)) return;
        for (const std::string_view kind : kinds_with_width) {
            if (std::ranges::none_of(left_, [&](const auto& entry) {
                    return is_of(entry.first, kind) && entry.second > 0 &&
                           in_all_texts(entry.first) <= 0;
                }))
                continue;
            join(left_, kind);
            for (Amounts& text : texts_) join(text, kind);
        }
    }
    static void join(Amounts& amounts, std::string_view kind) {
        const double sum = total_of(amounts, kind);
        std::erase_if(amounts, [&](const auto& entry) { return is_of(entry.first, kind); });
        if (sum > 0) amounts[std::string(kind)] = sum;
    }

    // Share of the accesses in straight code that a warp makes, over those for which
    // `made(name, count)` has a value; 1 without any.
    double share_made(const auto& made) const {
        double in_text = 0;
        double sum = 0;
        for_each_access(0, [&](const std::string& name, double count) {
            if (const std::optional<double> amount = made(name, count)) {
                in_text += count;
                sum += *amount;
            }
        });
        return in_text > 0 ? sum / in_text : 1;
    }

    // If loops have forms, the code outside of them has forms too, and a warp executes one. Returns
    // the executed share of accesses outside of loops, over the kinds that occur in no loop.
    double share_of_forms() const {
        std::vector<std::size_t> loops;
        for (std::size_t r = 1; r < texts_.size(); ++r)
            if (within_[r] == 0) loops.push_back(r);
        if (!cheaper_form(loops)) return 1;
        return share_made([&](const std::string& name, double count) {
            const double counted = amount_of(left_, name);
            return counted > 0 && in_all_texts(name) <= count
                       ? std::optional(std::min(count, counted))
                       : std::nullopt;
        });
    }

    // Code outside of loops. If words are staged in shared memory, the staging code, an access and
    // its address, follows its own accesses, and `copies` is the executed share of the rest.
    void straight(double copies) {
        const double of_forms = share_of_forms();
        // If the code's loops are unknown and it makes more accesses than it has, all code is taken
        // as inside of a loop. Loads from shared memory may be fewer in the code, because the
        // compiler keeps words in registers.
        const double repeats =
            texts_.size() > 1 ? 1 : share_made([&](const std::string& name, double) {
                return is_of(name, "shared_loads") ? std::nullopt
                                                   : std::optional(amount_of(left_, name));
            });
        // Fewer accesses than in straight code: all accesses of the code are equally likely.
        const auto here = [&](const std::string& name, double count) {
            const double everywhere = in_all_texts(name);
            const double counted = amount_of(left_, name);
            return std::optional(counted >= count ? (everywhere > count ? count * of_forms : count)
                                                  : counted * count / everywhere);
        };
        const double share = uses(Term::straight_share) ? share_made(here) : 1;
        const double executed = share_made([&](const std::string& name, double count) {
            return is_of(name, "global_loads") || is_of(name, "shared_stores") ? here(name, count)
                                                                               : std::nullopt;
        });
        for_each_access(0, [&](const std::string& name, double count) {
            left_[name] = amount_of(left_, name) - *here(name, count);
        });
        rounds_[0] = repeats > 1 ? repeats : std::sqrt(share);
        const double all = size_of(texts_[0]);
        const auto stages_words = [](const Amounts& text) {
            return total_of(text, "shared_stores") > 0;
        };
        if (all == 0 || repeats > 1 || !uses(Term::staging) || !stages_words(made_) ||
            std::ranges::none_of(texts_, stages_words))
            return;
        const double stages = std::min(
            all, 2 * (total_of(texts_[0], "global_loads") + total_of(texts_[0], "shared_stores")));
        rounds_[0] = (stages * executed + (all - stages) * std::min(copies, of_forms)) / all;
    }

    std::vector<std::size_t> open_loops_with(const std::string& name) const {
        std::vector<std::size_t> loops;
        for (std::size_t r = 1; r < texts_.size(); ++r)
            if (!rounds_[r] && amount_of(texts_[r], name) > 0) loops.push_back(r);
        return loops;
    }

    void settle(std::size_t loop, double rounds) {
        rounds_[loop] = rounds;
        for_each_access(loop, [&](const std::string& name, double count) {
            if (const auto left = left_.find(name); left != left_.end())
                left->second = std::max(0.0, left->second - rounds * count);
        });
    }

    // Solves a loop that is the only one with accesses of some kind.
    bool take_single() {
        for (std::size_t r = 1; r < texts_.size(); ++r) {
            if (rounds_[r]) continue;
            std::optional<double> most;
            for_each_access(r, [&](const std::string& name, double count) {
                if (amount_of(left_, name) > 0 && open_loops_with(name).size() == 1)
                    most = std::max(most.value_or(0), amount_of(left_, name) / count);
            });
            if (!most) continue;
            settle(r, *most);
            return true;
        }
        return false;
    }

    // Among loops that match the same accesses, a loop with more accesses that are never executed
    // is a form for the board's edge. The form without boundary tests executes all of its accesses;
    // if some of its widths are not counted, the compiler has narrowed wider accesses.
    bool pass_over_slow() {
        const auto made = [&](std::size_t loop) { return share_of_iteration(loop); };
        for (const auto& [name, count] : left_) {
            if (count <= 0) continue;
            const auto loops = open_loops_with(name);
            if (loops.size() < 2) continue;
            const std::size_t slow = *std::ranges::min_element(loops, {}, made);
            const std::size_t fast = *std::ranges::max_element(loops, {}, made);
            if (made(slow) >= made(fast)) continue;
            if (within_[slow] == within_[fast])
                widen(texts_[fast]);
            else if (made(fast) < 1)
                continue;
            settle(slow, 0);
            return true;
        }
        return false;
    }

    // Counts accesses with widths that are never executed as accesses of an executed width.
    void widen(Amounts& text) const {
        for (const std::string_view kind : kinds_with_width) {
            const auto made = std::ranges::find_if(text, [&](const auto& entry) {
                return is_of(entry.first, kind) && amount_of(made_, entry.first) > 0;
            });
            if (made == text.end()) continue;
            double narrow = 0;
            std::erase_if(text, [&](const auto& entry) {
                const bool gone = is_of(entry.first, kind) && amount_of(made_, entry.first) <= 0;
                narrow += gone ? entry.second : 0;
                return gone;
            });
            made->second += narrow;
        }
    }

    // An outer and an inner loop with accesses of one kind iterate over a neighborhood: for n
    // accesses the outer one has sqrt(n) iterations. Of an iteration's accesses, the inner loop
    // makes as many as fill whole iterations. The outer loop's copies, the remainder of an unrolled
    // loop, make the others: of its code, the geometric mean of their share and all is executed.
    bool take_nest() {
        for (const auto& [name, count] : left_) {
            if (count <= 0) continue;
            const auto loops = open_loops_with(name);
            if (loops.size() != 2 || within_[loops[1]] != loops[0]) continue;
            const std::size_t outer = loops[0];
            const std::size_t inner = loops[1];
            // A warp passes once through straight code, however much of it branches skip.
            const double around = within_[outer] == 0 ? 1 : rounds_[within_[outer]].value_or(1);
            const double entries = std::max(around, 1e-9);
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
            settle(*cheaper, left_[least] / amount_of(texts_[*cheaper], least));
            settle(loops[0] == *cheaper ? loops[1] : loops[0], 0);
            return true;
        }
        for (const std::size_t r : loops) settle(r, most);
        return true;
    }

    // Two adjacent loops with the same accesses are forms of one: one for the board's edge, which
    // few warps execute, and one without boundary tests.
    std::optional<std::size_t> cheaper_form(const std::vector<std::size_t>& loops) const {
        if (!uses(Term::loop_forms) || loops.size() != 2 || within_[loops[0]] != within_[loops[1]])
            return std::nullopt;
        const auto accesses_in = [&](std::size_t loop) {
            Amounts accesses = texts_[loop];
            std::erase_if(accesses, [](const auto& entry) { return !is_access(entry.first); });
            return accesses;
        };
        if (accesses_in(loops[0]) != accesses_in(loops[1])) return std::nullopt;
        return size_of(texts_[loops[0]]) < size_of(texts_[loops[1]]) ? loops[0] : loops[1];
    }

    // True if an iteration reads that many bytes. If it chooses between a whole access and single
    // ones for a cell each, its code has both, and reads up to twice as much.
    bool reads_as_much(std::size_t loop, double bytes) const {
        const double read = bytes_read(originals_[loop]);
        return read == bytes ||
               (rounds_[loop].value_or(0) > 0 && read > bytes && read <= 2 * bytes);
    }

    // Iterations of a warp at the board's edge, of regions where they differ. A longer loop is the
    // boundary form of another one if its iterations read as much and a warp iterates over it far
    // less often.
    std::vector<std::optional<double>> rounds_at_edge() const {
        std::vector<std::optional<double>> edge(originals_.size());
        std::vector<std::size_t> replaced;
        for (std::size_t usual = 1; usual < originals_.size(); ++usual) {
            const double read = bytes_read(originals_[usual]);
            std::size_t last = 0;
            for (std::size_t form = 1; read != 0 && form < originals_.size(); ++form)
                if (within_[form] == within_[usual] && reads_as_much(form, read) &&
                    size_of(originals_[form]) > size_of(originals_[usual]) &&
                    rounds_[form].value_or(0) < rounds_[usual].value_or(0) / 2)
                    last = form;
            if (last == 0) continue;
            if (!edge[last]) edge[last] = rounds_[usual].value_or(0);
            replaced.push_back(usual);
        }
        for (const std::size_t usual : replaced) edge[usual] = 0;
        return edge;
    }

    // Share of an iteration's accesses that a warp makes. If a loop loads whole words or the single
    // cells of one, an iteration takes one alternative, and the loads of the other are too many.
    double share_of_iteration(std::size_t region) const {
        const auto widths = std::ranges::count_if(originals_[region], [](const auto& entry) {
            return is_of(entry.first, "global_loads") && entry.second > 0;
        });
        double in_text = 0;
        double made = 0;
        for_each_access(region, [&](const std::string& name, double count) {
            const double in_launch = amount_of(made_, name);
            in_text += count;
            if (widths > 1 && is_of(name, "global_loads"))
                made += std::min(count, in_launch / std::max(rounds_[region].value_or(0), 1e-9));
            else if (in_launch > 0)
                made += count;
        });
        return in_text > 0 ? made / in_text : 1;
    }

    // A loop without accesses has the counted number of iterations, and half of its skippable code
    // is executed.
    Executions execution(std::size_t region, const std::optional<double>& at_edge) const {
        Executions result;
        const Amounts& text = texts_[region];
        const double rounds = rounds_[region].value_or(0);
        const double total = size_of(text);
        const double skipped =
            uses(Term::skippable) * std::min(total, amount_of(text, text_counts::skippable));
        const double without = total > 0 ? 1 - skipped / total : 1;
        const bool counted = amount_of(text, text_counts::rounds) > 0;
        const double unskipped = counted ? (without + 1) / 2 : without;
        const double made = share_of_iteration(region);
        const double taken = unskipped * (region > 0 ? std::sqrt(made) : 1) * part_[region];
        const double of_edge = at_edge.value_or(0) > 0 ? unskipped : taken;
        const double most = rounds > 0 ? std::max(rounds, 1.0) * unskipped * made : 0;
        for (const auto& [name, count] : text) {
            result.instructions[name] = rounds * taken * count;
            result.most[name] = std::max(most, rounds * taken) * count;
            result.edge[name] = at_edge.value_or(rounds) * of_edge * count;
        }
        result.rounds = rounds;
        return result;
    }

    const ModelSettings& settings_;
    Amounts made_;
    Amounts left_;  // remaining accesses, not assigned to a region yet
    std::vector<Amounts> texts_;
    std::vector<Amounts> originals_;  // with the compiler's widths
    std::vector<std::size_t> within_;
    std::vector<std::optional<double>> rounds_;
    std::vector<double> part_;  // executed share of an iteration's code
};

}  // namespace

std::vector<Executions> region_executions(const std::vector<results::CodeRegion>& regions,
                                          Amounts accesses, double copies,
                                          const ModelSettings& settings) {
    return Solver(regions, std::move(accesses), copies, settings).solve();
}

}  // namespace camber
