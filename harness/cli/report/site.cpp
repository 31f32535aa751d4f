#include "harness/cli/report/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "analysis/published/questions.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/history/trend_text.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/page/page.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using report::Group;
using report::Report;

constexpr double changed_threshold = 0.03;

// "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3".
std::string address_part(const std::string& name) {
    std::string part;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            part += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!part.empty() && part.back() != '-')
            part += '-';
    while (!part.empty() && part.back() == '-') part.pop_back();
    return part.empty() ? "other" : part;
}

// A page with the results of one workload on one device.
struct WorkloadPage {
    std::string device, workload;
    std::string path;
    Report part;

    std::string name() const { return workload.empty() ? "Google Benchmark" : workload; }
};

// camber's workloads first, then kernels of other programs; each in alphabetical order.
std::vector<std::string> in_order(const std::set<std::string>& names) {
    std::vector<std::string> ordered(names.begin(), names.end());
    std::ranges::stable_partition(
        ordered, [](const std::string& name) { return find_workload(name) != nullptr; });
    return ordered;
}

// Devices with the most cases first.
std::vector<WorkloadPage> workload_pages(const Report& whole) {
    std::map<std::string, std::set<std::string>> workloads;
    std::map<std::string, std::size_t> cases;
    for (const Group& group : whole.groups) {
        workloads[group.device].insert(group.workload);
        cases[group.device] += group.rows.size();
    }
    for (const report::Scaling& scaling : whole.scalings)
        workloads[device_of(whole, scaling)].insert(scaling.analysis.series.workload);
    std::vector<std::string> devices;
    for (const auto& [device, names] : workloads) devices.push_back(device);
    std::ranges::stable_sort(devices, std::greater(),
                             [&](const std::string& device) { return cases[device]; });
    std::vector<WorkloadPage> pages;
    std::set<std::string> used;
    for (const std::string& device : devices)
        for (const std::string& workload : in_order(workloads[device])) {
            const std::string base =
                address_part(device) + "/" + address_part(workload.empty() ? "other" : workload);
            std::string path = base + ".html";
            for (int k = 2; !used.insert(path).second; ++k)
                path = fmt::format("{}-{}.html", base, k);
            pages.push_back({device, workload, path, part_of(whole, device, workload)});
        }
    return pages;
}

std::string rate(const report::Value& cells_per_second) {
    return cells_per_second ? fmt::format("{:.2f}", *cells_per_second * 1e-9) : "-";
}

// Table of the pages of one device, of camber's workloads or of kernels of other programs: each
// with the fastest variant of its largest data set.
std::string device_table(const std::vector<WorkloadPage>& pages, const std::string& device,
                         bool workloads) {
    TextTable table({{workloads ? "workload" : "kernel", Align::left},
                     {"Gcell/s"},
                     {"of copy, %"},
                     {"fastest variant", Align::left},
                     {"data set", Align::left},
                     {"data sets"},
                     {"variants"},
                     {"measured", Align::left}});
    std::map<std::string, std::string> links;
    for (const WorkloadPage& page : pages) {
        if (page.device != device || (find_workload(page.workload) != nullptr) != workloads)
            continue;
        links[page.name()] = page.path;
        const std::vector<Group>& groups = page.part.groups;
        std::size_t variants = 0;
        for (const Group& group : groups) variants += group.rows.size();
        report::Row best;
        std::string data_set = "scaling only", date;
        if (!groups.empty()) {
            const Group& group = groups[opening_group(page.part)];
            if (!group.rows.empty() && group.rows.front().rank > 0) best = group.rows.front();
            data_set = group.title();
            if (data_set.starts_with(group.workload + ", "))
                data_set.erase(0, group.workload.size() + 2);
            date = page.part.files[group.file].date.substr(0, 10);
        }
        table.add({page.name(), rate(best.cells_per_second),
                   best.share_of_copy ? fmt::format("{:.1f}", 100 * *best.share_of_copy) : "-",
                   best.variant.empty() ? "-" : best.variant, data_set,
                   std::to_string(groups.size()), std::to_string(variants),
                   date.empty() ? "-" : date});
    }
    if (table.empty()) return "";
    return table.html(
        {.caption = fmt::format("{} measured on {}",
                                workloads ? "Workloads" : "Kernels of other programs", device),
         .links = std::move(links)});
}

// Data sets that several devices have: the cell rate of the fastest variant on each.
std::string devices_table(const Report& whole) {
    std::map<std::pair<std::string, int>, std::map<std::string, const Group*>> data_sets;
    std::set<std::string> devices;
    for (const Group& group : whole.groups)
        if (group.newest && group.timed && group.devices == 1 && !group.rows.empty() &&
            group.rows.front().rank > 0 && group.rows.front().cells_per_second)
            data_sets[{group.title(), group.radius}][group.device] = &group;
    std::erase_if(data_sets, [](const auto& one) { return one.second.size() < 2; });
    for (const auto& [title, groups] : data_sets)
        for (const auto& [device, group] : groups) devices.insert(device);
    if (data_sets.empty()) return "";
    std::vector<TableColumn> columns{{"data set", Align::left}};
    for (const std::string& device : devices) {
        columns.push_back({device + ", Gcell/s"});
        columns.push_back({"fastest variant there", Align::left});
    }
    TextTable table(std::move(columns));
    for (const auto& [title, groups] : data_sets) {
        std::vector<std::string> cells{title.first};
        for (const std::string& device : devices) {
            const auto found = groups.find(device);
            const report::Row* best =
                found == groups.end() ? nullptr : &found->second->rows.front();
            cells.push_back(best ? rate(best->cells_per_second) : "-");
            cells.push_back(best ? best->variant : "-");
        }
        table.add(std::move(cells));
    }
    return table.html(
        {.caption = "Fastest variants of the same data set on several devices", .links = {}});
}

std::string home(const std::string& root) {
    return fmt::format("<a href=\"{}index.html\">All results</a>", root);
}

std::string link(const std::string& address, const std::string& text) {
    return fmt::format("<a href=\"{}\">{}</a>", address, escape_xml(text));
}

// Links above a page's title: the first page, the device there, and the same workload on others.
std::string links_above(const WorkloadPage& page, const std::vector<WorkloadPage>& pages) {
    std::string html =
        home("../") + ", " + link("../index.html#on-" + address_part(page.device), page.device);
    std::string others;
    for (const WorkloadPage& other : pages)
        if (other.workload == page.workload && other.path != page.path)
            others += (others.empty() ? "" : ", ") + link("../" + other.path, other.device);
    if (!others.empty()) html += fmt::format("; {} on {}", escape_xml(page.name()), others);
    return html;
}

// List of the pages with tables over size, over radius and of scaling.
std::string series_list(const std::vector<WorkloadPage>& pages) {
    struct Kind {
        const char* name;
        const char* part;  // id in the page
        std::string (*tables)(const Report&);
    };
    std::string html;
    for (const Kind& kind : {Kind{"Over size", "sizes", report::sizes_html},
                             Kind{"Over radius", "radius", report::radii_html},
                             Kind{"Scaling", "scaling", report::scalings_html}}) {
        std::vector<std::pair<std::string, std::string>> devices;  // with their links
        for (const WorkloadPage& page : pages) {
            if (kind.tables(page.part).empty()) continue;
            if (devices.empty() || devices.back().first != page.device)
                devices.emplace_back(page.device, "");
            std::string& links = devices.back().second;
            links += (links.empty() ? "" : ", ") +
                     link(fmt::format("{}#{}", page.path, kind.part), page.name());
        }
        for (const auto& [device, links] : devices)
            html += fmt::format("<li>{}, {}: {}</li>\n", kind.name, escape_xml(device), links);
    }
    return html.empty() ? "" : "<ul>\n" + html + "</ul>\n";
}

std::string section(const std::string& id, const std::string& heading, const std::string& content) {
    return fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
        "<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        id, escape_xml(heading), content);
}

std::string index_page(const SiteContent& content, const std::vector<WorkloadPage>& pages,
                       bool history) {
    std::string sections, menu;
    const auto add = [&](const std::string& id, const std::string& heading,
                         const std::string& text) {
        sections += section(id, heading, text);
        menu += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, escape_xml(heading));
    };
    std::string further =
        "<ul>\n<li><a href=\"published.html\">Published beside measured</a>: the conclusions of "
        "published tables, and what became of them on each card.</li>\n";
    if (history)
        further +=
            "<li><a href=\"history.html\">History</a>: data sets that were measured more than "
            "once, and what changed.</li>\n";
    if (!content.history.empty())
        further +=
            "<li><a href=\"commits.html\">Over commits</a>: each case over the commits of a "
            "history.</li>\n";
    add("further", "Questions and history", further + "</ul>\n");
    std::set<std::string> shown;
    for (const WorkloadPage& page : pages)
        if (shown.insert(page.device).second)
            add("on-" + address_part(page.device), page.device,
                device_table(pages, page.device, true) + device_table(pages, page.device, false));
    if (const std::string list = series_list(pages); !list.empty())
        add("series", "Over size, over radius, scaling", list);
    if (const std::string table = devices_table(content.report); !table.empty())
        add("devices", "Devices side by side", table);
    if (!content.damaged.empty()) {
        std::string list = "<ul>\n";
        for (const std::string& sentence : content.damaged)
            list += fmt::format("<li>{}</li>\n", escape_xml(sentence));
        add("left-out", "Files left out", list + "</ul>\n");
    }
    return tables_page(
        content.title, "", escape_xml(report::lead(content.report)),
        fmt::format("<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n{}", menu, sections), "");
}

// The page of published conclusions, and one for each table that was measured.
void add_published_pages(const SiteContent& content, std::vector<SiteFile>& files) {
    const auto cards = published::by_card(content.documents);
    std::string list = "<h2>All tables</h2>\n<ul>\n";
    for (const published::Table& table : published::tables())
        list += fmt::format("<li>{}: {}</li>\n",
                            link(fmt::format("published/{}.html", table.id), table.id),
                            escape_xml(table.title));
    list += "</ul>\n";
    files.push_back(
        {"published.html", tables_page("Published beside measured", home(""),
                                       "What became of the conclusions of published tables.",
                                       questions_page(cards, PageFormat::html) + list, "")});
    for (const published::Table& table : published::tables())
        files.push_back(
            {"published/" + table.id + ".html",
             tables_page(fmt::format("{}: {}", table.id, table.title), home("../"),
                         "<a href=\"../published.html\">All published conclusions</a>",
                         reproduction_page(reproduce(table, cards), PageFormat::html), "../")});
}

}  // namespace

std::vector<SiteFile> site_files(const SiteContent& content) {
    std::vector<SiteFile> files = shared_files();
    const std::vector<WorkloadPage> pages = workload_pages(content.report);
    std::string over_time = repetitions_html(content.report, changed_threshold);
    if (!content.history.empty())
        over_time += "<p><a href=\"commits.html\">Charts of each case over commits</a></p>\n" +
                     trends_html(content.history);
    files.push_back({"index.html", index_page(content, pages, !over_time.empty())});
    for (const WorkloadPage& page : pages)
        files.push_back(
            {page.path, charts_page(page.part, fmt::format("{} on {}", page.name(), page.device),
                                    links_above(page, pages), "../")});
    add_published_pages(content, files);
    if (!over_time.empty())
        files.push_back(
            {"history.html",
             tables_page("History", home(""),
                         "Data sets that were measured more than once, and cases over commits.",
                         over_time, "")});
    if (!content.history.empty()) {
        Report trends;
        trends.history = content.history;
        files.push_back({"commits.html", charts_page(trends, "Over commits", home(""), "")});
    }
    return files;
}

}  // namespace camber
