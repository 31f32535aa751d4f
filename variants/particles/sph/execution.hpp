// Iterations over particles, enqueued on one queue, and transfers of particles between a state,
// ordered by number, and slots.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/registry/execution.hpp"
#include "variants/particles/sph/kernels.hpp"
#include "variants/particles/sph/neighbor_lists.hpp"
#include "variants/particles/sph/sorted_order.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/reference.hpp"
#include "workloads/particles/sph/state.hpp"

// Transfers particles between a state, ordered by number, and slots.
CAMBER_WORKLOAD_BEGIN(sph)

// Positions in `at` of the particles in each slot. `ids` contains particle numbers by slot; a
// negative id marks an empty slot.
template <class R>
std::vector<Particle<R>> particles_of(const State& state, const PositionFields& at,
                                      const std::vector<int>& ids) {
    const Constants<R> k = constants_of<R>({});
    const auto cells = [&](const char* name) { return state.field(name).template cells<R>(); };
    const auto x = cells(at[0]), y = cells(at[1]), z = cells(at[2]);
    const auto vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
    const auto density = cells(density_field);
    std::vector<Particle<R>> particles(ids.size());
    each_below(ids.size(), [&](std::size_t s) {
        const int i = ids[s];
        if (i < 0) return;
        particles[s] = {x[i],  y[i],  z[i],  density[i],
                        vx[i], vy[i], vz[i], density[i] > 0 ? pressure(k, density[i]) : R(0)};
    });
    return particles;
}

template <class R>
void put_particles(State& state, const std::vector<int>& ids, const std::vector<Particle<R>>& now,
                   const std::vector<Particle<R>>& listed) {
    const auto cells = [&](const char* name) { return state.field(name).template cells<R>(); };
    const auto x = cells(position_fields[0]), y = cells(position_fields[1]),
               z = cells(position_fields[2]);
    const auto vx = cells(velocity_fields[0]), vy = cells(velocity_fields[1]),
               vz = cells(velocity_fields[2]);
    const auto listed_x = cells(listed_fields[0]), listed_y = cells(listed_fields[1]),
               listed_z = cells(listed_fields[2]);
    const auto density = cells(density_field);
    each_below(ids.size(), [&](std::size_t s) {
        const int i = ids[s];
        if (i < 0) return;
        x[i] = now[s].x;
        y[i] = now[s].y;
        z[i] = now[s].z;
        vx[i] = now[s].vx;
        vy[i] = now[s].vy;
        vz[i] = now[s].vz;
        density[i] = now[s].density;
        listed_x[i] = listed[s].x;
        listed_y[i] = listed[s].y;
        listed_z[i] = listed[s].z;
    });
}

[[noreturn]] inline void report_crowded(std::int64_t particle, std::int64_t iteration) {
    throw Error(ExitCode::usage,
                "the cell of particle " + std::to_string(particle) + " has more than " +
                    std::to_string(slots_per_cell) + " particles in iteration " +
                    std::to_string(iteration) +
                    ", which is all that cell_slots holds: choose another variant");
}
[[noreturn]] inline void report_strayed(std::int64_t particle, std::int64_t iteration) {
    throw Error(ExitCode::usage,
                "particle " + std::to_string(particle) +
                    " went farther than a cell before iteration " + std::to_string(iteration) +
                    ", and cell_slots looks for it no farther: give a smaller rebuild");
}

// Throws the error of the earliest fault in the run. `most` is the maximum length of a list.
inline void report_first_of(const std::vector<Fault>& faults, double time, int most) {
    FaultKind first = blow_up;
    for (const FaultKind kind : {overflow, crowded, strayed})
        if (faults[kind] < faults[first]) first = kind;
    if (faults[first] == no_fault) return;
    const auto particle = static_cast<std::int64_t>(faults[first] & 0xffffffffu);
    const auto iteration = static_cast<std::int64_t>(faults[first] >> 32);
    switch (first) {
        case overflow:
            report_overflow(particle, iteration, most);
        case crowded:
            report_crowded(particle, iteration);
        case strayed:
            report_strayed(particle, iteration);
        default:
            report_blow_up(particle, iteration, time);
    }
}

CAMBER_TARGET_END

// Iterations over particles, enqueued on one queue.
CAMBER_WORKLOAD_BEGIN(sph)

// Placeholder for a list: neighbors are found from the cells in each evaluation.
struct NoList {};

// True if neighbor lists are stored in memory between evaluations; false if cells are searched.
template <class List>
inline constexpr bool keeps_list = true;
template <>
inline constexpr bool keeps_list<NoList> = false;
template <class List>
inline constexpr bool is_found_by_cells = true;

// Memory of a neighbor list.
template <class List>
class ListStore {
  public:
    ListStore(Queue& queue, std::size_t count, int most)
        : layout_(List::layout(count, most)),
          entries_(queue, layout_.elements() * sizeof(int)),
          counts_(queue, count, "count") {}
    List list() const {
        return {Grid<int>(static_cast<int*>(entries_.get()), layout_, "list"), counts_.grid()};
    }
    // Neighbors that an evaluation visits. `cells` is a CellRuns.
    template <class Cells>
    List neighbours(const Cells&) const {
        return list();
    }
    std::vector<ByteArea> areas() const {
        const std::size_t bytes = layout_.elements() * sizeof(int);
        return {{entries_.get(), bytes, 1, bytes}, counts_.area()};
    }

  private:
    Layout layout_;
    Memory entries_;
    Row<int> counts_;
};
template <>
class ListStore<NoList> {
  public:
    ListStore(Queue&, std::size_t, int) {}
    template <class Cells>
    Cells neighbours(const Cells& cells) const {
        return cells;
    }
    std::vector<ByteArea> areas() const { return {}; }
};

// Types that define the kernels of an iteration.
template <class ListType, class FieldsType, Read how,
          class OrderType = SortedOrder<RowOrder, typename FieldsType::Real>,
          class MinimumType = LibraryMinimum<typename FieldsType::Real>,
          class EvaluationType = ByParticle<Sums::plain>, class SearchType = SearchByThread>
struct Form {
    using List = ListType;
    using Fields = FieldsType;
    using Order = OrderType;
    using Minimum = MinimumType;
    using Evaluation = EvaluationType;
    using Search = SearchType;
    static constexpr Read read = how;
};

// Between iterations, the state is in `state_`. An iteration that begins with a new list moves it,
// sorted, to `other_` (if particles are sorted at all), and its predictor writes to `state_`; all
// other iterations work in the opposite direction.
template <class Form>
class ParticleExecution : public Execution {
  protected:
    using Fields = typename Form::Fields;
    using Real = typename Fields::Real;
    using List = typename Form::List;
    using Order = typename Form::Order;
    using Slots = typename Order::Slots;

  public:
    ParticleExecution(Queue& queue, const Problem& problem, int block)
        : queue_(queue),
          settings_(settings_of(problem.parameters)),
          constants_(constants_of<Real>(settings_)),
          grid_(cell_grid<Real>(settings_)),
          count_(static_cast<std::size_t>(particle_count(settings_))),
          block_(static_cast<unsigned>(block)),
          order_(queue, count_, grid_),
          state_(queue, order_.ids().count()),
          other_(queue, order_.ids().count()),
          listed_(queue, order_.ids().count()),
          forces_(queue, order_.ids().count()),
          list_(queue, count_, list_capacity(settings_)),
          minimum_(queue, count_),
          step_(queue, 1, "step"),
          time_(queue, 1, "time"),
          faults_(queue, fault_kinds, "fault") {}

    void upload(const State& initial) override {
        if (static_cast<std::size_t>(initial.field(kind_field).size().cells()) != count_)
            throw std::logic_error("the state has another number of particles");
        const auto kinds = initial.field(kind_field).cells<std::uint8_t>();
        kinds_.assign(kinds.begin(), kinds.end());
        number_ = iterations_of(initial);
        // If the current list was built before the run, rebuilds it from the positions at that
        // time.
        const bool listed_before = number_ % settings_.rebuild != 0;
        const auto& places = listed_before ? listed_fields : position_fields;
        const std::vector<int> ids = order_.start(initial, places);
        order_.upload(queue_, ids);
        state_.upload(queue_, particles_of<Real>(initial, places, ids));
        listed_.upload(queue_, particles_of<Real>(initial, listed_fields, ids));
        minimum_.upload(queue_);
        step_.upload(queue_, {initial.field(step_field).template cells<Real>()[0]});
        time_.upload(queue_, {initial.field(time_field).cells<double>()[0]});
        faults_.upload(queue_, std::vector<Fault>(fault_kinds, no_fault));
        if (!listed_before) return;
        rebuild();
        state_.upload(
            queue_, particles_of<Real>(initial, position_fields, order_.ids().downloaded(queue_)));
    }

    void download(State& result) override {
        queue_.synchronize();
        const double time = time_.downloaded(queue_)[0];
        report_first_of(faults_.downloaded(queue_), time, list_capacity(settings_));
        const std::vector<int> ids = order_.ids().downloaded(queue_);
        put_particles<Real>(result, ids, state_.downloaded(queue_), listed_.downloaded(queue_));
        std::ranges::copy(kinds_, result.field(kind_field).cells<std::uint8_t>().begin());
        result.field(step_field).template cells<Real>()[0] = step_.downloaded(queue_)[0];
        result.field(time_field).cells<double>()[0] = time;
    }

    void poison(Poison poison) override {
        std::vector<ByteArea> areas;
        const auto add = [&](const std::vector<ByteArea>& more) {
            areas.insert(areas.end(), more.begin(), more.end());
        };
        add(other_.areas());
        add(forces_.areas());
        add(minimum_.areas());
        if (number_ % settings_.rebuild == 0) {
            add(listed_.areas());
            add(list_.areas());
            add(order_.areas());
        }
        queue_.poison(areas, poison);
    }

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done, ++number_) enqueue();
    }

  protected:
    template <class... Formal, class... Actual>
    void each(const char* name, void (*kernel)(Formal...), const Actual&... arguments) {
        launch(queue_, name, covering_line(order_.slots().size(), block_), kernel, arguments...);
    }

    CellRuns<Fields, typename Order::Runs> cells() const {
        return {order_.runs(), listed_.fields(), grid_, constants_.list_radius_2};
    }

    void rebuild() {
        order_.rebuild(queue_, block_, state_.fields(), other_.fields(), listed_.fields(),
                       faults_.grid(), number_);
        if constexpr (keeps_list<List>)
            Form::Search::enqueue(queue_, block_, order_.slots(), cells(), order_.ids().grid(),
                                  list_.list(), faults_.grid(), number_);
    }

    void evaluate(const Fields& fields, bool second) {
        Form::Evaluation::template enqueue<Form::read>(queue_, block_, order_.slots(), fields,
                                                       list_.neighbours(cells()), forces_,
                                                       minimum_.limits(second), constants_);
    }

    void enqueue() {
        const bool rebuilds = number_ % settings_.rebuild == 0;
        if (rebuilds) rebuild();
        const bool moved = rebuilds && Order::moves;
        const Fields now = (moved ? other_ : state_).fields();
        const Fields ahead = (moved ? state_ : other_).fields();
        evaluate(now, false);
        each("predictor", predictor_kernel<Fields, Slots>, now, forces_.forces(), step_.grid(),
             ahead, order_.slots(), constants_);
        evaluate(ahead, true);
        each("corrector", corrector_kernel<Fields, Slots>, now, forces_.forces(), step_.grid(),
             state_.fields(), order_.ids().grid(), faults_.grid(), number_, order_.slots(),
             constants_);
        minimum_.advance(queue_, step_.grid(), time_.grid(), constants_);
    }

    Queue& queue_;
    Settings settings_;
    Constants<Real> constants_;
    CellGrid<Real> grid_;
    std::size_t count_;
    unsigned block_;
    Order order_;
    typename Fields::Store state_;
    typename Fields::Store other_;
    typename Fields::Store listed_;
    typename Fields::ForceStore forces_;
    ListStore<List> list_;
    typename Form::Minimum minimum_;
    Row<Real> step_;
    Row<double> time_;
    Row<Fault> faults_;
    std::vector<std::uint8_t> kinds_;
    int number_ = 0;  // of the next iteration, counted from the start of the scene
};

CAMBER_TARGET_END
