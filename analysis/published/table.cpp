#include "analysis/published/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "analysis/published/embedded.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber::published {

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

const std::vector<Table>& tables() {
    static const std::vector<Table> all = [] {
        std::vector<Table> all;
        for (const auto& [name, text] : embedded_files())
            for (Table& table : parse_tables(text, std::string(name))) {
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
