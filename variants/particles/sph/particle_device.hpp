// One device of several that share particles: its particles, and its part of an iteration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/partition.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/slice_order.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

inline LineSlots line_of(Rows slots) {
    return {slots.count(), slots.first};
}

// Memory areas of some slots, in rows with one element for each of `capacity` slots.
inline std::vector<ByteArea> areas_of(const std::vector<ByteArea>& rows, std::size_t capacity,
                                      Rows slots) {
    std::vector<ByteArea> areas;
    if (slots.count() == 0) return areas;
    for (const ByteArea& row : rows) {
        const std::size_t size = row.width / capacity;
        const std::size_t bytes = size * static_cast<std::size_t>(slots.count());
        areas.push_back(
            {static_cast<std::byte*>(row.first) + size * static_cast<std::size_t>(slots.first),
             bytes, 1, bytes});
    }
    return areas;
}

template <class Form>
struct ParticlePlace {
    using Fields = typename Form::Fields;
    using Real = typename Fields::Real;
    using List = typename Form::List;
    using Limits = typename LibraryMinimum<Real>::Limits;
    using Cells = CellRuns<Fields, SortedRuns>;

    // `number_here` counts among the devices of this process, `number_of_all` among those of all
    // ranks.
    ParticlePlace(const camber::Place& queues, int number_here, int number_of_all,
                  const Settings& settings, const CellGrid<Real>& grid, Principal axis,
                  std::size_t room, std::size_t particles)
        : base(queues, number_here),
          number(number_of_all),
          capacity(room),
          order(middle(), room, particles, grid, axis),
          ids(middle(), room, "id"),
          new_ids(middle(), room, "new_id"),
          state(middle(), room),
          other(middle(), room),
          listed(middle(), room),
          forces(middle(), room),
          list(middle(), room, list_capacity(settings)),
          limits(middle(), room, "limit"),
          least(middle(), 1, "least"),
          step(middle(), 1, "step"),
          time(middle(), 1, "time"),
          faults(middle(), fault_kinds, "fault") {}

    Queue& middle() const { return *base.middle; }
    Rows own_slots() const { return layout.elements_of(layout.own()); }
    LineSlots held_slots() const { return line_of(layout.elements_of(layout.held())); }
    // Own slices that the neighbor on that side copies, and its slices that this device copies.
    Rows shared(Side side) const {
        const Rows own = layout.own();
        return side == Side::above ? Rows{own.first, own.first + 1} : Rows{own.end - 1, own.end};
    }
    Rows external(Side side) const {
        return side == Side::above ? Rows{layout.held().first, layout.own().first}
                                   : Rows{layout.own().end, layout.held().end};
    }

    // Divides the computation of the forces of these slices: 1/share of the particles at each edge
    // for which a neighbor waits is computed first, at least all that are sent; below 0, no
    // particles are.
    void split(Rows slices, int share, unsigned block) {
        computed = layout.elements_of(slices);
        const Rows own = computed;
        Rows rest = own;
        if (share >= 0) {
            const auto least = [&](Side side) {
                if (base.neighbours[index(side)] < 0) return 0;
                const int sent = layout.elements_of(shared(side)).count();
                return share == 0 ? sent : std::max(sent, own.count() / share);
            };
            // The edge above, and the part between the edges, consist of whole blocks of threads.
            const int threads = share == 0 ? 1 : static_cast<int>(block);
            rest.first += (least(Side::above) + threads - 1) / threads * threads;
            if (const int below = least(Side::below); below > 0)
                rest.end = rest.first + (own.end - below - rest.first) / threads * threads;
            if (rest.count() == 0) rest = own;
        }
        edges[0] = line_of({own.first, rest.first});
        edges[1] = line_of({rest.end, own.end});
        inner = line_of(rest);
    }

    void upload(const State& initial, const PositionFields& from, std::vector<int> held) {
        held.resize(capacity, -1);
        ids.upload(middle(), held);
        state.upload(middle(), particles_of<Real>(initial, from, held));
        listed.upload(middle(), particles_of<Real>(initial, listed_fields, held));
        step.upload(middle(), {initial.field(step_field).template cells<Real>()[0]});
        time.upload(middle(), {initial.field(time_field).template cells<double>()[0]});
        faults.upload(middle(), std::vector<Fault>(fault_kinds, no_fault));
    }
    // Copies the stored particles to the slots that the state assigns.
    void move_to(const State& at) {
        const std::vector<int> held = ids_in(layout.elements_of(layout.held()));
        state.upload(middle(), particles_of<Real>(at, position_fields, held));
    }
    // Own particles of a device: numbers, current positions, and positions at the last list build.
    struct OwnParticles {
        std::vector<int> ids;
        std::vector<Particle<Real>> now;
        std::vector<Particle<Real>> listed;
    };
    OwnParticles own_particles() const {
        const Rows slots = own_slots();
        const auto of_slots = [&](auto values) {
            values.resize(static_cast<std::size_t>(slots.end));
            values.erase(values.begin(), values.begin() + slots.first);
            return values;
        };
        return {of_slots(ids.downloaded(middle())), of_slots(state.downloaded(middle())),
                of_slots(listed.downloaded(middle()))};
    }
    // Particle numbers by slot for these slots; below 0 in all other slots.
    std::vector<int> ids_in(Rows slots) const {
        std::vector<int> found = ids.downloaded(middle());
        for (int slot = 0; slot < static_cast<int>(found.size()); ++slot)
            if (slot < slots.first || slot >= slots.end) found[static_cast<std::size_t>(slot)] = -1;
        return found;
    }
    // Memory areas that the next iteration writes.
    std::vector<ByteArea> outputs(bool rebuilds) const {
        std::vector<ByteArea> areas{poisoned_limits(limits), least.area()};
        const auto add = [&](const std::vector<ByteArea>& more) {
            areas.insert(areas.end(), more.begin(), more.end());
        };
        add(other.areas());
        add(forces.areas());
        if (!rebuilds) return areas;
        areas.push_back(new_ids.area());
        add(listed.areas());
        add(list.areas());
        add(order.areas());
        return areas;
    }

    // Moves the own particles to the slots of their slices in `to`, with their ids.
    void arrange(unsigned block, const LineSlots& to) {
        launch_over(to, middle(), block, "arrange", arrange_kernel<Fields>, state.fields(),
                    ids.grid(), order.slots(), other.fields(), new_ids.grid(), to);
        std::swap(ids, new_ids);
    }
    // Builds the lists of the particles whose forces the device computes. Requires that all
    // particles of neighboring slices have arrived.
    void find_neighbours(unsigned block, Real reach_2, int iteration) {
        order.mark(middle(), block, other.fields(), held_slots(), listed.fields());
        const LineSlots slots = line_of(computed);
        if constexpr (keeps_list<List>) {
            if (slots.count > 0)
                Form::Search::enqueue(middle(), block, slots, cells(reach_2), ids.grid(),
                                      list.list(), faults.grid(), iteration);
        }
    }

    void evaluate(Queue& queue, unsigned block, const LineSlots& slots, const Fields& fields,
                  bool second, const Constants<Real>& k) {
        if (slots.count == 0) return;
        const auto by = [&](const auto& neighbours) {
            Form::Evaluation::template enqueue<Form::read>(
                queue, block, slots, fields, neighbours, forces, Limits{limits.grid(), second}, k);
        };
        if constexpr (keeps_list<List>)
            by(list.list());
        else
            by(cells(k.list_radius_2));
    }

    void find_least(Rows counted) {
        if (counted.count() > 0)
            middle().algorithms().minimum(limits.data() + counted.first,
                                          static_cast<std::size_t>(counted.count()), least.data());
        else
            middle().fill(least.data(), 1, std::as_bytes(std::span(&longest_step<Real>, 1)));
    }

    Cells cells(Real reach_2) const {
        return {order.runs(), listed.fields(), order.grid(), reach_2};
    }

    GroupPlace base;
    int number;            // among all devices
    std::size_t capacity;  // particles
    SliceLayout layout;
    SliceOrder<Real> order;
    Row<int> ids;  // of the particle in each slot
    Row<int> new_ids;
    typename Fields::Store state;
    typename Fields::Store other;
    typename Fields::Store listed;
    typename Fields::ForceStore forces;
    ListStore<List> list;
    Row<Real> limits;
    Row<Real> least;
    Row<Real> step;
    Row<double> time;
    Row<Fault> faults;
    Rows computed{0, 0};  // slots whose forces the device computes
    LineSlots inner{0};   // of these, the slots computed after the edges
    LineSlots edges[2]{{0}, {0}};
};

// Areas of a device's slices for the next iteration.
template <class Form>
std::vector<ByteArea> slice_areas(const ParticlePlace<Form>& place, Rows slices) {
    std::vector<ByteArea> rows = place.other.areas();
    rows.push_back(place.ids.area());
    return areas_of(rows, place.capacity, place.layout.elements_of(slices));
}

CAMBER_TARGET_END
