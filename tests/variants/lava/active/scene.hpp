// Runs of variants over launch sets, compared with the reference, and the cells that they launch.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/differing_fields.hpp"
#include "workloads/lava/active_cells.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::launch_sets {

struct Scene {
    std::string name;
    std::string workload;
    ElementType cell;
    State initial;
    ParameterSet parameters;

    Size size() const { return initial.field("thickness").size(); }
    Problem problem() const { return {size(), Boundary::dead, cell, parameters}; }
};

inline const std::set<std::string_view> techniques{"bounding_box", "boxes", "active_list",
                                                   "sorted_list"};

inline std::vector<const Variant*> variants_of(const Scene& scene) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == scene.workload && variant.info.cell == scene.cell &&
            techniques.contains(variant.info.technique.name) &&
            variant.factories.contains(Backend::simt))
            found.push_back(&variant);
    return found;
}

inline const Variant& variant_of(const Scene& scene, const std::string& technique_and_path) {
    for (const Variant* variant : variants_of(scene))
        if (variant->info.name() == scene.workload + "/" + technique_and_path) return *variant;
    throw std::logic_error("no variant " + technique_and_path);
}

// States of the reference after 0, 1, ... steps.
inline std::vector<State> history(const Scene& scene, int steps) {
    const Workload& workload = *find_workload(scene.workload);
    std::vector<State> states{scene.initial};
    for (int n = 0; n < steps; ++n) {
        State next = states.back();
        workload.generation(states.back(), next, {Boundary::dead, scene.parameters, n, 1});
        states.push_back(std::move(next));
    }
    return states;
}

inline lava::Mask lava_of(const State& state) {
    lava::Mask mask;
    const HostField& thickness = state.field("thickness");
    const auto take = [&](auto cells) {
        for (const auto h : cells) mask.push_back(h > 0);
    };
    if (thickness.element() == ElementType::float32)
        take(thickness.cells<float>());
    else
        take(thickness.cells<double>());
    return mask;
}

inline lava::Box box_of(const lava::Mask& mask, Size size) {
    return lava::box_in(mask, size, {0, size.rows, 0, size.columns});
}

// Parameters of a comparison with the reference.
struct Comparison {
    // Steps per call, for each run; the sequence repeats.
    std::vector<std::vector<int>> runs{{3}, {1, 2, 45, 1}};
    std::size_t most_calls = 8;  // per run; states are compared after each call
    std::string only = "";       // only variants whose names contain it
};

// Runs all variants of a scene. Nothing is poisoned, so cells that are not launched keep their
// values.
inline void compare_with_reference(const Scene& scene, int steps, const Comparison& how = {}) {
    const std::vector<State> states = history(scene, steps);
    const auto variants = variants_of(scene);
    REQUIRE(variants.size() >= 10);
    for (const Variant* variant : variants) {
        if (variant->info.name().find(how.only) == std::string::npos) continue;
        simt::HostQueue queue(1);
        const auto execution = variant->factories.at(Backend::simt)(queue, scene.problem());
        State actual = scene.initial;
        // A second run in the same memory starts from what the first left there.
        for (const std::vector<int>& calls : how.runs) {
            execution->upload(scene.initial);
            int done = 0;
            for (std::size_t i = 0; done < steps && i < how.most_calls; ++i) {
                const int call = std::min(calls[i % calls.size()], steps - done);
                execution->advance(call);
                done += call;
                execution->download(actual);
                CAPTURE(scene.name, variant->info.name(), done);
                REQUIRE(differing_fields(states[done], actual).empty());
            }
        }
    }
}

// Records the cells of one field that the launches of a step store, in order.
class Launched final : public simt::Recorder {
  public:
    Launched(simt::Executor& executor, std::string field)
        : executor_(executor), field_(std::move(field)) {
        executor_.set_recorder(this);
    }
    ~Launched() override { executor_.set_recorder(nullptr); }
    void record(const simt::Access& access) override {
        if (!access.field || access.operation != Operation::store || access.field->name != field_)
            return;
        const auto place = (static_cast<const std::byte*>(access.address) -
                            static_cast<const std::byte*>(access.field->origin)) /
                           access.field->element_size;
        const Layout& layout = access.field->layout;
        cells.push_back(
            static_cast<int>(place / layout.pitch * layout.columns + place % layout.pitch));
    }
    std::vector<int> cells;

  private:
    simt::Executor& executor_;
    std::string field_;
};

// Single steps of a variant whose launch sets are examined. `field` is written by exactly one
// kernel of a step, in every cell that it computes.
class Watched {
  public:
    Watched(const Scene& scene, const std::string& technique_and_path, std::string field)
        : scene_(scene),
          field_(std::move(field)),
          execution_(variant_of(scene, technique_and_path)
                         .factories.at(Backend::simt)(queue_, scene.problem())) {
        execution_->upload(scene.initial);
    }
    // Launched cells of a step, in order.
    std::vector<int> step() {
        Launched launched(queue_.executor(), field_);
        execution_->advance(1);
        return launched.cells;
    }

  private:
    const Scene& scene_;
    std::string field_;
    simt::HostQueue queue_{1};
    std::unique_ptr<Execution> execution_;
};

// Checks that every set of a run contains all cells that lava can reach in the step, contains no
// cell twice, and grows by at most one row or column on every side. Returns the number of cells
// launched in the last step by technique.
inline std::map<std::string, std::size_t> check_sets(const Scene& scene, const std::string& field,
                                                     int steps) {
    const std::vector<State> states = history(scene, steps);
    const Size size = scene.size();
    std::map<std::string, std::size_t> launched;
    for (const char* name :
         {"bounding_box/device/64x4/tight/align128", "bounding_box/device/16x16/from32/align128",
          "bounding_box/host/64x4/tight/align128", "boxes/2/64x4/from32/m128/align128",
          "boxes/3/64x4/from32/m128/align128", "boxes/4/64x4/from32/m128/align128",
          "active_list/128x1/align128", "sorted_list/256x1/m1/align128",
          "sorted_list/256x1/m16/align128"}) {
        CAPTURE(scene.name, name);
        Watched run(scene, name, field);
        lava::Box before{};
        for (int n = 0; n < steps; ++n) {
            CAPTURE(n);
            const std::vector<int> cells = run.step();
            lava::Mask set(static_cast<std::size_t>(size.cells()));
            for (const int cell : cells) set[static_cast<std::size_t>(cell)] = 1;
            REQUIRE(std::set<int>(cells.begin(), cells.end()).size() == cells.size());
            const lava::Mask needed = lava::with_ring(lava_of(states[n]), size);
            for (std::size_t i = 0; i < set.size(); ++i)
                if (needed[i] != 0) REQUIRE(set[i] != 0);
            if (std::string(name).starts_with("sorted_list/256x1/m1/"))
                REQUIRE(std::ranges::is_sorted(cells));
            const lava::Box box = box_of(set, size);
            if (n > 0) {
                REQUIRE(box.first_row >= before.first_row - 1);
                REQUIRE(box.end_row <= before.end_row + 1);
                REQUIRE(box.first_column >= before.first_column - 1);
                REQUIRE(box.end_column <= before.end_column + 1);
            }
            before = box;
            launched[name] = cells.size();
        }
    }
    return launched;
}

// Checks for races and for reads of uninitialized data, in steps whose outputs are not poisoned.
inline void check_accesses(const Scene& scene, int steps) {
    for (const Variant* variant : variants_of(scene)) {
        CAPTURE(scene.name, variant->info.name());
        AccessChecker checker(3);  // outlives the memory that it observes
        simt::HostQueue queue(1);
        queue.set_observer(&checker);
        queue.executor().set_recorder(&checker);
        const auto execution = variant->factories.at(Backend::simt)(queue, scene.problem());
        execution->upload(scene.initial);
        execution->advance(steps);
        for (const Finding& finding : checker.findings()) {
            CAPTURE(finding.sites, finding.sentence);
            CHECK(finding.count == 0);
        }
        queue.executor().set_recorder(nullptr);
    }
}

}  // namespace camber::launch_sets
