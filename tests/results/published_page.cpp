#include "tests/results/published_page.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace camber {

PublishedPage::PublishedPage(const std::string& name) {
    const auto path = std::filesystem::path(CAMBER_SOURCE_DIR) / "results/published" / name;
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no page " + path.string());
    for (std::string line; std::getline(file, line);) {
        lines_.push_back(line);
        text_ += line + ' ';
    }
}

TableRows PublishedPage::table(const std::string& heading) const {
    auto line = std::ranges::find(lines_, heading);
    if (line == lines_.end()) throw std::runtime_error("the page has no line '" + heading + "'");
    while (line != lines_.end() && !line->starts_with("|")) ++line;
    TableRows rows;
    for (; line != lines_.end() && line->starts_with("|"); ++line) rows.push_back(*line);
    rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
    return rows;
}

int PublishedPage::tables() const {
    return static_cast<int>(
        std::ranges::count_if(lines_, [](const auto& line) { return line.starts_with("|---"); }));
}

std::string table_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + " |";
    return row;
}

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, ",");
    return digits;
}

std::string joined(const TableRows& rows) {
    std::string text = "computed:\n";
    for (const std::string& row : rows) text += row + '\n';
    return text;
}

}  // namespace camber
