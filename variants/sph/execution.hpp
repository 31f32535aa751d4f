// Iterations over particles that lie on a queue.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "harness/kernel/pair_sorter.hpp"
#include "harness/registry/execution.hpp"
#include "variants/sph/kernels.hpp"
#include "workloads/sph/neighbours.hpp"
#include "workloads/sph/reference.hpp"
#include "workloads/sph/scene.hpp"
#include "workloads/sph/state.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Neighbours from the cells, at each evaluation.
struct NoList {};

// The memory of a list of neighbours.
template <class List>
class ListStore {
  public:
    ListStore(Queue& queue, std::size_t count)
        : layout_(List::layout(count)),
          entries_(queue, layout_.elements() * sizeof(int)),
          counts_(queue, count, "count") {}
    List list() const {
        return {Grid<int>(static_cast<int*>(entries_.get()), layout_, "list"), counts_.grid()};
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
    ListStore(Queue&, std::size_t) {}
    std::vector<ByteArea> areas() const { return {}; }
};

// The state lies in `state_` between iterations. One that begins with a new list moves it, sorted,
// to `other_`, and its predictor writes to `state_`; all others work the other way round.
template <class List, class Fields, Read read>
class ParticleExecution final : public Execution {
  public:
    ParticleExecution(Queue& queue, const Problem& problem, int block)
        : queue_(queue),
          settings_(settings_of(problem.parameters)),
          constants_(constants_of<float>(settings_)),
          grid_(cell_grid<float>(settings_)),
          count_(static_cast<std::size_t>(particle_count(settings_))),
          block_(static_cast<unsigned>(block)),
          state_(queue, count_),
          other_(queue, count_),
          listed_(queue, count_),
          forces_(queue, count_),
          list_(queue, count_),
          ids_(queue, count_, "id"),
          numbers_(queue, count_, "number"),
          slots_(queue, count_, "slot"),
          keys_(queue, count_, "key"),
          sorted_keys_(queue, count_, "sorted_key"),
          first_(queue, static_cast<std::size_t>(grid_.count()), "first"),
          end_(queue, static_cast<std::size_t>(grid_.count()), "end"),
          limits_(queue, count_, "limit"),
          least_(queue, 1, "least"),
          step_(queue, 1, "step"),
          time_(queue, 1, "time"),
          faults_(queue, fault_kinds, "fault"),
          sorter_(queue, count_) {}

    void upload(const State& initial) override {
        if (static_cast<std::size_t>(initial.field(kind_field).size().cells()) != count_)
            throw std::logic_error("the state has another number of particles");
        const auto kinds = initial.field(kind_field).cells<std::uint8_t>();
        kinds_.assign(kinds.begin(), kinds.end());
        state_.upload(queue_, particles_of(initial, position_fields));
        listed_.upload(queue_, particles_of(initial, listed_fields));
        std::vector<int> numbers(count_);
        std::iota(numbers.begin(), numbers.end(), 0);
        numbers_.upload(queue_, numbers);
        ids_.upload(queue_, numbers);
        step_.upload(queue_, {initial.field(step_field).cells<float>()[0]});
        time_.upload(queue_, {initial.field(time_field).cells<double>()[0]});
        faults_.upload(queue_, {no_fault, no_fault});
        number_ = 0;
    }

    void download(State& result) override {
        queue_.synchronize();
        const double time = time_.downloaded(queue_)[0];
        check_faults(time);
        const std::vector<int> ids = ids_.downloaded(queue_);
        const auto put = [&](const char* name, const std::vector<Particle<float>>& particles,
                             float Particle<float>::*member) {
            const auto cells = result.field(name).cells<float>();
            for (std::size_t s = 0; s < count_; ++s) cells[ids[s]] = particles[s].*member;
        };
        const auto state = state_.downloaded(queue_);
        const auto listed = listed_.downloaded(queue_);
        using P = Particle<float>;
        using Member = float P::*;
        constexpr Member place[] = {&P::x, &P::y, &P::z};
        constexpr Member velocity[] = {&P::vx, &P::vy, &P::vz};
        for (int axis = 0; axis < 3; ++axis) {
            put(position_fields[axis], state, place[axis]);
            put(velocity_fields[axis], state, velocity[axis]);
            put(listed_fields[axis], listed, place[axis]);
        }
        put(density_field, state, &P::density);
        std::ranges::copy(kinds_, result.field(kind_field).cells<std::uint8_t>().begin());
        result.field(step_field).cells<float>()[0] = step_.downloaded(queue_)[0];
        result.field(time_field).cells<double>()[0] = time;
    }

    void poison() override {
        std::vector<ByteArea> areas;
        const auto add = [&](const std::vector<ByteArea>& more) {
            areas.insert(areas.end(), more.begin(), more.end());
        };
        add(other_.areas());
        add(forces_.areas());
        add({limits_.area(), least_.area()});
        if (number_ % settings_.rebuild == 0) {
            add(listed_.areas());
            add(list_.areas());
            add({slots_.area(), keys_.area(), sorted_keys_.area(), first_.area(), end_.area()});
        }
        queue_.fill_bytes(areas, std::byte{0xa5});
    }

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done, ++number_) enqueue();
    }

  private:
    static std::vector<Particle<float>> particles_of(const State& state,
                                                     const std::array<const char*, 3>& at) {
        const Constants<float> k = constants_of<float>({});
        const auto cells = [&](const char* name) { return state.field(name).cells<float>(); };
        const auto x = cells(at[0]), y = cells(at[1]), z = cells(at[2]);
        const auto vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
        const auto density = cells(density_field);
        std::vector<Particle<float>> particles;
        for (std::size_t i = 0; i < x.size(); ++i)
            particles.push_back({x[i], y[i], z[i], density[i], vx[i], vy[i], vz[i],
                                 density[i] > 0 ? pressure(k, density[i]) : 0});
        return particles;
    }

    void check_faults(double time) const {
        const std::vector<Fault> faults = faults_.downloaded(queue_);
        const auto particle = [](Fault fault) {
            return static_cast<std::int64_t>(fault & 0xffffffffu);
        };
        const auto iteration = [](Fault fault) { return static_cast<std::int64_t>(fault >> 32); };
        if (faults[blow_up] != no_fault && faults[blow_up] <= faults[overflow])
            report_blow_up(particle(faults[blow_up]), iteration(faults[blow_up]), time);
        if (faults[overflow] != no_fault)
            report_overflow(particle(faults[overflow]), iteration(faults[overflow]),
                            most_neighbours);
    }

    template <class... Formal, class... Actual>
    void each(const char* name, void (*kernel)(Formal...), const Actual&... arguments) {
        const auto blocks = static_cast<unsigned>((count_ + block_ - 1) / block_);
        launch(queue_, name, {{blocks}, {block_}}, kernel, arguments...);
    }

    CellRuns<Fields> cells() const {
        return {first_.grid(), end_.grid(), listed_.fields(), grid_, constants_.radius_2};
    }

    // Sorts the particles into `other_`, and makes their list.
    void rebuild() {
        each("hash", hash_kernel<Fields>, state_.fields(), ids_.grid(), keys_.grid(), slots_.grid(),
             grid_);
        sorter_.sort(keys_.data(), numbers_.data(), sorted_keys_.data(), ids_.data(),
                     std::bit_width(static_cast<unsigned>(grid_.count() - 1)));
        constexpr int none = 0;
        for (const Row<int>* bounds : {&first_, &end_})
            queue_.fill(bounds->data(), bounds->count(), std::as_bytes(std::span(&none, 1)));
        each("reorder", reorder_kernel<Fields>, sorted_keys_.grid(), ids_.grid(), slots_.grid(),
             state_.fields(), other_.fields(), listed_.fields(), first_.grid(), end_.grid());
        if constexpr (!std::is_same_v<List, NoList>)
            each("neighbours", neighbours_kernel<List, Fields>, cells(), ids_.grid(), list_.list(),
                 faults_.grid(), number_);
    }

    void evaluate(const Fields& fields, bool second) {
        if constexpr (std::is_same_v<List, NoList>)
            each("forces", forces_kernel<read, CellRuns<Fields>, Fields>, fields, cells(),
                 forces_.forces(), limits_.grid(), second, constants_);
        else
            each("forces", forces_kernel<read, List, Fields>, fields, list_.list(),
                 forces_.forces(), limits_.grid(), second, constants_);
    }

    void enqueue() {
        const bool rebuilds = number_ % settings_.rebuild == 0;
        if (rebuilds) rebuild();
        const Fields now = (rebuilds ? other_ : state_).fields();
        const Fields ahead = (rebuilds ? state_ : other_).fields();
        evaluate(now, false);
        each("predictor", predictor_kernel<Fields>, now, forces_.forces(), step_.grid(), ahead,
             constants_, static_cast<int>(count_));
        evaluate(ahead, true);
        each("corrector", corrector_kernel<Fields>, now, forces_.forces(), step_.grid(),
             state_.fields(), ids_.grid(), faults_.grid(), number_, constants_);
        queue_.minimum(limits_.data(), count_, least_.data());
        launch(queue_, "clock", {{1}, {1}}, clock_kernel<float>, least_.grid(), step_.grid(),
               time_.grid(), constants_);
    }

    Queue& queue_;
    Settings settings_;
    Constants<float> constants_;
    CellGrid<float> grid_;
    std::size_t count_;
    unsigned block_;
    typename Fields::Store state_;
    typename Fields::Store other_;
    typename Fields::Store listed_;
    typename Fields::ForceStore forces_;
    ListStore<List> list_;
    Row<int> ids_;      // of the particle in each slot
    Row<int> numbers_;  // 0, 1, 2 ...
    Row<int> slots_;    // of each particle, before it was sorted
    Row<unsigned> keys_;
    Row<unsigned> sorted_keys_;
    Row<int> first_;  // of each cell
    Row<int> end_;
    Row<float> limits_;
    Row<float> least_;
    Row<float> step_;
    Row<double> time_;
    Row<Fault> faults_;
    PairSorter sorter_;
    std::vector<std::uint8_t> kinds_;
    int number_ = 0;
};

CAMBER_TARGET_END
