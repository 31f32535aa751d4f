// Partition of particles by slices. Each device has whole slices of cells along an axis, and a copy
// of its neighbors' nearest slices, whose particles it moves, too. It receives the forces on these
// particles: each device sends the forces of its edge slices first, while it computes the others
// (Rustico 2012, sections 8.3 to 8.5). Before a new neighbor list, a particle moves to the device
// that has its slice by then. That device already has a copy, unless slices also move for balance.
// The copies of neighboring slices are fetched anew.
//
// All devices keep the order by (cell, number), so sums equal those of one device bit by bit.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/runtime.hpp"
#include "variants/particles/sph/migration.hpp"
#include "variants/particles/sph/particle_device.hpp"
#include "variants/particles/sph/slice_shares.hpp"
#include "workloads/particles/sph/slices.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

template <class Form>
class SlicePartition : public GroupPartition {
    using Fields = typename Form::Fields;
    using Real = typename Fields::Real;
    using Member = ParticlePlace<Form>;

  public:
    // Throws Unsupported if the problem cannot be divided in this way.
    SlicePartition(Group& group, const Problem& problem, int block, const Division& division,
                   const camber::Exchange& exchange)
        : group_(group),
          settings_(settings_of(problem.parameters)),
          constants_(constants_of<Real>(settings_)),
          block_(static_cast<unsigned>(block)),
          shares_(division, sharing_of(problem.parameters)),
          measure_(sharing_of(problem.parameters).divide_by),
          is_balanced_(division.balancing.rule != BalanceRule::none),
          edge_share_(exchange.overlap ? division.edge_share : -1),
          count_(particle_count(settings_)) {
        refuse_division(group_, division, exchange.path);
        const int count = ranks() ? ranks()->size() : group_.places();
        const auto grid = cell_grid<Real>(settings_);
        const CellCounts cells = counts_of_cells<Real>(settings_);
        axis_ = slice_axis<Real>(settings_, cells, count, sharing_of(problem.parameters).along);
        const auto counts = counts_of_slices(cells.all, grid, axis_);
        at_start_ = counts;
        shares_.divide(measures_of(cells));
        shares_.make_room(counts, count_);
        for (int place = 0; place < count; ++place) {
            if (ranks() && ranks()->rank() != place) continue;
            const int here = static_cast<int>(members_.size());
            Member& member = *members_.emplace_back(
                std::make_unique<Member>(group_.at(here), here, place, settings_, grid, axis_,
                                         shares_.room(place), static_cast<std::size_t>(count_)));
            add(member.base);
            member.base.set_neighbours(place, count);
            add_phases(member);
        }
        assign_slices();
    }

    // Forces travel after each evaluation, and the step's length after the corrector.
    GroupSchedule schedule() const {
        GroupSchedule schedule;
        schedule.steps = {{"", true}, {}, {"", true}, {}, {}};
        schedule.host_takes_part = true;  // the division is fixed within a recording
        schedule.is_timed = is_balanced_;
        return schedule;
    }
    ExchangeContext context() const override {
        ExchangeContext context{group_, fields(), {}, 1, true, false};
        context.parcels = {[this](int place, Side side, Way way) {
                               const Member& member = at(place);
                               const Rows slices =
                                   way == Way::sent ? member.shared(side) : member.external(side);
                               return areas_of(member.forces.areas(), member.capacity,
                                               member.layout.elements_of(slices));
                           },
                           most_sent()};
        return context;
    }
    LeastNumbers least(int step) const override {
        LeastNumbers least;
        if (step != corrector_step || shares_.slices().size() == 1) return least;
        for (const auto& member : members_) least.numbers.push_back(member->least.data());
        least.size = sizeof(Real);
        return least;
    }

    int upload(const State& initial, GroupRuntime& runtime) override {
        const auto kinds = initial.field(kind_field).cells<std::uint8_t>();
        kinds_.assign(kinds.begin(), kinds.end());
        const int number = number_ = iterations_of(initial);
        // If the current list was built before the run, rebuilds it from the positions at that
        // time.
        const PositionFields& from = rebuilds(number) ? position_fields : listed_fields;
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
        shares_.divide(measures_of(counts_of_cells(positions, cells())));
        lay_out(counts, number, runtime);
        for (const auto& place : members_) {
            const Rows slices_held = place->layout.held();
            std::vector<int> held(
                static_cast<std::size_t>(place->layout.elements_of(slices_held).first), -1);
            for (int slice = slices_held.first; slice < slices_held.end; ++slice) {
                const auto& of_slice = ids[static_cast<std::size_t>(slice)];
                held.insert(held.end(), of_slice.begin(), of_slice.end());
            }
            place->upload(initial, from, std::move(held));
        }
        runtime.context().moved_rows = 0;
        runtime.take_times();  // discards times of previous runs
        if (rebuilds(number)) return number;
        runtime.restart();
        rebuild(number, runtime);
        group_.join();
        group_.synchronize();
        for (const auto& place : members_) place->move_to(initial);
        return number;
    }

    void download(State& result) override {
        const double time = members_.front()->time.downloaded(members_.front()->middle())[0];
        report_first_fault(members_, ranks(), time, list_capacity(settings_));
        std::size_t found = 0;
        if (ranks()) {
            found = gather_particles(*ranks(), *members_.front(), result);
        } else {
            for (const auto& place : members_) {
                const auto own = place->own_particles();
                put_particles(result, own.ids, own.now, own.listed);
                found += own.ids.size();
            }
        }
        check_count(static_cast<std::int64_t>(found));
        Member& first = *members_.front();
        std::ranges::copy(kinds_, result.field(kind_field).cells<std::uint8_t>().begin());
        result.field(step_field).template cells<Real>()[0] =
            first.step.downloaded(first.middle())[0];
        result.field(time_field).template cells<double>()[0] = time;
    }

    void pass_through_host() override {}
    void poison(int, Poison) override {}
    bool poison_ahead(int number, Poison poison) override {
        group_.synchronize();
        for (const auto& place : members_)
            place->middle().poison(place->outputs(rebuilds(number)), poison);
        group_.synchronize();
        return true;
    }
    void complete(int, int) override {}
    void before_launch(int number, GroupRuntime& runtime) override {
        if (rebuilds(number)) rebuild(number, runtime);
    }
    void after_launch(int number, GroupRuntime&) override {
        number_ = number;
        shares_.iterated();
    }

  protected:
    // Slices that each device fetches before a new neighbor list.
    virtual std::vector<SliceMove> moves(const std::vector<Rows>& had,
                                         const std::vector<Rows>& have) const {
        return slice_moves(had, have);
    }
    // Slices from which a device with these own slices claims particles.
    virtual Rows claimed(Rows own) const { return own; }
    // Slices for whose particles a device computes forces.
    virtual Rows computed(const SliceLayout& layout) const { return layout.own(); }
    // Slices whose particles a device includes in the minimum step.
    virtual Rows counted(const SliceLayout& layout) const { return layout.own(); }
    // Load of each device: the time of its forces on a GPU, its number of particles on the
    // executor.
    virtual std::vector<double> loads(const std::vector<Rows>& slices,
                                      const std::vector<std::int64_t>& counts,
                                      std::vector<double> seconds) {
        if (group_.lead().backend() == Backend::cuda) return seconds;
        for (std::size_t place = 0; place < seconds.size(); ++place)
            seconds[place] = static_cast<double>(
                std::accumulate(counts.begin() + slices[place].first,
                                counts.begin() + slices[place].end, std::int64_t{0}));
        return seconds;
    }

  private:
    static constexpr int corrector_step = 3;

    std::size_t most_sent() const {
        std::size_t most = 0;
        for (const auto& place : members_) {
            std::size_t bytes = 0;
            for (const ByteArea& area : place->forces.areas()) bytes += area.width;
            most = std::max(most, bytes);
        }
        return most;
    }

    // Measure of each slice by which devices share them.
    std::vector<std::int64_t> measures_of(const CellCounts& counts) const {
        const auto grid = cell_grid<Real>(settings_);
        switch (measure_) {
            case SliceMeasure::work:
                return work_of_slices(counts, grid, axis_);
            case SliceMeasure::particles:
                return counts_of_slices(counts.all, grid, axis_);
            case SliceMeasure::start:
                break;
        }
        return at_start_;
    }

    Communicator* ranks() const { return group_.ranks(); }
    Member& at(int place) const { return *members_[static_cast<std::size_t>(place)]; }
    const CellGrid<Real>& cells() const { return members_.front()->order.grid(); }
    bool rebuilds(int number) const { return number % settings_.rebuild == 0; }

    // State that iteration `number` begins with, and the state at its end.
    Fields now(Member& place, int number) const {
        return (rebuilds(number) ? place.other : place.state).fields();
    }
    Fields ahead(Member& place, int number) const {
        return (rebuilds(number) ? place.state : place.other).fields();
    }

    void add_phases(Member& place) {
        const auto add_step = [&](auto work) {
            place.base.phases.push_back(
                {.middle = {&place.middle(), [work](int number, int) { work(number); }},
                 .is_timed = false});
        };
        const auto evaluate = [&](bool second) {
            add_step([this, &place, second](int number) {
                evaluate_on(place, place.middle(), place.inner, second, number);
            });
            place.base.phases.back().is_timed = true;
        };
        evaluate(false);
        add_step([this, &place](int number) {
            launch_over(place.held_slots(), place.middle(), block_, "predictor",
                        predictor_kernel<Fields, LineSlots>, now(place, number),
                        place.forces.forces(), place.step.grid(), ahead(place, number),
                        place.held_slots(), constants_);
        });
        evaluate(true);
        add_step([this, &place](int number) {
            launch_over(place.held_slots(), place.middle(), block_, "corrector",
                        corrector_kernel<Fields, LineSlots>, now(place, number),
                        place.forces.forces(), place.step.grid(), place.state.fields(),
                        place.ids.grid(), place.faults.grid(), number, place.held_slots(),
                        constants_);
            place.find_least(place.layout.elements_of(counted(place.layout)));
        });
        add_step([this, &place](int) {
            launch(place.middle(), "clock", {{1}, {1}}, clock_kernel<Real>, place.least.grid(),
                   place.step.grid(), place.time.grid(), constants_);
        });
    }
    // Forces on the particles in some slots, of the state at the beginning or at the end.
    void evaluate_on(Member& place, Queue& queue, const LineSlots& slots, bool second,
                     int number) const {
        place.evaluate(queue, block_, slots, second ? ahead(place, number) : now(place, number),
                       second, constants_);
    }
    // Edges first, whose forces travel while the others are computed.
    void split_phases(Member& place) {
        for (const bool second : {false, true})
            for (const Side side : sides) {
                auto& edge = place.base.phases[second ? 2 : 0].edges[index(side)];
                edge.reset();
                if (place.edges[index(side)].count == 0) continue;
                Queue& queue = *place.base.queue[index(side)];
                edge = GroupPart{&queue, [this, &place, &queue, side, second](int number, int) {
                                     evaluate_on(place, queue, place.edges[index(side)], second,
                                                 number);
                                 }};
            }
    }

    // Moves every particle to the device that has its slice now, and rebuilds every list.
    void rebuild(int number, GroupRuntime& runtime) {
        group_.synchronize();
        const std::vector<std::int64_t> counts = sort_by_slices(
            members_, ranks(), shares_.slices(), block_, axis_,
            [this](Rows own) { return claimed(own); }, number);
        check_count(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
        const std::vector<Rows> had = shares_.slices();
        if (number > 0 && shares_.is_balance_due())
            runtime.context().moved_rows +=
                shares_.balance(loads(had, counts, runtime.take_times()));
        lay_out(counts, number, runtime);
        runtime.restart();
        for (const auto& place : members_) {
            const Rows own = had[static_cast<std::size_t>(place->number)];
            place->arrange(block_, line_of(place->layout.elements_of(own)));
        }
        move(moves(had, shares_.slices()));
        for (const auto& place : members_) {
            place->find_neighbours(block_, constants_.list_radius_2, number);
            place->middle().record(*place->base.middle_done);
            place->base.has_worked = true;
        }
    }

    // Moves slices to the devices that have them from now on.
    void move(const std::vector<SliceMove>& moves) {
        if (ranks()) {
            group_.synchronize();
            return move_between(*ranks(), *members_.front(), moves);
        }
        group_.meet();
        for (const SliceMove& move : moves) fetch(at(move.from), at(move.to), move.slices);
        group_.meet();
    }

    // Assigns the slots that each device uses from now on.
    void lay_out(const std::vector<std::int64_t>& counts, int number, GroupRuntime& runtime) {
        shares_.check_room(counts, number);
        for (const auto& place : members_) {
            place->layout = SliceLayout(counts, shares_.of(place->number));
            place->split(computed(place->layout), edge_share_, block_);
            split_phases(*place);
        }
        assign_slices();
        runtime.divided_anew();
    }
    void assign_slices() {
        for (const auto& place : members_) place->base.own = shares_.of(place->number);
    }

    // Checks that no particle is lost and none belongs to two devices.
    void check_count(std::int64_t found) const {
        if (found != count_)
            report_lost(members_, ranks(), found, count_, number_, list_capacity(settings_));
    }

    Group& group_;
    Settings settings_;
    Constants<Real> constants_;
    unsigned block_;
    SliceShares shares_;
    SliceMeasure measure_;
    std::vector<std::int64_t> at_start_;  // particles of each slice at the start of the scene
    bool is_balanced_;
    int edge_share_;
    std::int64_t count_;  // particles
    Principal axis_ = Principal::y;
    Places<Form> members_;
    std::vector<std::uint8_t> kinds_;
    int number_ = 0;  // of the next iteration
};

CAMBER_TARGET_END
