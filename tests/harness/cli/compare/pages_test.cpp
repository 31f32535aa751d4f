// Output formats of `camber compare`, for comparisons that are created in memory.
#include <boost/property_tree/xml_parser.hpp>

#include <random>
#include <sstream>

#include "harness/cli/compare/pages.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace pages_test {

namespace {

using namespace camber;
using namespace camber::compare_test;
using Json = nlohmann::json;

const std::filesystem::path schemas = std::filesystem::path(CAMBER_SOURCE_DIR) / "results/schema";

std::vector<std::vector<double>> processes(std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::vector<double>> all;
    for (int k = 0; k < 5; ++k) all.push_back(samples_around(1e5, 0.001, 10, engine));
    return all;
}

// Cases "slow", "same", "undecided" and "lost", of which the first also has more sectors.
comparison::Comparison mixed(bool fail_on_undecided = false) {
    Document base = document_of(processes(1));
    base.cases[0].model = model_of({{"global_load_sectors", 4000}});
    for (const char* name : {"same", "undecided", "lost"}) {
        base.cases.push_back(base.cases[0]);
        base.cases.back().name = name;
    }
    base.cases[0].name = "slow <&\"'> | *x*";
    Document changed = base;
    slow_down(changed.cases[0], 1.2);
    auto& samples = changed.cases[2].samples->ns;
    for (std::size_t k = 30; k < samples.size(); ++k) samples[k] *= 1.12;
    changed.cases[0].model->quantities["global_load_sectors"] = 5000;
    changed.cases.pop_back();
    comparison::GateRules rules;
    rules.fail_on_undecided = fail_on_undecided;
    return compared(base, changed, rules);
}

// Attributes of the <testcase> elements that have a child element of that name.
std::vector<std::string> cases_with_child(const std::string& xml, const std::string& child) {
    std::istringstream stream(xml);
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(stream, tree);
    std::vector<std::string> names;
    for (const auto& [tag, node] : tree.get_child("testsuites.testsuite"))
        if (tag == "testcase" && (child.empty() || node.count(child) > 0))
            names.push_back(node.get<std::string>("<xmlattr>.name"));
    return names;
}

}  // namespace

TEST_CASE("the table has the worst case first and the summary last", "[compare][pages]") {
    const std::string text = comparison_table(mixed());
    CHECK(text.find("\nslow") < text.find("\nlost"));
    CHECK(text.find("\nlost") < text.find("\nundecided"));
    CHECK(text.find("\nundecided") < text.find("\nsame"));
    CHECK_THAT(text, contains("WORSE: global_load_sectors 4000 -> 5000 (+25.00 %)"));
    CHECK_THAT(text, contains("two groups"));
    const auto last = text.rfind('\n', text.size() - 2);
    CHECK(text.substr(last + 1) ==
          "3 cases compared; 3 deterministic quantities: 1 worse, 0 better; times: 1 SLOWER, "
          "0 FASTER, 1 SAME, 1 UNDECIDED; 1 missing in NEW: REGRESSION.\n");
}

TEST_CASE("Markdown starts with the summary and folds the rest", "[compare][pages]") {
    const std::string text = comparison_markdown(mixed());
    CHECK(text.starts_with("**camber compare:** 3 cases compared"));
    CHECK_THAT(text, contains("slow &lt;&\"'> \\| \\*x\\*"));
    CHECK_THAT(text, contains("<details><summary>All 3 times</summary>"));
    // Unchanged cases appear only in the collapsed table.
    CHECK(text.find("| same |") > text.find("All 3 times"));
    std::size_t open = 0, closed = 0;
    for (std::size_t at = 0; (at = text.find("<details>", at)) != std::string::npos; ++at) ++open;
    for (std::size_t at = 0; (at = text.find("</details>", at)) != std::string::npos; ++at)
        ++closed;
    CHECK(open == 2);
    CHECK(closed == open);
}

TEST_CASE("Markdown stays short enough for a comment", "[compare][pages]") {
    Document base = document_of({});
    base.cases[0].model = model_of({{"global_load_sectors", 4000}});
    for (int k = 0; k < 1500; ++k) {
        base.cases.push_back(base.cases[0]);
        base.cases.back().name = "life/halo/64x4/align128/" + std::to_string(k);
    }
    CHECK(comparison_markdown(compared(base, base)).size() < 1000);
    Document changed = base;
    for (CaseRecord& record : changed.cases) record.model->quantities["global_load_sectors"] = 5000;
    const std::string text = comparison_markdown(compared(base, changed));
    CHECK(text.size() < 65536);
    CHECK_THAT(text, contains("1381 more are left out."));
}

TEST_CASE("JUnit's XML parses, with failures for regressions and skipped for undecided",
          "[compare][pages]") {
    const std::string xml = comparison_junit(mixed());
    CHECK(cases_with_child(xml, "").size() == 7);  // 3 cases of model and time, 1 that is lost
    CHECK(cases_with_child(xml, "failure") ==
          std::vector<std::string>{"slow <&\"'> | *x*: model", "slow <&\"'> | *x*: time", "lost"});
    CHECK(cases_with_child(xml, "skipped") == std::vector<std::string>{"undecided: time"});
    CHECK_THAT(xml, contains("tests=\"7\" failures=\"3\" skipped=\"1\""));
    const std::string strict = comparison_junit(mixed(true));
    CHECK(cases_with_child(strict, "failure").size() == 4);
    CHECK(cases_with_child(strict, "skipped").empty());
}

TEST_CASE("text is escaped for XML", "[compare][pages]") {
    CHECK(xml_escaped("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
    CHECK(xml_escaped("line\nnext\t") == "line&#10;next&#9;");
    CHECK(xml_escaped(std::string("nul\0bell\a", 9)) == "nul\uFFFDbell\uFFFD");
    CHECK(xml_escaped("\xFF caf\xC3\xA9") == "\uFFFD caf\xC3\xA9");
    CHECK(xml_escaped("\xE2\x82x\xF0\x9F\x98\x80\xC3") == "\uFFFDx\xF0\x9F\x98\x80\uFFFD");
    // An overlong slash and half of a surrogate pair.
    CHECK(xml_escaped("\xC0\xAF|\xED\xA0\x80") == "\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD");
    CHECK(xml_escaped("]]>") == "]]&gt;");
}

// Comparison of two models with times, of which only the first becomes slower.
comparison::Comparison predicted_slower() {
    Document base = document_of({});
    base.cases.clear();
    for (const char* const variant : {"life/halo/64x4", "life/global/16x16"}) {
        results::ModelEntry entry;
        entry.variant = variant;
        entry.size = {64, 32};
        entry.cell = "uint32";
        entry.generations_per_launch = 2;
        entry.model = model_of({{"global_load_sectors", 4000}});
        entry.time = results::TimeRecord{2e-3, 1e-3, 3e-3, "L2", {}, {}};
        base.models.push_back(entry);
        CaseRecord record;
        record.name = variant;
        record.identity.variant = variant;
        record.model = entry.model;
        base.cases.push_back(record);
    }
    Document changed = base;
    changed.models[0].time = results::TimeRecord{8e-3, 7e-3, 9e-3, "DRAM", {"a doubt"}, {}};
    return compared(base, changed);
}

TEST_CASE("predicted times stand side by side, and judge nothing", "[compare][pages]") {
    const comparison::Comparison comparison = predicted_slower();
    CHECK(comparison.exit_code() == ExitCode::success);
    REQUIRE(comparison.predicted.pairs.size() == 2);
    CHECK(comparison.predicted.pairs[0].ratio() == Approx(4));
    CHECK(comparison.predicted.pairs[0].apart());

    const std::string table = comparison_table(comparison);
    CHECK_THAT(table, contains("information, no verdict") &&
                          contains("1.000 ms (500.00 us ... 1.500 ms)") &&
                          contains("4.000 ms? (3.500 ms ... 4.500 ms)") && contains("4.000") &&
                          contains("apart") && contains("L2, then DRAM") &&
                          contains("\n1 predicted time is the same\n"));
    const std::string markdown = comparison_markdown(comparison);
    CHECK_THAT(markdown, contains("<details><summary>predicted times of a generation on ") &&
                             contains("life/halo/64x4/64x32/uint32/dead"));
    const auto json = Json::parse(comparison_json(comparison));
    CHECK(schema_violations(json, schemas / "camber-comparison.schema.json") ==
          std::vector<std::string>{});
    CHECK(json["exit_code"] == 0);
    CHECK(json["predicted_times"]["cases"][0]["new"]["uncertain"] == true);
    CHECK(json["predicted_times"]["cases"][0]["base"]["seconds"] == 1e-3);

    CHECK_FALSE(Json::parse(comparison_json(mixed())).contains("predicted_times"));
    CHECK_THAT(comparison_table(mixed()), !contains("predicted"));
}

TEST_CASE("JSON follows its schema", "[compare][pages]") {
    const auto json = Json::parse(comparison_json(mixed()));
    CHECK(schema_violations(json, schemas / "camber-comparison.schema.json") ==
          std::vector<std::string>{});
    CHECK(json["exit_code"] == 1);
    CHECK(json["counts"]["slower"] == 1);
    CHECK(json["cases"][0]["changes"][0]["effect"] == "regression");
    auto broken = json;
    broken["cases"][0]["time"]["verdict"] = "MAYBE";
    CHECK_FALSE(schema_violations(broken, schemas / "camber-comparison.schema.json").empty());

    const comparison::SelfTest test = comparison::self_test({document_of(processes(3))}, {});
    CHECK(schema_violations(Json::parse(self_test_json(test)),
                            schemas / "camber-self-test.schema.json") ==
          std::vector<std::string>{});
    CHECK_THAT(self_test_table(test), contains("fewer than 50 pairs") && contains(test.summary()));
}

}  // namespace pages_test
