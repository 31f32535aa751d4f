#include <string>

#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "tests/catch.hpp"

namespace terminal_test {

using namespace camber;

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

TEST_CASE("durations are told roughly", "[terminal]") {
    CHECK(rough_duration(42.3) == "42 s");
    CHECK(rough_duration(200) == "3 min");
    CHECK(rough_duration(9000) == "2.5 hours");
    CHECK(rough_duration(4e5) == "5 days");
}

}  // namespace terminal_test
