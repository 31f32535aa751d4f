#include "workloads/particles/sph/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "harness/base/error.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph {

namespace {

// Uninitialized array of `count` elements. The threads that use an element write it first, because
// the operating system allocates a page near its first writer.
template <class T>
std::unique_ptr<T[]> unset(std::size_t count) {
    return std::make_unique_for_overwrite<T[]>(count);
}

template <class R>
using Particles = std::unique_ptr<Particle<R>[]>;

template <class R>
Particles<R> particles_of(const State& state, const Constants<R>& k, int threads) {
    const auto cells = [&](const char* name) { return state.field(name).cells<R>(); };
    const std::span<const R> x = cells("x"), y = cells("y"), z = cells("z");
    const std::span<const R> vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
    const std::span<const R> density = cells(density_field);
    Particles<R> particles = unset<Particle<R>>(x.size());
    parallel_each(threads, x.size(), [&](std::size_t id) {
        particles[id] = {x[id],  y[id],  z[id],  density[id],
                         vx[id], vy[id], vz[id], density[id] > 0 ? pressure(k, density[id]) : R(0)};
    });
    return particles;
}

template <class R>
void store(const Particles<R>& particles, State& state, int threads) {
    const auto put = [&](const char* name, R Particle<R>::*member) {
        const std::span<R> cells = state.field(name).cells<R>();
        parallel_each(threads, cells.size(),
                      [&](std::size_t id) { cells[id] = particles[id].*member; });
    };
    put("x", &Particle<R>::x);
    put("y", &Particle<R>::y);
    put("z", &Particle<R>::z);
    put("vx", &Particle<R>::vx);
    put("vy", &Particle<R>::vy);
    put("vz", &Particle<R>::vz);
    put(density_field, &Particle<R>::density);
}

// Computes the terms of several neighbors before it adds them in order, so that the compiler can use
// vector instructions, which round roots and quotients as it does for single numbers. The term of a
// wall is not used.
template <class R>
Force<R> force_on(const Constants<R>& k, const Particles<R>& particles, const NeighbourList& list,
                  std::size_t id) {
    constexpr std::size_t most = 32;
    struct Terms {
        R x[most], y[most], z[most], rate[most];
    };
    struct Neighbours {
        R x[most], y[most], z[most], density[most], vx[most], vy[most], vz[most], pressure[most];
    };
    ForceSum<R> sum(k, particles[id]);
    const auto all = list.of(id);
    for (std::size_t first = 0; first < all.size(); first += most) {
        const std::size_t count = std::min(most, all.size() - first);
        Neighbours n;
        Terms terms;
        for (std::size_t i = 0; i < count; ++i) {
            const Particle<R>& p = particles[all[first + i]];
            n.x[i] = p.x, n.y[i] = p.y, n.z[i] = p.z, n.density[i] = p.density;
            n.vx[i] = p.vx, n.vy[i] = p.vy, n.vz[i] = p.vz, n.pressure[i] = p.pressure;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Force<R> term = sum.of_fluid(k, n.x[i], n.y[i], n.z[i], n.density[i],
                                               {n.vx[i], n.vy[i], n.vz[i], n.pressure[i]});
            terms.x[i] = term.x, terms.y[i] = term.y, terms.z[i] = term.z;
            terms.rate[i] = term.rate;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (n.density[i] > R(0))
                sum.add_term({terms.x[i], terms.y[i], terms.z[i], terms.rate[i]});
            else
                sum.add_wall(k, n.x[i], n.y[i], n.z[i]);
    }
    return sum.total(k);
}

}  // namespace

void report_blow_up(std::int64_t particle, std::int64_t iteration, double time) {
    throw Error(
        ExitCode::usage,
        fmt::format("the fluid blows up in iteration {}, before {:.6g} s, where particle {} "
                    "is no water any more: give a smaller cfl or alpha",
                    iteration, time, particle));
}

template <class R>
std::shared_ptr<const NeighbourList> Reference::list_for(const Positions<R>& listed,
                                                         const Settings& settings,
                                                         const GenerationContext& context) const {
    const std::lock_guard lock(mutex_);
    const double radius = list_radius(settings);
    const std::array<std::span<const R>, 3> axes{listed.x, listed.y, listed.z};
    bool is_known = remembered_.list && remembered_.dp == settings.dp &&
                    remembered_.radius == radius && remembered_.scene == settings.scene;
    for (std::size_t axis = 0; is_known && axis < axes.size(); ++axis)
        is_known = std::ranges::equal(std::as_bytes(axes[axis]), remembered_.positions[axis]);
    if (!is_known) {
        remembered_ = {{}, settings.dp, radius, settings.scene, nullptr};
        auto list = std::make_shared<const NeighbourList>(
            neighbours_of(listed, settings, list_capacity(settings), context.threads));
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const auto bytes = std::as_bytes(axes[axis]);
            remembered_.positions[axis].assign(bytes.begin(), bytes.end());
        }
        remembered_.list = std::move(list);
    }
    return remembered_.list;
}

template <class R>
void Reference::step_of_type(const State& from, State& to, const GenerationContext& context) const {
    const Settings settings = settings_of(context.parameters);
    const Constants<R> k = constants_of<R>(settings);
    const int number = iterations_of(from);
    const bool rebuilds = number % settings.rebuild == 0;
    for (int axis = 0; axis < 3; ++axis)
        std::ranges::copy(
            from.field(rebuilds ? position_fields[axis] : listed_fields[axis]).bytes(),
            to.field(listed_fields[axis]).bytes().begin());
    std::ranges::copy(from.field(kind_field).bytes(), to.field(kind_field).bytes().begin());
    const auto listed = [&](int axis) {
        return std::as_const(to).field(listed_fields[axis]).template cells<R>();
    };
    const auto list = list_for<R>({listed(0), listed(1), listed(2),
                                   std::as_const(to).field(kind_field).cells<std::uint8_t>()},
                                  settings, context);

    const std::size_t count = list->places.size();
    const int threads = worthwhile_threads(static_cast<std::int64_t>(count), context.threads);
    const Particles<R> now = particles_of<R>(from, k, threads);
    const Particles<R> ahead = unset<Particle<R>>(count);
    const auto limits = unset<R>(count);
    const R dt = from.field(step_field).cells<R>()[0];
    const double time = from.field(time_field).cells<double>()[0];
    // Force on a particle, and the time step that it allows.
    const auto acting = [&](const Particles<R>& particles, std::size_t id) {
        if (!particles[id].is_fluid()) return std::pair{Force<R>{}, std::numeric_limits<R>::max()};
        const Force<R> force = force_on(k, particles, *list, id);
        return std::pair{force, step_limit(k, particles[id].density, force)};
    };
    parallel_each(threads, count, [&](std::size_t id) {
        const auto [force, limit] = acting(now, id);
        limits[id] = limit;
        ahead[id] = predicted(k, now[id], force, dt);
    });
    parallel_each(threads, count, [&](std::size_t id) {
        const auto [force, limit] = acting(ahead, id);
        limits[id] = std::min(limits[id], limit);
        now[id] = corrected(k, now[id], force, dt);
        if (has_blown_up(k, now[id], dt))
            report_blow_up(static_cast<std::int64_t>(id), number, time + static_cast<double>(dt));
    });
    store(now, to, threads);
    to.field(step_field).cells<R>()[0] =
        step_of(k, *std::min_element(limits.get(), limits.get() + count));
    to.field(time_field).cells<double>()[0] = time + static_cast<double>(dt);
    to.account = from.account;
    to.account[iterations_account] += 1;
}

void Reference::step(const State& from, State& to, const GenerationContext& context) const {
    try {
        with_real_type(from.field(density_field).element(),
                       [&]<class R>(R) { step_of_type<R>(from, to, context); });
    } catch (const Error& error) {
        throw BrokenRun(error, from, context);
    }
}

}  // namespace camber::sph
