// Published tables as data: the printed values, their interpretation, and the variants that
// correspond to them. results/published/README.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/record/scaling.hpp"

namespace camber::published {

// Kind of correspondence between a published table and this program.
enum class Kind : std::uint8_t {
    printed,   // printed only: no variant corresponds to its rows
    times,     // rows of times: each is compared with the table's baseline row
    saved,     // rows of time saved relative to another variant, in percent
    speedups,  // rows of speedups over another variant
    counts,    // counts of memory accesses, which the model predicts
    order,     // entries with variants of their own: see entries.hpp
    figures,   // registers, occupancy and other figures of kernels: see entries.hpp
    shares,    // shares of kernels in the time of a generation: see entries.hpp
    machines,  // entries of several machines, each compared with the CPU: see ratios.hpp
    scaling,   // times over a number of units: recomputed, and measured if it has variants
    absent,    // a workload that this build may not have
};

struct Entry {
    std::string printed;            // as printed: "14,377", "19,71", "about 30"
    std::optional<double> reading;  // the number meant; absent for "n.a."
    std::string bound;              // "at least" or "at most" if the source gives only a bound
    std::string note;               // reason for a reading that differs from the print
};

// Counterpart of a column in this program. A string is "" if the file omits the field.
struct ColumnHere {
    std::string variant;
    std::string cell;
    std::string series;  // part of the table that the column belongs to
    std::string kernel;  // its name in results files, in tables of kind `shares`
    // If not empty, the column is the time of only these kernels, named as in results files.
    std::vector<std::string> kernels;
    std::string size;    // board size
    std::string ground;  // ground of that board; "": the usual one
};
struct RowHere {
    std::string variant;
    std::vector<std::string> variants;  // one per column; empty if the row has no such list
    std::string baseline;               // the variant that it is compared with
    std::string series;
    std::string size;                   // board size
    int refine = 1;                     // divides the usual cell side
    int generations = 0;                // of a run on this board; 0: the table's
    int gpus = 1;                       // number of GPUs that share the board
    std::optional<std::size_t> kernel;  // index in the launch; absent: all kernels
    // For counts:
    int repeats = 1;    // counted launches
    int divide_by = 1;  // the counter covered one of this many parts of the GPU
};
enum class SeriesOf : std::uint8_t { table, rows, columns };
// A larger problem of the same kind that fills today's GPUs, which the table's own does not.
struct LargerProblem {
    std::string size;                     // "9251992x1"
    std::vector<std::string> parameters;  // parameters that differ from the table's, "NAME=NUMBER"
};
struct TableHere {
    std::string workload;
    std::string size;    // board size to measure: "1600x1600"
    std::string column;  // the compared column; "": the first
    bool lower_is_better = true;
    std::string baseline;                  // a row
    SeriesOf series_of = SeriesOf::table;  // entries that are compared with one another
    std::string cell;
    std::string arch;                   // architecture whose transaction rules the counts follow
    std::string cpu;                    // single-core CPU variant that entries are compared with
    // Single-core variant that computes as the source's CPU program; it replaces `cpu` where it was
    // measured. The same with the suffix "_threads" uses all cores.
    std::string cpu_program;
    std::optional<double> cpu_reading;  // printed CPU value, if the table has no CPU entry
    std::string nothing;                // reason why nothing can be run for the table
    // GPU of the source, by its file in results/published-cards, and the board used there; "" if
    // times on that GPU are not predicted.
    std::string source_card;
    std::string source_size;
    // Defaults for measuring the table; command-line options override them.
    int generations = 0;  // 0: the default
    bool from_start = false;
    // For runs too long to repeat: number of saved states from which variants are timed (0: none),
    // generations that the reference computes (0: all), and variants timed over the whole run.
    int states = 0;
    int reference_generations = 0;
    std::vector<std::string> whole;
    std::optional<double> density;
    std::vector<std::string> parameters;  // "NAME=NUMBER"
    // For scaling tables: variants measured on increasing numbers of units; empty: none.
    std::vector<std::string> variants;
    std::string exchange;  // how the units exchange rows
    bool graph = false;    // true: launches are replayed as one CUDA graph
    // Larger problems whose results are compared with the table too but are not measured for it.
    std::vector<LargerProblem> larger;
    // Variants measured on one unit for comparison with the printed one-unit entries, and the
    // number of iterations of the source's printed run (0: unknown).
    std::vector<std::string> one_gpu;
    int printed_iterations = 0;
    int refine = 1;  // divides the input's cell side
};

struct Column {
    std::string name;
    std::string unit;    // "" if rows have units of their own, and for strings
    std::string count;   // kernel count in this column, see count_named(); "" for other columns
    std::string figure;  // kernel figure in this column, see entries.hpp; "" for other columns
    ColumnHere here;
};

struct Row {
    std::string name;
    std::string unit;
    std::vector<std::optional<Entry>> values;  // one per column; absent: an empty cell
    std::optional<RowHere> here;               // absent: no variant corresponds to the row
};

// Rows of a scaling table that belong together, by name; "" if the row does not exist.
struct ScalingRows {
    std::string name;
    std::string times;
    std::string rates;
    std::string first_from;  // row with the value on one unit
    std::string ideal;
    std::string ideal_rate;
    std::string cost;
    std::string karp_flatt;
    std::string balance;  // rule for rebalancing the units' shares; "": fixed shares
};

struct ScalingTable {
    scaling::Unit unit = scaling::Unit::gpu;  // unit counted by the columns
    std::optional<double> assumed_relative_error;
    std::vector<ScalingRows> series;
};

// Statements of the source's text that can be checked against a table's numbers.
struct SeriesClaim {
    enum class Of : std::uint8_t { serial_share, overhead, d_max, cost_increment };
    Of of = Of::serial_share;
    std::string series;
    double value = 0;
};
// The value changes from one row to another, at these p, by `low` to `high` percent.
struct ChangeClaim {
    std::string before;
    std::string after;
    std::vector<int> p;
    double low = 0;
    double high = 0;
};
// A further unit gains this share of the time on one unit less.
struct GainClaim {
    int p = 0;
};
// A row or a series of another table.
struct Place {
    std::string table;
    std::string name;
};
// A row contains quotients of another table's row: each value divided by the value in the column
// `over`, or the inverse if the values are times.
struct QuotientsClaim {
    std::string row;
    Place of;
    std::string over;
    bool times = false;
};
// A row contains the Karp-Flatt fractions of a series in this or another table.
struct KarpFlattClaim {
    std::string row;
    Place times;
    Place rates;
};
// A row contains Amdahl's bound for the number of units of each column.
struct AmdahlClaim {
    std::string row;
    double serial_share = 0;
};
struct Claim {
    std::string printed;  // "" if the row itself is the claim
    std::variant<SeriesClaim, ChangeClaim, GainClaim, QuotientsClaim, KarpFlattClaim, AmdahlClaim>
        what;
};

// A conclusion of the source: one variant is faster than another.
struct Statement {
    std::string text;
    std::string faster;
    std::string than;
    std::string cell;              // cell type of both; "": the table's
    std::string than_cell;         // cell type of `than`, if different
    std::string size;              // board size; "": any
    std::string source_card;       // GPU that the statement is about; "": the table's
    std::optional<Entry> printed;  // speedup, if the source states it
    // Workload parameters of either run, "NAME=NUMBER" each; empty: any.
    std::vector<std::string> parameters = {};
    std::vector<std::string> than_parameters = {};
};

// Work that the source's program did in the run behind a table, with citations in the notes.
struct Work {
    std::string id;      // "etna2001-10m"
    std::string what;    // in words: "whole eruption of Etna 2001"
    std::string size;    // board; "": any
    std::string ground;  // real eruption whose ground is required; "": none
    bool steady = false;  // the work of a step depends neither on the state nor on the step
    std::optional<Entry> steps;
    std::optional<Entry> seconds;  // simulated time
    std::optional<Entry> active;   // active cells in percent
};

struct Table {
    std::string id;      // "rustico-6.1"
    std::string file;    // file name without extension: "rustico-2012"
    std::string source;  // "Rustico 2012"
    std::string title;
    std::string place;  // "Table 6.1, section 6.8"
    std::vector<std::string> hardware;
    std::string conditions;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<std::string> notes;
    Kind kind = Kind::printed;
    TableHere here;
    std::optional<ScalingTable> scaling;
    std::vector<Claim> claims;
    std::vector<Statement> conclusions;
    std::vector<Work> works;  // one per board; empty if nothing is measured for the table

    // Row of that name; null if there is none.
    const Row* row(std::string_view name) const;
    // Index of a column; throws Error(usage) if there is none of that name.
    std::size_t column(std::string_view name) const;
};

// Number in a plain entry: digits with commas between thousands and a decimal point. Absent for
// anything else; such entries store their reading in the file.
std::optional<double> plain_number(std::string_view printed);

// Parses the tables of one file. Throws Error(usage) with the source location if the text is
// invalid.
std::vector<Table> parse_tables(std::string_view text, const std::string& origin);

// All tables compiled into the program, in the order of files and of print.
const std::vector<Table>& tables();

// All tables of a file, in the order of print; empty if there is no such file.
std::vector<const Table*> tables_of_file(const std::vector<Table>& among, std::string_view file);

// The table with that id. Throws Error(usage) with suggestions if there is none.
const Table& find_table(const std::vector<Table>& among, std::string_view id);

// Files that are compiled into the program, each with name and contents, sorted by name; the build
// generates the definitions. Tables of results/published, cards of results/published-cards, and
// ceilings that camber measured on real GPUs, of results/cards.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_files();
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_cards();
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_measured_cards();

}  // namespace camber::published
