// Command `camber report`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/report.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/history/git.hpp"
#include "harness/cli/history/store.hpp"
#include "harness/cli/report/site.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "harness/measure/timeline_file.hpp"
#include "harness/page/page.hpp"
#include "harness/record/merge.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

namespace {

const std::vector<std::string> formats = {"html", "markdown", "latex",   "csv",
                                          "json", "data",     "bencher", "github-action-benchmark"};

struct ReportOptions {
    std::vector<std::string> files;
    std::vector<std::string> traces;
    std::string out;
    std::string format = "html";
    std::string title;
    std::string history;
    std::string repository;
    std::string site;
};

results::Document prepared(results::Document document) {
    say_incomplete(document);
    merge_repetitions(document);
    // A file of `camber ceilings --json` has no cases, but the ceilings of a device.
    if (document.ceilings && document.context.run) {
        Ceilings& ceilings = document.context.run->ceilings;
        document.ceilings->complete_from(ceilings);
        ceilings = *document.ceilings;
    }
    return document;
}

// Documents of a file, or of all results files in a folder.
std::vector<results::Document> read(const std::string& path) {
    std::vector<results::Document> documents;
    if (std::filesystem::is_directory(found_file(path)))
        documents = documents_in(path);
    else
        documents.push_back(results::read_document(path));
    for (results::Document& document : documents) document = prepared(std::move(document));
    return documents;
}

// Kernel modules define the technique families, which set colors. Only modules that are built are
// loaded, because colors are not worth a compilation.
report::Report report_of(const std::vector<results::Document>& documents) {
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            load_built_kernels(record.identity.workload);
    report::Report report = report::build_report(
        documents, [](std::string_view technique) { return family_of(registry(), technique); });
    report.figures = published::figures_beside(documents);
    return report;
}

std::vector<history::MachineTrend> trends(const ReportOptions& options) {
    if (options.history.empty()) return {};
    std::optional<GitRepository> repository;
    if (!options.repository.empty()) repository.emplace(options.repository);
    return trends_of(HistoryFolder(options.history), repository ? &*repository : nullptr, "", 0,
                     0.03);
}

// Documents of files and folders. What is wrong with unreadable files goes to `damaged`.
std::vector<results::Document> readable(const std::vector<std::string>& paths,
                                        std::vector<std::string>& damaged, Progress& progress) {
    progress.show(0, 3, "reading results files");
    std::vector<results::Document> documents;
    for (const std::string& path : paths) {
        if (std::filesystem::is_directory(found_file(path)))
            std::ranges::move(documents_in(path, &damaged), std::back_inserter(documents));
        else
            try {
                documents.push_back(results::read_document(path));
            } catch (const Error& error) {
                damaged.push_back(sentence(error));
            }
    }
    progress.clear();
    for (results::Document& document : documents) document = prepared(std::move(document));
    return documents;
}

int write_site(const ReportOptions& options) {
    if (options.files.empty())
        throw Error(ExitCode::usage, "a site needs results: name results files or folders of them");
    if (!options.out.empty() || !options.traces.empty() || options.format != "html")
        throw Error(ExitCode::usage, fmt::format("--site writes a folder of pages: leave out {}",
                                                 !options.out.empty()      ? "--out"
                                                 : !options.traces.empty() ? "--trace"
                                                                           : "--format"));
    if (!can_write_page()) html_page({}, "");  // throws
    const SiteFolder folder(options.site);
    SiteContent content;
    content.title = options.title.empty() ? "Results of camber" : options.title;
    Progress progress;
    content.documents = readable(options.files, content.damaged, progress);
    for (const std::string& damage : content.damaged) say_error("left out: " + damage);
    progress.show(1, 3, "comparing cases");
    content.report = report_of(content.documents);
    if (content.report.groups.empty() && content.report.scalings.empty())
        throw Error(ExitCode::usage,
                    "the files hold no case to report: give files that camber run --out wrote");
    content.history = trends(options);
    progress.show(2, 3, "writing pages");
    const SiteSize size = folder.write(content);
    progress.clear();
    fmt::print("site: {} ({} files, {:.1f} MB, {} written): open {}\n", options.site, size.files,
               static_cast<double>(size.bytes) * 1e-6, size.changed,
               (std::filesystem::path(options.site) / "index.html").string());
    return static_cast<int>(ExitCode::success);
}

std::string text_of(const ReportOptions& options, const report::Report& report,
                    const std::vector<results::Document>& documents) {
    if (options.format == "markdown") return to_markdown(report);
    if (options.format == "latex") return to_latex(report);
    if (options.format == "csv") return to_csv(report);
    if (options.format == "json") return to_json(report);
    if (options.format == "data") return report_data(report);
    if (options.format == "bencher") return report::to_bencher(documents);
    if (options.format == "github-action-benchmark")
        return report::to_github_action_benchmark(documents);
    std::string title = options.title;
    if (title.empty()) {
        title = "camber report";
        if (report.devices.size() == 1) title += ": " + report.devices.front();
        if (report.groups.empty() && !report.history.empty()) title = "camber history";
    }
    return html_page(report, title);
}

int run(const ReportOptions& options) {
    if (!options.site.empty()) return write_site(options);
    const bool html = options.format == "html";
    if (options.files.empty() && options.history.empty())
        throw Error(ExitCode::usage,
                    "there is nothing to report: name results files, or a history with --history");
    if (html && options.out.empty())
        throw Error(ExitCode::usage,
                    "an HTML report needs a file to go to: add -o report.html, or choose --format "
                    "markdown, latex, csv or json to print tables");
    if (!html && !options.history.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--history is drawn in HTML reports: leave it out with --format {}, "
                                "or print it with camber history show",
                                options.format));
    if (options.history.empty() && !options.repository.empty())
        throw Error(ExitCode::usage,
                    "--repository orders the commits of a history: name one with --history");
    const bool printed = options.out.empty() || options.out == "-";
    if (!html && options.format != "data" && !options.traces.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--trace is drawn in HTML reports: leave it out with --format {}",
                                options.format));
    std::vector<NamedFile> inputs = named(options.files);
    for (const std::string& trace : options.traces) inputs.push_back({"--trace", trace});
    if (!printed) check_files(inputs, {{"--out", options.out}});
    std::vector<results::Document> documents;
    for (const std::string& path : options.files)
        std::ranges::move(read(path), std::back_inserter(documents));
    report::Report report = report_of(documents);
    for (const std::string& trace : options.traces)
        std::ranges::move(results::read_trace(trace), std::back_inserter(report.timelines));
    report.history = trends(options);
    if (report.groups.empty() && report.scalings.empty() && report.history.empty())
        throw Error(ExitCode::usage,
                    "the files hold no case to report: give files that camber run --out wrote");
    if (printed) {
        const std::string text = text_of(options, report, documents);
        print_verbatim(text);
        return static_cast<int>(ExitCode::success);
    }
    AtomicFile file(options.out, "report");
    const std::string text = text_of(options, report, documents);
    file.replace(text);
    fmt::print("report: {} ({:.1f} MB)\n", options.out, static_cast<double>(text.size()) * 1e-6);
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_report_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("report", "A page of charts and tables from results files");
    auto options = std::make_shared<ReportOptions>();
    command
        ->add_option("files", options->files,
                     "Results files of camber or Google Benchmark, or folders of them");
    command->add_option("-o,--out", options->out,
                        "File to write; - for standard output, the default for tables");
    command
        ->add_option("--trace", options->traces,
                     "Trace that camber run --trace wrote, for the timeline; repeatable")
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        ->add_option("--history", options->history,
                     "Folder of camber history: each case over commits, in HTML")
        ->type_name("DIR")
        ->check(not_empty);
    command
        ->add_option("--repository", options->repository,
                     "Repository whose history orders the commits; else their times do")
        ->type_name("DIR")
        ->check(not_empty);
    command->add_option("--format", options->format, "What to make")
        ->type_name(
            "TEXT:{html,markdown,latex,csv,json,data,bencher,github-action-benchmark}")
        ->capture_default_str()
        ->check([](const std::string& format) {
            for (const std::string& known : formats)
                if (format == known) return std::string();
            return fmt::format("'{}' is no format{}", format, suggestion(format, formats));
        });
    command->add_option("--title", options->title, "Title of the HTML page");
    command
        ->add_option("--site", options->site,
                     "Folder for a site of HTML pages, one per device and workload; unreadable "
                     "files are named and left out")
        ->type_name("DIR")
        ->check(not_empty);
    command->footer(
        "Examples:\n"
        "  camber report camber-results.json -o report.html    one page, complete in itself\n"
        "  camber report results/h200 -o report.html           all files of a folder\n"
        "  camber report camber-results.json --trace timeline.json -o report.html\n"
        "                                                      with the timeline of a run\n"
        "  camber report camber-results.json --format markdown ranked tables, for a README\n"
        "  camber report *.json --format latex -o tables.tex   for \\input; needs booktabs,\n"
        "                                                      longtable\n"
        "  camber report *.json --format csv                   one line per case, all figures; "
        "times\n"
        "                                                      are ns per generation\n"
        "  camber report *.json --format json                  the same as an array of objects\n"
        "  camber report *.json --format data                  the data of the page's charts\n"
        "  camber report --history history -o trend.html       each case over commits\n"
        "  camber report results --site pages                  a site: open pages/index.html\n"
        "  camber report *.json --format bencher               for bencher run --adapter json\n"
        "  camber report *.json --format github-action-benchmark -o benchmarks.json\n"
        "                                                      its tool customSmallerIsBetter");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace camber
