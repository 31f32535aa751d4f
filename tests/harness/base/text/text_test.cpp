// Names that users type, and text that is safe to print.
#include <string>
#include <vector>

#include "harness/base/text/text.hpp"
#include "tests/catch.hpp"

namespace text_test {

// Names that users type

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
    // The whole name decides if prefixes are equally near.
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

namespace camber::printable_test {

// Text from outside in sentences: no byte that a terminal interprets, and a limited length
TEST_CASE("control characters and broken UTF-8 are escaped", "[base]") {
    CHECK(escaped("plain, with \"quotes\" and \\ and é × 日本 😀") ==
          "plain, with \"quotes\" and \\ and é × 日本 😀");
    CHECK(escaped("a\nb\tc\rd") == "a\\nb\\tc\\rd");
    CHECK(escaped("a\nb", LineFeeds::kept) == "a\nb");
    CHECK(escaped("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
    CHECK(escaped(std::string("\0x", 2)) == "\\x00x");
    CHECK(escaped("\xc2\x9b") == "\\u009b");
    CHECK(escaped("\xe2\x80\xae") == "\\u202e");
    // A single continuation byte, a truncated character, an overlong one, a surrogate, one beyond
    // Unicode.
    CHECK(escaped("\xff") == "\\xff");
    CHECK(escaped("\xe6\x97") == "\\xe6\\x97");
    CHECK(escaped("\xc0\xaf") == "\\xc0\\xaf");
    CHECK(escaped("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(escaped("\xf5\x80\x80\x80") == "\\xf5\\x80\\x80\\x80");
    CHECK(escaped(escaped("\x1b\n\xff")) == escaped("\x1b\n\xff"));
}

TEST_CASE("a long text loses its middle", "[base]") {
    CHECK(printable(std::string(longest_sentence, 'a')) == std::string(longest_sentence, 'a'));
    const std::string sentence = "the file " + std::string(400'000, 'q') + ": repair it";
    const std::string shown = printable(sentence);
    CHECK(shown.size() <= longest_sentence);
    CHECK(shown.starts_with("the file qqq"));
    CHECK(shown.ends_with("qqq: repair it"));
    CHECK_THAT(shown, contains(" bytes left out]"));
    // Escapes are longer than the bytes that they replace, and multi-byte characters are not split.
    for (const char* part : {"\x1b", "\xff", "é", "日", "😀", "a"})
        for (std::size_t count = 0; count < 300; ++count) {
            std::string text;
            for (std::size_t k = 0; k < count; ++k) text += part;
            const std::string limited = printable(text, 100);
            CHECK(limited.size() <= 100);
            CHECK(escaped(limited) == limited);
        }
}

}  // namespace camber::printable_test

namespace number_text_test {

using namespace camber;

TEST_CASE("shares and times read as people write them", "[base]") {
    CHECK(percent(0.4567) == "45.7 %");
    CHECK(percent(0.4567, 2) == "45.67 %");
    CHECK(percent(std::nullopt) == "-");
    CHECK(percent(std::optional(1.0)) == "100.0 %");
    CHECK(duration(12346) == "12.35 us");
    CHECK(duration(1.5e6) == "1.500 ms");
    CHECK(duration(2e9) == "2.000 s");
}

}  // namespace number_text_test
