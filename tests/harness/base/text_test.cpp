// Names that people type.
#include "harness/base/text.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace text_test {

namespace {

using camber::matches_glob;
using camber::nearest;
using camber::suggestion;

using Names = std::vector<std::string>;

const Names variants{"global/16x16", "global/32x8", "halo/16x16/align128", "shared_tile/16x16",
                     "shared_tile/64x4"};

}  // namespace

TEST_CASE("a glob matches the whole name", "[text]") {
    CHECK(matches_glob("life/halo", "life/halo"));
    CHECK_FALSE(matches_glob("halo", "life/halo"));
    CHECK_FALSE(matches_glob("life/hal", "life/halo"));
    CHECK_FALSE(matches_glob("Life/halo", "life/halo"));
    CHECK_FALSE(matches_glob("", "life"));
    CHECK(matches_glob("", ""));
}

TEST_CASE("a star matches any text, slashes included", "[text]") {
    CHECK(matches_glob("*", "life/halo/16x16"));
    CHECK(matches_glob("life/*", "life/halo/16x16/align128"));
    CHECK(matches_glob("*64x4*", "life/halo/64x4/unaligned"));
    CHECK(matches_glob("*/64x4*", "life/halo/64x4"));
    CHECK_FALSE(matches_glob("*64x4", "life/halo/64x4/unaligned"));
    CHECK(matches_glob("*", ""));
}

TEST_CASE("a question mark and a set match one character", "[text]") {
    CHECK(matches_glob("?x4", "8x4"));
    CHECK_FALSE(matches_glob("?x4", "64x4"));
    CHECK(matches_glob("n[24]", "n4"));
    CHECK_FALSE(matches_glob("n[24]", "n1"));
    CHECK(matches_glob("n[!24]", "n1"));
}

TEST_CASE("what is no pattern is taken as it is", "[text]") {
    CHECK(matches_glob("n[24", "n[24"));
    CHECK(matches_glob("a.b+c", "a.b+c"));
    CHECK_FALSE(matches_glob("a.b", "axb"));
}

TEST_CASE("near names are found by their front, best first", "[text]") {
    CHECK(nearest("lfe", {"lava", "life"}) == Names{"life"});
    CHECK(nearest("sharedtile", variants) == Names{"shared_tile/64x4", "shared_tile/16x16"});
    CHECK(nearest("sharedtile/16x16", variants).front() == "shared_tile/16x16");
    CHECK(nearest("golbal/32x8", variants).front() == "global/32x8");
    // The whole name decides where the fronts are equally near.
    CHECK(nearest("halo", {"halo/16x16", "halo", "halo/*"}) ==
          Names{"halo", "halo/*", "halo/16x16"});
}

TEST_CASE("near names are few, different and near", "[text]") {
    CHECK(nearest("global", {"global/a", "global/b", "global/c", "global/d"}).size() == 3);
    CHECK(nearest("global", {"global/a", "global/b", "global/c"}, 2).size() == 2);
    CHECK(nearest("global", {"global", "global"}) == Names{"global"});
    CHECK(nearest("zzzz", variants).empty());
    CHECK(nearest("", variants).empty());
    CHECK(nearest("halo", {}).empty());
}

TEST_CASE("a suggestion reads as the end of a sentence", "[text]") {
    CHECK(suggestion("zzzz", variants).empty());
    CHECK(suggestion("lfe", {"life"}) == ": did you mean life?");
    CHECK(suggestion("ab", {"abc", "abd"}) == ": did you mean abc or abd?");
    CHECK(suggestion("ab", {"abc", "abd", "abe"}) == ": did you mean abc, abd or abe?");
}

}  // namespace text_test
