// A pipeline whose kernels are counted by stand-ins for CUPTI, with the model's own predictions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/queue/host_memory.hpp"
#include "harness/measure/counting_pass.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::run_test {

using Counts = std::map<std::string, double>;

inline Counts counts(double load_requests, double load_sectors, double store_requests,
                     double store_sectors) {
    return {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", load_requests},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", load_sectors},
            {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", store_requests},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", store_sectors}};
}

// Queue that logs its operations in order, as letters: u upload, e evict, a advance.
struct Device final : HostMemoryQueue {
    DeviceLimits limits() const override {
        DeviceLimits limits = HostMemoryQueue::limits();
        limits.compute_capability = 90;
        return limits;
    }
    void evict_caches() override { done += 'e'; }
    std::string done;
};

struct Launched final : Execution {
    explicit Launched(Device& owner) : device(owner) {}
    void upload(const State&) override { device.done += 'u'; }
    void download(State&) override {}
    void poison(Poison) override {}
    void advance(int) override { device.done += 'a'; }
    Device& device;
};

// Kernels of one launch: symbols that the clock reports, and the counters of each.
struct Launches {
    std::vector<std::string> symbols;
    std::vector<Counts> counted;
    int clock_error = 0;    // CUPTI's, if not 0
    int counter_error = 0;  // for single kernels
    int clock_asked = 0;
    int counters_asked = 0;
};

struct Reader final : counters::CounterReader {
    explicit Reader(Launches& told) : launches(told) {}
    Counts measure(const std::function<void()>& restore,
                   const std::function<void()>& work) override {
        restore();
        work();
        Counts total;
        for (const Counts& kernel : launches.counted)
            for (const auto& [metric, value] : kernel) total[metric] += value;
        return total;
    }
    std::vector<Counts> measure_kernels(const std::function<void()>& restore,
                                        const std::function<void()>& work,
                                        std::size_t most) override {
        ++launches.counters_asked;
        room = most;
        if (launches.counter_error)
            throw counters::counter_error(launches.counter_error, "counting");
        for (int pass = 0; pass < 2; ++pass) {
            restore();
            work();
        }
        return launches.counted;
    }
    Launches& launches;
    std::size_t room = 0;
};

struct Clock final : counters::KernelClock {
    explicit Clock(Launches& told) : launches(told) {}
    std::vector<counters::KernelTime> time(const std::function<void()>& work) override {
        ++launches.clock_asked;
        if (launches.clock_error) throw counters::counter_error(launches.clock_error, "timing");
        work();
        std::vector<counters::KernelTime> times;
        for (const std::string& symbol : launches.symbols) times.push_back({symbol, 100});
        return times;
    }
    Launches& launches;
};

// surface_water in three kernels on 64 x 48 cells: 96 warps, each of which stores two runs of 16
// floats and therefore 4 sectors.
struct CountedPipeline {
    static constexpr const char* fill = "_ZN6camber4cuda11fill_kernelIfEEvPT_mS2_";
    static constexpr const char* minimum = "_ZN3cub18DeviceReduceKernelE";

    CountedPipeline() {
        study.workload = find_workload("surface_water");
        study.problem = {{64, 48},
                         Boundary::dead,
                         ElementType::float32,
                         ParameterSet(study.workload->facts().parameters)};
        study.initial = {.size = study.problem.size, .cell = ElementType::float32};
        study.backend = Backend::cuda;
        initial = study.workload->initial(study.initial);
        for (const Variant& variant : registry().variants())
            if (variant.info.name() == "surface_water/global/three_kernels/16x16" &&
                variant.info.cell == ElementType::float32 &&
                variant.factories.contains(Backend::simt))
                result.variant = &variant;
        for (const char* name : {"rain", "infiltration", "flow"}) {
            result.record.kernels.emplace_back().name = name;
            result.record.kernels.back().symbol = std::string(name) + "_kernel";
        }
        launches.symbols = {"rain_kernel", fill, "infiltration_kernel", minimum, "flow_kernel"};
        launches.counted = {counts(96, 384, 96, 384), counts(0, 0, 7, 28),
                            counts(192, 768, 96, 384), counts(5, 20, 1, 1),
                            counts(4720, 24336, 96, 384)};
        instruments.counters = std::make_unique<Reader>(launches);
        instruments.kernel_clock = std::make_unique<Clock>(launches);
    }
    CaseResult& count() {
        counter.count_launch(execution, result);
        if (result.record.counters.empty()) return result;
        counter.count_kernels(execution, result);
        counter.predict(result);
        return result;
    }

    Study study;
    State initial;
    Device device;
    Launched execution{device};
    Launches launches;
    Instruments instruments;
    CaseResult result;
    CaseCounter counter{study, device, initial, instruments};
};

}  // namespace camber::run_test
