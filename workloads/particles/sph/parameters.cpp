#include "workloads/particles/sph/parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/slices.hpp"

namespace camber::sph {

namespace {

// Spacings of the published runs, and coarser ones for checks.
constexpr double usual_spacings[] = {0.08, 0.04, 0.02, 0.008, 0.005};

// Maximum list length per particle: more than any run needs; lists for a million particles still
// fit in memory.
constexpr int most_listed = 2048;

[[noreturn]] void refuse(const char* name, double value, std::string_view wanted) {
    throw Error(ExitCode::usage,
                fmt::format("parameter {} = {} is impossible: give {}", name, value, wanted));
}

bool is_whole(double value, double least, double most) {
    return value >= least && value <= most && value == std::floor(value);
}

}  // namespace

std::string_view name_of(Scene scene) {
    switch (scene) {
        case Scene::dam_break:
            return "DamBreak3D";
        case Scene::bore:
            return "BoreInABox";
        case Scene::bore_corridor:
            return "BoreInABox with a corridor";
        case Scene::still_water:
            return "still water";
        case Scene::falling_block:
            return "a falling block";
        case Scene::tall_column:
            break;
    }
    return "Martin and Moyce's column";
}

std::vector<ParameterInfo> parameters() {
    const Settings usual;
    const Sharing sharing;
    return {
        {"dp", {usual.dp}, "m", "spacing of particles; by default as --size allows"},
        {"alpha", {usual.alpha}, "", "artificial viscosity; the source's is 4, with cfl=0.2"},
        {"cfl", {usual.cfl}, "", "share of the longest stable step"},
        {"nu", {usual.nu}, "m^2/s", "kinematic viscosity"},
        {"time",
         {usual.time},
         "s",
         "simulated time at which a run ends, in place of --generations; 0: not by time"},
        {"scene",
         {0},
         "",
         "0 DamBreak3D, 1 BoreInABox, 2 with its corridor, 3 still water, 4 a falling block, "
         "5 the column of Martin and Moyce"},
        {"rebuild", {1.0 * usual.rebuild}, "", "iterations that share a list of neighbours"},
        {"skin",
         {usual.skin},
         "",
         "reach of lists beyond 2h, in ways that two particles go at a tenth of the speed of "
         "sound until the next list; 1: no pair is missed"},
        {"balance_threshold",
         {sharing.balance_threshold},
         "",
         "as --balance-threshold: imbalance without a move, in times of a slice; 0: adaptive"},
        {"divide_by",
         {0},
         "",
         "as --divide-by: GPUs share the work (0), particles (1) or those at the start (2)"},
        {"divide_along",
         {0},
         "",
         "as --divide-along: axis of the slices, 1, 2 or 3 for x, y or z; 0: fewest particles"}};
}

Settings settings_of(const ParameterSet& set) {
    constexpr int most_iterations = 1'000'000;
    const auto checked = [&](const char* name, double least, double most, const char* wanted) {
        const double value = set.value(name);
        if (!(value >= least && value <= most)) refuse(name, value, wanted);
        return value;
    };
    Settings settings;
    settings.dp = set.value("dp");
    if (!(settings.dp > 0)) refuse("dp", settings.dp, "a length above 0");
    settings.alpha = checked("alpha", 0, 1e3, "a number from 0 to 1000");
    settings.cfl = set.value("cfl");
    if (!(settings.cfl > 0 && settings.cfl <= 1)) refuse("cfl", settings.cfl, "a share above 0");
    settings.nu = checked("nu", 0, 1, "a number from 0 to 1");
    settings.time = checked("time", 0, 1e3, "seconds from 0 to 1000");
    const double scene = set.value("scene");
    if (!is_whole(scene, 0, static_cast<int>(Scene::tall_column)))
        refuse("scene", scene,
               "0 for DamBreak3D, 1 or 2 for BoreInABox, 3 for still water, 4 for a falling "
               "block or 5 for the column of Martin and Moyce");
    settings.scene = static_cast<Scene>(static_cast<int>(scene));
    const double rebuild = set.value("rebuild");
    if (!is_whole(rebuild, 1, most_iterations))
        refuse("rebuild", rebuild, "a whole number from 1 to 1000000");
    settings.rebuild = static_cast<int>(rebuild);
    settings.skin = checked("skin", 0, 10, "a number from 0 to 10");
    static_cast<void>(sharing_of(set));
    if (list_capacity(settings) > most_listed)
        refuse("skin", settings.skin,
               fmt::format("a smaller one, or a smaller rebuild: lists would hold more than {} "
                           "neighbours",
                           most_listed));
    return settings;
}

double usual_spacing(std::int64_t cells) {
    double found = usual_spacings[0];
    for (const double dp : usual_spacings)
        if (4 * particle_count({.dp = dp}) <= cells) found = dp;
    return found;
}

double spacing_of_more(const Settings& settings, double times) {
    constexpr double tolerated = 0.01;
    // Resolution of the spacing, a tenth of a micrometer: much finer than the change that adds a
    // particle along an edge.
    constexpr double grain = 1e-7;
    const double wanted = times * static_cast<double>(particle_count(settings));
    // The number of fluid particles grows with the cube of 1/dp, that of walls with the square.
    const double low = settings.dp * std::pow(times, -0.5) * 0.9;
    const double high = settings.dp * std::pow(times, -1.0 / 3) * 1.1;
    constexpr int steps = 4000;
    double found = settings.dp;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= steps; ++i) {
        Settings other = settings;
        other.dp = std::round((low + (high - low) * i / steps) / grain) * grain;
        const double off = std::abs(static_cast<double>(particle_count(other)) / wanted - 1);
        if (off >= least) continue;
        least = off;
        found = other.dp;
    }
    if (least > tolerated)
        throw Error(ExitCode::usage,
                    fmt::format("no spacing gives {:g} times the {} particles of dp = {} m within "
                                "1 %: give a smaller dp",
                                times, particle_count(settings), settings.dp));
    return found;
}

namespace {

// Dimensions of the public scene DamBreak3D (Rustico 2012, section 4.8.2).
constexpr Point box{1.6, 0.67, 0.6};
constexpr double column = 0.4;  // length of the water column, m
constexpr Point obstacle{0.9, 0.24, 0};
constexpr double obstacle_side = 0.12;
constexpr double tank = 0.4;         // side of the still water's tank and of the falling block, m
constexpr double fall_height = 0.4;  // height of the block's lower side, m
// Martin and Moyce 1952: a column twice as high as long, in a channel of constant width.
constexpr Point channel{1.6, 0.2, 0.6};
constexpr double tall_column_length = 0.2;

// Number of whole spacings in a length. The small term keeps 0.4 / 0.005 from becoming 79.
std::int64_t whole_spacings(double length, double dp) {
    return static_cast<std::int64_t>(std::floor(length / dp + 1e-6));
}
std::int64_t nearest_spacings(double length, double dp) {
    return static_cast<std::int64_t>(std::floor(length / dp + 0.5));
}

class Builder {
  public:
    explicit Builder(double dp) : dp_(dp) {}

    void add(Kind kind, Point corner, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
        if (nx > 0 && ny > 0 && nz > 0) lattices_.push_back({kind, corner, nx, ny, nz});
    }
    // Adds ground and four sides of a box; dimensions in spacings.
    void add_box(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
        const double lx = 1.0 * nx * dp_;
        const double ly = 1.0 * ny * dp_;
        add(Kind::wall, {0, 0, 0}, nx + 1, ny + 1, 1);
        for (const double y : {0.0, ly}) add(Kind::wall, {0, y, dp_}, nx + 1, 1, nz);
        for (const double x : {0.0, lx}) add(Kind::wall, {x, dp_, dp_}, 1, ny - 1, nz);
    }
    // Adds the outline of a square column with a side of n spacings.
    void add_column(Point corner, std::int64_t n, std::int64_t nz) {
        const double side = 1.0 * n * dp_;
        for (const double y : {0.0, side})
            add(Kind::obstacle, {corner.x, corner.y + y, dp_}, n + 1, 1, nz);
        for (const double x : {0.0, side})
            add(Kind::obstacle, {corner.x + x, corner.y + dp_, dp_}, 1, n - 1, nz);
    }
    std::vector<Lattice> take() { return std::move(lattices_); }

  private:
    double dp_;
    std::vector<Lattice> lattices_;
};

bool is_in_box(Scene scene) {
    return scene == Scene::dam_break || scene == Scene::bore || scene == Scene::bore_corridor;
}

// Adds a wall beyond the water for y above a third of the width and, optionally, a wall along that
// third. The positions of the walls are not published; they follow from the published shares of
// water.
void add_bore_walls(Builder& builder, double dp, std::int64_t ny, std::int64_t nz, bool corridor) {
    const double third = box.y / 3;
    const std::int64_t first = whole_spacings(third, dp) + 1;
    builder.add(Kind::obstacle, {column + dp, 1.0 * first * dp, dp}, 1, ny - first, nz);
    if (!corridor) return;
    const double start = column + 1.5 * dp;
    builder.add(Kind::obstacle, {start, third, dp}, whole_spacings(box.x - start, dp), 1, nz);
}

void add_column_in_channel(Builder& builder, double dp) {
    const std::int64_t ny = nearest_spacings(channel.y, dp);
    builder.add_box(nearest_spacings(channel.x, dp), ny, nearest_spacings(channel.z, dp));
    builder.add(Kind::fluid, {dp, dp, dp}, whole_spacings(tall_column_length, dp), ny - 1,
                whole_spacings(depth, dp));
}

void add_scene(Builder& builder, const Settings& settings) {
    const double dp = settings.dp;
    if (settings.scene == Scene::tall_column) return add_column_in_channel(builder, dp);
    if (!is_in_box(settings.scene)) {
        const std::int64_t n = nearest_spacings(tank, dp);
        if (settings.scene == Scene::still_water) {
            const std::int64_t freeboard = nearest_spacings(tank / 4, dp);
            builder.add_box(n + 1, n + 1, n + freeboard);
        }
        const double z = settings.scene == Scene::still_water ? dp : fall_height;
        builder.add(Kind::fluid, {dp, dp, z}, n, n, nearest_spacings(depth, dp));
        return;
    }
    const std::int64_t nx = nearest_spacings(box.x, dp);
    const std::int64_t ny = nearest_spacings(box.y, dp);
    const std::int64_t nz = nearest_spacings(box.z, dp);
    builder.add_box(nx, ny, nz);
    if (settings.scene == Scene::dam_break)
        builder.add_column(obstacle, nearest_spacings(obstacle_side, dp), nz);
    else
        add_bore_walls(builder, dp, ny, nz, settings.scene == Scene::bore_corridor);
    builder.add(Kind::fluid, {dp, dp, dp}, whole_spacings(column, dp),
                whole_spacings(box.y, dp) - 1, whole_spacings(depth, dp));
}

}  // namespace

Point extent_of(const Settings& settings) {
    if (is_in_box(settings.scene)) return box;
    if (settings.scene == Scene::tall_column) return channel;
    const double side = tank + 2 * settings.dp;
    return {side, side, fall_height + depth + settings.dp};
}

std::vector<Lattice> scene_of(const Settings& settings) {
    // Particle numbers are signed 32-bit integers.
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    const double dp = settings.dp;
    const double rough = box.x * box.y * depth / dp / dp / dp;
    constexpr double bytes_each = 1024;  // Rustico 2012, section 7.3.3
    if (rough > 1e3 * most)
        throw Error(ExitCode::unavailable,
                    fmt::format("a spacing of dp = {} m gives some {:.0e} particles, which need "
                                "{:.0e} bytes: give a larger dp",
                                dp, rough, rough * bytes_each));
    Builder builder(dp);
    add_scene(builder, settings);
    std::vector<Lattice> lattices = builder.take();
    std::int64_t fluid = 0;
    std::int64_t all = 0;
    for (const Lattice& lattice : lattices) {
        all += lattice.count();
        if (lattice.kind == Kind::fluid) fluid += lattice.count();
    }
    if (fluid == 0)
        throw Error(ExitCode::usage, fmt::format("a spacing of dp = {} m leaves no particle of "
                                                 "water: give at most 0.2",
                                                 dp));
    if (1.0 * all > most)
        throw Error(ExitCode::unavailable,
                    fmt::format("a spacing of dp = {} m gives {} particles, which need {:.0e} "
                                "bytes, and at most {:.0f} can be counted: give a larger dp",
                                dp, all, 1.0 * all * bytes_each, most));
    return lattices;
}

std::int64_t particle_count(const Settings& settings) {
    std::int64_t count = 0;
    for (const Lattice& lattice : scene_of(settings)) count += lattice.count();
    return count;
}

}  // namespace camber::sph
