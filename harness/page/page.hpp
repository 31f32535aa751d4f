// HTML reports: a single self-contained page, pages of a site that share style and scripts, and the
// JSON data that their charts draw.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/history/trend.hpp"
#include "analysis/report/report.hpp"
#include "harness/record/archive.hpp"

namespace camber {

// Returns true if the chart library was available when camber was built. Without it there are no
// pages.
bool can_write_page();

// Self-contained HTML page. Throws Error(unavailable) if !can_write_page().
std::string html_page(const report::Report& report, const std::string& title);

// Pages of a site. `root`: the address of its first page's folder, "" or "../".

// The same page for a site: loads shared_files(). `above` is the HTML above the title.
std::string charts_page(const report::Report& report, const std::string& title,
                        const std::string& above, const std::string& root);
// Page of text and tables, without scripts. `above`, `lead` and `content` are HTML.
std::string tables_page(const std::string& title, const std::string& above,
                        const std::string& lead, const std::string& content,
                        const std::string& root);

struct SiteFile {
    std::string path;  // in the site's folder
    std::string text;
};
// Style, chart library and scripts. Throws Error(unavailable) if !can_write_page().
std::vector<SiteFile> shared_files();

// Data of the HTML page as JSON: {"files", "groups", "opening", "scalings", "timelines",
// "span_kinds", "span_names", "published", "history", "families", "levels", "lead", "findings", "summary",
// "counters", "most_samples"}. Safe inside a script element: contains neither "</script" nor "<!--". Numbers
// are rounded to six digits, samples to five; counters are exact. Absent numbers are omitted.
std::string page_data(const report::Report& report);

// The same data for programs, as `camber report --format json` prints them: indented, and with the
// fields that page_data() omits because of their common values.
std::string report_data(const report::Report& report);

// Rounds `value` to this number of significant decimal digits.
double rounded(double value, int digits);

// Templates, scripts and chart library of a page, embedded in the program by the build.
namespace page_assets {

struct Asset {
    std::string_view name;  // file name without folder
    std::string_view text;
};

// page.html, page.css and the scripts in execution order.
std::string_view html();
std::string_view style();
std::span<const Asset> scripts();

// The chart library Vega: its modules by the names under which they import each other, the loader
// that they need, and the license. No modules if the library was absent at build time.
std::span<const Asset> library_modules();
std::string_view library_loader();
std::string_view library_licence();

}  // namespace page_assets

enum class HistoryDetail {
    all,
    drawn,  // without constant quantities of little interest; times rounded to six digits
};

// Trends over commits as JSON, for the HTML page and for `camber history show --format json`.
// See results/schema/camber-history.schema.json, member "machines". A quantity with the same value
// at all commits has one "value" in place of "values".
results::Json history_json(const std::vector<history::MachineTrend>& trends, HistoryDetail detail);

}  // namespace camber
