// Compositions from a test registry.
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/study_from.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::composition_test {

namespace {

const Workload& workload() {
    return *find_workload("water_flow");
}

// Variants of two steps, of which the second lacks the default choice, named by their choices.
Composer composer(Backend backend) {
    Composer composer{
        "water_flow",
        ElementType::float32,
        backend,
        {{"one", {"global/16x16", "halo/64x4/align128"}, {"global", "halo"}},
         {"two", {"shared_tile/16x16/align128", "global/16x16"}, {"shared_tile", "global"}}},
        {}};
    composer.compose = [backend](const std::vector<std::string>& choices) {
        Variant variant;
        variant.info.form = choices.at(0) + " " + choices.at(1);
        variant.factories[backend] = {};
        return variant;
    };
    return composer;
}

Variant composed(const std::string& text, const std::vector<Backend>& backends,
                 Backend wanted = Backend::simt) {
    Registry registry;
    for (const Backend backend : backends) registry.add(composer(backend));
    return composed_variant(registry, text, workload(), wanted, ElementType::float32);
}

TEST_CASE("a step that is not named takes halo, or its first choice", "[compose]") {
    const auto choices = [](const std::string& text) {
        return composed(text, {Backend::simt}).info.path();
    };
    CHECK(choices("two=global/16x16") == "halo/64x4/align128 global/16x16");
    CHECK(choices("one=global/16x16") == "global/16x16 shared_tile/16x16/align128");
    CHECK(choices("two=global/16x16+one=global/16x16") == "global/16x16 global/16x16");
}

TEST_CASE("a composed variant has the forms of all backends that are built", "[compose]") {
    const Variant both =
        composed("one=global/16x16", {Backend::simt, Backend::cuda}, Backend::cuda);
    CHECK(both.factories.size() == 2);
    CHECK(both.factories.contains(Backend::simt));
    CHECK(composed("one=global/16x16", {Backend::simt}).factories.size() == 1);
}

TEST_CASE("a backend without the steps is told from one that never has any", "[compose]") {
    const auto code = [](Backend backend) {
        try {
            composed("one=global/16x16", {Backend::simt}, backend);
        } catch (const Error& error) {
            CHECK_THAT(error.what(), contains("--backend simt"));
            return error.code();
        }
        return ExitCode::success;
    };
    CHECK(code(Backend::cpu) == ExitCode::usage);
    CHECK(code(Backend::cuda) == ExitCode::unavailable);
}

}  // namespace
}  // namespace camber::composition_test
