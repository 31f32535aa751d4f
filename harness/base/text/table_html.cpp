// HTML rendering of tables.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text/table.hpp"

namespace camber {

namespace {

// True for names such as "halo/64x4" and "surface_water", which are shown as code.
bool is_name(std::string_view text) {
    return text.size() > 2 && text.find_first_of("/_") != std::string_view::npos &&
           text.find(' ') == std::string_view::npos;
}

std::string content(const std::string& text, const HtmlStyle& style) {
    std::string html = escape_xml(text);
    if (is_name(text)) html = fmt::format("<code>{}</code>", html);
    const auto link = style.links.find(text);
    return link == style.links.end()
               ? html
               : fmt::format("<a href=\"{}\">{}</a>", escape_xml(link->second), html);
}

}  // namespace

std::string escape_xml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default: {
                const auto byte = static_cast<unsigned char>(c);
                const bool allowed = byte >= 0x20 || c == '\t' || c == '\n' || c == '\r';
                escaped += allowed ? c : '?';
            }
        }
    }
    return escaped;
}

std::string TextTable::html(const HtmlStyle& style) const {
    const TextTable shown = printable();
    const auto first_left = std::ranges::find(columns_, Align::left, &TableColumn::align);
    const auto row_heading =
        static_cast<std::size_t>(first_left == columns_.end() ? 0 : first_left - columns_.begin());
    // Cells are aligned to the right unless their class says otherwise: most are numbers.
    const auto alignment = [&](std::size_t column) {
        return columns_[column].align == Align::left ? " class=l" : "";
    };
    const std::string caption = escape_xml(style.caption);
    std::string html = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table class=\"n\">\n"
        "<caption>{0}</caption>\n",
        caption);
    if (has_headings()) {
        html += "<thead><tr>";
        for (std::size_t i = 0; i < columns_.size(); ++i)
            html += columns_[i].heading.empty()
                        ? "<td></td>"
                        : fmt::format("<th scope=\"col\"{}>{}</th>", alignment(i),
                                      escape_xml(columns_[i].heading));
        html += "</tr></thead>\n";
    }
    html += "<tbody>\n";
    for (const Row& row : shown.rows_) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const std::string cell = content(row.cells[i], style);
            if (row.spans && i + 1 == row.cells.size() && i + 1 < columns_.size())
                html += fmt::format("<td class=l colspan=\"{}\">{}</td>", columns_.size() - i, cell);
            else if (i == row_heading)
                html += fmt::format("<th scope=\"row\">{}</th>", cell);
            else
                html += fmt::format("<td{}>{}</td>", alignment(i), cell);
        }
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table></div>\n";
}

}  // namespace camber
