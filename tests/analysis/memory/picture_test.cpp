#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/memory/picture.hpp"
#include "tests/analysis/memory/request_patterns.hpp"
#include "tests/catch.hpp"

namespace picture_test {

using namespace camber;

namespace {

const WarpRequest offset_one = make_request(4, [](int l) { return 1024 + 4 * (l + 1); });
const WarpRequest stride_two = make_request(
    4, [](int l) { return 8 * l; }, ~0u, Space::shared);

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

int occurrences(const std::string& text, const std::string& what) {
    int count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++count;
    return count;
}

// Reason why the text is no well-formed XML document with one root; empty if it is. Supports tags,
// quoted attributes and the five entities, which is all that the pictures use.
std::string xml_fault(const std::string& xml) {
    std::vector<std::string> open;
    int roots = 0;
    for (std::size_t i = 0; i < xml.size();) {
        if (xml[i] == '&') {
            const std::size_t end = xml.find(';', i);
            const std::string entity = xml.substr(i, end == std::string::npos ? 6 : end - i + 1);
            const std::vector<std::string> known = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
            if (std::ranges::find(known, entity) == known.end()) return "raw & at " + entity;
            i = end + 1;
        } else if (xml[i] == '<') {
            std::size_t end = i + 1;
            bool quoted = false;
            for (; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
                if (xml[end] == '"') quoted = !quoted;
                if (xml[end] == '<') return "raw < in " + xml.substr(i, 20);
            }
            if (end == xml.size()) return "tag does not end";
            const std::string tag = xml.substr(i + 1, end - i - 1);
            if (tag.starts_with("/")) {
                if (open.empty() || open.back() != tag.substr(1)) return "unexpected <" + tag + ">";
                open.pop_back();
            } else if (!tag.ends_with("/")) {
                if (open.empty()) ++roots;
                open.push_back(tag.substr(0, tag.find(' ')));
            } else if (open.empty()) {
                ++roots;
            }
            i = end + 1;
        } else {
            const auto byte = static_cast<unsigned char>(xml[i]);
            if (byte < 0x20 && byte != '\n' && byte != '\t') return "control character";
            ++i;
        }
    }
    if (!open.empty()) return "<" + open.back() + "> stays open";
    return roots == 1 ? "" : std::to_string(roots) + " roots";
}

}  // namespace

TEST_CASE("the checker of XML finds faults", "[memory][picture]") {
    CHECK(xml_fault("<a b=\"c>d\"><e/>f &amp; g</a>\n").empty());
    CHECK_FALSE(xml_fault("<a><b></a></b>").empty());
    CHECK_FALSE(xml_fault("<a>").empty());
    CHECK_FALSE(xml_fault("<a>x & y</a>").empty());
    CHECK_FALSE(xml_fault("<a>x < y</a>").empty());
    CHECK_FALSE(xml_fault("<a/><b/>").empty());
    CHECK_FALSE(xml_fault("<a>\x01</a>").empty());
}

TEST_CASE("lists of lanes are short and exact", "[memory][picture]") {
    CHECK(lane_list(0, 20).empty());
    CHECK(lane_list(~0u, 20) == "0-31");
    CHECK(lane_list(1u << 31, 20) == "31");
    CHECK(lane_list(0x00010001, 20) == "0,16");
    CHECK(lane_list(0x3, 20) == "0,1");
    CHECK(lane_list(0x00ff00ff, 20) == "0-7,16-23");
    CHECK(lane_list(0xaaaaaaaa, 20) == "1,3..31");
    CHECK(lane_list(0x11111111, 20) == "0,4..28");
    CHECK(lane_list(0x0000000b, 20) == "0,1,3");
    CHECK(lane_list(0b10010000100101000010010010001001, 12) == "0,3,7,10+6");
    CHECK(lane_list(0x00ff00ff, 6) == "0-7+8");
}

TEST_CASE("a picture in text of an access that is off by one word", "[memory][picture]") {
    const std::string text = picture_text(offset_one, RuleSet::cc12, "neighbour to the right");
    CHECK(
        text ==
        "neighbour to the right\n"
        "global load, 4 bytes per lane, 32 active lanes; rules of CC 1.2-1.3\n"
        "base address 1024; 2 requests, 3 transactions (1 of 32 bytes, 1 of 64 bytes, 1 of 128 "
        "bytes)\n"
        "224 bytes moved, 128 used (57 %); 2 lines, 5 sectors (4 would suffice)\n"
        "transactions (offset:size): 0:128 64:64 128:32\n"
        "remedy: align the first lane to 32 bytes; take shifted neighbors from registers or shared "
        "memory\n"
        "\n"
        "line at       | +0: used, lanes   | +32: used, lanes  | +64: used, lanes  | +96: used, "
        "lanes  |\n"
        "+0            | 28B 0-6           | 32B 7-14          | 32B 15-22         | 32B 23-30   "
        "      |\n"
        "+128          |  4B!31            |                   |                   |             "
        "      |\n"
        "!: an extra sector; aligned, contiguous bytes would not need it\n");
}

TEST_CASE("a picture in text says what is moved in vain", "[memory][picture]") {
    const WarpRequest rows = make_request(4, [](int l) { return 4 * (l % 16 + 64 * (l / 16)); });
    const std::string cached = picture_text(rows, RuleSet::cc20);
    CHECK(occurrences(cached, "-- unused") == 4);
    CHECK(occurrences(cached, "\n  ...\n") == 1);
    CHECK_THAT(cached, contains("256 bytes moved, 128 used (50 %); 2 lines, 4 sectors"));
    CHECK(occurrences(picture_text(rows, RuleSet::cc50), "unused") == 0);
    CHECK_THAT(picture_text(make_request(
                                4, [](int) { return 0; }, 0),
                            RuleSet::cc50),
               contains("no lane is active"));
}

TEST_CASE("a picture in text of banks shows who waits for whom", "[memory][picture]") {
    const auto lines = lines_of(picture_text(stride_two, RuleSet::cc50, "stride of two words"));
    REQUIRE(lines.size() == 11);
    CHECK(lines[2] == "2 wavefronts, 1 without bank conflicts: a 2-way bank conflict");
    CHECK(lines[3].starts_with("remedy: let consecutive lanes access consecutive elements"));
    CHECK(lines[5].starts_with("bank 0  1  2  3"));
    CHECK(lines[5].ends_with("30 31"));
    CHECK(lines[7].starts_with("  1  0  .  1  .  2"));
    CHECK(lines[8].starts_with("  2!16  . 17  . 18"));

    const std::string broadcast = picture_text(make_request(
                                                   4, [](int) { return 8; }, ~0u, Space::shared),
                                               RuleSet::cc50);
    CHECK_THAT(broadcast, contains("  1  .  .  0+ ."));

    const std::string pieces = picture_text(make_request(
                                                8, [](int l) { return 8 * l; }, ~0u, Space::shared),
                                            RuleSet::cc12);
    CHECK_THAT(pieces, contains("lanes 0 to 15, word 1 of each"));
    CHECK_THAT(pieces, contains("8 wavefronts, 4 without bank conflicts: a 2-way bank conflict"));
}

TEST_CASE("text fits a terminal of 100 columns and SVG is well-formed, whatever is drawn",
          "[memory][picture]") {
    std::mt19937_64 engine(61);
    for (int i = 0; i < 300; ++i) {
        const WarpRequest request =
            random_request(engine, i % 2 == 0 ? Space::global : Space::shared);
        for (const RuleSet rules : all_rule_sets) {
            for (const std::string& line : lines_of(picture_text(request, rules, "title"))) {
                CAPTURE(line);
                REQUIRE(line.size() <= 100);
                REQUIRE((line.empty() || line.back() != ' '));
            }
            REQUIRE(xml_fault(picture_svg(request, rules, "a < b && \"c\" > 'd'\x01")).empty());
        }
    }
}

TEST_CASE("an SVG shows lanes, transactions, totals and its title", "[memory][picture]") {
    const std::string svg = picture_svg(offset_one, RuleSet::cc12, "<left> & right");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(occurrences(svg, "&lt;left&gt; &amp; right") == 2);  // visible title and accessible title
    CHECK_THAT(svg, contains("224 bytes moved, 128 used (57 %)"));
    CHECK_THAT(svg, contains("rules of CC 1.2-1.3"));
    CHECK_THAT(svg, contains("prefers-color-scheme:dark"));
    CHECK(occurrences(svg, "http") == 1);  // no external references
    for (int lane = 0; lane < warp_lanes; ++lane) {
        CHECK(occurrences(svg, "class=\"lane\">" + std::to_string(lane) + "</text>") == 1);
    }
    for (const char* size : {"32 B", "64 B", "128 B"}) {
        CHECK(occurrences(svg, "<title>transaction of " + std::string(size) + "</title>") == 1);
    }
    CHECK(occurrences(svg, "moved, not used</title>") == 1 + 7);  // before lane 0, after lane 31

    const std::string headed = picture_svg(offset_one, RuleSet::cc50, "one\ntwo");
    CHECK_THAT(headed,
               contains("class=\"title\">one</text>") && contains("class=\"sub\">two</text>"));

    const std::string banks = picture_svg(stride_two, RuleSet::cc50);
    CHECK_THAT(banks, contains(">wavefront 2 !</text>"));
    CHECK(occurrences(banks, ">wavefront 3") == 0);
    CHECK(occurrences(banks, "<title>word 62: lanes 31</title>") == 1);
    CHECK(occurrences(banks, "class=\"lane b\"") == 32);
}

TEST_CASE("a picture marks what a conflict or a misalignment adds, and names the remedy",
          "[memory][picture]") {
    const auto boxes = [](const std::string& svg, const std::string& css) {
        return occurrences(svg, "class=\"" + css + "\"><title>");
    };
    const std::string sector = picture_svg(offset_one, RuleSet::cc50);
    CHECK(boxes(sector, "used") == 31);
    CHECK(boxes(sector, "extra") == 1);  // only lane 31 needs the fifth sector
    CHECK_THAT(sector, contains("class=\"remedy\">Remedy: align the first lane to 32 bytes"));

    const WarpRequest column = make_request(
        4, [](int l) { return 128 * l; }, ~0u, Space::shared);
    const std::string banks = picture_svg(column, RuleSet::cc50);
    CHECK(boxes(banks, "used") == 1);
    CHECK(boxes(banks, "extra") == 31);
    CHECK_THAT(banks, contains("32 wavefronts, 1 without bank conflicts: a 32-way bank conflict"));
    CHECK_THAT(banks, contains("Remedy: pad the row by one element</text>"));

    const WarpRequest clean = make_request(
        4, [](int l) { return 4 * l; }, ~0u, Space::shared);
    CHECK(boxes(picture_svg(clean, RuleSet::cc50), "extra") == 0);
    CHECK(occurrences(picture_svg(clean, RuleSet::cc50), "Remedy") == 0);
    CHECK_THAT(picture_text(clean, RuleSet::cc50),
               contains("1 wavefront, no bank conflict\n") && !contains("remedy"));
}

TEST_CASE("as many wavefronts are marked as the rule counts conflicts", "[memory][picture]") {
    std::mt19937_64 engine(62);
    for (int i = 0; i < 300; ++i) {
        const WarpRequest request = random_request(engine, Space::shared);
        for (const RuleSet rules : all_rule_sets) {
            const auto marked = picture::conflict_passes(bank_passes(request, rules));
            REQUIRE(std::ranges::count(marked, true) == count_passes(request, rules).conflicts());
        }
    }
}

TEST_CASE("pictures of impossible requests are refused", "[memory][picture]") {
    for (const Space space : {Space::global, Space::shared}) {
        const WarpRequest bad = make_request(
            4, [](int) { return 2; }, 1, space);
        CHECK_THROWS_AS(picture_text(bad, RuleSet::cc50), std::invalid_argument);
        CHECK_THROWS_AS(picture_svg(bad, RuleSet::cc50), std::invalid_argument);
    }
}

}  // namespace picture_test
