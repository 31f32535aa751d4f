// Particles on several devices. Each device has whole slices of cells along an axis, and a copy of
// its neighbors' nearest slices, whose particles it moves, too. It receives the forces on these
// particles: each device sends the forces of its edge slices first, while it computes the others
// (Rustico 2012, sections 8.3 to 8.5). Before a new neighbor list, a particle moves to the device
// that has its slice by then. That device already has a copy, unless slices also move for balance.
// The copies of neighboring slices are fetched anew.
//
// All devices keep the order by (cell, number), so sums equal those of one device bit by bit.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "variants/particles/sph/migration.hpp"
#include "variants/particles/sph/particle_device.hpp"
#include "variants/particles/sph/slice_shares.hpp"
#include "workloads/particles/sph/slices.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

template <class Form>
class ParticleGroup final : public Execution {
    using Fields = typename Form::Fields;
    using Real = typename Fields::Real;
    using Member = ParticlePlace<Form>;

  public:
    // Throws Unsupported if the problem cannot be divided in this way.
    ParticleGroup(std::unique_ptr<Group> group, const Problem& problem, int block,
                  const Division& division, const camber::Exchange& exchange,
                  ParticleGroupParts parts = {})
        : group_(std::move(group)),
          settings_(settings_of(problem.parameters)),
          constants_(constants_of<Real>(settings_)),
          block_(static_cast<unsigned>(block)),
          parts_(std::move(parts)),
          shares_(division),
          edge_share_(exchange.overlap ? division.edge_share : -1),
          count_(particle_count(settings_)) {
        refuse_division(*group_, division, exchange.path);
        const int places = ranks() ? ranks()->size() : group_->places();
        const auto grid = cell_grid<Real>(settings_);
        const CellCounts cells = counts_of_cells<Real>(settings_);
        axis_ = slice_axis<Real>(settings_, cells, places);
        const auto counts = counts_of_slices(cells.all, grid, axis_);
        shares_.divide(work_of_slices(cells, grid, axis_));
        shares_.make_room(counts, count_);
        for (int place = 0; place < places; ++place) {
            if (ranks() && ranks()->rank() != place) continue;
            const int here = static_cast<int>(places_.size());
            places_.push_back(std::make_unique<Member>(group_->at(here), here, place, settings_,
                                                       grid, axis_, shares_.room(place),
                                                       static_cast<std::size_t>(count_)));
            GroupPlace& base = places_.back()->base;
            base.neighbours[0] = place > 0 ? place - 1 : -1;
            base.neighbours[1] = place + 1 < places ? place + 1 : -1;
        }
        context_.emplace(ExchangeContext{*group_, {}, {}, 1, true, false});
        context_->parcels = {[this](int place, Side side, Way way) {
                                 const Member& member = at(place);
                                 const Rows slices =
                                     way == Way::sent ? member.shared(side) : member.external(side);
                                 return areas_of(member.forces.areas(), member.capacity,
                                                 member.layout.elements_of(slices));
                             },
                             most_sent()};
        describe();
        if (places == 1) return;
        std::vector<void*> numbers;
        for (const auto& place : places_) numbers.push_back(place->least.data());
        if (exchange.path == ExchangePath::stores)
            for (int place = 0; place + 1 < places; ++place) {
                check_stores_reach(*group_, place, place + 1);
                check_stores_reach(*group_, place + 1, place);
            }
        context_->buffers = exchange.buffers;
        exchange_ = parts_.make(exchange.path, *context_);
        minimum_ = parts_.minimum(exchange.path, *group_, std::move(numbers), sizeof(Real));
    }

    void upload(const State& initial) override {
        group_->synchronize();
        const auto kinds = initial.field(kind_field).cells<std::uint8_t>();
        kinds_.assign(kinds.begin(), kinds.end());
        number_ = iterations_of(initial);
        // If the current list was built before the run, rebuilds it from the positions at that
        // time.
        const PositionFields& from = rebuilds() ? position_fields : listed_fields;
        const auto at_axis = [&](int axis) {
            return initial.field(from[axis]).template cells<Real>();
        };
        const Positions<Real> positions{at_axis(0), at_axis(1), at_axis(2), kinds};
        const std::vector<int> slices = slices_of<Real>(positions, cells(), axis_);
        std::vector<std::vector<int>> ids(static_cast<std::size_t>(along(axis_, cells().size)));
        for (std::size_t id = 0; id < slices.size(); ++id)
            ids[static_cast<std::size_t>(slices[id])].push_back(static_cast<int>(id));
        std::vector<std::int64_t> counts;
        for (const auto& of_slice : ids) counts.push_back(std::ssize(of_slice));
        shares_.divide(work_of_slices(counts_of_cells(positions, cells()), cells(), axis_));
        lay_out(counts);
        for (const auto& place : places_) {
            const Rows slices_held = place->layout.held();
            std::vector<int> held(
                static_cast<std::size_t>(place->layout.elements_of(slices_held).first), -1);
            for (int slice = slices_held.first; slice < slices_held.end; ++slice) {
                const auto& of_slice = ids[static_cast<std::size_t>(slice)];
                held.insert(held.end(), of_slice.begin(), of_slice.end());
            }
            place->upload(initial, from, std::move(held));
        }
        context_->moved_rows = 0;
        for (const auto& place : places_) place->timer.take();  // discards times of previous runs
        if (exchange_) exchange_->begin();
        if (minimum_) minimum_->begin();
        if (!rebuilds()) {
            group_->fork();
            rebuild();
            group_->join();
            group_->synchronize();
            for (const auto& place : places_) place->move_to(initial);
        }
        group_->synchronize();
    }

    void download(State& result) override {
        group_->synchronize();
        const double time = places_.front()->time.downloaded(places_.front()->middle())[0];
        report_first_fault(places_, ranks(), time, list_capacity(settings_));
        std::size_t found = 0;
        if (ranks()) {
            found = gather_particles(*ranks(), *places_.front(), result);
        } else {
            for (const auto& place : places_) {
                const auto own = place->own_particles();
                put_particles(result, own.ids, own.now, own.listed);
                found += own.ids.size();
            }
        }
        check_count(static_cast<std::int64_t>(found));
        Member& first = *places_.front();
        std::ranges::copy(kinds_, result.field(kind_field).cells<std::uint8_t>().begin());
        result.field(step_field).template cells<Real>()[0] =
            first.step.downloaded(first.middle())[0];
        result.field(time_field).template cells<double>()[0] = time;
    }

    void poison(Poison poison) override {
        group_->synchronize();
        for (const auto& place : places_)
            place->middle().poison(place->outputs(rebuilds()), poison);
        group_->synchronize();
    }

    const ExchangeContext* divided() const override { return &context_.value(); }

    void advance(int generations) override {
        // The division is fixed within a recording.
        group_->synchronize();
        group_->fork();
        for (const auto& place : places_) place->middle().record(*place->base.middle_done);
        for (int i = 0; i < generations; ++i) iterate();
        group_->join();
    }

  private:
    std::size_t most_sent() const {
        std::size_t most = 0;
        for (const auto& place : places_) {
            std::size_t bytes = 0;
            for (const ByteArea& area : place->forces.areas()) bytes += area.width;
            most = std::max(most, bytes);
        }
        return most;
    }

    Communicator* ranks() const { return group_->ranks(); }
    // Communicator and devices of this process.
    Member& at(int place) const { return *places_[static_cast<std::size_t>(place)]; }
    const CellGrid<Real>& cells() const { return places_.front()->order.grid(); }
    bool rebuilds() const { return number_ % settings_.rebuild == 0; }
    template <class F>
    void for_all_sides(const F& f) {
        for (const auto& place : places_)
            for (const Side side : sides)
                if (place->base.neighbours[index(side)] >= 0)
                    f(place->base, side,
                      place->base.was_split ? *place->base.queue[index(side)]
                                            : *place->base.middle);
    }

    void iterate() {
        const bool is_new = rebuilds();
        if (is_new) rebuild();
        const auto now = [&](Member& place) {
            return (is_new ? place.other : place.state).fields();
        };
        const auto ahead = [&](Member& place) {
            return (is_new ? place.state : place.other).fields();
        };
        evaluate(now, false);
        for_all([&](Member& place) {
            launch_over(place.held_slots(), place.middle(), block_, "predictor",
                        predictor_kernel<Fields, LineSlots>, now(place), place.forces.forces(),
                        place.step.grid(), ahead(place), place.held_slots(), constants_);
        });
        evaluate(ahead, true);
        for_all([&](Member& place) {
            launch_over(place.held_slots(), place.middle(), block_, "corrector",
                        corrector_kernel<Fields, LineSlots>, now(place), place.forces.forces(),
                        place.step.grid(), place.state.fields(), place.ids.grid(),
                        place.faults.grid(), number_, place.held_slots(), constants_);
            place.find_least(place.layout.elements_of(parts_.counted(place.layout)));
        });
        if (minimum_) minimum_->take();
        for_all([&](Member& place) {
            launch(place.middle(), "clock", {{1}, {1}}, clock_kernel<Real>, place.least.grid(),
                   place.step.grid(), place.time.grid(), constants_);
        });
        ++number_;
        shares_.iterated();
    }
    // Calls f for every device on its middle queue; edge queues wait afterwards.
    template <class F>
    void for_all(const F& f) {
        for (const auto& place : places_) {
            f(*place);
            place->middle().record(*place->base.middle_done);
        }
    }

    // Evaluates forces: edges first, whose forces travel while the others are computed.
    template <class FieldsOf>
    void evaluate(const FieldsOf& fields_of, bool second) {
        for (const auto& place : places_) {
            GroupPlace& base = place->base;
            const Fields fields = fields_of(*place);
            base.was_split = place->is_split();
            for (const Side side : sides) {
                Queue& queue = *base.queue[index(side)];
                queue.wait(*base.middle_done);
                place->evaluate(queue, block_, place->edges[index(side)], fields, second,
                                constants_);
            }
            if (shares_.are_balanced()) place->timer.start();
            place->evaluate(place->middle(), block_, place->inner, fields, second, constants_);
            if (shares_.are_balanced()) place->timer.stop();
        }
        if (exchange_) {
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->release(place.number, side, queue);
            });
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->send(place.number, side, queue);
            });
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->receive(place.number, side, queue);
            });
        }
        for (const auto& place : places_)
            for (const Side side : sides) {
                GroupPlace& base = place->base;
                base.queue[index(side)]->record(*base.edge_done[index(side)]);
                base.middle->wait(*base.edge_done[index(side)]);
            }
    }

    // Moves every particle to the device that has its slice now, and rebuilds every list.
    void rebuild() {
        group_->synchronize();
        const std::vector<std::int64_t> counts = sort_by_slices(
            places_, ranks(), shares_.slices(), block_, axis_, parts_.claimed, number_);
        check_count(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
        const std::vector<Rows> had = shares_.slices();
        if (number_ > 0 && shares_.is_balance_due()) balance(counts);
        lay_out(counts);
        group_->fork();
        for (const auto& place : places_) {
            const Rows own = had[static_cast<std::size_t>(place->number)];
            place->arrange(block_, line_of(place->layout.elements_of(own)));
        }
        move(parts_.moves(had, shares_.slices()));
        for_all([&](Member& place) {
            place.find_neighbours(block_, constants_.list_radius_2, number_);
        });
    }

    // Moves slices to the devices that have them from now on.
    void move(const std::vector<SliceMove>& moves) {
        if (ranks()) {
            group_->synchronize();
            return move_between(*ranks(), *places_.front(), moves);
        }
        group_->meet();
        for (const SliceMove& move : moves) fetch(at(move.from), at(move.to), move.slices);
        group_->meet();
    }

    void balance(const std::vector<std::int64_t>& counts) {
        std::vector<double> loads;
        for (const auto& place : places_) loads.push_back(place->timer.take());
        if (group_->lead().backend() != Backend::cuda)
            for (std::size_t place = 0; place < loads.size(); ++place) {
                const Rows own = shares_.slices()[place];
                loads[place] = static_cast<double>(std::accumulate(
                    counts.begin() + own.first, counts.begin() + own.end, std::int64_t{0}));
            }
        if (parts_.loads) loads = parts_.loads(shares_.slices());
        context_->moved_rows += shares_.balance(loads);
    }

    // Assigns the slots that each device uses from now on.
    void lay_out(const std::vector<std::int64_t>& counts) {
        shares_.check_room(counts, number_);
        for (const auto& place : places_) {
            place->layout = SliceLayout(counts, shares_.of(place->number));
            place->split(parts_.computed(place->layout), edge_share_, block_);
        }
        describe();
    }
    void describe() {
        context_->places.clear();
        for (const auto& place : places_) {
            GroupPlace& base = place->base;
            base.own = shares_.of(place->number);
            context_->places.push_back(
                {&base.store, base.own, 0, {base.neighbours[0], base.neighbours[1]}});
        }
    }

    // Checks that no particle is lost and none belongs to two devices.
    void check_count(std::int64_t found) const {
        if (found != count_)
            report_lost(places_, ranks(), found, count_, number_, list_capacity(settings_));
    }

    std::unique_ptr<Group> group_;
    Settings settings_;
    Constants<Real> constants_;
    unsigned block_;
    ParticleGroupParts parts_;
    SliceShares shares_;
    int edge_share_;
    std::int64_t count_;  // particles
    Principal axis_ = Principal::y;
    Places<Form> places_;
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: one device
    std::unique_ptr<GroupMinimum> minimum_;
    std::vector<std::uint8_t> kinds_;
    int number_ = 0;  // of the next iteration
};

CAMBER_TARGET_END
