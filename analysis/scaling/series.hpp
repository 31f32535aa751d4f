// Scaling series: one unchanged problem and variant, measured on several numbers of units. Series
// are built from single points or read from the cases of a results file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/document.hpp"
#include "harness/record/scaling.hpp"

namespace camber::scaling {

// Throws Error(usage) for unknown modes.
Mode parse_mode(std::string_view text);

// units / unit_size, or the effective p.
double p_of(const Series& series, const Point& point);

// Median of a point, and its standard error: half the width of the 95 % bootstrap interval over
// 1.96, the normal quantile, because the spread of skewed samples does not describe their median.
// Absent for a single sample, and if the interval has no width; the assumed relative error, if any,
// is then used instead.
double median_of(const Point& point);
std::optional<double> sigma_of(const Series& series, const Point& point);

// Checks the preconditions of the formulas and sorts the points by p. Throws Error(usage) if there
// is no point at p = 1, fewer than two points, a repeated p, a time that is not above 0, or neither
// samples nor median.
Series checked(Series series);

// One measurement from a results file or a program.
struct Run {
    std::string workload;
    std::string variant;  // with its block shape
    std::string backend;
    std::string machine;
    std::string precision;  // cell type
    long columns = 0;
    long rows = 0;
    long steps = 0;  // computed generations
    int units = 0;
    std::vector<double> samples_ns;  // of the whole run, or of one step if `per_step`
    bool per_step = false;
    bool by_counter_pass = false;            // timed while counters were collected
    std::vector<std::string> device_models;  // of the units; empty if they are alike
    std::vector<double> device_rates;        // cells/s that each device reaches alone
    std::optional<double> share_of_copy;
    PlaceTimes places;
};

// Maximum relative deviation of a weak series' problem size from p times the first one's.
inline constexpr double tolerated_growth = 0.01;

// Builds a series from runs. Throws Error(incomparable), with the reason, if the runs differ in
// anything but p (variant, block, precision, size, backend, machine; steps, unless times are per
// step), were timed in a counter pass, or used unequal devices with unknown rates. In weak series
// the number of cells must be proportional to p within 1 %.
Series series_of(std::span<const Run> runs, Unit unit, int unit_size, Mode mode);

// Reads scaling series from a results file, from cases that name their number of units.

// One series per variant, unit and mode, in order of first appearance, from cases that passed on a
// given number of units, and from cases of another Google Benchmark program with a given number of
// threads. Cases that GPUs or ranks computed together form one series per variant and exchange,
// whose first point is a case on one device. `of_places`: their mode, for boards that stay or grow
// with the devices. Times are per generation, or iteration. Throws what series_of() throws, and
// Error(usage) if there is no such case.
std::vector<Series> series_of_results(const results::Document& document,
                                      Mode of_places = Mode::strong);

}  // namespace camber::scaling
