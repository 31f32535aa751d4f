#include "harness/base/text/table.hpp"

#include <algorithm>
#include <sstream>

#include "tests/catch.hpp"

namespace table_test {

using namespace camber;

namespace {

std::size_t widest(const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, columns_of(line));
    return most;
}

}  // namespace

TEST_CASE("paragraphs are broken at blanks", "[table]") {
    CHECK(wrapped("one two three", 7, 0) == "one two\nthree\n");
    CHECK(wrapped("one two", 20, 2) == "  one two\n");
    CHECK(wrapped("", 20, 2).empty());
    CHECK(cut("éab", 2) == "éa");
}

TEST_CASE("a table takes the columns that there are", "[table]") {
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

TEST_CASE("a row may end with a cell that covers the remaining columns", "[table]") {
    TextTable table({{"", Align::left, 1}, {"", Align::left, 4, 1}, {"", Align::right, 6, 1}}, 2);
    table.add({">", "L2", "1.00"});
    table.add_spanning({" ", "a text that is wider than its column"});
    CHECK(table.plain(std::nullopt) ==
          "  > L2     1.00\n    a text that is wider than its column\n");
    CHECK_THROWS_AS(table.add({"too", "few"}), std::logic_error);
    CHECK_THROWS_AS(table.add_spanning({}), std::logic_error);
    CHECK_THROWS_AS(table.add_spanning({"a", "b", "c", "d"}), std::logic_error);
}

TEST_CASE("one table is text, Markdown, LaTeX, CSV and JSON", "[table]") {
    TextTable table({{"name", Align::left}, {"n", Align::right, 3}, {"fits", Align::left}});
    CHECK(table.empty());
    table.add({"a_b|c", "12", "true"});
    table.add({"say \"x\", y\x1b", "", "no"});
    table.add_spanning({"left out", "needs 50 %"});
    CHECK(table.plain(std::nullopt) ==
          "name              n  fits\n"
          "a_b|c            12  true\n"
          "say \"x\", y\\x1b       no\n"
          "left out        needs 50 %\n");
    CHECK(table.markdown() ==
          "| name | n | fits |\n|---|---:|---|\n| a_b|c | 12 | true |\n"
          "| say \"x\", y\\x1b |  | no |\n| left out | needs 50 % |  |\n");
    CHECK(table.markdown({.cell = escape_markdown}) ==
          "| name | n | fits |\n|---|---:|---|\n| a\\_b\\|c | 12 | true |\n"
          "| say \"x\", y\\\\x1b |  | no |\n| left out | needs 50 % |  |\n");
    CHECK(table.latex("50 %") ==
          "\\begin{longtable}{lrl}\n\\caption{50 \\%} \\\\\n\\toprule\nname & n & fits \\\\\n"
          "\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
          "a\\_b\\textbar{}c & 12 & true \\\\\n"
          "say \\textquotedbl{}x\\textquotedbl{}, y\x1b &  & no \\\\\n"
          "left out & \\multicolumn{2}{l}{needs 50 \\%} \\\\\n\\end{longtable}\n");
    CHECK(table.csv() ==
          "name,n,fits\na_b|c,12,true\n\"say \"\"x\"\", y\x1b\",,no\nleft out,needs 50 %,\n");
    TextTable numbers({"name", "n", "fits"});
    numbers.add({"x", "1.5e3", "true"});
    numbers.add({"12x", "", "no"});
    CHECK(numbers.json() ==
          "[\n  {\n    \"name\": \"x\",\n    \"n\": 1500.0,\n    \"fits\": true\n  },\n"
          "  {\n    \"name\": \"12x\",\n    \"n\": null,\n    \"fits\": \"no\"\n  }\n]\n");
}

TEST_CASE("special characters are escaped", "[table]") {
    CHECK(escape_latex("\\{}$#^~<>") ==
          "\\textbackslash{}\\{\\}\\$\\#\\textasciicircum{}\\textasciitilde{}\\textless{}"
          "\\textgreater{}");
    CHECK(escape_markdown("a<b>|*_`\\[]~\nc") == "a&lt;b>\\|\\*\\_\\`\\\\\\[\\]\\~ c");
}

TEST_CASE("XML text is escaped", "[table]") {
    CHECK(escape_xml("a<b>&\"c\"'d'") == "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
    CHECK(escape_xml(std::string("x\x02y\nz")) == "x?y\nz");
    CHECK(escape_xml("\u00d7") == "\u00d7");
}

TEST_CASE("a table is HTML with caption, scopes, links and spanning cells", "[table]") {
    TextTable table({{"rank"}, {"variant", Align::left}, {"note", Align::left}});
    table.add({"1", "halo/16x16", "a < b"});
    table.add_spanning({"-", "failed: \"x\""});
    CHECK(table.html({.caption = "A & B", .links = {{"halo/16x16", "h.html"}}}) ==
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"A &amp; B\"><table class=\"n\">\n"
          "<caption>A &amp; B</caption>\n"
          "<thead><tr><th scope=\"col\">rank</th><th scope=\"col\" class=l>variant</th>"
          "<th scope=\"col\" class=l>note</th></tr></thead>\n<tbody>\n"
          "<tr><td>1</td><th scope=\"row\"><a href=\"h.html\">"
          "<code>halo/16x16</code></a></th><td class=l>a &lt; b</td></tr>\n"
          "<tr><td>-</td><td class=l colspan=\"2\">failed: &quot;x&quot;</td></tr>\n"
          "</tbody>\n</table></div>\n");
}

}  // namespace table_test
