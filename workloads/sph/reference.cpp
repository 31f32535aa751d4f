#include "workloads/sph/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "harness/base/error.hpp"
#include "workloads/parallel_rows.hpp"
#include "workloads/real_cells.hpp"
#include "workloads/sph/physics.hpp"
#include "workloads/sph/scene.hpp"
#include "workloads/sph/state.hpp"

namespace camber::sph {

namespace {

template <class R>
std::vector<Particle<R>> particles_of(const State& state, const Constants<R>& k) {
    const auto cells = [&](const char* name) { return state.field(name).cells<R>(); };
    const std::span<const R> x = cells("x"), y = cells("y"), z = cells("z");
    const std::span<const R> vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
    const std::span<const R> density = cells(density_field);
    std::vector<Particle<R>> particles(x.size());
    for (std::size_t id = 0; id < x.size(); ++id)
        particles[id] = {x[id],  y[id],  z[id],  density[id],
                         vx[id], vy[id], vz[id], density[id] > 0 ? pressure(k, density[id]) : R(0)};
    return particles;
}

template <class R>
void store(const std::vector<Particle<R>>& particles, State& state) {
    const auto put = [&](const char* name, R Particle<R>::*member) {
        const std::span<R> cells = state.field(name).cells<R>();
        for (std::size_t id = 0; id < cells.size(); ++id) cells[id] = particles[id].*member;
    };
    put("x", &Particle<R>::x);
    put("y", &Particle<R>::y);
    put("z", &Particle<R>::z);
    put("vx", &Particle<R>::vx);
    put("vy", &Particle<R>::vy);
    put("vz", &Particle<R>::vz);
    put(density_field, &Particle<R>::density);
}

template <class R>
Force<R> force_on(const Constants<R>& k, const std::vector<Particle<R>>& particles,
                  const NeighbourList& list, std::size_t id) {
    ForceSum<R> sum(k, particles[id]);
    for (const std::int32_t other : list.of(id)) {
        const Particle<R>& i = particles[other];
        sum.add(k, i.x, i.y, i.z, i.density, [&] {
            return Motion<R>{i.vx, i.vy, i.vz, i.pressure};
        });
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
    std::vector<std::byte> positions;
    for (const std::span<const R> axis : {listed.x, listed.y, listed.z}) {
        const auto bytes = std::as_bytes(axis);
        positions.insert(positions.end(), bytes.begin(), bytes.end());
    }
    const double radius = list_radius(settings);
    if (!remembered_.list || remembered_.dp != settings.dp || remembered_.radius != radius ||
        remembered_.scene != settings.scene || remembered_.positions != positions) {
        auto list = std::make_shared<const NeighbourList>(
            neighbours_of(listed, settings, list_capacity(settings), context.threads));
        remembered_ = {std::move(positions), settings.dp, radius, settings.scene, std::move(list)};
    }
    return remembered_.list;
}

template <class R>
void Reference::step_of_type(const State& from, State& to, const GenerationContext& context) const {
    const Settings settings = settings_of(context.parameters);
    const Constants<R> k = constants_of<R>(settings);
    const bool rebuilds = context.number % settings.rebuild == 0;
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

    std::vector<Particle<R>> now = particles_of<R>(from, k);
    std::vector<Particle<R>> ahead = now;
    const auto count = static_cast<int>(now.size());
    std::vector<Force<R>> forces(now.size());
    std::vector<R> limits(now.size(), std::numeric_limits<R>::max());
    const auto evaluate = [&](const std::vector<Particle<R>>& particles) {
        parallel_rows(context.threads, count, [&](int first, int last) {
            for (int id = first; id < last; ++id) {
                forces[id] = {};
                if (!particles[id].is_fluid()) continue;
                forces[id] = force_on(k, particles, *list, id);
                limits[id] = std::min(limits[id], step_limit(k, particles[id].density, forces[id]));
            }
        });
    };
    const R dt = from.field(step_field).cells<R>()[0];
    const double time = from.field(time_field).cells<double>()[0];
    evaluate(now);
    for (int id = 0; id < count; ++id) ahead[id] = predicted(k, now[id], forces[id], dt);
    evaluate(ahead);
    for (int id = 0; id < count; ++id) {
        now[id] = corrected(k, now[id], forces[id], dt);
        if (has_blown_up(k, now[id], dt))
            report_blow_up(id, context.number, time + static_cast<double>(dt));
    }
    store(now, to);
    to.field(step_field).cells<R>()[0] = step_of(k, *std::ranges::min_element(limits));
    to.field(time_field).cells<double>()[0] = time + static_cast<double>(dt);
    to.account = from.account;
    to.account[iterations_account] += 1;
}

void Reference::step(const State& from, State& to, const GenerationContext& context) const {
    with_real_type(from.field(density_field).element(),
                   [&]<class R>(R) { step_of_type<R>(from, to, context); });
}

}  // namespace camber::sph
