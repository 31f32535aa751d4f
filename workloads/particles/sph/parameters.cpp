#include "workloads/particles/sph/parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/scene.hpp"

namespace camber::sph {

namespace {

// Spacings of the sources' runs, and coarser ones for checks.
constexpr double usual_spacings[] = {0.08, 0.04, 0.02, 0.008, 0.005};

// Maximum list length per particle: more than any run needs, and memory for a million particles.
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
    return {{"dp", {usual.dp}, "m", "spacing of particles; by default as --size allows"},
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
             "sound until the next list; 1: no pair is missed"}};
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
    // A tenth of a micrometre: far finer than what another particle along an edge takes.
    constexpr double grain = 1e-7;
    const double wanted = times * static_cast<double>(particle_count(settings));
    // Water grows as the cube of 1/dp, walls as the square.
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

}  // namespace camber::sph
