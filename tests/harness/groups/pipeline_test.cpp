// Pipelines of steps over common fields: their results, and their composition.
#include "harness/groups/pipeline.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/variants/wrong_techniques.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::pipeline_test {
namespace {

using namespace toy;

using Some = TechniqueList<Global, Halo, SharedTile, TextureFetch, ReadOnly, Constant>;

StepChoices spread_and_blend() {
    return {step_choices<Spread, Some>(), step_choices<Blend, Some>()};
}
StepChoices spread_and_add() {
    return {step_choices<Spread, Some>(), step_choices<Add, Some>()};
}

template <class... Rules>
State expected_of(const State& initial, Boundary boundary, int generations) {
    State state = initial;
    add_scratch<std::uint32_t>(state, {"sums"});
    for (int g = 0; g < generations; ++g) run_rules<Rules...>(state, {boundary});
    return state;
}

// Poisons before every generation, as verification does.
State run(const Variant& variant, Size size, Boundary boundary, int generations,
          bool poison = true) {
    simt::HostQueue queue(1);
    queue.set_label(variant.info.name());
    const State initial = initial_state(size);
    const auto execution =
        variant.factories.at(Backend::simt)(queue, {size, boundary, ElementType::uint32});
    execution->upload(initial);
    for (int g = 0; g < generations; ++g) {
        if (poison) execution->poison(Poison::first);
        execution->advance(1);
    }
    State result = initial;
    execution->download(result);
    return result;
}

Registry with_composer(const StepChoices& choices) {
    Registry registry;
    add_composer(registry, "toy", ElementType::uint32, Backend::simt, choices);
    return registry;
}

std::vector<std::string> names_of(const Registry& registry) {
    std::vector<std::string> names;
    for (const Variant& variant : registry.variants()) names.push_back(variant.info.name());
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

std::int64_t number(const Variant& variant, const std::string& parameter) {
    for (const Parameter& one : variant.info.parameters)
        if (one.name == parameter) return std::get<std::int64_t>(one.value);
    throw std::logic_error("no parameter " + parameter);
}

}  // namespace

TEST_CASE("a pipeline of any technique computes its steps in order", "[portable][pipeline]") {
    Registry registry;
    add_pipelines(registry, "toy", ElementType::uint32, Backend::simt, "", spread_and_blend());
    add_pipelines(registry, "toy", ElementType::uint32, Backend::simt, "add", spread_and_add());
    REQUIRE(registry.variants().size() > 40);
    for (const Size size : {Size{1, 1}, Size{5, 3}, Size{33, 18}})
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            const State initial = initial_state(size);
            const State blended = expected_of<Spread, Blend>(initial, boundary, 3);
            const State added = expected_of<Spread, Add>(initial, boundary, 3);
            for (const Variant& variant : registry.variants()) {
                CAPTURE(variant.info.name(), size.columns, size.rows);
                const bool add = variant.info.path().starts_with("add/");
                const State got = run(variant, size, boundary, 3);
                REQUIRE(same_bytes(got.field("cells"), (add ? added : blended).field("cells")));
                REQUIRE(same_bytes(got.field("slope"), initial.field("slope")));
            }
        }
}

TEST_CASE("steps of a pipeline in techniques of their own", "[portable][pipeline][composer]") {
    const Registry registry = with_composer(spread_and_blend());
    REQUIRE(registry.composers().size() == 1);
    const Composer& composer = registry.composers()[0];
    CHECK(composer.workload == "toy");
    REQUIRE(composer.steps.size() == 2);
    CHECK(composer.steps[0].name == "spread");
    CHECK(composer.steps[1].name == "blend");

    const Size size{37, 19};
    int composed = 0;
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        const State expected = expected_of<Spread, Blend>(initial_state(size), boundary, 2);
        for (const std::string& spread : composer.steps[0].choices)
            for (const std::string& blend : composer.steps[1].choices) {
                if (composed++ % 7 != 0) continue;  // testing all pairs would take too long
                const bool textures = spread.starts_with("texture") || blend.starts_with("texture");
                const auto wants_halo = [](const std::string& name) {
                    return name.starts_with("halo") || name.starts_with("shared_tile") ||
                           name.starts_with("read_only");
                };
                CAPTURE(spread, blend);
                if (textures && (wants_halo(spread) || wants_halo(blend))) {
                    CHECK_THROWS_AS(composer.compose({spread, blend}), Error);
                    continue;
                }
                const Variant variant = composer.compose({spread, blend});
                CHECK(variant.info.name() == "toy/composed/spread=" + spread + "+blend=" + blend);
                REQUIRE(same_bytes(run(variant, size, boundary, 2).field("cells"),
                                   expected.field("cells")));
            }
    }
    CHECK(composed > 100);
}

TEST_CASE("fields of a pipeline have the widest halo and the largest alignment",
          "[portable][pipeline]") {
    const Registry registry = with_composer(spread_and_blend());
    const Composer& composer = registry.composers()[0];
    const Variant mixed = composer.compose({"halo/16x16/unaligned", "shared_tile/64x4/align128"});
    CHECK(number(mixed, "halo") == 2);
    CHECK(number(mixed, "alignment_bytes") == 128);
    CHECK(mixed.info.threads_per_block == 256);
    CHECK(mixed.info.shape.shared_bytes == 4 * 68 * 8);
    CHECK(mixed.info.regions == std::vector<Region>{{16, 16}, {64, 4}});
    CHECK(mixed.info.shape.alignment == 128);
    CHECK(mixed.info.smallest_element == 1);
    // Reads cells and slope, writes sums; then reads sums and weight, writes cells.
    CHECK(mixed.info.bytes_per_cell == 4 + 1 + 4 + 4 + 4 + 4);

    const Variant narrow = composer.compose({"halo/16x16/unaligned", "global/32x8"});
    CHECK(number(narrow, "halo") == 1);
    CHECK(number(narrow, "alignment_bytes") == 0);
    const Variant none = composer.compose({"texture_2d/16x16/align128", "global/32x8"});
    CHECK(number(none, "halo") == 0);
}

TEST_CASE("steps that cannot share fields are an error", "[portable][pipeline][composer]") {
    const Registry registry = with_composer(spread_and_blend());
    const Composer& composer = registry.composers()[0];
    try {
        composer.compose({"texture_2d/16x16/align128", "halo/64x4/align128"});
        FAIL("a texture of a field with a halo");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK(std::string(error.what()) ==
              "step spread in technique texture_2d needs fields with a halo of 0 cells, another "
              "step needs 2: choose techniques that agree");
    }
    try {
        composer.compose({"halo/64x4/align128", "halo/64x4/align182"});
        FAIL("an unknown technique");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK_THAT(error.what(), contains("step blend has no technique 'halo/64x4/align182'") &&
                                     contains("halo/64x4/align128"));
    }
}

TEST_CASE("a technique that makes no sense for a step has a stand-in there",
          "[portable][pipeline]") {
    Registry registry;
    add_pipelines(registry, "toy", ElementType::uint32, Backend::simt, "two", spread_and_add());
    const auto names = names_of(registry);
    // Add reads no neighbors and no constant field: halo stands in for its shared_tile, global for
    // its constant.
    for (const char* name :
         {"toy/global/two/16x16", "toy/halo/two/16x16/unaligned", "toy/halo/two/64x4/align128",
          "toy/shared_tile/two/64x4/align128", "toy/shared_tile/two/16x16/unaligned",
          "toy/read_only/two/16x16/align128", "toy/texture_2d/two/16x16/align128",
          "toy/texture_1d/two/64x4/align128", "toy/constant/two/16x16"}) {
        CAPTURE(name);
        CHECK(has(names, name));
    }
    const auto plan_names = [&](const std::string& name) {
        const auto found = std::ranges::find_if(registry.variants(), [&](const Variant& variant) {
            return variant.info.name() == name;
        });
        REQUIRE(found != registry.variants().end());
        std::vector<std::string> steps;
        for (const Parameter& parameter : found->info.parameters)
            if (parameter.name == "spread" || parameter.name == "add")
                steps.push_back(std::get<std::string>(parameter.value));
        return steps;
    };
    CHECK(plan_names("toy/shared_tile/two/64x4/align128") ==
          std::vector<std::string>{"shared_tile/64x4/align128", "halo/64x4/align128"});
    CHECK(plan_names("toy/shared_tile/two/16x16/unaligned") ==
          std::vector<std::string>{"shared_tile/16x16/unaligned", "halo/16x16"});
    CHECK(plan_names("toy/constant/two/16x16") ==
          std::vector<std::string>{"constant/16x16", "global/16x16"});
    CHECK(plan_names("toy/halo/two/64x4/align128").empty());  // uniform
    for (const Variant& variant : registry.variants()) {
        CAPTURE(variant.info.name());
        CHECK_FALSE(variant.info.technique.summary.empty());
        CHECK_FALSE(variant.info.technique.source.empty());
    }
    // shared_tile at 32 and 64 bytes: its stand-in, halo, has no such alignment.
    CHECK_FALSE(has(names, "toy/shared_tile/two/16x16/align32"));

    Registry alone;
    add_pipelines(alone, "toy", ElementType::uint32, Backend::simt, "",
                  {step_choices<Spread, TechniqueList<SharedTile>>(),
                   step_choices<Add, TechniqueList<Global>>()});
    CHECK(alone.variants().empty());

    // Halo is not a stand-in for textures.
    Registry textures;
    add_pipelines(textures, "toy", ElementType::uint32, Backend::simt, "",
                  {step_choices<Spread, TechniqueList<Halo>>(),
                   step_choices<Blend, TechniqueList<TextureFetch>>()});
    CHECK(textures.variants().empty());
}

TEST_CASE("a cell that a step leaves out shows its poison in the next step",
          "[portable][pipeline]") {
    StepChoices choices = spread_and_blend();
    TechniqueList<Wrong<Fault::cell_left_out>>::add_to(Catalogue<Spread>(choices[0]));
    const Registry registry = with_composer(choices);
    const Variant variant =
        registry.composers()[0].compose({"wrong/16x16/align128", "halo/16x16/align128"});
    const Size size{20, 12};
    const State initial = initial_state(size);
    const State expected = expected_of<Spread, Blend>(initial, Boundary::dead, 1);
    State poisoned = expected;  // row 5, column 7 of the sums is omitted
    State sums = initial;
    add_scratch<std::uint32_t>(sums, {"sums"});
    run_rules<Spread>(sums, {});
    sums.field("sums").cells<std::uint32_t>()[5 * 20 + 7] = 0xa5a5a5a5;
    run_rules<Blend>(sums, {});
    const State got = run(variant, size, Boundary::dead, 1);
    CHECK(same_bytes(got.field("cells"), sums.field("cells")));
    const auto is = got.field("cells").cells<std::uint32_t>();
    const auto right = expected.field("cells").cells<std::uint32_t>();
    std::vector<int> wrong;
    for (int i = 0; i < 240; ++i)
        if (is[i] != right[i]) wrong.push_back(i);
    CHECK(wrong == std::vector{5 * 20 + 5, 5 * 20 + 7, 7 * 20 + 7});
}

TEST_CASE("steps share constant memory", "[portable][pipeline][constant]") {
    Registry registry;
    add_pipelines(registry, "toy", ElementType::uint32, Backend::simt, "", spread_and_blend());
    const auto found = std::ranges::find_if(registry.variants(), [](const Variant& variant) {
        return variant.info.name() == "toy/constant/64x4";
    });
    REQUIRE(found != registry.variants().end());
    // One byte of slope and four of weight per cell.
    CHECK_FALSE(found->unsupported({{4096, 3}, Boundary::dead, ElementType::uint32}));
    CHECK_FALSE(found->unsupported({{13104, 1}, Boundary::dead, ElementType::uint32}));
    CHECK(found->unsupported({{13120, 1}, Boundary::dead, ElementType::uint32}) ==
          "needs 65600 bytes of constant memory, there are 65536");
    const Size size{100, 131};
    const State got = run(*found, size, Boundary::dead, 2);
    CHECK(same_bytes(
        got.field("cells"),
        expected_of<Spread, Blend>(initial_state(size), Boundary::dead, 2).field("cells")));
}

}  // namespace camber::pipeline_test
