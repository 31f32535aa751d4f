// Reader and writer of .rle files, and facts about the patterns that come with camber.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "workloads/life/patterns.hpp"

namespace rle_test {

namespace {

using camber::CellPosition;
using camber::Pattern;
using Cells = std::set<std::pair<std::int64_t, std::int64_t>>;  // row, column

Pattern read(const std::string& text) {
    std::istringstream in(text);
    return camber::read_rle(in, "p.rle");
}

// The message of the rejection, or "accepted".
std::string rejection(const std::string& text) {
    try {
        read(text);
    } catch (const camber::Error& error) {
        CHECK(error.code() == camber::ExitCode::usage);
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return error.what();
    }
    return "accepted";
}

Cells cells(const Pattern& pattern) {
    Cells result;
    for (const CellPosition& cell : pattern.live) result.emplace(cell.row, cell.column);
    return result;
}

Cells shifted(const Cells& from, std::int64_t rows, std::int64_t columns) {
    Cells result;
    for (const auto& [row, column] : from) result.emplace(row + rows, column + columns);
    return result;
}

// Conway's rule on an unbounded plane.
Cells after(Cells live, int generations) {
    for (int generation = 0; generation < generations; ++generation) {
        std::map<std::pair<std::int64_t, std::int64_t>, int> neighbours;
        for (const auto& [row, column] : live) {
            for (int dr = -1; dr <= 1; ++dr) {
                for (int dc = -1; dc <= 1; ++dc) {
                    if (dr != 0 || dc != 0) ++neighbours[{row + dr, column + dc}];
                }
            }
        }
        Cells next;
        for (const auto& [cell, count] : neighbours) {
            if (count == 3 || (count == 2 && live.contains(cell))) next.insert(cell);
        }
        live = std::move(next);
    }
    return live;
}

std::filesystem::path pattern_file(const std::string& name) {
    return std::filesystem::path(CAMBER_SOURCE_DIR) / "workloads/life/patterns" / name;
}

std::string written(const Pattern& pattern, std::string_view comment) {
    std::ostringstream out;
    const Cells live = cells(pattern);
    camber::write_rle(
        out, pattern.columns, pattern.rows,
        [&](std::int64_t row, std::int64_t column) {
            return live.contains({row, column});
        },
        comment);
    return out.str();
}

const Cells glider = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
const std::string header = "x = 3, y = 3, rule = B3/S23\n";

}  // namespace

TEST_CASE("a plain rle file gives the cells, the box and the name", "[rle]") {
    const Pattern pattern = read("#N  My glider \n#C a comment\n" + header + "bob$2bo$3o!\n");
    CHECK(pattern.name == "My glider");
    CHECK(pattern.columns == 3);
    CHECK(pattern.rows == 3);
    const std::vector<CellPosition> expected = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    CHECK(pattern.live == expected);
}

TEST_CASE("the spellings of one glider read alike", "[rle]") {
    const std::string text = GENERATE(values<std::string>({
        "x=3,y=3\nbo$2bo$3o!",
        "  X  =  3 ,Y=3 ,  RULE\t= b3/s23  \nbo$2bo$3o!",
        "x = 3, y = 3, rule = B3S23\nbo$2bo$3o!",
        "x = 3, y = 3, rule = 23/3\nbo$2bo$3o!",
        "x = 3, y = 3, rule = Life\nbo$2bo$3o!",
        "x = 3, y = 3, rule = CONWAY\nbo$2bo$3o!",
        "x = 3, y = 3, rule = B3/S23,\nbo$2bo$3o!",
        "x = 3, y = 3\nbo$2bo$3o",                         // no final `!`
        "x = 3, y = 3\nbo$2bo$3o$!",                       // a `$` after the last row
        "x = 3, y = 3\nbo$2bo$3o! anything 0 at ~ all\n",  // text after `!`
        "x = 3, y = 3\n.A$..A$AAA!",
        "x = 3, y = 3\n b o $\n\n2b o\t$3o !",
        "x = 3, y = 3\nbo$2\nbo$3\n#C between\no!",
        "x = 3, y = 3\r\nbo$2\r\nbo$3o!\r\n",
        "#C old\rx = 3, y = 3\rbo$2bo$3o!\r",
        "\n\n#CXRLE Pos=0,-1377 Gen=3480106827776\n\n#O x\n#P 1 2\n#R 1 2\n#\nx = 3, y = 3\n"
        "bo$2bo$3o!",
        "x = 3, y = 3\nbo$\n#C 5$ not a row\n2bo$3o!\n#C after",
        "#r 23/3\nx = 3, y = 3\nbo$2bo$3o!",
        "#r 23/36\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!",  // the header has priority
        "x = 3, y = 3, rule = B3/S23\n#r 23/36\nbo$2bo$3o!",
        "#remark\nx = 3, y = 3\nbo$2bo$3o!",
        "x = 03, y = 003\n01bo$02bo$3o!",
    }));
    CAPTURE(text);
    CHECK(cells(read(text)) == glider);
}

TEST_CASE("the rule of a pattern is that of its header", "[rle]") {
    const auto rule = [](const std::string& before, const std::string& in_header) {
        return read(before + "x = 1, y = 1" + in_header + "\no!").rule;
    };
    CHECK_FALSE(rule("", ""));
    CHECK(rule("", ", rule = B3/S23") == "B3/S23");
    CHECK(rule("", ", rule = B36/S23") == "B36/S23");
    CHECK(rule("", ", rule = 23/36") == "B36/S23");
    CHECK(rule("#r 23/36\n", "") == "B36/S23");
    CHECK(rule("#r 23/36\n", ", rule = b2s") == "B2/S");
    std::ostringstream out;
    camber::write_rle(
        out, 2, 1, [](std::int64_t, std::int64_t column) { return column == 1; }, "", "B36/S23");
    CHECK(out.str() == "x = 2, y = 1, rule = B36/S23\nbo!\n");
    CHECK(read(out.str()).rule == "B36/S23");
}

TEST_CASE("counts of row ends leave blank rows", "[rle]") {
    const Pattern pattern = read("x = 2, y = 6\n2$o3$bo!");
    CHECK(cells(pattern) == Cells{{2, 0}, {5, 1}});
    CHECK(pattern.rows == 6);
    CHECK(read("x = 2, y = 6\n6$!").live.empty());
    CHECK(read("x = 4, y = 1\n").live.empty());
}

TEST_CASE("the name is the first #N line before the header", "[rle]") {
    CHECK(read("#N one\n#N two\n" + header + "#N three\no!").name == "one");
    CHECK(read("#Not a name\n" + header + "#N late\no!").name.empty());
    CHECK(read("#N a\tb\x1b[31m\n" + header + "o!").name == "a b [31m");
}

TEST_CASE("a malformed rle file is rejected with its place and reason", "[rle]") {
    struct Case {
        std::string text;
        std::string place;
        std::string reason;
    };
    const Case test = GENERATE(values<Case>({
        // header
        {"", "1:1", "the header is missing, found the end of the file"},
        {"#C only\n", "2:1", "header is missing"},
        {"bo$2bo$3o!", "1:1", "the header is missing, found 'b'"},
        {"\n #C a\n  3o!", "3:3", "put a line such as \"x = 3, y = 3, rule = B3/S23\""},
        {std::string("\0\0", 2), "1:1", "byte 0x00"},
        {"x 3, y = 3\no!", "1:3", "needs \"=\" here, found '3'"},
        {"x = 3 y = 3\no!", "1:7", "needs \",\" here, found 'y'"},
        {"x = 3\no!", "1:6", "needs \",\" here, found the end of the line"},
        {"x = 3, z = 3\no!", "1:8", "needs \"y\""},
        {"x = , y = 3\no!", "1:5", "needs a number for x here, found ','"},
        {"x = 3, y = three\no!", "1:12", "needs a number for y here, found 't'"},
        {"x = 0, y = 3\no!", "1:5", "the size x must be at least 1"},
        {"x = 3, y = -3\no!", "1:12", "the size y must be at least 1"},
        {"x = 3, y = 3 o!\n", "1:14", "needs \",\""},
        {"x = 3, y = 3, role = B3/S23\no!", "1:15", "needs \"rule\""},
        {"x = 3, y = 3, rule B3/S23\no!", "1:20", "needs \"=\""},
        {"x = 1000000000000000000, y = 3\no!", "1:5", "the size x is too large"},
        {"x = 3, y = 1073741825\no!", "1:12", "the size y is too large; the limit is 1073741824"},
        {"x = 3, y = 99999999999999999999999999999999\no!", "1:12", "too large"},
        // rule
        {"x = 3, y = 3, rule = B39/S23\no!", "1:22", "\"B39/S23\" counts nine neighbours"},
        {"x = 3, y = 3, rule = B3\no!", "1:22", "\"B3\" does not say who survives"},
        {"x = 3, y = 3, rule = B2-a/S12\no!", "1:22", "\"B2-a/S12\" is no rule of this family"},
        {"x = 3, y = 3, rule = \no!", "1:22", "the rule \"\" is no rule"},
        {"x = 3, y = 3, rule = WireWorld\no!", "1:22", "the rule \"WireWorld\""},
        {"x = 3, y = 3, rule = B36/S23:T9,9\no!", "1:22", "bounded grid"},
        {"x = 3, y = 3, rule = B3/S23:T100,100\no!", "1:22",
         "choose the board's boundary and size"},
        {"x = 3, y = 3, rule = Life:P30,20\no!", "1:22", "bounded grid"},
        {"x = 3, y = 3, rule = B3/S23 o!", "1:22", "the rule \"B3/S23 o!\""},
        {"#r 9/36\nx = 3, y = 3\no!", "1:4", "the rule \"9/36\" counts nine"},
        {"x = 3, y = 3\n#r 23/36\no!", "2:4", "the rule \"23/36\" comes after the header"},
        // body
        {header + "bo$2zo!", "2:5", "unknown character, 'z'"},
        {header + "bo$\n2b\xc3\xa9!", "3:3", "unknown character, byte 0xc3"},
        {header + std::string("o\0o!", 4), "2:2", "byte 0x00"},
        {header + "bo # no comment", "2:4", "unknown character, '#'"},
        {header + "b-1o!", "2:2", "unknown character, '-'"},
        {header + "bY!", "2:2", "unknown character, 'Y'"},
        {header + "bB!", "2:2", "'B' is a cell state of a multi-state pattern"},
        {header + "AX!", "2:2", "multi-state patterns are not supported"},
        {header + "2bpA!", "2:3", "'p' is a cell state"},
        {header + "yO!", "2:1", "'y' is a cell state"},
        {header + "bO!", "2:2", "'O' is a cell state"},
        {header + "b0o!", "2:2", "the run count is 0"},
        {header + "b00$!", "2:2", "the run count is 0"},
        {header + "b2 o!", "2:2", "the run count 2 is followed by white space"},
        {header + "b2\n o!", "2:2", "the run count 2 is followed by white space"},
        {header + "b1\n2o!", "2:2", "the run count 1 is followed by another number"},
        {header + "o$2", "2:3", "the run count 2 has no cell or row end after it"},
        {header + "o$2!", "2:3", "the run count 2 has no cell"},
        {header + "99999999999999999999o!", "2:1", "the run count is too large"},
        // larger than the header says
        {"x = 5, y = 5\n1000000000000o!", "2:1", "the run count is too large"},
        {header + "bo$b3o!", "2:5", "row 2 of the pattern is wider than x = 3 in the header"},
        {header + "bo$4b!", "2:4", "row 2 of the pattern is wider"},
        {header + "3ob!", "2:3", "row 1 of the pattern is wider"},
        {header + "o$o$o$b!", "2:7", "more rows than y = 3 in the header"},
        {header + "o$o$o2$!", "2:6", "more rows than y = 3"},
        {header + "o4$!", "2:2", "more rows than y = 3"},
        {header + "o$\r\no$\ro1000000000$!", "4:2", "more rows than y = 3"},
        {"x = 1000000000, y = 1000000000\n9b67108864o$o!", "2:13", "too many live cells"},
    }));
    CAPTURE(test.text);
    const std::string message = rejection(test.text);
    CHECK_THAT(message, Catch::Matchers::StartsWith("p.rle:" + test.place + ": "));
    CHECK_THAT(message, contains(test.reason));
}

TEST_CASE("a long rule is shortened in the message", "[rle]") {
    const std::string message =
        rejection("x = 3, y = 3, rule = " + std::string(5000, 'B') + "\no!");
    CHECK_THAT(message, contains("BBB...\" does not say who survives"));
    CHECK(message.size() < 200);
}

TEST_CASE("the glider moves one cell down and right in 4 generations", "[rle][patterns]") {
    const Pattern pattern = camber::read_rle_file(pattern_file("glider.rle"));
    CHECK(pattern.name == "Glider");
    CHECK(cells(pattern) == glider);
    CHECK(after(glider, 4) == shifted(glider, 1, 1));
}

TEST_CASE("the blinker has period 2", "[rle][patterns]") {
    const Pattern pattern = camber::read_rle_file(pattern_file("blinker.rle"));
    const Cells start = cells(pattern);
    CHECK(start.size() == 3);
    CHECK(pattern.columns == 3);
    CHECK(pattern.rows == 1);
    CHECK(after(start, 1) != start);
    CHECK(after(start, 2) == start);
}

// Gardner, Scientific American, January 1971: 1103 generations. LifeWiki: 116 cells.
TEST_CASE("the R-pentomino ends with 116 cells at generation 1103", "[rle][patterns]") {
    const Pattern pattern = camber::read_rle_file(pattern_file("r_pentomino.rle"));
    const Cells start = cells(pattern);
    CHECK(start == Cells{{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}});
    const Cells before = after(start, 1102);
    const Cells settled = after(before, 1);
    CHECK(before.size() != 116);
    CHECK(settled.size() == 116);
    CHECK(after(settled, 100).size() == 116);
}

TEST_CASE("the Gosper glider gun is whole again after 30 generations", "[rle][patterns]") {
    const Pattern pattern = camber::read_rle_file(pattern_file("gosper_glider_gun.rle"));
    const Cells gun = cells(pattern);
    CHECK(pattern.columns == 36);
    CHECK(pattern.rows == 9);
    CHECK(gun.size() == 36);
    const Cells later = after(gun, 30);
    CHECK(std::ranges::includes(later, gun));
    CHECK(later.size() == 36 + 5);
    CHECK(after(gun, 300).size() == 36 + 10 * 5);
}

TEST_CASE("an unreadable pattern file is rejected with its path", "[rle]") {
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            camber::read_rle_file(path);
        } catch (const camber::Error& error) {
            CHECK(error.code() == camber::ExitCode::usage);
            return error.what();
        }
        return "accepted";
    };
    const std::string missing = message(pattern_file("no_such_pattern.rle"));
    CHECK_THAT(missing, contains("no_such_pattern.rle"));
    CHECK_THAT(missing, contains("No such file"));
    CHECK_THAT(message(pattern_file("")), contains("Is a directory"));
    CHECK_THAT(message("/dev/zero"),
               contains("/dev/zero") && contains("it is no file") && contains("an .rle file"));
}

TEST_CASE("a pattern file without a name is named after the file", "[rle]") {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / "camber_rle_test_nameless.rle";
    std::ofstream(path) << header << "bo$2bo$3o!\n";
    CHECK(camber::read_rle_file(path).name == "camber_rle_test_nameless");
    std::filesystem::remove(path);
}

TEST_CASE("a failing disk is not taken for the end of the file", "[rle]") {
    struct FailingBuffer : std::stringbuf {
        explicit FailingBuffer(const std::string& text) : std::stringbuf(text) {}
        int underflow() override { throw std::runtime_error("input/output error"); }
    };
    FailingBuffer buffer(header + "bo$");
    std::istream in(&buffer);
    CHECK_THROWS_WITH(camber::read_rle(in, "p.rle"), contains("p.rle:2:4: reading failed here"));
}

TEST_CASE("the writer's text is exact", "[rle]") {
    Pattern pattern = read("x = 5, y = 7\n2$b2o$$o3bo!");
    CHECK(written(pattern, "") == "x = 5, y = 7, rule = B3/S23\n2$b2o2$o3bo!\n");
    CHECK(written(pattern, "one\n\ntwo\r\n") ==
          "#C one\n#C two\nx = 5, y = 7, rule = B3/S23\n2$b2o2$o3bo!\n");
    pattern.live.clear();
    CHECK(written(pattern, "") == "x = 5, y = 7, rule = B3/S23\n!\n");
}

TEST_CASE("the writer asks for each cell once, in row-major order", "[rle]") {
    std::vector<CellPosition> asked;
    std::ostringstream out;
    const auto alive = [&](std::int64_t row, std::int64_t column) {
        asked.push_back({row, column});
        return true;
    };
    camber::write_rle(out, 2, 2, alive, "");
    CHECK(asked == std::vector<CellPosition>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("the writer keeps lines within 70 characters and uses them", "[rle]") {
    const std::string comment = std::string(68, 'u') + "\n" + std::string(200, 'w') +
                                " and then many words of ordinary length";
    std::ostringstream out;
    camber::write_rle(
        out, 500, 3, [](std::int64_t row, std::int64_t column) { return (row + column) % 2 == 0; },
        comment);
    std::istringstream lines(out.str());
    std::size_t longest_comment = 0;
    std::size_t longest_body = 0;
    for (std::string line; std::getline(lines, line);) {
        CHECK_FALSE(line.empty());
        std::size_t& longest = line.front() == '#' ? longest_comment : longest_body;
        longest = std::max(longest, line.size());
    }
    CHECK(longest_comment == 70);
    CHECK(longest_body == 70);
    CHECK(read(out.str()).live.size() == 750);
}

TEST_CASE("the writer rejects a box that the reader would reject", "[rle]") {
    std::ostringstream out;
    const auto dead = [](std::int64_t, std::int64_t) { return false; };
    CHECK_THROWS_WITH(camber::write_rle(out, 0, 5, dead, ""), contains("0 columns and 5 rows"));
    CHECK_THROWS_AS(camber::write_rle(out, 5, camber::max_pattern_side + 1, dead, ""),
                    camber::Error);
    CHECK(out.str().empty());
}

}  // namespace rle_test
