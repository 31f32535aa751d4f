#include "analysis/published/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "analysis/published/embedded.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber::published {

namespace {

std::optional<Entry> entry_of(const Json& value) {
    if (value.is_null()) return std::nullopt;
    Entry entry;
    if (value.is_string()) {
        entry.printed = value.get<std::string>();
        entry.reading = plain_number(entry.printed);
        return entry;
    }
    entry.printed = value.at("printed").get<std::string>();
    if (const Json& reading = value.at("reading"); !reading.is_null())
        entry.reading = reading.get<double>();
    entry.bound = value.value("bound", "");
    entry.note = value.value("note", "");
    return entry;
}

Table table_of(const Json& json, const std::string& source) {
    Table table;
    table.source = source;
    table.id = json.at("id").get<std::string>();
    table.title = json.at("title").get<std::string>();
    table.place = json.at("place").get<std::string>();
    table.hardware = json.at("hardware").get<std::vector<std::string>>();
    table.conditions = json.at("conditions").get<std::string>();
    for (const Json& column : json.at("columns"))
        table.columns.push_back({column.at("name").get<std::string>(), column.value("unit", ""),
                                 column.value("count", ""), column.value("camber", Json())});
    for (const Json& row : json.at("rows")) {
        Row read{row.at("name").get<std::string>(), row.value("unit", ""), {}, {}};
        for (const Json& value : row.at("values")) read.values.push_back(entry_of(value));
        if (read.values.size() != table.columns.size())
            throw Error(ExitCode::usage,
                        fmt::format("table {}, row '{}' has {} values for {} columns", table.id,
                                    read.name, read.values.size(), table.columns.size()));
        if (row.contains("camber")) read.camber = row["camber"];
        if (const auto variants = read.camber.find("variants");
            read.camber.is_object() && variants != read.camber.end() &&
            variants->size() != table.columns.size())
            throw Error(ExitCode::usage,
                        fmt::format("table {}, row '{}' has {} variants for {} columns", table.id,
                                    read.name, variants->size(), table.columns.size()));
        table.rows.push_back(std::move(read));
    }
    table.notes = json.value("notes", std::vector<std::string>{});
    const auto part = [&](const char* key) { return json.contains(key) ? json[key] : Json(); };
    table.camber = part("camber");
    table.scaling = part("scaling");
    table.claims = part("claims");
    table.conclusions = part("conclusions");
    return table;
}

}  // namespace

const Row* Table::row(std::string_view name) const {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

std::size_t Table::column(std::string_view name) const {
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found == columns.end())
        throw Error(ExitCode::usage, fmt::format("table {} has no column '{}'", id, name));
    return static_cast<std::size_t>(found - columns.begin());
}

std::optional<double> plain_number(std::string_view printed) {
    static const std::regex form(R"((\d{1,3}(,\d{3})+|\d+)(\.\d+)?)");
    std::string text(printed);
    if (!std::regex_match(text, form)) return std::nullopt;
    std::erase(text, ',');
    return std::stod(text);
}

std::vector<Table> parse_tables(const Json& document, const std::string& origin) {
    std::string place = "the start";
    try {
        const auto source = document.at("source").at("key").get<std::string>();
        std::vector<Table> tables;
        for (const Json& table : document.at("tables")) {
            place = table.value("id", "a table without id");
            tables.push_back(table_of(table, source));
        }
        return tables;
    } catch (const Json::exception& error) {
        throw Error(ExitCode::usage,
                    fmt::format("{}, {}: no published tables: {}", origin, place, error.what()));
    }
}

const std::vector<Table>& tables() {
    static const std::vector<Table> all = [] {
        std::vector<Table> all;
        for (const auto& [name, text] : embedded_files())
            for (Table& table : parse_tables(Json::parse(text), std::string(name))) {
                table.file = name.substr(0, name.rfind('.'));
                all.push_back(std::move(table));
            }
        return all;
    }();
    return all;
}

std::vector<const Table*> tables_of_file(const std::vector<Table>& among, std::string_view file) {
    std::vector<const Table*> found;
    for (const Table& table : among)
        if (table.file == file) found.push_back(&table);
    return found;
}

const Table& find_table(const std::vector<Table>& among, std::string_view id) {
    const auto found = std::ranges::find(among, id, &Table::id);
    if (found != among.end()) return *found;
    std::vector<std::string> ids;
    for (const Table& table : among)
        for (const std::string& known : {table.id, table.file})
            if (!known.empty() && std::ranges::find(ids, known) == ids.end()) ids.push_back(known);
    throw Error(ExitCode::usage, fmt::format("table '{}' is unknown{}; camber reproduce lists all",
                                             id, suggestion(id, ids)));
}

}  // namespace camber::published
