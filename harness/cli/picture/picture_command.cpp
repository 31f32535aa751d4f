#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "analysis/flow_statistics.hpp"
#include "analysis/map/lava_map.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "workloads/image/image.hpp"
#include "workloads/image/png.hpp"
#include "workloads/lava/event.hpp"

namespace camber {

namespace {

const std::vector<std::string> quantities = {"thickness", "temperature", "solidified"};

struct Options {
    std::string folder;
    std::string out = "lava.png";
    std::string show = "thickness";
    int scale = 1;
    bool crop = false;
};

double at(const std::vector<double>& raster, std::size_t i) {
    return raster.empty() ? 0 : raster[i];
}

// What a cell is coloured by; no number where there is nothing to show.
double shown(const lava::Event& event, const std::string& quantity, std::size_t i) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const double liquid = at(event.thickness, i);
    const double solid = at(event.solidified, i);
    if (quantity == "temperature") return liquid > 0 ? at(event.temperature, i) : nothing;
    const double value = quantity == "solidified" ? solid : liquid + solid;
    return value > 0 ? value : nothing;
}

map::LavaMap map_of(const lava::Event& event, const std::string& quantity) {
    map::LavaMap map;
    map.shape = {event.map.size.columns, event.map.size.rows};
    map.cell_side = event.map.cell_size;
    map.altitude = event.altitude;
    map.real = event.real;
    for (std::size_t i = 0; i < event.altitude.size(); ++i)
        map.values.push_back(shown(event, quantity, i));
    for (const lava::VentCell& vent : event.vents) map.vents.push_back({vent.row, vent.column});
    map.unit = quantity == "temperature" ? "K" : "m";
    if (quantity != "temperature") map.lowest = 0;
    return map;
}

// What the picture shows, in words.
std::string caption(const lava::Event& event, const map::LavaMap& map, const Options& options) {
    std::vector<std::uint8_t> lava;
    for (std::size_t i = 0; i < event.altitude.size(); ++i)
        lava.push_back(at(event.thickness, i) > 0 || at(event.solidified, i) > 0);
    const auto cells = std::ranges::count(lava, 1);
    const map::Scale scale = map::scale_of(map);
    std::string text = fmt::format(
        "{}: {}x{} cells of {} m, lava on {} cell{} ({:.3f} km2); {} from {:.4g} to {:.4g} {}; {} "
        "vent "
        "cells",
        event.prefix, map.shape.columns, map.shape.rows, map.cell_side, cells,
        cells == 1 ? "" : "s", static_cast<double>(cells) * map.cell_side * map.cell_side * 1e-6,
        options.show, scale.lowest, scale.highest, map.unit, map.vents.size());
    if (!map.real.empty())
        text += fmt::format("; outline: the real flow, fit {:.4f}", event_fit(map.real, lava));
    return text;
}

int run(const Options& options) {
    if (std::filesystem::path(options.out).extension() != ".png")
        throw Error(ExitCode::usage,
                    fmt::format("a picture is a PNG: end the name \"{}\" in .png", options.out));
    check_files({{"folder", options.folder}}, {{"--out", options.out}});
    const lava::Event event = lava::read_event(options.folder);
    const map::LavaMap map = map_of(event, options.show);
    const map::Window window = options.crop ? map::around_flow(map) : map::whole(map);
    if (std::int64_t{window.columns} * options.scale * window.rows * options.scale >
        max_image_pixels / 4)
        throw Error(ExitCode::usage,
                    fmt::format("--scale {} makes a picture of {}x{} pixels, which is too large: "
                                "choose a smaller scale or add --crop",
                                options.scale, std::int64_t{window.columns} * options.scale,
                                std::int64_t{window.rows} * options.scale));
    const map::Canvas canvas = map::draw(map, window, options.scale);
    const std::string words = caption(event, map, options);
    image::write_colour_png(
        options.out, {canvas.columns(), canvas.rows()},
        [&](int row, std::span<std::uint8_t> bytes) {
            for (int column = 0; column < canvas.columns(); ++column) {
                const map::Rgb pixel = canvas.at(column, row);
                const auto i = static_cast<std::size_t>(column) * 3;
                bytes[i] = pixel.red;
                bytes[i + 1] = pixel.green;
                bytes[i + 2] = pixel.blue;
            }
        },
        words);
    fmt::print("{}\npicture: {} ({}x{} pixels)\n", words, options.out, canvas.columns(),
               canvas.rows());
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_picture_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("picture", "A map of lava on shaded ground, as PNG");
    auto options = std::make_shared<Options>();
    command
        ->add_option("folder", options->folder,
                     "An eruption's folder, or one that camber run --save wrote")
        ->required();
    command->add_option("-o,--out", options->out, "File to write")->capture_default_str();
    command
        ->add_option("--show", options->show,
                     "What colours the lava: thickness (liquid and solid), temperature (of the "
                     "liquid) or solidified (thickness)")
        ->capture_default_str()
        ->check([](const std::string& name) {
            for (const std::string& known : quantities)
                if (name == known) return std::string();
            return fmt::format("'{}' is nothing to show{}", name, suggestion(name, quantities));
        });
    command->add_option("--scale", options->scale, "Pixels along each side of a cell")
        ->capture_default_str()
        ->check(CLI::Range(1, 64));
    command->add_flag("--crop", options->crop, "Only the flow and some ground around it");
    command->footer(
        "Examples:\n"
        "  camber run --workload sciara_fv2 --backend cpu --variant reference/serial \\\n"
        "             --input examples/eruption --generations 300 --save after\n"
        "  camber picture after --crop --scale 3 -o thickness.png\n"
        "  camber picture after --show temperature -o temperature.png");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace camber
