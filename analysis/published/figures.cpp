#include "analysis/published/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "harness/record/archive.hpp"
#include "harness/record/fields.hpp"

namespace camber::published {

namespace {

using results::FormError;
using results::Json;
using results::Reader;

// Values of the field "draws".
constexpr std::pair<std::string_view, Drawn> kinds_of_figures[] = {
    {"nothing", Drawn::nothing},
    {"steps_over_run", Drawn::steps_over_run},
    {"steps_over_lava", Drawn::steps_over_lava},
    {"useful_threads", Drawn::useful_threads},
    {"blocks", Drawn::blocks},
    {"kernels_over_run", Drawn::kernels_over_run},
    {"shares_over_run", Drawn::shares_over_run},
    {"kernel_shares", Drawn::kernel_shares},
    {"kernel_times", Drawn::kernel_times},
    {"hit_rates", Drawn::hit_rates},
    {"saved_over_size", Drawn::saved_over_size},
    {"over_core", Drawn::over_core},
    {"thresholds", Drawn::thresholds},
};

}  // namespace

void fields(Reader& a, StatedPoint& stated) {
    a("name", stated.name);
    a("note", stated.note);
    a.may("x", stated.x);
    a.may("y", stated.y);
    if (!stated.x && !stated.y)
        throw FormError("", fmt::format("'{}' states neither x nor y", stated.name));
}

void fields(Reader& a, FigureLine& line) {
    a("variant", line.variant);
    a("name", line.name);
    a.usual("kernel", line.kernel);
    a.usual("against", line.against);
}

void fields(Reader& a, PublishedFigure& figure) {
    a("id", figure.id);
    a("title", figure.title);
    a("place", figure.place);
    a("x", figure.x);
    a("y", figure.y);
    a.flag("logarithmic_x", figure.logarithmic_x);
    a.flag("logarithmic_y", figure.logarithmic_y);
    a("says", figure.says);
    a.usual("stated", figure.stated);
    std::string draws;
    a("draws", draws);
    const auto found =
        std::ranges::find(kinds_of_figures, draws, &std::pair<std::string_view, Drawn>::first);
    if (found == std::ranges::end(kinds_of_figures))
        throw FormError("/draws", fmt::format("'{}' is no quantity of a figure", draws));
    figure.drawn = found->second;
    a("workload", figure.workload);
    a.usual("size", figure.size);
    a.usual("cell", figure.cell);
    a.usual("lines", figure.lines);
    a.usual("cpu", figure.cpu);
    a.usual("measure", figure.measure);
}

std::vector<PublishedFigure> parse_figures(std::string_view text, const std::string& origin) {
    std::string place = "the start";
    const auto refuse = [&](const std::string& why) {
        return Error(ExitCode::usage,
                     fmt::format("{}, {}: no published figures: {}", origin, place, why));
    };
    try {
        const Json json = results::parse_json(text);
        std::vector<PublishedFigure> figures;
        if (!json.contains("figures")) return figures;
        for (const Json& one : json.at("figures")) {
            place = one.value("id", "a figure without id");
            results::read(one, figures.emplace_back());
            Reader(json.at("source"))("key", figures.back().source);
        }
        return figures;
    } catch (const FormError& error) {
        throw refuse(error.place() + ": " + error.what());
    } catch (const results::SyntaxError& error) {
        throw refuse(error.what());
    } catch (const Json::exception& error) {
        throw refuse(error.what());
    }
}

const std::vector<PublishedFigure>& figures() {
    static const std::vector<PublishedFigure> all = [] {
        std::vector<PublishedFigure> all;
        for (const auto& [name, text] : embedded_files())
            std::ranges::move(parse_figures(text, std::string(name)), std::back_inserter(all));
        return all;
    }();
    return all;
}

}  // namespace camber::published
