#include "harness/cli/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "harness/base/number_text.hpp"
#include "harness/cli/common/flow_notes.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

std::string percent(const Json& share) {
    return share.is_null() ? "-" : camber::percent(share.get<double>());
}

std::string times(const Json& speedup) {
    return speedup.is_null() ? "-" : fmt::format("{:.2f}x", speedup.get<double>());
}

// The variant, and the conditions where they are not the usual ones.
std::string title(const Json& benchmark) {
    const Json& camber = benchmark["camber"];
    std::string title = camber["variant"];
    if (camber["cache"] == "cold") title += ", cold";
    if (camber["submission"] == "graph") title += ", graph";
    return title;
}

std::string_view verified(const Json& benchmark) {
    const Json& verification = benchmark["camber"]["verification"];
    if (verification["status"] != "passed") return "no";
    return verification.value("method", "cells") == "statistics" ? "by statistics" : "yes";
}

double time_of(const Json& benchmark) {
    return benchmark["real_time"];
}

// One element per case, in order of first appearance.
std::vector<const Json*> middles(const Json& document) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const Json*>> repetitions;
    for (const Json& benchmark : document["benchmarks"]) {
        if (!benchmark.contains("camber")) continue;
        auto& same = repetitions[benchmark["run_name"]];
        if (same.empty()) order.push_back(benchmark["run_name"]);
        same.push_back(&benchmark);
    }
    std::vector<const Json*> middle;
    for (const std::string& name : order) {
        auto& same = repetitions[name];
        std::ranges::stable_sort(same, {}, [](const Json* b) { return time_of(*b); });
        middle.push_back(same[same.size() / 2]);
    }
    return middle;
}

// Whether the bytes that the variant's own steps must move differ from the algorithm's.
bool steps_differ(const Json& derived) {
    if (!derived.contains("step_bytes_per_cell")) return false;
    const double needed = derived["application_bandwidth_bytes_per_second"];
    const double by_steps =
        derived["step_bytes_per_cell"].get<double>() * derived["cells_per_second"].get<double>();
    constexpr double rounding = 1e-9;
    return std::abs(by_steps - needed) > rounding * needed;
}

// Whether only some of the board's cells have something to compute, so that cells per second say
// less than generations do.
bool counts_generations(const Json& benchmark) {
    const Json& camber = benchmark["camber"];
    if (!camber["derived"].contains("generations_per_second") || !camber.contains("final"))
        return false;
    const Json& final = camber["final"];
    return final.contains("account") && final["account"].contains("active_share");
}

// Bandwidth by those bytes as a share of the copy; "-" where it is not known.
std::string steps_of_copy(const Json& derived) {
    return derived.contains("step_share_of_copy") ? percent(derived["step_share_of_copy"]) : "-";
}

std::string timed_table(std::vector<const Json*> cases, std::size_t width, const Json& ceilings) {
    std::string out;
    const auto line = std::back_inserter(out);
    std::ranges::stable_sort(cases, {}, [](const Json* b) { return time_of(*b); });
    const bool with_steps = std::ranges::any_of(
        cases, [](const Json* b) { return steps_differ((*b)["camber"]["derived"]); });
    const auto steps = [&](const std::string& text) {
        return with_steps ? fmt::format("  {:>7}", text) : std::string();
    };
    const bool with_rate =
        std::ranges::any_of(cases, [](const Json* b) { return counts_generations(*b); });
    const auto rate = [&](const std::string& text) {
        return with_rate ? fmt::format("  {:>8}", text) : std::string();
    };
    const auto rate_of = [](const Json& derived) {
        return derived.contains("generations_per_second")
                   ? fmt::format("{:.1f}", derived["generations_per_second"].get<double>())
                   : std::string("-");
    };
    fmt::format_to(line, "{:>4}  {:<{}}  {:>12}{}  {:>9}  {:>9}  {:>7}{}  {:>8}  {}\n", "rank",
                   "variant", width, "time/gen", rate("gen/s"), "Gcell/s", "app GB/s", "of copy",
                   steps("steps"), "speedup", "verified");
    int rank = 0;
    for (const Json* benchmark : cases) {
        const Json& derived = (*benchmark)["camber"]["derived"];
        fmt::format_to(line, "{:>4}  {:<{}}  {:>12}{}  {:>9.2f}  {:>9.1f}  {:>7}{}  {:>8}  {}\n",
                       ++rank, title(*benchmark), width, duration(time_of(*benchmark)),
                       rate(rate_of(derived)), derived["cells_per_second"].get<double>() * 1e-9,
                       derived["application_bandwidth_bytes_per_second"].get<double>() * 1e-9,
                       percent(derived["share_of_copy"]), steps(steps_of_copy(derived)),
                       times(derived["speedup_vs_baseline"]), verified(*benchmark));
    }
    for (const Json* benchmark : cases) {
        const Json& camber = (*benchmark)["camber"];
        if (camber.contains("device_state") && !camber["device_state"]["clock_fall"].is_null())
            fmt::format_to(line, "slowed while measured: {}: {}\n", title(*benchmark),
                           camber["device_state"]["clock_fall"].get<std::string>());
    }
    if (ceilings.contains("copy_bytes_per_second"))
        fmt::format_to(line, "copy bandwidth of this device: {:.1f} GB/s (read + written)\n",
                       ceilings["copy_bytes_per_second"].get<double>() * 1e-9);
    return out;
}

std::string untimed_table(const std::vector<const Json*>& cases, std::size_t width) {
    std::string out;
    const auto line = std::back_inserter(out);
    fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", "variant", width, "gen/run",
                   "cells compared", "verified");
    for (const Json* benchmark : cases) {
        const Json& camber = (*benchmark)["camber"];
        fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", title(*benchmark), width,
                       camber["generations_per_launch"].get<int>(),
                       camber["verification"]["compared_cells"].get<std::int64_t>(),
                       verified(*benchmark));
    }
    out +=
        "The simt backend executes kernels thread by thread on the CPU to check them: its times "
        "say nothing about a GPU and are not shown.\n";
    return out;
}

}  // namespace

std::string ranking(const Json& document) {
    const std::vector<const Json*> cases = middles(document);
    std::size_t width = 7;
    for (const Json* benchmark : cases) width = std::max(width, title(*benchmark).size());

    std::vector<const Json*> ok;
    std::ranges::copy_if(cases, std::back_inserter(ok), [](const Json* benchmark) {
        return (*benchmark)["camber"]["status"] == "ok";
    });
    std::string out;
    if (!ok.empty())
        out = (*ok.front())["camber"]["backend"] == "simt"
                  ? untimed_table(ok, width)
                  : timed_table(ok, width, document["context"]["camber"]["ceilings"]);
    out += flow_notes(ok);
    for (const auto& [status, heading] : {std::pair("failed", "FAILED"), {"skipped", "skipped"}})
        for (const Json* benchmark : cases)
            if ((*benchmark)["camber"]["status"] == status)
                out += fmt::format("{} {}: {}\n", heading, title(*benchmark),
                                   (*benchmark)["camber"]["reason"].get<std::string>());
    return out;
}

int cases_with(const Json& document, const std::string& status) {
    return static_cast<int>(std::ranges::count_if(document["benchmarks"], [&](const Json& b) {
        return b.contains("camber") && b["camber"]["status"] == status;
    }));
}

}  // namespace camber
