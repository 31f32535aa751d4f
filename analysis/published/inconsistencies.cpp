// Inconsistencies within published scaling tables: derived values, readings and claims of the text
// that the tables' own numbers contradict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/published/scaling_tables.hpp"
#include "analysis/scaling/metrics.hpp"

namespace camber::published {

namespace {

using scaling::Analysis;
using scaling::PointAnalysis;

constexpr double seconds = 1e-9;

std::string numbers(const std::vector<double>& values, int digits) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(fmt::format("{:.{}f}", value, digits));
    return fmt::format("{}", fmt::join(texts, " "));
}

// Half a unit of the last printed digit.
double half_digit(const std::string& printed) {
    const auto point = printed.find('.');
    const auto decimals = point == std::string::npos ? 0 : printed.size() - point - 1;
    return 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

const PointAnalysis* at(const Analysis& analysis, int units) {
    const auto found = std::ranges::find(analysis.points, units, &PointAnalysis::units);
    return found == analysis.points.end() ? nullptr : &*found;
}

// Checks one table and collects the sentences on its inconsistencies.
class Findings {
  public:
    Findings(const Table& table, std::span<const Table> all) : table_(table), all_(all) {}

    std::vector<std::string> run() {
        for (const PublishedSeries& series : scaling_series(table_)) check_derived(series);
        for (const Claim& claim : table_.claims) {
            stated_ = claim.printed;
            std::visit([&](const auto& what) { check(what); }, claim.what);
        }
        return std::move(found_);
    }

  private:
    template <class... Values>
    void report(fmt::format_string<Values...> format, Values&&... values) {
        found_.push_back(fmt::format(format, std::forward<Values>(values)...));
    }

    const Table& named(const std::string& id) const {
        const auto found = std::ranges::find(all_, id, &Table::id);
        if (found == all_.end()) throw std::logic_error("no table " + id);
        return *found;
    }

    int units(std::size_t column) const { return std::stoi(table_.columns[column].name); }

    const ScalingRows& rows_of(const std::string& series) const {
        const auto& all = table_.scaling->series;
        const auto found = std::ranges::find(all, series, &ScalingRows::name);
        if (found == all.end()) throw std::logic_error("no series " + series);
        return *found;
    }

    // Reports a row whose printed values differ from the recomputed ones by more than rounding.
    // `error` bounds the effect of T1 or a one-unit rate being rounded too.
    template <class Recomputed, class Error>
    void check_row(const std::string& row_name, Recomputed recomputed, Error error) {
        if (row_name.empty()) return;
        const Row* row = table_.row(row_name);
        for (std::size_t i = 0; i < row->values.size(); ++i) {
            const auto& entry = row->values[i];
            if (!entry || !entry->reading) continue;
            const int p = units(i);
            const std::optional<double> expected = recomputed(p);
            if (!expected) {
                report("{} at p = {} is printed as {}, but it is undefined on one unit", row->name,
                       p, entry->printed);
                continue;
            }
            constexpr double rounding = 1e-9;
            if (std::abs(*entry->reading - *expected) >
                half_digit(entry->printed) + error(p) + rounding)
                report("{} at p = {} is printed as {}, the table's own values give {:.4g}",
                       row->name, p, entry->printed, *expected);
        }
    }

    void check_derived(const PublishedSeries& series) {
        const ScalingRows& rows = rows_of(series.name);
        const Analysis& analysis = series.analysis;
        const double t1 = analysis.points.front().median_ns * seconds;
        const auto exact = [](int) { return 0.0; };
        check_row(
            rows.ideal, [&](int p) { return std::optional(t1 / p); },
            [](int p) { return 0.5 / p; });
        check_row(
            rows.ideal_rate, [&](int p) { return std::optional(p / t1); },
            [](int p) { return 0.5 * p; });
        check_row(
            rows.cost,
            [&](int p) { return std::optional(at(analysis, p)->cost_ns.value_or(0) * seconds); },
            exact);
        check_row(
            rows.karp_flatt, [&](int p) { return at(analysis, p)->karp_flatt; }, exact);
        if (!rows.rates.empty() && !rows.times.empty()) check_readings(series);
    }

    // Reports rates that the file reads differently from the print, with the speedup by the times.
    void check_readings(const PublishedSeries& series) {
        const auto rates = scaling_series(table_, series.name, true);
        const Row* row = table_.row(rows_of(series.name).rates);
        for (std::size_t i = 0; i < row->values.size(); ++i) {
            const auto& entry = row->values[i];
            if (!entry || entry->note.empty()) continue;
            report("'{}' ({} at p = {}): {}, which gives S = {:.3f} against {:.3f} by time",
                   entry->printed, row->name, units(i), entry->note,
                   *at(rates.analysis, units(i))->speedup, *at(series.analysis, units(i))->speedup);
        }
    }

    void check(const SeriesClaim& claim) {
        switch (claim.of) {
            case SeriesClaim::Of::serial_share:
                return check_serial_share(claim);
            case SeriesClaim::Of::overhead:
                return check_overhead(claim);
            case SeriesClaim::Of::d_max:
                return check_d_max(claim);
            case SeriesClaim::Of::cost_increment:
                return check_cost_increment(claim);
        }
    }

    Analysis analysis_of(const SeriesClaim& claim) const {
        return scaling_series(table_, claim.series, false).analysis;
    }

    void check_serial_share(const SeriesClaim& claim) {
        for (const PointAnalysis& point : analysis_of(claim).points)
            if (point.exceeds_prediction && point.p > 1)
                report(
                    "Stated: {}. At p = {} the measured S = {:.4f} exceeds that maximum of "
                    "{:.4f} (e = {:.3f} is below {}): shares of kernels are no bound",
                    stated_, point.p, *point.speedup, *point.predicted_speedup, *point.karp_flatt,
                    claim.value);
    }

    void check_overhead(const SeriesClaim& claim) {
        const Analysis analysis = analysis_of(claim);
        const double stated = claim.value;
        const double t1 = analysis.points.front().median_ns;
        std::vector<double> p, times, predicted, observed, marginal;
        double largest = 0;
        for (const PointAnalysis& point : std::span(analysis.points).subspan(1)) {
            p.push_back(point.p);
            times.push_back(point.median_ns / t1);
            predicted.push_back(stated * t1 * seconds * point.p);
            observed.push_back(*point.cost_ns * seconds);
            marginal.push_back(*point.marginal_cost);
            largest = std::max(largest, std::abs(predicted.back() / observed.back() - 1));
        }
        constexpr double tolerated = 0.1;
        if (largest <= tolerated) return;
        report(
            "Stated: {}. That predicts costs of {} s for p = 2 to {}, observed are {} s; least "
            "squares give {:.4f} T p, or {:.4f} T (p - 1); the marginal cost goes from {:.4f} T "
            "to {:.4f} T",
            stated_, numbers(predicted, 0), analysis.points.back().p, numbers(observed, 0),
            scaling::fit_overhead_of_every_unit(p, times).coefficients[0],
            analysis.fits.linear_overhead->coefficients[0], marginal.front(), marginal.back());
    }

    void check_d_max(const SeriesClaim& claim) {
        const Analysis analysis = analysis_of(claim);
        const int stated = static_cast<int>(claim.value);
        const auto& fit = analysis.fits.three_term;
        std::string sentence;
        const PointAnalysis* next = at(analysis, stated + 1);
        const PointAnalysis* last = at(analysis, stated);
        if (next && last && next->median_ns < last->median_ns)
            sentence += fmt::format(
                "T({}) = {:.0f} s is less than T({}) = {:.0f} s, and the "
                "marginal cost {:.4f} is below the ideal gain {:.4f}",
                stated + 1, next->median_ns * seconds, stated, last->median_ns * seconds,
                *next->marginal_cost, scaling::ideal_gain(stated + 1));
        if (fit && fit->d_max && *fit->d_max != stated)
            sentence +=
                fmt::format("{}the fit (c = {:.4f}) gives {}{}, fastest at p = {:.1f}{}",
                            sentence.empty() ? "" : "; ", fit->c, *fit->d_max,
                            fit->d_max_extrapolated ? " (extrapolated)" : "", *fit->fastest_p,
                            fit->fastest_p_extrapolated ? " (extrapolated)" : "");
        if (!sentence.empty()) report("Stated: {}. But {}", stated_, sentence);
    }

    void check_cost_increment(const SeriesClaim& claim) {
        const Row* row = table_.row(rows_of(claim.series).cost);
        std::vector<double> increments;
        double largest = 0;
        for (std::size_t i = 1; i < row->values.size(); ++i) {
            increments.push_back(*row->values[i]->reading - *row->values[i - 1]->reading);
            largest = std::max(largest, std::abs(increments.back() / claim.value - 1));
        }
        constexpr double tolerated = 0.1;
        if (largest > tolerated)
            report("Stated: {}. The increments are {} s", stated_, numbers(increments, 0));
    }

    void check(const ChangeClaim& claim) {
        const Row* before = table_.row(claim.before);
        const Row* after = table_.row(claim.after);
        std::vector<double> percent;
        for (std::size_t i = 0; i < table_.columns.size(); ++i)
            if (std::ranges::find(claim.p, units(i)) != claim.p.end())
                percent.push_back(100 *
                                  (*after->values[i]->reading / *before->values[i]->reading - 1));
        const auto [low, high] = std::ranges::minmax(percent);
        constexpr double half_percent = 0.5;
        if (std::abs(low - claim.low) <= half_percent &&
            std::abs(high - claim.high) <= half_percent)
            return;
        std::vector<std::string> texts;
        for (const double value : percent) texts.push_back(fmt::format("{:+.1f} %", value));
        report("Stated: {}. The table gives {}", stated_, fmt::join(texts, ", "));
    }

    void check(const GainClaim& claim) {
        const int p = claim.p;
        const double of_t1 = 100 * scaling::ideal_gain(p);
        report("Stated: {}. {:.1f} % is of T(1); of T({}) it is {:.1f} %", stated_, of_t1, p - 1,
               100.0 / p);
    }

    void check(const AmdahlClaim& claim) {
        const Row* row = table_.row(claim.row);
        for (std::size_t i = 0; i < row->values.size(); ++i) {
            const double bound = 1 / (claim.serial_share + (1 - claim.serial_share) / units(i));
            const std::string& printed = row->values[i]->printed;
            if (std::abs(bound - *row->values[i]->reading) > half_digit(printed))
                report(
                    "the bound of Amdahl on {} units is printed as {}, a serial share of {} "
                    "gives {:.2f}",
                    units(i), printed, claim.serial_share, bound);
        }
    }

    void check(const QuotientsClaim& claim) {
        const Row* row = table_.row(claim.row);
        const Table& other = named(claim.of.table);
        const Row* values = other.row(claim.of.name);
        const std::size_t over = other.column(claim.over);
        const double base = *values->values[over]->reading;
        std::vector<std::string> printed;
        std::vector<double> quotients;
        bool differs = false;
        for (std::size_t i = 0; i < row->values.size(); ++i) {
            const double value = *values->values[i]->reading;
            quotients.push_back(claim.times ? base / value : value / base);
            printed.push_back(row->values[i]->printed);
            // The other table's values are rounded, too.
            const double rounding =
                quotients.back() * (half_digit(values->values[i]->printed) / value +
                                    half_digit(values->values[over]->printed) / base);
            differs = differs || std::abs(*row->values[i]->reading - quotients.back()) >
                                     half_digit(printed.back()) + rounding;
        }
        if (differs)
            report("{} is printed as {}, {} ({}) gives {}", row->name, fmt::join(printed, " "),
                   other.place, other.title, numbers(quotients, 2));
    }

    void check(const KarpFlattClaim& claim) {
        const auto analysis = [&](const Place& place, bool from_rates) {
            return scaling_series(named(place.table), place.name, from_rates).analysis;
        };
        const Analysis times = analysis(claim.times, false);
        const Analysis rates = analysis(claim.rates, true);
        const Row* row = table_.row(claim.row);
        std::vector<double> by_times, by_rates;
        std::vector<std::string> printed, exceptions;
        bool differs = false;
        for (std::size_t i = 0; i < row->values.size(); ++i) {
            const int p = units(i);
            const double e = *row->values[i]->reading;
            printed.push_back(fmt::format("{:.3f}", e));
            by_times.push_back(*at(times, p)->karp_flatt);
            by_rates.push_back(*at(rates, p)->karp_flatt);
            constexpr double half = 0.0005 + 1e-9;
            differs = differs ||
                      std::min(std::abs(e - by_times.back()), std::abs(e - by_rates.back())) > half;
            const double speedup = *at(rates, p)->speedup;
            const double rounded = std::floor(10 * speedup + 0.5) / 10;
            if (std::abs(e - scaling::karp_flatt(rounded, p)) > half)
                exceptions.push_back(fmt::format("p = {} (S = {:.2f})", p, speedup));
        }
        if (!differs) return;
        report(
            "{}: {} of {} entries follow from the rates' speedups rounded to one decimal{}; "
            "printed {}, by times {}, by rates {}",
            row->name, row->values.size() - exceptions.size(), row->values.size(),
            exceptions.empty() ? std::string()
                               : fmt::format(", not {}", fmt::join(exceptions, ", ")),
            fmt::join(printed, " "), numbers(by_times, 4), numbers(by_rates, 4));
    }

    const Table& table_;
    std::span<const Table> all_;
    std::string stated_;  // printed text of the claim that is checked
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> inconsistencies(const Table& table, std::span<const Table> all) {
    return Findings(table, all).run();
}

}  // namespace camber::published
