// Technique families in charts.
#include <map>
#include <string>

#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"

namespace camber::family_test {
namespace {

TEST_CASE("every technique declares a family, all its variants the same", "[portable][registry]") {
    std::map<std::string_view, Family> families_by_name;
    for (const Variant& variant : registry().variants()) {
        const TechniqueInfo& technique = variant.info.technique;
        CAPTURE(variant.info.name());
        CHECK((technique.family == Family::other) == (technique.name == "reference"));
        const auto [found, is_new] = families_by_name.emplace(technique.name, technique.family);
        CHECK(found->second == technique.family);
        CHECK(family_of(registry(), technique.name) == technique.family);
    }
}

TEST_CASE("the families of techniques are those that charts name", "[portable][registry]") {
    const auto family = [](std::string_view technique) {
        return name(family_of(registry(), technique));
    };
    CHECK(family("global") == "global memory");
    CHECK(family("halo") == "global memory");
    CHECK(family("vector_packed") == "global memory");
    CHECK(family("shared_tile") == "shared memory");
    CHECK(family("first_rows") == "shared memory");
    CHECK(family("ring_block") == "shared memory");
    CHECK(family("texture_2d") == "texture, constant");
    CHECK(family("two_element") == "several cells a thread");
    CHECK(family("several_cells") == "several cells a thread");
    CHECK(family("row_stream") == "register streaming");
    CHECK(family("two_element_two_generation_linear") == "several generations");
    CHECK(family("") == "other");
    CHECK(family("a technique of another program") == "other");
    for (const Family one : families) CHECK(families[static_cast<std::size_t>(one)] == one);
}

}  // namespace
}  // namespace camber::family_test
