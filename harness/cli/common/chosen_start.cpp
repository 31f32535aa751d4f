#include "harness/cli/common/chosen_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/size_list.hpp"
#include "workloads/core/eruption.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

// Throws where random cells are asked for, and the input leaves none.
void check_randomness(const RunOptions& options, const Workload& workload) {
    if (options.input.empty() || workload.facts().random_on_input) return;
    const bool adds = workload.eruption() && options.density.value_or(0) > 0;
    if (options.density && !workload.eruption())
        throw Error(
            ExitCode::usage,
            fmt::format("--density applies to a random board, and {} brings every cell: leave "
                        "out --density or --input",
                        options.input));
    if (options.seed && !adds)
        throw Error(
            ExitCode::usage,
            fmt::format("--seed applies to a random board, and {} brings every cell: leave out "
                        "--seed or --input{}",
                        options.input, workload.eruption() ? ", or add lava with --density" : ""));
}

// NAME=NUMBER[,NUMBER...]
ParameterSet chosen_parameters(const RunOptions& options, const Workload& workload,
                               const InitialConditions& conditions) {
    if (!conditions.rule.empty() && workload.facts().usual_rule.empty())
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has one rule, and --rule {} chooses another: leave it "
                                "out",
                                workload.name(), conditions.rule));
    ParameterSet parameters = workload.parameters_for(conditions);
    std::set<std::string_view> given;
    for (const std::string& text : options.parameters) {
        const auto equals = text.find('=');
        std::vector<double> values;
        bool valid = equals != std::string::npos;
        for (std::size_t start = equals + 1; valid && start <= text.size();) {
            const std::size_t end = std::min(text.find(',', start), text.size());
            double value = 0;
            const auto [stop, error] =
                std::from_chars(text.data() + start, text.data() + end, value);
            valid = error == std::errc() && stop == text.data() + end && std::isfinite(value);
            values.push_back(value);
            start = end + 1;
        }
        if (!valid)
            throw Error(ExitCode::usage,
                        fmt::format("parameter '{}' is not NAME=NUMBER[,NUMBER...]: write for "
                                    "example --param sigma=1.5",
                                    text));
        const std::string_view name = std::string_view(text).substr(0, equals);
        if (!given.insert(name).second)
            throw Error(ExitCode::usage,
                        fmt::format("parameter '{}' is given twice: leave out one", name));
        parameters.set(name, std::move(values));
    }
    return parameters;
}

}  // namespace

Size chosen_tiles(const RunOptions& options, const Workload& workload) {
    constexpr std::int64_t most = 1 << 15;
    if (options.tiles.empty()) return {1, 1};
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(options.tiles, 'x', columns, rows) || columns < 1 || rows < 1 ||
        columns > most || rows > most)
        throw Error(ExitCode::usage,
                    fmt::format("--tile {} is not COLUMNSxROWS: write for example --tile 8x11",
                                options.tiles));
    if (!workload.eruption() || options.input.empty())
        throw Error(
            ExitCode::usage,
            "--tile repeats an eruption's ground: give an eruption's folder with --input and "
            "a workload of lava");
    if (!options.save.empty())
        throw Error(ExitCode::usage,
                    "--save cannot write a board that --tile has repeated: leave out one of the "
                    "two");
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

void check_ground(const RunOptions& options, const Workload& workload) {
    const bool input = !options.input.empty();
    if (options.refinement > 1 && (!workload.eruption() || !input))
        throw Error(ExitCode::usage,
                    "--refine divides the cells of an eruption: give its folder with --input and a "
                    "workload of lava");
    if (options.ground.empty()) return;
    if (!workload.eruption())
        throw Error(ExitCode::usage,
                    fmt::format("--ground applies to lava, and workload {} has none: leave it out",
                                workload.name()));
    if (input)
        throw Error(
            ExitCode::usage,
            fmt::format("--ground applies to a run without files, and {} brings its ground: "
                        "leave out one of the two",
                        options.input));
}

void choose_start(Study& study, const RunOptions& options) {
    const Workload& workload = *study.workload;
    study.initial.size = study.problem.size;
    study.initial.cell = study.problem.cell;
    study.initial.rule = options.rule;
    study.initial.seed = options.seed.value_or(1);
    study.initial.refinement = options.refinement;
    study.initial.ground = options.ground == "plane" ? Ground::plane : Ground::volcano;
    study.initial.density =
        options.density.value_or(study.initial.ground == Ground::plane ? 0 : 0.5);
    if (!(study.initial.density >= 0 && study.initial.density <= 1))  // neither is "nan"
        throw Error(ExitCode::usage, fmt::format("density {} is no share of the cells: choose a "
                                                 "number from 0 to 1",
                                                 study.initial.density));
    if (!options.input.empty()) study.initial.input = options.input;
    check_randomness(options, workload);
    study.initial.tiles = chosen_tiles(options, workload);
    if (study.initial.input && workload.eruption())
        study.initial.added_density = options.density.value_or(0);
    if (!options.at.empty()) {
        if (options.input.empty())
            throw Error(ExitCode::usage, "--at places a pattern: give the file with --input");
        std::int64_t column = 0;
        std::int64_t row = 0;
        if (!parse_pair(options.at, ',', column, row))
            throw Error(ExitCode::usage,
                        fmt::format("place '{}' is not COLUMN,ROW: write for example --at 10,20",
                                    options.at));
        study.initial.input_at = {column, row};
    }
    study.problem.parameters = chosen_parameters(options, workload, study.initial);
    if (const ParameterStart* start = parameter_start(workload)) {
        if (!options.size.empty() && !options.parameters.empty() &&
            start->size_for(workload.parameters_for(study.initial)) !=
                start->size_for(study.problem.parameters))
            throw Error(ExitCode::usage,
                        fmt::format("--size {} and these parameters ask for different numbers of "
                                    "particles: leave out --size",
                                    options.size));
        study.problem.size = study.initial.size = start->size_for(study.problem.parameters);
    }
}

}  // namespace camber
