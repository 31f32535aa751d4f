#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/base/error.hpp"
#include "workloads/blur/blur.hpp"
#include "workloads/dog/dog.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/life/life.hpp"
#include "workloads/magflow/magflow.hpp"
#include "workloads/sciara_fv2/sciara_fv2.hpp"
#include "workloads/sciara_fv3/sciara_fv3.hpp"
#include "workloads/surface_water/surface_water.hpp"
#include "workloads/water_flow/water_flow.hpp"

namespace camber {

void advance(const Workload& workload, State& state, GenerationContext context, int generations,
             const OnGeneration& on_generation) {
    State other = state;
    for (int g = 0; g < generations; ++g, ++context.number) {
        workload.generation(state, other, context);
        std::swap(state, other);
        if (on_generation) on_generation(g + 1, state);
    }
}

State expected_state(const Workload& workload, const State& initial, ElementType cell,
                     GenerationContext context, int generations,
                     const OnGeneration& on_generation) {
    const ElementType type = workload.reference_type(cell);
    State state = converted(initial, cell, type);
    if (on_generation) on_generation(0, state);
    advance(workload, state, std::move(context), generations, on_generation);
    return type == cell ? state : converted(state, type, cell);
}

const std::vector<std::unique_ptr<Workload>>& workloads() {
    static const auto all = [] {
        std::vector<std::unique_ptr<Workload>> list;
        list.push_back(make_life());
        list.push_back(make_blur());
        list.push_back(make_dog());
        list.push_back(make_dog_image());
        list.push_back(make_extrema());
        list.push_back(make_extrema_stack());
        list.push_back(make_surface_water());
        list.push_back(make_water_flow());
        list.push_back(make_sciara_fv2());
        list.push_back(make_sciara_fv3());
        list.push_back(make_magflow());
        return list;
    }();
    return all;
}

const Workload* find_workload(std::string_view name) {
    for (const auto& workload : workloads())
        if (workload->name() == name) return workload.get();
    return nullptr;
}

std::string_view name(Boundary boundary) {
    return boundary == Boundary::torus ? "torus" : "dead";
}

Boundary boundary_named(std::string_view text) {
    if (text == "dead") return Boundary::dead;
    if (text == "torus") return Boundary::torus;
    throw Error(ExitCode::usage,
                fmt::format("boundary '{}' is unknown: choose dead or torus", text));
}

}  // namespace camber
