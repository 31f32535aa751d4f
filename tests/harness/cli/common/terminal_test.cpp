#include <sstream>
#include <string>
#include <vector>

#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/terminal.hpp"
#include "tests/catch.hpp"

namespace terminal_test {

using namespace camber;

namespace {

std::size_t widest(const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, columns_of(line));
    return most;
}

}  // namespace

TEST_CASE("lines are folded at blanks, and go on below their text", "[terminal]") {
    CHECK(folded("short", 20) == "short");
    CHECK(folded("one two three four five", 10) == "one two\n  three\n  four\n  five");
    CHECK(folded("  --size TEXT   what a board is", 26) ==
          "  --size TEXT   what a\n                board is");
    // A word that is too long is broken at the end of the line, but never inside a UTF-8 character.
    CHECK(folded("abcdefghij", 4) == "abcd\n  ef\n  gh\n  ij");
    CHECK(folded("éééééé", 4) == "éééé\n  éé");
    CHECK(folded(std::string(30, ' ') + "x", 20).size() < 60);
}

TEST_CASE("paragraphs are broken at blanks", "[terminal]") {
    CHECK(wrapped("one two three", 7, 0) == "one two\nthree\n");
    CHECK(wrapped("one two", 20, 2) == "  one two\n");
    CHECK(wrapped("", 20, 2).empty());
    CHECK(cut("éab", 2) == "éa");
}

TEST_CASE("a table takes the columns that there are", "[terminal]") {
    TextTable table({"name", "says", "a", "b"}, 2);
    table.add({"first/64x4/align128", "a sentence of many words that may be broken", "1.00", "2"});
    table.add({"x", "short", "10.00", "22"});
    const std::string wide = table.plain(std::nullopt);
    CHECK(widest(wide) == 19 + 2 + 43 + 2 + 5 + 2 + 2);
    // The sentence column is narrowed first: every row still begins with its name.
    const std::string narrow = table.plain(60);
    CHECK(widest(narrow) <= 60);
    CHECK_THAT(narrow, contains("\nx ") && contains("  10.00  22\n"));
    // At smaller widths, the numbers get a line of their own.
    const std::string narrower = table.plain(30);
    CHECK(widest(narrower) <= 30);
    CHECK_THAT(narrower, contains("\nfirst/64x4/align128\n") && contains("\n    10.00  22\n"));
}

TEST_CASE("durations are told roughly", "[terminal]") {
    CHECK(rough_duration(42.3) == "42 s");
    CHECK(rough_duration(200) == "3 min");
    CHECK(rough_duration(9000) == "2.5 hours");
    CHECK(rough_duration(4e5) == "5 days");
}

}  // namespace terminal_test
