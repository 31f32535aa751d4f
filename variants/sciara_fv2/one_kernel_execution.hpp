// The launches of one_kernel, and how its variants enter the registry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "variants/catalogue.hpp"
#include "variants/sciara_fv2/one_kernel.hpp"
#include "workloads/sciara_fv2/parameters.hpp"
#include "workloads/sciara_fv2/state.hpp"

CAMBER_TARGET_BEGIN

template <int BX, int BY, int Steps>
class OneKernelExecution final : public Execution {
  public:
    using Block = LavaTile<BX, BY, Steps>;
    static constexpr Region block{BX, BY};
    static constexpr Region region{Block::columns, Block::rows};

    OneKernelExecution(Queue& queue, const Problem& problem)
        : queue_(queue),
          size_(problem.size),
          shape_(covering(problem.size, block, region)),
          outflow_(sciara_fv2::outflow_parameters(problem.parameters)),
          cooling_(sciara_fv2::cooling_parameters(problem.parameters)),
          emission_(sciara_fv2::emission_parameters(problem.parameters)),
          store_(queue),
          tiles_(queue) {
        using namespace sciara_fv2;
        shape_.carve_out = CarveOut::shared;  // what is read twice is read from there
        for (const char* field : {altitude_field, thickness_field, temperature_field})
            add<double>(field, Buffers::two);
        add<double>(solidified_field, Buffers::one);
        add<std::uint8_t>(frame_field, Buffers::one);
        add<std::uint8_t>(vents_field, Buffers::one);  // part of the state, though no kernel's
        // A ring of tiles, so that the outermost need not look where they wake others.
        const Layout layout = Layout::make(static_cast<int>(shape_.grid.x),
                                           static_cast<int>(shape_.grid.y), 1, unaligned, 4);
        // At first all are awake: what lava there is, and what must be set to zero, shows then.
        const std::uint32_t yes = 1;
        const std::uint32_t no = 0;
        tiles_.add("awake", ElementType::uint32, layout, std::as_bytes(std::span(&yes, 1)),
                   Buffers::two);
        tiles_.add("settled", ElementType::uint32, layout, std::as_bytes(std::span(&no, 1)),
                   Buffers::one);
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        tiles_.upload(State{});
        list_vents(initial);
        for (LavaBoard& board : boards_) {
            board = board_now();
            swap_buffers();
        }
        number_ = 0;
    }
    void download(State& result) override { store_.download(result); }
    // Only what every launch writes: solidified thickness changes in place, where lava solidifies.
    void poison() override {
        for (const char* field : written_) store_.poison_next(field);
        rewrite_ = true;
    }
    // The loop is kept short: the device waits for it.
    void advance(int generations) override {
        for (int done = 0; done < generations; done += Steps, number_ += Steps) {
            for (int step = 0; step < Steps; ++step)
                for (int vent = 0; vent < vents_.count; ++vent)
                    vents_.thickness[step][vent] = emission_.thickness(
                        vent_numbers_[vent] - 1, std::int64_t{number_} + step + 1);
            boards_[0].rewrite = rewrite_;
            launch(queue_, "step", shape_, one_kernel<BX, BY, Steps>, boards_[0], vents_);
            std::swap(boards_[0], boards_[1]);
            rewrite_ = false;
        }
        if (generations / Steps % 2 != 0) swap_buffers();
    }

  private:
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
                throw Error(ExitCode::unavailable,
                            "technique one_kernel takes at most " +
                                std::to_string(VentList::capacity) +
                                " cells with a vent, and the board has more: choose another");
            vents_.row[vents_.count] = static_cast<int>(i / size_.columns);
            vents_.column[vents_.count] = static_cast<int>(i % size_.columns);
            vent_numbers_[vents_.count++] = numbers[i];
        }
    }

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
    Grid<std::uint32_t> tiles(const char* field, void* base) const {
        return grid<std::uint32_t>(tiles_, field, base);
    }

    void swap_buffers() {
        for (const char* field : written_) store_.swap(field);
        tiles_.swap("awake");
    }

    LavaBoard board_now() const {
        using namespace sciara_fv2;
        LavaBoard board{};
        board.altitude = current<const double>(altitude_field);
        board.thickness = current<const double>(thickness_field);
        board.temperature = current<const double>(temperature_field);
        board.next_altitude = next(altitude_field);
        board.next_thickness = next(thickness_field);
        board.next_temperature = next(temperature_field);
        board.solidified = current<double>(solidified_field);
        board.frame = current<const std::uint8_t>(frame_field);
        board.awake = tiles("awake", tiles_.current("awake"));
        board.next_awake = tiles("awake", tiles_.next("awake"));
        board.settled = tiles("settled", tiles_.current("settled"));
        board.outflow = outflow_;
        board.cooling = cooling_;
        board.rows = size_.rows;
        board.columns = size_.columns;
        return board;
    }

    static constexpr std::array<const char*, 3> written_{
        sciara_fv2::altitude_field, sciara_fv2::thickness_field, sciara_fv2::temperature_field};

    Queue& queue_;
    Size size_;
    LaunchShape shape_;
    sciara_fv2::OutflowParameters outflow_;
    sciara_fv2::CoolingParameters cooling_;
    sciara_fv2::Emission emission_;
    FieldStore store_;
    FieldStore tiles_;
    std::array<LavaBoard, 2> boards_{};  // for the next launch, and for the one after it
    VentList vents_{};
    std::array<int, VentList::capacity> vent_numbers_{};
    int number_ = 0;        // of the step to come, from 0
    bool rewrite_ = false;  // the next launch must write every cell
};

struct OneKernel {
    static constexpr TechniqueInfo info{
        "one_kernel",
        "a step, or several, in one launch; tiles that lava cannot reach are left out",
        "extends D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN "
        "5056757"};

    template <int BX, int BY, int Steps = 1>
    static void add(Registry& registry) {
        using Runs = OneKernelExecution<BX, BY, Steps>;
        StepPlan plan;
        plan.technique = info.name;
        plan.path = Runs::block.name() + (Steps > 1 ? "/n" + std::to_string(Steps) : "");
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
        add_step_variant(registry, "sciara_fv2", ElementType::float64, target_backend, "", plan,
                         [](Queue& queue, const Problem& problem) {
                             return std::make_unique<Runs>(queue, problem);
                         });
    }

  private:
    static std::optional<std::string> unsupported(const Problem& problem) {
        const std::size_t vents =
            sciara_fv2::emission_parameters(problem.parameters).rates.vents.size();
        if (vents <= VentList::capacity) return std::nullopt;
        return "takes at most " + std::to_string(VentList::capacity) + " vents, there are " +
               std::to_string(vents);
    }
};

CAMBER_TARGET_END
