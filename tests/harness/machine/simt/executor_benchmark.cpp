// Cells per second and CPU core of the SIMT executor, as `items_per_second`: at least 2 M/s for the
// shared tile without a recorder.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "variants/techniques/halo.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
namespace {

using Rule = Life<std::uint32_t>;
constexpr Size board{256, 256};

struct NoRecord final : simt::Recorder {
    void record(const simt::Access& access) override { benchmark::DoNotOptimize(&access); }
};

State random_board() {
    State state;
    state.fields = {{"cells", ElementType::uint32, board}};
    std::uint64_t i = 0;
    for (std::uint32_t& cell : state.fields[0].cells<std::uint32_t>())
        cell = static_cast<std::uint32_t>(mix(1, i++) >> 63);
    return state;
}

// The Life variant with this name, of a given technique.
template <class Technique>
const Variant& variant_named(const std::string& name) {
    static const Registry registry = [] {
        Registry filled;
        Catalogue<Rule> catalogue(filled, "life", ElementType::uint32);
        Technique::add(catalogue);
        return filled;
    }();
    for (const Variant& variant : registry.variants())
        if (variant.info.name() == name) return variant;
    throw std::logic_error("no variant " + name);
}

template <class Technique>
void run_life(benchmark::State& state, const std::string& name, bool recording) {
    simt::HostQueue queue(1);
    queue.set_label(name);
    NoRecord no_record;
    const auto execution = variant_named<Technique>(name).factories.at(Backend::simt)(
        queue, {board, Boundary::dead, ElementType::uint32});
    execution->upload(random_board());
    if (recording) queue.executor().set_recorder(&no_record);
    for (auto _ : state) execution->advance(1);
    state.SetItemsProcessed(state.iterations() * board.cells());
    state.SetLabel("cells on one CPU thread");
}

void shared_tile(benchmark::State& state, bool recording) {
    run_life<SharedTile>(state, "life/shared_tile/16x16/unaligned", recording);
}
void halo(benchmark::State& state, bool recording) {
    run_life<Halo>(state, "life/halo/16x16/unaligned", recording);
}

BENCHMARK_CAPTURE(shared_tile, plain, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shared_tile, recorded, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(halo, plain, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(halo, recorded, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace camber

BENCHMARK_MAIN();
