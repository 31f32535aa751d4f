#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/lava/active_list.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/lava/sciara_fv3/reference.hpp"
#include "workloads/list/workloads.hpp"

namespace active_list_test {

// References on a list of active cells have the bits of the plain ones.

using namespace camber;

namespace {

struct Run {
    const Workload* workload;
    InitialConditions conditions;
    GenerationContext context;
    State initial;

    Run(const char* name, ElementType cell, double density, Size size = {60, 44})
        : workload(find_workload(name)), conditions{.size = size, .cell = cell} {
        conditions.density = density;
        context.parameters = workload->parameters_for(conditions);
        initial = workload->initial(conditions);
    }
    template <class Step>
    State after(int steps, const Step& step) {
        State from = initial;
        State to = initial;
        for (int n = 0; n < steps; ++n) {
            context.number = n;
            step(from, to, context);
            std::swap(from, to);
        }
        return from;
    }
    State plain(int steps) {
        return after(steps, [&](const State& from, State& to, const GenerationContext& here) {
            workload->generation(from, to, here);
        });
    }
    State listed(const std::string& form_name, int steps, int threads = 1) {
        const auto forms = workload->capabilities().reference_forms->reference_forms();
        const auto form = std::ranges::find_if(forms, [&](const ReferenceForm& one) {
            return one.name == form_name && one.cell == conditions.cell;
        });
        REQUIRE(form != forms.end());
        State state = initial;
        context.threads = threads;
        const auto reference = form->start(state, context);
        for (int n = 0; n < steps; ++n) reference->step(n);
        context.threads = 1;
        return state;
    }
};

void check_equal(const State& expected, const State& state) {
    REQUIRE(expected.fields.size() == state.fields.size());
    for (const HostField& field : expected.fields) {
        INFO(field.name());
        const auto bytes = state.field(field.name()).bytes();
        CHECK(std::memcmp(field.bytes().data(), bytes.data(), bytes.size()) == 0);
    }
    CHECK(expected.account == state.account);
}

}  // namespace

TEST_CASE("a list of active cells has the plain reference's bits", "[lava][active_list]") {
    const auto [name, cell] = GENERATE(table<const char*, ElementType>(
        {{"magflow", ElementType::float32}, {"magflow", ElementType::float64},
         {"sciara_fv2", ElementType::float64}}));
    // Little lava, with steps after the list was pruned, and much lava.
    const auto [density, steps] =
        GENERATE(table<double, int>({{0.0, 300}, {0.01, 280}, {0.3, 20}, {1.0, 5}}));
    INFO(name << ", density " << density);
    Run run(name, cell, density);
    const State expected = run.plain(steps);
    check_equal(expected, run.listed("active_list", steps));
    check_equal(expected, run.listed("active_list_threads", steps, 3));
}

TEST_CASE("SCIARA-fv3's list scatters on one core and gathers on several", "[lava][active_list]") {
    const ElementType cell = GENERATE(ElementType::float32, ElementType::float64);
    const auto [density, steps] = GENERATE(table<double, int>({{0.0, 300}, {0.01, 280}, {0.3, 20}}));
    Run run("sciara_fv3", cell, density);
    const auto scattered = [](const State& from, State& to, const GenerationContext& here) {
        constexpr auto order = sciara_fv3::Order::scatter_by_rows;
        if (from.field("thickness").element() == ElementType::float32)
            sciara_fv3::step<float>(from, to, here, order);
        else
            sciara_fv3::step<double>(from, to, here, order);
    };
    check_equal(run.after(steps, scattered), run.listed("active_list", steps));
    check_equal(run.plain(steps), run.listed("active_list_threads", steps, 3));
}

TEST_CASE("boards with enough cells use several threads, with the same bits",
          "[lava][active_list]") {
    for (const char* name : {"magflow", "sciara_fv2", "sciara_fv3"}) {
        INFO(name);
        Run run(name, ElementType::float64, 0.5, {160, 120});
        check_equal(run.plain(3), run.listed("active_list_threads", 3, 3));
    }
}

TEST_CASE("a list of active cells grows by rings, stays in order and is pruned",
          "[lava][active_list]") {
    std::vector<char> lava(8 * 6);
    const auto is_active = [&](std::size_t i) { return lava[i] != 0; };
    lava[0] = 1;
    lava::ActiveList list({8, 6}, is_active);
    const auto cells = [&] { return std::vector(list.cells().begin(), list.cells().end()); };
    CHECK(cells() == std::vector<std::uint32_t>{0, 1, 8, 9});
    CHECK_FALSE(list.has_neighbour(0, -1, 0));
    CHECK_FALSE(list.has_neighbour(0, 1, -1));
    CHECK(list.has_neighbour(0, 1, 1));
    lava[9] = 1;
    list.add_around(9);
    list.merge();
    CHECK(cells() == std::vector<std::uint32_t>{0, 1, 2, 8, 9, 10, 16, 17, 18});
    lava[0] = lava[9] = 0;
    lava[2] = 1;
    list.add_around(2);
    list.merge();
    std::vector<std::size_t> dropped;
    list.prune(is_active, [&](std::size_t i) { dropped.push_back(i); });
    CHECK(cells() == std::vector<std::uint32_t>{1, 2, 3, 9, 10, 11});
    CHECK(dropped == std::vector<std::size_t>{0, 8, 16, 17, 18});
    // A dropped cell can come back.
    list.add_around(0);
    list.merge();
    CHECK(cells() == std::vector<std::uint32_t>{0, 1, 2, 3, 8, 9, 10, 11});
}

TEST_CASE("a list of active cells refuses a run that the plain reference refuses",
          "[lava][active_list]") {
    Run run("magflow", ElementType::float32, 0.3);
    auto heat = run.initial.field("heat").cells<float>();
    const auto thickness = run.initial.field("thickness").cells<float>();
    const auto at = std::ranges::find_if(thickness, [](float h) { return h > 0; });
    heat[static_cast<std::size_t>(at - thickness.begin())] =
        std::numeric_limits<float>::infinity();
    CHECK_THROWS_WITH(run.plain(2), contains("lava cannot be computed beyond step 0"));
    CHECK_THROWS_WITH(run.listed("active_list", 2),
                      contains("lava cannot be computed beyond step 0"));
}

}  // namespace active_list_test
