// Workload `transfer_overlap`: an array that is uploaded, computed and downloaded in parts, to
// measure how much of the transfers a device hides under its kernels.
#include "workloads/core/factories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "harness/base/error.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/transfer/transfer_overlap/map.hpp"

namespace camber {

namespace transfer_overlap {

int repeats_of(const ParameterSet& parameters) {
    constexpr int most = 1'000'000;
    const double repeats = parameters.value("repeats");
    if (!(repeats >= 0 && repeats <= most && repeats == std::floor(repeats)))
        throw Error(ExitCode::usage,
                    fmt::format("parameter repeats = {} is impossible: give a whole number from 0 "
                                "to {}",
                                repeats, most));
    return static_cast<int>(repeats);
}

namespace {

// Number of elements computed side by side, because the map of one element is a dependency chain.
constexpr std::size_t lanes = 128;

void map_all(std::span<const float> x, std::span<const float> input, std::span<float> next,
             int repeats) {
    std::size_t i = 0;
    for (; i + lanes <= x.size(); i += lanes) {
        std::array<float, lanes> value;
        for (std::size_t k = 0; k < lanes; ++k) value[k] = mapped(x[i + k], input[i + k], 0);
        for (int r = 0; r < repeats; ++r)
            for (std::size_t k = 0; k < lanes; ++k) value[k] = 3.9f * value[k] * (1.0f - value[k]);
        std::ranges::copy(value, next.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (; i < x.size(); ++i) next[i] = mapped(x[i], input[i], repeats);
}

[[noreturn]] void refuse_files(const char* option) {
    throw Error(ExitCode::usage,
                fmt::format("workload transfer_overlap has no files, its array is random: leave "
                            "out {}",
                            option));
}

class TransferOverlapWorkload final : public Workload {
  public:
    TransferOverlapWorkload()
        : Workload({.name = "transfer_overlap",
                    .summary = "An array that crosses the link to the device and back in parts, "
                               "over several streams",
                    .source = "Rustico 2012, section 3.8, Listings 3.1 and 3.2",
                    .cell_types = {ElementType::float32},
                    .usual_size = Size{4096, 4096},
                    .boundaries = {Boundary::dead},
                    .parameters = {{"repeats",
                                    {768},
                                    "",
                                    "how often the kernel maps each element: sets the ratio of the "
                                    "kernel's time to the copies'",
                                    true}},
                    .file_format = "none",
                    .written_fields = {value_field},
                    .stored = {.values = 2}}) {}

    State initial(const InitialConditions& conditions) const override {
        if (conditions.input) refuse_files("--input");
        State state;
        std::uint64_t seed = conditions.seed;
        for (const char* name : {input_field, value_field}) {
            const auto cells =
                state.fields.emplace_back(name, ElementType::float32, conditions.size)
                    .cells<float>();
            for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = uniform_float(seed, i);
            seed = mix(seed, 0);
        }
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const int repeats = repeats_of(context.parameters);
        const HostField& x = from.field(value_field);
        const auto part = [columns = x.size().columns](auto cells, int first, int last) {
            return cells.subspan(static_cast<std::size_t>(first) * columns,
                                 static_cast<std::size_t>(last - first) * columns);
        };
        parallel_rows(context.threads, x.size().rows, [&](int first, int last) {
            map_all(part(x.cells<float>(), first, last),
                    part(from.field(input_field).cells<float>(), first, last),
                    part(to.field(value_field).cells<float>(), first, last), repeats);
        });
    }

    FinalState final_state(const State& state) const override {
        const HostField& x = state.field(value_field);
        Checksum checksum;
        checksum.add(x.bytes());
        double sum = 0;
        for (const float value : x.cells<float>()) sum += value;
        return {"mass", sum, checksum.value(), {}};
    }

    void check_save_path(const std::filesystem::path&, const OptionValues&) const override {
        refuse_files("--save");
    }
    void save(const State&, const std::filesystem::path&, const Run&) const override {
        refuse_files("--save");
    }
};

}  // namespace
}  // namespace transfer_overlap

std::unique_ptr<Workload> make_transfer_overlap() {
    return std::make_unique<transfer_overlap::TransferOverlapWorkload>();
}

}  // namespace camber
