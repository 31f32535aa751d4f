// Long runs of lava: flows that pass as a whole although cells differ, and flows that must not
// pass.
#include "harness/measure/correctness/verification.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/harness/measure/long_run.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::flow_comparison_test {
namespace {

// A verdict, and the flow's own final state if it passed as a whole.
struct Judged : Verification {
    std::optional<FinalState> final;
};

// A workload's flow after some steps, and the reference for its comparison.
struct LongRun {
    // With so few steps, no lava leaves the board.
    explicit LongRun(const char* name, ElementType type = ElementType::float64,
                     int generations = 12)
        : workload(*find_workload(name)),
          cell(type),
          parameters(workload.facts().parameters),
          expected(workload.initial(flow_start(type))) {
        advance(workload, expected, {.parameters = parameters}, generations);
    }

    // `generations`: generations that the tolerance assumes; fewer may have been computed.
    Judged verify(State actual, int generations) const {
        const Tolerance tolerance =
            workload.tolerance({.cell = cell, .generations = generations, .reordered = true});
        Judged found{compare(expected, actual, tolerance, generations, 1), std::nullopt};
        const FlowJudge judge(workload, flow_start(cell), parameters, expected);
        const auto flow = judge.flow_of(actual);
        found.final = judge.judge(actual, flow.value(), tolerance, found);
        return found;
    }

    const Workload& workload;
    ElementType cell;
    ParameterSet parameters;
    State expected;
};

template <class F>
void each_cell(HostField& field, const F& f) {
    if (field.element() == ElementType::float32)
        std::ranges::for_each(field.cells<float>(), f);
    else
        std::ranges::for_each(field.cells<double>(), f);
}

// Lava that took another course: every covered cell differs by a tenth or more, and the total stays
// the same.
State gone_astray(const LongRun& run) {
    State state = run.expected;
    const auto h = state.field("thickness").cells<double>();
    bool more = true;
    double balance = 0;
    for (double& cell : h) {
        if (!(cell > 0)) continue;
        const double change = more ? 0.2 * cell : -std::min(balance, 0.5 * cell);
        cell += change;
        balance += change;
        more = !more;
    }
    // The remaining excess is subtracted from the thickest cell.
    *std::ranges::max_element(h) -= balance;
    return state;
}

State shifted(const LongRun& run, int rows) {
    State state = run.expected;
    for (const char* name : {"thickness", "solidified", "temperature"}) {
        const auto from = run.expected.field(name).cells<double>();
        const auto to = state.field(name).cells<double>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = from[(i + static_cast<std::size_t>(rows) * flow_board.columns) % from.size()];
    }
    return state;
}

State scaled(const LongRun& run, double factor) {
    State state = run.expected;
    for (const char* name : {"thickness", "solidified"})
        each_cell(state.field(name), [&](auto& cell) { cell *= factor; });
    return state;
}

}  // namespace

TEST_CASE("up to its horizon a flow is compared cell by cell", "[flow_comparison]") {
    const LongRun run("sciara_fv2");
    const Judged early = run.verify(gone_astray(run), 4000);
    CHECK_FALSE(early.passed());
    CHECK_FALSE(early.limits);
    CHECK(early.statistics->cells.jaccard == 1);
    const Judged equal = run.verify(run.expected, 5000);
    CHECK(equal.passed());
    CHECK_FALSE(equal.limits);
    CHECK_FALSE(equal.final);
    CHECK(equal.statistics->cells.differing_cells == 0);
}

TEST_CASE("beyond it a flow with the same outline and mass passes, whatever its cells",
          "[flow_comparison]") {
    const LongRun run("sciara_fv2");
    const Judged found = run.verify(gone_astray(run), 4001);
    CAPTURE(describe(found));
    CHECK(found.passed());
    CHECK(found.differing_cells > 0);
    REQUIRE(found.limits);
    CHECK(found.limits->jaccard == 0.98);
    CHECK(found.limits->mass_error == 1e-9);
    CHECK(found.statistics->cells.share_within_tenth < 0.6);
    CHECK(found.statistics->mass_error < 1e-12);
    CHECK(describe(found).find("the flow as a whole does not") != std::string::npos);
    REQUIRE(found.final);
    CHECK(found.final->checksum == run.workload.final_state(gone_astray(run)).checksum);
    CHECK(found.final->checksum != run.workload.final_state(run.expected).checksum);
    const results::Json json = json_of(found);
    CHECK(json["method"] == "statistics");
    CHECK(json["limits"]["jaccard"] == 0.98);
    CHECK(json["statistics"]["jaccard"] == 1);
    CHECK_FALSE(json["statistics"].contains("time_difference"));
    CHECK_FALSE(json.contains("exceeded"));
}

TEST_CASE("a flow that is shifted fails as a whole", "[flow_comparison]") {
    const LongRun run("sciara_fv2");
    const Judged found = run.verify(shifted(run, 1), 16000);
    CHECK_FALSE(found.passed());
    CHECK(found.statistics->mass_error < 1e-12);
    CHECK(found.statistics->cells.jaccard < 0.9);
    CHECK_FALSE(found.final);
    CHECK_THAT(describe(found), contains("the flow as a whole differs too: Jaccard index 0.") &&
                                    contains("(at least 0.98)"));
    const results::Json json = json_of(found);
    CHECK(json["exceeded"].size() == 1);
}

TEST_CASE("a flow that lost mass, or found some, fails as a whole", "[flow_comparison]") {
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        const LongRun run(name);
        for (const double factor : {0.95, 1 - 1e-8, 1 + 1e-8}) {
            CAPTURE(name, factor);
            const Judged found = run.verify(scaled(run, factor), 5000);
            CHECK_FALSE(found.passed());
            CHECK(found.statistics->mass_error == Approx(std::abs(1 - factor)).epsilon(0.06));
            CHECK_THAT(describe(found), contains("mass error"));
        }
        CHECK(run.verify(scaled(run, 1 + 1e-15), 5000).passed());
    }
}

TEST_CASE("no limit excuses what is no number or must not change", "[flow_comparison]") {
    const LongRun run("sciara_fv2");
    State broken = gone_astray(run);
    broken.field("temperature").cells<double>()[7] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(describe(run.verify(broken, 5000)), contains("1 cells are no finite numbers"));
    CHECK_FALSE(run.verify(broken, 5000).passed());
    State vents = gone_astray(run);
    vents.field("vents").cells<std::uint8_t>()[7] = 1;
    CHECK_FALSE(run.verify(vents, 5000).passed());
    State thin = gone_astray(run);
    thin.field("thickness").cells<double>()[7] = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(run.verify(thin, 5000).passed());
}

TEST_CASE("with a clock of its own a flow is judged by what its own time gave it",
          "[flow_comparison]") {
    const LongRun run("sciara_fv3");
    // A flow that is a tenth of a second ahead, with the lava emitted in that time: 4.5 m^3/s on
    // 100 m^2.
    State later = gone_astray(run);
    later.field("clock").cells<double>()[1] += 0.1;
    CHECK_FALSE(run.verify(later, 5000).passed());
    *std::ranges::max_element(later.field("thickness").cells<double>()) += 0.0045;
    const Judged found = run.verify(later, 5000);
    CAPTURE(describe(found));
    CHECK(found.passed());
    CHECK(found.statistics->time_difference.value() > 0);
    CHECK(found.statistics->mass_difference > 1e-9);
    CHECK(found.statistics->mass_error < 1e-12);
    // The limit of the time difference is a tenth.
    State early = gone_astray(run);
    early.field("clock").cells<double>()[1] *= 0.8;
    CHECK_THAT(describe(run.verify(early, 5000)), contains("difference of time"));
}

TEST_CASE("in float few cells of lava are compared one by one for longer than many",
          "[flow_comparison]") {
    const Workload& workload = *find_workload("sciara_fv3");
    Flow few;
    few.thickness.assign(2000, 0.0);
    std::fill_n(few.thickness.begin(), 999, 1.0);
    Flow many = few;
    many.thickness[999] = 1;
    const auto limits = [&](const Flow& flow, ElementType cell, int generations) {
        return limits_for(
            workload.tolerance({.cell = cell, .generations = generations, .on_device = true}).flow,
            flow, flow);
    };
    constexpr ElementType single = ElementType::float32;
    CHECK_FALSE(limits(few, single, 100));
    CHECK(limits(few, single, 101)->jaccard == 0.90);
    CHECK(limits(few, single, 101)->mass_error == 1e-5);
    CHECK_FALSE(limits(many, single, 20));
    CHECK(limits(many, single, 21));
    CHECK_FALSE(limits(many, ElementType::float64, 200));
    CHECK(limits(few, ElementType::float64, 201)->jaccard == 0.98);
    CHECK(limits(few, ElementType::float64, 201)->mass_error == 1e-12);
}

TEST_CASE("MAGFLOW in another order is held to a millimetre and a hundredth of the cells",
          "[flow_comparison]") {
    const LongRun run("magflow", ElementType::float64, 300);
    const auto moved = [&](double by) {
        State state = run.expected;
        const auto h = state.field("thickness").cells<double>();
        const auto most = std::ranges::max_element(h);
        *most -= by;
        *std::find_if(h.begin(), h.end(), [&](double& c) { return c > by && &c != &*most; }) += by;
        return state;
    };
    CHECK(run.verify(moved(9e-4), 50).passed());
    CHECK_THAT(describe(run.verify(moved(1.1e-3), 50)), contains("difference of thickness"));
    // Canonical variants have no such limits.
    CHECK(run.workload.tolerance({.generations = 5000}).exact());
    CHECK_FALSE(
        run.workload
            .tolerance({.cell = ElementType::float32, .generations = 5000, .on_device = true})
            .flow);
}

TEST_CASE("a supply that steps make uncertain widens the limit of mass", "[flow_comparison]") {
    const FlowLimits given{.mass_error = 1e-9, .least_cells = 2};
    Flow flow;
    flow.thickness = {1, 1, 0};
    flow.mass = 2.01;
    flow.supplied = 2;
    flow.supplied_error = 0.02;
    const auto limits = limits_for(given, flow, flow);
    REQUIRE(limits);
    CHECK(limits->mass_error == Approx(0.01));
    CHECK(exceeded(compare(flow, flow), *limits).empty());
    flow.mass = 2.03;
    CHECK(exceeded(compare(flow, flow), *limits).size() == 1);
    flow.thickness = {1, 0, 0};
    CHECK_FALSE(limits_for(given, flow, flow));
    CHECK_FALSE(limits_for(std::nullopt, flow, flow));
}

TEST_CASE("the fit with a real event is that of the cells that lava reached", "[flow_comparison]") {
    Flow flow;
    flow.thickness = {0, 1, 0, 0};
    flow.reached = {1, 1, 0, 0};
    CHECK_FALSE(compare(flow, flow).event_fit);
    CHECK(compare(flow, flow, {0, 1, 1, 1}).event_fit == 0.25);
}

// Takes at least half a minute: `camber-tests "[etna_whole]"`.
TEST_CASE("Etna in 2006 beyond the horizon drifts as the limits say", "[.][etna_whole]") {
    const auto folder = real_eruption("etna2006");
    const Workload& workload = *find_workload("sciara_fv2");
    const InitialConditions conditions{
        .size = {517, 378}, .cell = ElementType::float64, .input = folder};
    const ParameterSet set = workload.parameters_for(conditions);
    State expected = workload.initial(conditions);
    State actual = expected;
    // Ground that is higher by one unit in the last place, as if every result were rounded
    // differently.
    for (double& z : actual.field("altitude").cells<double>()) z = std::nextafter(z, 1e4);
    int done = 0;
    for (const int generations : {1000, 6000}) {
        const GenerationContext context{.parameters = set, .number = done, .threads = 2};
        advance(workload, expected, context, generations - done);
        advance(workload, actual, context, generations - done);
        done = generations;
        const Tolerance tolerance = workload.tolerance(
            {.cell = ElementType::float64, .generations = generations, .on_device = true});
        Verification found = compare(expected, actual, tolerance, generations, 2);
        const FlowJudge judge(workload, conditions, set, expected);
        const auto flow = judge.flow_of(actual);
        judge.judge(actual, flow.value(), tolerance, found);
        const FlowStatistics& cells = found.statistics->cells;
        WARN(generations << " steps: Jaccard " << cells.jaccard << ", within 10 % "
                         << cells.share_within_tenth << ", largest difference "
                         << cells.largest_difference << " m, mass error "
                         << found.statistics->mass_error);
        CHECK(found.passed());
        CHECK(found.limits.has_value() == (generations > 4000));
        CHECK(cells.jaccard > 0.99);
        CHECK(found.statistics->mass_error < 1e-12);
    }
}

}  // namespace camber::flow_comparison_test
