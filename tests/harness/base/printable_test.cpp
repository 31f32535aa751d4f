// Text from outside in sentences: no byte that a terminal obeys, and no end.
#include "harness/base/printable.hpp"

#include "tests/catch.hpp"

namespace camber::printable_test {

TEST_CASE("control characters and broken UTF-8 are escaped", "[base]") {
    CHECK(escaped("plain, with \"quotes\" and \\ and é × 日本 😀") ==
          "plain, with \"quotes\" and \\ and é × 日本 😀");
    CHECK(escaped("a\nb\tc\rd") == "a\\nb\\tc\\rd");
    CHECK(escaped("a\nb", LineFeeds::kept) == "a\nb");
    CHECK(escaped("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
    CHECK(escaped(std::string("\0x", 2)) == "\\x00x");
    CHECK(escaped("\xc2\x9b") == "\\u009b");
    CHECK(escaped("\xe2\x80\xae") == "\\u202e");
    // A lone byte, a cut character, an overlong one, a surrogate, one beyond Unicode.
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
    // Escapes are longer than what they stand for, and characters of several bytes are not cut.
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
