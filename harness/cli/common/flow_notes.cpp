#include "harness/cli/common/flow_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace camber {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* name) {
    return json[name].get<double>();
}

// " (at most 0.01)" where there is such a limit.
std::string limit(const Json& limits, const char* name, const char* bound) {
    return limits.contains(name) ? fmt::format(" ({} {:.3g})", bound, number(limits, name)) : "";
}

std::string figures(const Json& statistics, const Json& limits) {
    std::string text = fmt::format(
        "Jaccard {:.4f}{}, {:.1f} % of cells within 10 %, largest difference {:.3g} m{}, {} cells "
        "differ",
        number(statistics, "jaccard"), limit(limits, "jaccard", "at least"),
        100 * number(statistics, "share_within_10_percent"),
        number(statistics, "largest_difference"), limit(limits, "largest_difference", "at most"),
        statistics["differing_cells"].get<std::int64_t>());
    if (statistics.contains("mass_error"))
        text += fmt::format(", mass error {:.2g}{}", number(statistics, "mass_error"),
                            limit(limits, "mass_error", "at most"));
    else
        text += fmt::format(", masses by {:.2g}", number(statistics, "mass_difference"));
    if (statistics.contains("time_difference"))
        text += fmt::format(", times by {:.2g}{}", number(statistics, "time_difference"),
                            limit(limits, "time_difference", "at most"));
    return text;
}

std::string fit_notes(const std::vector<const Json*>& cases) {
    std::vector<std::pair<std::string, double>> fits;
    for (const Json* benchmark : cases) {
        const Json& camber = (*benchmark)["camber"];
        const Json statistics = camber["verification"].value("statistics", Json::object());
        if (statistics.contains("event_fit"))
            fits.emplace_back(camber["variant"], number(statistics, "event_fit"));
    }
    if (fits.empty()) return "";
    const auto line = [](double fit, const std::string& of) {
        return fmt::format(
            "fit with the real event: {:.4f}{} (cells that both cover / cells that either "
            "covers)\n",
            fit, of);
    };
    const bool same = std::ranges::all_of(
        fits, [&](const auto& fit) { return fit.second == fits.front().second; });
    if (same) return line(fits.front().second, "");
    std::string text;
    for (const auto& [variant, fit] : fits) text += line(fit, ", " + variant);
    return text;
}

}  // namespace

bool decided_by_statistics(const Json& benchmark) {
    return benchmark["camber"]["verification"].value("method", "cells") == "statistics";
}

std::string flow_notes(const std::vector<const Json*>& cases) {
    std::string text;
    for (const Json* benchmark : cases) {
        const Json& camber = (*benchmark)["camber"];
        const Json& verification = camber["verification"];
        const std::string variant = camber["variant"];
        if (decided_by_statistics(*benchmark))
            text += fmt::format("verified by statistics: {}: {}\n", variant,
                                figures(verification["statistics"], verification["limits"]));
        if (verification.contains("spread"))
            text += fmt::format("spread of {} runs: {}: {}\n",
                                verification["spread"]["runs"].get<int>(), variant,
                                figures(verification["spread"], Json::object()));
    }
    return text + fit_notes(cases);
}

}  // namespace camber
