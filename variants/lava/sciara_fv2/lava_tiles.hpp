// Board and lists of tiles on which one_kernel and persistent work.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "variants/lava/sciara_fv2/one_kernel.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Arguments of a launch of one step.
template <class Physics>
struct LavaStep {
    LavaBoard<Physics> board;
    TileList list;
};

// Fields, lists and vents on a queue. The two buffers of each field alternate between steps.
class LavaTiles {
  public:
    // The region of `shape` is a tile.
    LavaTiles(Queue& queue, const Problem& problem, const Shape& shape)
        : queue_(queue),
          problem_(problem),
          tiles_across_(covering(problem.size, shape).grid),
          emission_(emission_parameters(problem.parameters)),
          fields_(queue),
          tiles_(queue) {
        const unsigned tiles = tiles_across_.x * tiles_across_.y;
        shape_ = covering(problem.size, shape);
        shape_.grid = {std::min(tiles, most_blocks)};
        shape_.carve_out = CarveOut::shared;  // data read twice are in shared memory
        for (const char* field : written) add<double>(field, Buffers::two);
        add<double>(solidified_field, Buffers::one);
        add<std::uint8_t>(frame_field, Buffers::one);
        add<std::uint8_t>(vents_field, Buffers::one);  // part of the state, but unused by kernels
        const auto layout = [](unsigned columns, unsigned rows) {
            return Layout::make(static_cast<int>(columns), static_cast<int>(rows), 0, unaligned, 4);
        };
        const std::uint32_t zero = 0;
        const auto none = std::as_bytes(std::span(&zero, 1));
        tiles_.add("tiles", ElementType::int32, layout(tiles, 1), none, Buffers::two);
        tiles_.add("marks", ElementType::uint32, layout(tiles_across_.x, tiles_across_.y), none,
                   Buffers::two);
        tiles_.add("counts", ElementType::int32,
                   layout(TileList::counts_of_a_list * TileList::turns, 1), none, Buffers::one);
    }

    // Row 0 of the fields is row `first_row` of the state. Throws Unsupported if more cells have a
    // vent than a VentList can contain.
    void upload(const State& initial, int first_row = 0) {
        number_ = 0;
        list_vents(initial, first_row);
        replace(initial, first_row);
    }
    // Replaces the state by the state after the same number of steps.
    void replace(const State& state, int first_row = 0) {
        fields_.upload(state, first_row, false);
        tiles_.upload(State{});
        const std::uint32_t none = 0;
        queue_.fill(tiles_.next("marks"), tiles_.layout("marks").elements(),
                    std::as_bytes(std::span(&none, 1)));
        launches_ = 0;
        all_ = true;
    }
    void download(State& result) { fields_.download(result); }
    FieldStore& fields() { return fields_; }
    // Declares the rows at the upper and at the lower end that other devices change. A tile that
    // reads one of them, from `rim` + 1 rows beyond its own, never sleeps.
    void expect_changes(int above, int below, int rim, Region tile) {
        const int rows = static_cast<int>(tiles_across_.y);
        const auto reads = [&](int row, int first, int end) {
            return first < end && (row + 1) * tile.rows + rim + 1 > first &&
                   row * tile.rows - rim - 1 < end;
        };
        for (awake_above_ = 0; awake_above_ < rows && reads(awake_above_, 0, above);)
            ++awake_above_;
        const int end = problem_.size.rows;
        for (awake_below_ = 0;
             awake_below_ < rows && reads(rows - 1 - awake_below_, end - below, end);)
            ++awake_below_;
    }
    // Poisons only data that every launch writes: solidified thickness changes in place.
    void poison(Poison poison) {
        fields_.poison_next(std::vector<std::string>(written.begin(), written.end()), poison);
        all_ = true;
    }

    // Arguments of the next step and of the step after it, on the current buffers.
    template <class Physics>
    std::array<LavaStep<Physics>, 2> next_steps() {
        std::array<LavaStep<Physics>, 2> steps;
        for (LavaStep<Physics>& step : steps) {
            step = {board<Physics>(), list()};
            swap_buffers();
        }
        return steps;
    }
    void swap_buffers() {
        for (const char* field : written) fields_.swap(field);
        for (const char* field : {"tiles", "marks"}) tiles_.swap(field);
    }

    // Numbers a launch that is about to start.
    void begin_launch(TileList& list) const {
        list.launch = launches_;
        list.all = all_;
    }
    // `lists` is the number of lists that the launch has processed.
    void end_launch(int steps, int lists) {
        number_ += steps;
        launches_ += lists;
        all_ = false;
    }
    // Number of the next step, from 0.
    int number() const { return number_; }

    // Vents with their emissions in each of the next steps.
    const VentList& emitting(int steps) {
        for (int step = 0; step < steps; ++step)
            for (int vent = 0; vent < vents_.count; ++vent)
                vents_.thickness[step][vent] =
                    emission_.thickness(number_of(vent), std::int64_t{number_} + step + 1);
        return vents_;
    }
    const VentList& vents() const { return vents_; }
    // Index of a vent of the list in the emission, from 0.
    int number_of(int vent) const { return vent_numbers_[vent] - 1; }
    const Emission& emission() const { return emission_; }
    const LaunchShape& launch_shape() const { return shape_; }

  private:
    // Maximum number of blocks per launch: enough for the lava area of the intended boards, and few
    // enough that blocks without a tile end soon.
    static constexpr unsigned most_blocks = 512;
    static constexpr std::array<const char*, 3> written{altitude_field, thickness_field,
                                                        temperature_field};

    template <class T>
    void add(const char* field, Buffers buffers) {
        const T zero{};
        fields_.add(
            field, element_of<T>(),
            Layout::make(problem_.size.columns, problem_.size.rows, 0, unaligned, sizeof(T)),
            std::as_bytes(std::span(&zero, 1)), buffers);
    }

    void list_vents(const State& initial, int first_row) {
        vents_ = {};
        vents_.temperature = emission_.vent_temperature;
        const auto numbers = initial.field(vents_field).cells<std::uint8_t>();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const int row = static_cast<int>(i / problem_.size.columns) - first_row;
            if (numbers[i] == 0 || row < 0 || row >= problem_.size.rows) continue;
            if (vents_.count == VentList::capacity)
                throw Unsupported("takes at most " + std::to_string(VentList::capacity) +
                                  " cells with a vent, and the board has more");
            vents_.row[vents_.count] = row;
            vents_.column[vents_.count] = static_cast<int>(i % problem_.size.columns);
            vent_numbers_[vents_.count++] = numbers[i];
        }
    }

    template <class T>
    static Grid<T> current(const FieldStore& store, const char* field) {
        return {static_cast<T*>(store.current(field)), store.layout(field), field};
    }
    template <class T>
    static Grid<T> next(const FieldStore& store, const char* field) {
        return {static_cast<T*>(store.next(field)), store.layout(field), field};
    }

    template <class Physics>
    LavaBoard<Physics> board() const {
        LavaBoard<Physics> board{};
        board.altitude = current<const double>(fields_, altitude_field);
        board.thickness = current<const double>(fields_, thickness_field);
        board.temperature = current<const double>(fields_, temperature_field);
        board.next_altitude = next<double>(fields_, altitude_field);
        board.next_thickness = next<double>(fields_, thickness_field);
        board.next_temperature = next<double>(fields_, temperature_field);
        board.solidified = current<double>(fields_, solidified_field);
        board.frame = current<const std::uint8_t>(fields_, frame_field);
        board.outflow = Physics::outflow(problem_.parameters);
        board.cooling = Physics::cooling(problem_.parameters);
        board.rows = problem_.size.rows;
        board.columns = problem_.size.columns;
        return board;
    }
    TileList list() const {
        TileList list{};
        list.tiles = current<const std::int32_t>(tiles_, "tiles");
        list.next_tiles = next<std::int32_t>(tiles_, "tiles");
        list.marks = current<const std::uint32_t>(tiles_, "marks");
        list.next_marks = next<std::uint32_t>(tiles_, "marks");
        list.counts = current<std::int32_t>(tiles_, "counts");
        list.rows = static_cast<int>(tiles_across_.y);
        list.columns = static_cast<int>(tiles_across_.x);
        list.awake_above = awake_above_;
        list.awake_below = awake_below_;
        return list;
    }

    Queue& queue_;
    Problem problem_;
    Extent tiles_across_;
    LaunchShape shape_;
    Emission emission_;
    FieldStore fields_;
    FieldStore tiles_;
    VentList vents_{};
    std::array<int, VentList::capacity> vent_numbers_{};
    int number_ = 0;
    int launches_ = 0;     // since the fields were replaced
    int awake_above_ = 0;  // rows of tiles; see expect_changes()
    int awake_below_ = 0;
    bool all_ = true;  // the next launch must write every cell
};

CAMBER_TARGET_END
