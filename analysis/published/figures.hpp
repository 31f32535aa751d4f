// Published figures over time and size: what a source states about a curve, and the same quantity
// from results files, to be drawn beside each other. Sources print their curves without values, so
// only points and levels that a text or table states are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::published {

// A level (only y), a place on the x axis (only x), or a point that the source states.
struct StatedPoint {
    std::string name;  // "GTX 480, mean of the run"
    std::string note;  // location in the source: "4415/s, Table 2"
    std::optional<double> x, y;
};

// Quantity that results files have for a figure.
enum class Drawn : std::uint8_t {
    nothing,           // no results file can have it yet
    steps_over_run,    // time of a step over the generations of a run
    steps_over_lava,   // the same over the number of cells with lava
    useful_threads,    // share of the launched cells that contain lava, over the run
    blocks,            // blocks of 64 cells that the box of the lava needs, over the run
    kernels_over_run,  // time of single kernels over the generations of a run
    shares_over_run,   // their shares in the kernels' time
    kernel_shares,     // share of each kernel in the time of a step
    kernel_times,      // time of a kernel by block, over that of the first block
    hit_rates,         // L1 hit rate of a kernel by block
    saved_over_size,   // time saved against another variant over the board's side
    over_core,         // speed over one core of the host over the board's side
    thresholds,        // time of a step by balancing threshold, against their mean
};

// A line of the figure.
struct FigureLine {
    std::string variant;  // without the workload, or a pattern with *
    std::string name;
    std::string kernel;   // for kernels_over_run, shares_over_run, kernel_times and hit_rates
    std::string against;  // for saved_over_size: variant that the line is compared with
};

struct PublishedFigure {
    std::string id;      // "bilotta-figure-1"
    std::string source;  // "Bilotta et al. 2011"
    std::string title;
    std::string place;  // "Figure 1, section 5.2"
    std::string x, y;   // axis titles of what is drawn
    bool logarithmic_x = false, logarithmic_y = false;
    std::vector<std::string> says;  // statements of the text
    std::vector<StatedPoint> stated;
    Drawn drawn = Drawn::nothing;
    std::string workload;
    std::string size;  // board; "": any
    std::string cell;
    std::vector<FigureLine> lines;
    std::string cpu;      // for over_core: the variant on one core
    std::string measure;  // for what results files lack: what to measure
};

struct MeasuredPoint {
    double x = 0;          // unused if `category` is set
    std::string category;  // "64x2", "flux"
    double y = 0;
};

struct MeasuredLine {
    std::string name;
    std::string device;  // "": a property of the model, which every machine computes alike
    std::string basis;   // file and work: "magflow.json: 4 generations, 40 % of the cells active"
    std::vector<MeasuredPoint> points;
};

struct FigureBeside {
    const PublishedFigure* figure = nullptr;
    std::vector<MeasuredLine> lines;  // empty: nothing is measured
};

// Parses the figures of a file of published tables. Throws Error(usage) if the text is invalid.
std::vector<PublishedFigure> parse_figures(std::string_view text, const std::string& origin);

// All figures compiled into the program.
const std::vector<PublishedFigure>& figures();

// Lines of a figure from documents; newer files replace older ones.
std::vector<MeasuredLine> measured_lines(const PublishedFigure& figure,
                                         const std::vector<results::Document>& documents);

// Figures about the documents' workloads, if at least one of them has lines.
std::vector<FigureBeside> figures_beside(const std::vector<results::Document>& documents);

}  // namespace camber::published
