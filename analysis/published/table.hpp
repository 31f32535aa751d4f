// Published tables as data: the printed values, their interpretation, and the variants that
// correspond to them. results/published/README.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/record/scaling.hpp"

namespace camber::published {

// What is here of a table.
enum class Kind : std::uint8_t {
    printed,   // as printed only: nothing here stands for its rows
    times,     // rows with times: each against the table's own baseline row
    saved,     // rows that state the time saved against another variant, in percent
    speedups,  // rows that state a speedup against another variant
    counts,    // counts of memory accesses, which the model predicts
    order,     // entries with variants of their own: see order.hpp
    figures,   // registers, occupancy and the like of kernels: see figures.hpp
    shares,    // shares of kernels in the time of a generation: see order.hpp
    machines,  // entries of several machines, each beside the CPU: see machines.hpp
    scaling,   // times over a number of units: recomputed, and measured where it has variants
    absent,    // a workload that this build may not have
};

struct Entry {
    std::string printed;            // as in print: "14,377", "19,71", "about 30"
    std::optional<double> reading;  // the number meant; absent for "n.a."
    std::string bound;              // "at least" or "at most" where the text gives a bound only
    std::string note;               // why the reading is not what is printed
};

// What stands here for a column, a row or the table. A text is "" where the file names nothing.
struct ColumnHere {
    std::string variant;
    std::string cell;
    std::string series;  // the part of the table that it belongs to
    std::string kernel;  // its name in results, of tables of kind shares
    // The column is of the time of these kernels only, by their names in results.
    std::vector<std::string> kernels;
    std::string size;    // of the board that it is about
    std::string ground;  // of that board; "": the usual one
};
struct RowHere {
    std::string variant;
    std::vector<std::string> variants;  // one per column; empty where the row has no such list
    std::string baseline;               // the variant that it is set against
    std::string series;
    std::string size;                   // of the board that it is about
    int refine = 1;                     // with cells of this part of the usual side
    int gpus = 1;                       // that divide its board
    std::optional<std::size_t> kernel;  // of the launch; absent: all
    // For counts:
    int repeats = 1;    // launches that are counted
    int divide_by = 1;  // the counter saw one of this many parts of the GPU
};
enum class SeriesOf : std::uint8_t { table, rows, columns };
// A problem of the table's kind that today's machines are full with, and the source's were not.
struct LargerProblem {
    std::string size;                     // "9251992x1"
    std::vector<std::string> parameters;  // that differ from the table's, "NAME=NUMBER"
};
struct TableHere {
    std::string workload;
    std::string size;    // of the board to measure: "1600x1600"
    std::string column;  // the one compared; "": the first
    bool lower_is_better = true;
    std::string baseline;                  // a row
    SeriesOf series_of = SeriesOf::table;  // which entries are compared with one another
    std::string cell;
    std::string arch;  // whose rules counts follow
    std::string cpu;   // the variant on one core of the CPU that entries stand beside
    std::optional<double> cpu_reading;  // its entry, where the table itself has none
    std::string nothing;                // why there is nothing to run for the table
    // The card that the source measured on, by its file in results/published-cards, and its board;
    // "" where times on it are not predicted.
    std::string source_card;
    std::string source_size;
    // How it is measured, where options do not say otherwise.
    int generations = 0;  // 0: as usual
    bool from_start = false;
    std::optional<double> density;
    std::vector<std::string> parameters;  // "NAME=NUMBER"
    // Of a scaling table: what is measured on more and more units; empty: nothing is.
    std::vector<std::string> variants;
    std::string exchange;  // how the units exchange rows
    bool graph = false;    // whether their launches are replayed as one graph
    // Results of these stand beside the table too; they are not measured for it.
    std::vector<LargerProblem> larger;
    // What is measured on one unit alone, beside the printed entries of one; and in how many
    // iterations the source's program took the printed time, 0: unknown.
    std::vector<std::string> one_place;
    int printed_iterations = 0;
    int refine = 1;  // with cells of this part of the input's side
};

struct Column {
    std::string name;
    std::string unit;    // "" where rows have units of their own, or for text
    std::string count;   // which count of a kernel it is, see count_named(); "" for others
    std::string figure;  // which figure of a kernel it is, see figures.hpp; "" for others
    ColumnHere here;
};

struct Row {
    std::string name;
    std::string unit;
    std::vector<std::optional<Entry>> values;  // one per column; absent: an empty cell
    std::optional<RowHere> here;               // absent: nothing stands for the row
};

// Rows of a scaling table that belong together, by name; "" where there is none.
struct ScalingRows {
    std::string name;
    std::string times;
    std::string rates;
    std::string first_from;  // has the value on one unit
    std::string ideal;
    std::string ideal_rate;
    std::string cost;
    std::string karp_flatt;
    std::string balance;  // the rule by which units' shares change; "": they stay
};

struct ScalingTable {
    scaling::Unit unit = scaling::Unit::gpu;  // what columns count
    std::optional<double> assumed_relative_error;
    std::vector<ScalingRows> series;
};

// Statements of the text that a table's numbers can be held against.
struct SeriesClaim {
    enum class Of : std::uint8_t { serial_share, overhead, d_max, cost_increment };
    Of of = Of::serial_share;
    std::string series;
    double value = 0;
};
// From one row to another, at these p, by `low` to `high` percent.
struct ChangeClaim {
    std::string before;
    std::string after;
    std::vector<int> p;
    double low = 0;
    double high = 0;
};
// That a further unit gains a share of the time on one unit less.
struct GainClaim {
    int p = 0;
};
// A row or a series of another table.
struct Place {
    std::string table;
    std::string name;
};
// A row has the quotients of another table's row: of each column over one, or, of times, of one
// over each.
struct QuotientsClaim {
    std::string row;
    Place of;
    std::string over;
    bool times = false;
};
// A row has the Karp-Flatt fractions of a series elsewhere.
struct KarpFlattClaim {
    std::string row;
    Place times;
    Place rates;
};
// A row has Amdahl's bound on as many units as its columns say.
struct AmdahlClaim {
    std::string row;
    double serial_share = 0;
};
struct Claim {
    std::string printed;  // "" where the row itself is the claim
    std::variant<SeriesClaim, ChangeClaim, GainClaim, QuotientsClaim, KarpFlattClaim, AmdahlClaim>
        what;
};

// That one variant is faster than another.
struct Statement {
    std::string text;
    std::string faster;
    std::string than;
    std::string cell;              // type of cells of both; "": the table's
    std::string than_cell;         // of `than`, where it is another
    std::string size;              // of the board; "": any
    std::string source_card;       // that it is about; "": the table's
    std::optional<Entry> printed;  // how often faster, where the source says so
    // Of the workload, "NAME=NUMBER" each, in the run of either; empty: any.
    std::vector<std::string> parameters = {};
    std::vector<std::string> than_parameters = {};
};

struct Table {
    std::string id;      // "rustico-6.1"
    std::string file;    // that it is in, without the ending: "rustico-2012"
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

    // Null where there is none of that name.
    const Row* row(std::string_view name) const;
    // The position of a column; throws Error(usage) where there is none of that name.
    std::size_t column(std::string_view name) const;
};

// The number that a plain entry means: digits with commas between thousands, a point before
// decimals. Absent for everything else; such entries carry their reading in the file.
std::optional<double> plain_number(std::string_view printed);

// The tables of one file. Throws Error(usage), naming the place, where the text is none.
std::vector<Table> parse_tables(std::string_view text, const std::string& origin);

// All tables that this program was built with, in the order of files and of print.
const std::vector<Table>& tables();

// All tables of a file, in the order of print; empty where there is no such file.
std::vector<const Table*> tables_of_file(const std::vector<Table>& among, std::string_view file);

// Throws Error(usage) with suggestions where there is none of that name.
const Table& find_table(const std::vector<Table>& among, std::string_view id);

}  // namespace camber::published
