// Command `camber picture`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "analysis/flow_statistics.hpp"
#include "analysis/map/views.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "workloads/image/image.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/particles/sph/particle_file.hpp"

namespace camber {

namespace {

const std::vector<std::string> of_lava = {"thickness", "temperature", "solidified"};
const std::vector<std::string> of_particles = {"speed", "pressure"};
const std::vector<std::string> shown_quantities = {"thickness", "temperature", "solidified",
                                                   "speed", "pressure"};

struct PictureOptions {
    std::string folder;
    std::string out = "lava.png";
    std::string show;  // "": the first of what there is to show
    int scale = 0;     // 0: 1 for lava, 4 for particles
    bool crop = false;
};

double at(const std::vector<double>& raster, std::size_t i) {
    return raster.empty() ? 0 : raster[i];
}

// Value that determines a cell's color; NaN if there is nothing to show.
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

// Description of the picture.
std::string caption(const lava::Event& event, const map::LavaMap& map,
                    const PictureOptions& options) {
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

// Value of --show, which must be one of the `known` shown_quantities.
std::string chosen(const PictureOptions& options, const std::vector<std::string>& known) {
    if (options.show.empty()) return known.front();
    if (std::ranges::find(known, options.show) != known.end()) return options.show;
    throw Error(ExitCode::usage,
                fmt::format("there is no {} to show in \"{}\": choose {}", options.show,
                            options.folder, fmt::join(known, " or ")));
}

void check_pixels(int scale, std::int64_t columns, std::int64_t rows, const char* remedy) {
    if (columns * rows > max_image_pixels / 4)
        throw Error(ExitCode::usage,
                    fmt::format("--scale {} makes a picture of {}x{} pixels, which is too large: "
                                "{}",
                                scale, columns, rows, remedy));
}

void write_picture(const map::Canvas& canvas, const std::string& path, const std::string& words) {
    image::write_colour_png(
        path, {canvas.columns(), canvas.rows()},
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
    fmt::print("{}\npicture: {} ({}x{} pixels)\n", words, path, canvas.columns(), canvas.rows());
}

// Draws particles from the side.
int run_on_particles(const PictureOptions& options) {
    const std::string quantity = chosen(options, of_particles);
    const std::vector<sph::SavedParticle> particles = sph::read_particles(options.folder);
    map::SideView view;
    double nearest = std::numeric_limits<double>::infinity();
    double length = 0, height = 0;
    std::int64_t water = 0;
    for (const sph::SavedParticle& p : particles) {
        const double speed = std::sqrt(p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
        view.dots.push_back(
            {p.x, p.y, p.z, quantity == "speed" ? speed : p.pressure / 1000, p.kind == 0});
        water += p.kind == 0 ? 1 : 0;
        length = std::max(length, p.x);
        height = std::max(height, p.z);
        // The first two particles of a lattice are neighbors.
        const double way = std::hypot(p.x - particles.front().x, p.y - particles.front().y,
                                      p.z - particles.front().z);
        if (way > 0) nearest = std::min(nearest, way);
    }
    view.spacing = std::isfinite(nearest) ? nearest : 1;
    const int scale = options.scale > 0 ? options.scale : 4;
    check_pixels(scale, std::llround(length / view.spacing + 1) * scale,
                 std::llround(height / view.spacing + 1) * scale, "choose a smaller scale");
    const map::ValueRange range = map::range_of(view);
    write_picture(map::draw(view, scale), options.out,
                  fmt::format("{} particles, {} of them water, from the side; {} from {:.4g} to "
                              "{:.4g} {}",
                              particles.size(), water, quantity, range.lowest, range.highest,
                              quantity == "speed" ? "m/s" : "kPa"));
    return static_cast<int>(ExitCode::success);
}

int run(PictureOptions options) {
    if (std::filesystem::path(options.out).extension() != ".png")
        throw Error(ExitCode::usage,
                    fmt::format("a picture is a PNG: end the name \"{}\" in .png", options.out));
    check_files({{"folder", options.folder}}, {{"--out", options.out}});
    if (sph::is_particle_path(options.folder)) return run_on_particles(options);
    options.show = chosen(options, of_lava);
    options.scale = std::max(1, options.scale);
    const lava::Event event = lava::read_event(options.folder);
    const map::LavaMap map = map_of(event, options.show);
    const map::Window window = options.crop ? map::around_flow(map) : map::whole(map);
    check_pixels(options.scale, std::int64_t{window.columns} * options.scale,
                 std::int64_t{window.rows} * options.scale, "choose a smaller scale or add --crop");
    const map::Canvas canvas = map::draw(map, window, options.scale);
    write_picture(canvas, options.out, caption(event, map, options));
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_picture_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("picture", "Lava on shaded ground, or particles from the side, as PNG");
    auto options = std::make_shared<PictureOptions>();
    command
        ->add_option(
            "folder", options->folder,
            "An eruption's folder or a .vtk or .csv file of particles, as camber run --save "
            "writes them")
        ->required();
    command->add_option("-o,--out", options->out, "File to write")->capture_default_str();
    command
        ->add_option(
            "--show", options->show,
            "What colours the lava: thickness (liquid and solid; the default), temperature (of "
            "the liquid) or solidified (thickness); or particles: speed (the default) or "
            "pressure")
        ->check([](const std::string& name) {
            for (const std::string& known : shown_quantities)
                if (name == known) return std::string();
            return fmt::format("'{}' is nothing to show{}", name,
                               suggestion(name, shown_quantities));
        });
    command
        ->add_option("--scale", options->scale,
                     "Pixels along each side of a cell (default 1) or of a particle (default 4)")
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
