#include "workloads/particles/sph/scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/base/error.hpp"

namespace camber::sph {

namespace {

// Rustico 2012, section 4.8.2, with the lengths of the public scene DamBreak3D.
constexpr Point box{1.6, 0.67, 0.6};
constexpr double column = 0.4;  // length of the water, m
constexpr Point obstacle{0.9, 0.24, 0};
constexpr double obstacle_side = 0.12;
constexpr double tank = 0.4;         // side of the still water and of the block, m
constexpr double fall_height = 0.4;  // of the block's lower side, m
// Martin and Moyce 1952: a column twice as high as long, in a channel of even width.
constexpr Point channel{1.6, 0.2, 0.6};
constexpr double tall_column_length = 0.2;

// How many spacings a length has. The small term keeps 0.4 / 0.005 from being 79.
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
    // Ground and four sides, of so many spacings each way.
    void add_box(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
        const double lx = 1.0 * nx * dp_;
        const double ly = 1.0 * ny * dp_;
        add(Kind::wall, {0, 0, 0}, nx + 1, ny + 1, 1);
        for (const double y : {0.0, ly}) add(Kind::wall, {0, y, dp_}, nx + 1, 1, nz);
        for (const double x : {0.0, lx}) add(Kind::wall, {x, dp_, dp_}, 1, ny - 1, nz);
    }
    // The outline of a square of n spacings.
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

// A wall beyond the water for y above a third of the width, and optionally one along that third.
// Their positions are not published; they follow from the published shares of water.
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
    // Particles are numbered by 32 bits with a sign.
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
