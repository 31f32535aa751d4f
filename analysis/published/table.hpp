// Published tables as data: what was printed, how it is read, and what camber has of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber::published {

using Json = nlohmann::ordered_json;

struct Entry {
    std::string printed;            // as in print: "14,377", "19,71", "about 30"
    std::optional<double> reading;  // the number meant; absent for "n.a."
    std::string bound;              // "at least" or "at most" where the text gives a bound only
    std::string note;               // why the reading is not what is printed
};

struct Column {
    std::string name;
    std::string unit;   // "" where rows have units of their own, or for text
    std::string count;  // which count of a kernel it is, see count_named(); "" for others
    Json camber;        // what stands for the column here; null: nothing
};

struct Row {
    std::string name;
    std::string unit;
    std::vector<std::optional<Entry>> values;  // one per column; absent: an empty cell
    Json camber;                               // what stands for the row here; null: nothing
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
    // As in the file; null or empty where absent. results/published/README.md describes them.
    Json camber;
    Json scaling;
    Json claims;
    Json conclusions;

    // Null where there is none of that name.
    const Row* row(std::string_view name) const;
    // The position of a column; throws Error(usage) where there is none of that name.
    std::size_t column(std::string_view name) const;
};

// The number that a plain entry means: digits with commas between thousands, a point before
// decimals. Absent for everything else; such entries carry their reading in the file.
std::optional<double> plain_number(std::string_view printed);

// The tables of one file. Throws Error(usage), naming the place, where the document is none.
std::vector<Table> parse_tables(const Json& document, const std::string& origin);

// All tables that this program was built with, in the order of files and of print.
const std::vector<Table>& tables();

// All tables of a file, in the order of print; empty where there is no such file.
std::vector<const Table*> tables_of_file(const std::vector<Table>& among, std::string_view file);

// Throws Error(usage) with suggestions where there is none of that name.
const Table& find_table(const std::vector<Table>& among, std::string_view id);

}  // namespace camber::published
