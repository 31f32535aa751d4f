// Seconds to run, record and group one launch of every registered variant on 256 x 256 cells on one
// CPU core, and the same without a recorder. The tests require at most 2 s.
#include <benchmark/benchmark.h>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/trace_launches.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {
namespace {

constexpr Size board{256, 256};

void run(benchmark::State& state, const Variant& variant, bool traced) {
    simt::HostQueue queue(1);
    const auto execution =
        variant.factories.at(Backend::simt)(queue, {board, Boundary::dead, variant.info.cell});
    execution->upload(
        find_workload(variant.info.workload)->initial({.size = board, .cell = variant.info.cell}));
    std::int64_t requests = 0;
    WarpRequests recorder(
        [&](simt::SiteId, const WarpRequest&, const simt::Index3&) { ++requests; });
    if (traced) queue.executor().set_recorder(&recorder);
    for (auto _ : state) execution->advance(variant.info.shape.generations);
    state.counters["requests"] =
        benchmark::Counter(static_cast<double>(requests), benchmark::Counter::kAvgIterations);
}

void add_all() {
    for (const Variant& variant : registry().variants())
        if (variant.factories.contains(Backend::simt))
            for (const bool traced : {false, true})
                benchmark::RegisterBenchmark(
                    (variant.info.name() + "/" + std::string(info(variant.info.cell).name) +
                     (traced ? "/traced" : "/plain"))
                        .c_str(),
                    [&variant, traced](benchmark::State& state) { run(state, variant, traced); })
                    ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace camber

int main(int argc, char** argv) {
    camber::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
