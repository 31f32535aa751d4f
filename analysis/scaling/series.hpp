// A scaling series: one unchanged problem and variant, measured on several numbers of units.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace camber::scaling {

// What p counts. Only things that are alike and can be had one by one.
enum class Unit {
    sm,      // multiprocessors of a partition; one unit is the smallest partition
    thread,  // CPU threads, one per core
    gpu,     // devices of one model
    rank,    // MPI ranks with a GPU each
};

enum class Mode {
    strong,  // the same problem on all p
    weak,    // a problem p times as large on p units
};

std::string_view key(Unit unit);  // "sm", "thread", "gpu", "rank"
std::string_view key(Mode mode);  // "strong", "weak"

// Throws Error(usage) for everything else; for CUDA cores with the reason.
Unit parse_unit(std::string_view text);
Mode parse_mode(std::string_view text);

struct Point {
    int units = 0;                   // SMs, threads, GPUs, ranks
    std::vector<double> samples_ns;  // of one step, or of one generation; the same at every point

    // Where there are no samples: a median, and the standard error of it where that is known.
    std::optional<double> median_ns;
    std::optional<double> sigma_ns;

    std::optional<double> share_of_copy;  // application bandwidth over the whole device's copy
    std::optional<double> effective_p;    // for unequal units, from effective_units()
};

struct Series {
    std::string workload;
    std::string variant;
    std::string backend;
    std::string machine;
    Unit unit = Unit::gpu;
    int unit_size = 1;  // how many SMs, threads... are one unit of p
    Mode mode = Mode::strong;
    long columns = 0;  // of the whole problem; in weak series of one unit's
    long rows = 0;
    std::vector<Point> points;

    // For times that were measured once: the relative standard error that they are taken to have.
    std::optional<double> assumed_relative_error;
    // A serial share of T1 from elsewhere, such as the times of kernels: a prediction, no bound.
    std::optional<double> predicted_serial_share;
    // What a reader must know of it, e.g. that times are per step.
    std::vector<std::string> notes;
};

// units / unit_size, or the effective p.
double p_of(const Series& series, const Point& point);

// The median of a point, and its standard error: half the width of the 95 % bootstrap interval
// over 1.96, the normal quantile, because the spread of the samples says nothing of a median whose
// samples are skewed. Absent for a single sample, and where the interval has no width; then the
// assumed relative error stands in, if there is one.
double median_of(const Point& point);
std::optional<double> sigma_of(const Series& series, const Point& point);

// Checks what the formulas need and sorts the points by p. Throws Error(usage): no point at p = 1,
// fewer than two points, the same p twice, a time that is not above 0, neither samples nor median.
Series checked(Series series);

// One measurement as a results file or a program knows it.
struct Run {
    std::string workload;
    std::string variant;  // with its block of threads
    std::string backend;
    std::string machine;
    std::string precision;  // type of a cell
    long columns = 0;
    long rows = 0;
    long steps = 0;  // generations computed
    int units = 0;
    std::vector<double> samples_ns;  // of the whole run, or of one step where `per_step`
    bool per_step = false;
    bool by_counter_pass = false;            // timed while counters were collected
    std::vector<std::string> device_models;  // of the units; empty where they are alike
    std::vector<double> device_rates;        // cells/s that each device reaches alone
    std::optional<double> share_of_copy;
};

// The series of these runs. Throws Error(incomparable), with one sentence of reason, where they
// differ in anything but p (variant, block, precision, size, backend, machine; steps, unless times
// are per step), were timed in a pass that collects counters, or ran on unequal devices whose rates
// are not known. In weak series the number of cells must grow as p does, within 1 %.
Series series_of(std::span<const Run> runs, Unit unit, int unit_size, Mode mode);

}  // namespace camber::scaling
