// The launches of one_kernel, and how its variants enter the registry.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "harness/base/unsupported.hpp"
#include "variants/sciara_fv2/canonical_lava.hpp"
#include "variants/sciara_fv2/one_kernel.hpp"
#include "variants/sciara_fv2/short_lava.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/sciara_fv2/parameters.hpp"
#include "workloads/sciara_fv2/state.hpp"

CAMBER_TARGET_BEGIN

// What its launches work on.
template <int BX, int BY, int Steps, class Physics>
class LavaTilesExecution : public Execution {
  public:
    using Block = LavaTile<BX, BY, Steps, Physics>;
    static constexpr Region block{BX, BY};
    static constexpr Region region{Block::columns, Block::rows};

    LavaTilesExecution(Queue& queue, const Problem& problem)
        : queue_(queue),
          size_(problem.size),
          tiles_across_(covering(problem.size, block, region).grid),
          outflow_(Physics::outflow(problem.parameters)),
          cooling_(Physics::cooling(problem.parameters)),
          emission_(sciara_fv2::emission_parameters(problem.parameters)),
          store_(queue),
          tiles_(queue) {
        using namespace sciara_fv2;
        const unsigned tiles = tiles_across_.x * tiles_across_.y;
        shape_.grid = {std::min(tiles, most_blocks)};
        shape_.block = {BX, BY};
        shape_.carve_out = CarveOut::shared;  // what is read twice is read from there
        for (const char* field : {altitude_field, thickness_field, temperature_field})
            add<double>(field, Buffers::two);
        add<double>(solidified_field, Buffers::one);
        add<std::uint8_t>(frame_field, Buffers::one);
        add<std::uint8_t>(vents_field, Buffers::one);  // part of the state, though no kernel's
        const auto layout = [](unsigned columns, unsigned rows) {
            return Layout::make(static_cast<int>(columns), static_cast<int>(rows), 0, unaligned, 4);
        };
        const std::uint32_t zero = 0;
        const auto none = std::as_bytes(std::span(&zero, 1));
        tiles_.add("tiles", ElementType::int32, layout(tiles, 1), none, Buffers::two);
        tiles_.add("marks", ElementType::uint32, layout(tiles_across_.x, tiles_across_.y), none,
                   Buffers::two);
        tiles_.add("counts", ElementType::int32, layout(lists, 1), none, Buffers::one);
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        tiles_.upload(State{});
        list_vents(initial);
        // What lava there is, and what must be set to zero, shows in the first launch.
        const std::uint32_t awake = awake_tile;
        queue_.fill(tiles_.current("marks"), tiles_.layout("marks").elements(),
                    std::as_bytes(std::span(&awake, 1)));
        for (Launch& launch : launches_) {
            launch = {board_now(), list_now()};
            swap_buffers();
        }
        number_ = 0;
        list_number_ = 0;
        all_ = true;
    }
    void download(State& result) override { store_.download(result); }
    // Only what every launch writes: solidified thickness changes in place, where lava solidifies.
    void poison() override {
        for (const char* field : written_) store_.poison_next(field);
        all_ = true;
    }

  protected:
    template <class T>
    void add(const char* field, Buffers buffers) {
        const T zero{};
        store_.add(field, element_of<T>(),
                   Layout::make(size_.columns, size_.rows, 0, unaligned, sizeof(T)),
                   std::as_bytes(std::span(&zero, 1)), buffers);
    }

    void list_vents(const State& initial) {
        vents_ = {};
        vents_.temperature = emission_.vent_temperature;
        const auto numbers = initial.field(sciara_fv2::vents_field).cells<std::uint8_t>();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] == 0) continue;
            if (vents_.count == VentList::capacity)
                throw Unsupported("takes at most " + std::to_string(VentList::capacity) +
                                  " cells with a vent, and the board has more");
            vents_.row[vents_.count] = static_cast<int>(i / size_.columns);
            vents_.column[vents_.count] = static_cast<int>(i % size_.columns);
            vent_numbers_[vents_.count++] = numbers[i];
        }
    }

    static constexpr int lists = 3;  // of this launch, of the next, and one that is being emptied
    // Of a launch: enough for all that lava covers on the boards that this is for, few enough that
    // those without a tile are soon gone.
    static constexpr unsigned most_blocks = 512;

    template <class T>
    static Grid<T> grid(const FieldStore& store, const char* field, void* base) {
        return {static_cast<T*>(base), store.layout(field), field};
    }
    template <class T>
    Grid<T> current(const char* field) const {
        return grid<T>(store_, field, store_.current(field));
    }
    Grid<double> next(const char* field) const {
        return grid<double>(store_, field, store_.next(field));
    }

    void swap_buffers() {
        for (const char* field : written_) store_.swap(field);
        for (const char* field : {"tiles", "marks"}) tiles_.swap(field);
    }

    LavaBoard<Physics> board_now() const {
        using namespace sciara_fv2;
        LavaBoard<Physics> board{};
        board.altitude = current<const double>(altitude_field);
        board.thickness = current<const double>(thickness_field);
        board.temperature = current<const double>(temperature_field);
        board.next_altitude = next(altitude_field);
        board.next_thickness = next(thickness_field);
        board.next_temperature = next(temperature_field);
        board.solidified = current<double>(solidified_field);
        board.frame = current<const std::uint8_t>(frame_field);
        board.outflow = outflow_;
        board.cooling = cooling_;
        board.rows = size_.rows;
        board.columns = size_.columns;
        return board;
    }

    TileList list_now() const {
        TileList list{};
        list.tiles = grid<const std::int32_t>(tiles_, "tiles", tiles_.current("tiles"));
        list.next_tiles = grid<std::int32_t>(tiles_, "tiles", tiles_.next("tiles"));
        list.marks = grid<std::uint32_t>(tiles_, "marks", tiles_.current("marks"));
        list.next_marks = grid<std::uint32_t>(tiles_, "marks", tiles_.next("marks"));
        list.counts = grid<std::int32_t>(tiles_, "counts", tiles_.current("counts"));
        list.rows = static_cast<int>(tiles_across_.y);
        list.columns = static_cast<int>(tiles_across_.x);
        return list;
    }

    static constexpr std::array<const char*, 3> written_{
        sciara_fv2::altitude_field, sciara_fv2::thickness_field, sciara_fv2::temperature_field};

    Queue& queue_;
    Size size_;
    Extent tiles_across_;
    LaunchShape shape_;
    typename Physics::Outflow outflow_;
    typename Physics::Cooling cooling_;
    sciara_fv2::Emission emission_;
    FieldStore store_;
    FieldStore tiles_;
    struct Launch {
        LavaBoard<Physics> board;
        TileList list;
    };
    std::array<Launch, 2> launches_{};  // the next one, and the one after it
    VentList vents_{};
    std::array<int, VentList::capacity> vent_numbers_{};
    int number_ = 0;       // of the step to come, from 0
    int list_number_ = 0;  // of the next launch's list
    bool all_ = true;      // the next launch must write every cell
};

template <int BX, int BY, int Steps, class Physics>
class OneKernelExecution final : public LavaTilesExecution<BX, BY, Steps, Physics> {
  public:
    using LavaTilesExecution<BX, BY, Steps, Physics>::LavaTilesExecution;

    // The loop is kept short: the device waits for it.
    void advance(int generations) override {
        for (int done = 0; done < generations; done += Steps, this->number_ += Steps) {
            for (int step = 0; step < Steps; ++step)
                for (int vent = 0; vent < this->vents_.count; ++vent)
                    this->vents_.thickness[step][vent] = this->emission_.thickness(
                        this->vent_numbers_[vent] - 1, std::int64_t{this->number_} + step + 1);
            auto& [board, list] = this->launches_[0];
            list.count = this->list_number_;
            this->list_number_ = (this->list_number_ + 1) % this->lists;
            list.next_count = this->list_number_;
            list.later_count = (this->list_number_ + 1) % this->lists;
            list.all = this->all_;
            launch(this->queue_, "step", this->shape_, one_kernel<BX, BY, Steps, Physics>, board,
                   this->vents_, list);
            std::swap(this->launches_[0], this->launches_[1]);
            this->all_ = false;
        }
        if (generations / Steps % 2 != 0) this->swap_buffers();
    }
};

struct OneKernel {
    static constexpr TechniqueInfo info{
        "one_kernel",
        "a step, or several, in one launch; tiles that lava cannot reach are left out",
        "extends D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN "
        "5056757"};

    template <class Physics, int BX, int BY, int Steps = 1>
    static StepPlan plan() {
        using Runs = OneKernelExecution<BX, BY, Steps, Physics>;
        StepPlan plan;
        plan.technique = info.name;
        plan.path = (Physics::arithmetic == Arithmetic::canonical ? "" : "short/") +
                    Runs::block.name() + (Steps > 1 ? "/n" + std::to_string(Steps) : "");
        plan.arithmetic = Physics::arithmetic;
        plan.summary = info.summary;
        plan.source = info.source;
        plan.block = Runs::block;
        plan.region = Runs::region;
        plan.generations = Steps;
        plan.shared_bytes =
            sizeof(double) * (2 * (BX + 2) * (BY + 2) + (2 + sciara_fv2::neighbours) * BX * BY);
        using namespace sciara_fv2;
        for (const char* field :
             {altitude_field, thickness_field, temperature_field, solidified_field})
            plan.fields.push_back({field, ElementType::float64, {}, true, true});
        plan.fields.push_back({frame_field, ElementType::uint8, {}, true, false});
        plan.unsupported = unsupported;
        return plan;
    }

    template <class Physics, int BX, int BY, int Steps = 1>
    static void add(Registry& registry) {
        using Runs = OneKernelExecution<BX, BY, Steps, Physics>;
        add_step_variant(registry, "sciara_fv2", ElementType::float64, target_backend, "",
                         plan<Physics, BX, BY, Steps>(), [](Queue& queue, const Problem& problem) {
                             return std::make_unique<Runs>(queue, problem);
                         });
    }

    static std::optional<std::string> unsupported(const Problem& problem) {
        const std::size_t vents =
            sciara_fv2::emission_parameters(problem.parameters).rates.vents.size();
        if (vents <= VentList::capacity) return std::nullopt;
        return "takes at most " + std::to_string(VentList::capacity) + " vents, there are " +
               std::to_string(vents);
    }
};

CAMBER_TARGET_END
