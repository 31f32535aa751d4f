// Trace event files of timelines, written and read back.
#include <nlohmann/json.hpp>

#include <set>

#include "harness/base/error.hpp"
#include "harness/measure/timeline_file.hpp"
#include "tests/analysis/timeline/made_timelines.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace timeline_file_test {

using namespace camber;
using namespace camber::timeline_test;
using results_test::TestFolder;
using results_test::write_text;
using Json = nlohmann::json;

namespace {

Timeline one() {
    Timeline timeline = two_places();
    timeline.residual_ns = 1234.5;
    timeline.spans = {span(SpanKind::range, 0, 0, 5000), span(SpanKind::issue, 0, 1, 900, 7),
                      span(SpanKind::kernel, 2, 1001, 2003, 7),
                      span(SpanKind::kernel, 2, 2004, 2999, 7),
                      span(SpanKind::peer, 4, 2500, 2600, 9)};
    timeline.spans.back().bytes = 4096;
    timeline.spans.back().name = "a \"name\" <of> \\ any \n kind";
    return timeline;
}

void check_equal(const Timeline& read, const Timeline& made) {
    CHECK(read.name == made.name);
    CHECK(read.places == made.places);
    CHECK(read.residual_ns == made.residual_ns);
    REQUIRE(read.lanes.size() == made.lanes.size());
    for (std::size_t i = 0; i < made.lanes.size(); ++i) {
        CHECK(read.lanes[i].place == made.lanes[i].place);
        CHECK(read.lanes[i].name == made.lanes[i].name);
        CHECK(read.lanes[i].host == made.lanes[i].host);
    }
    REQUIRE(read.spans.size() == made.spans.size());
    for (std::size_t i = 0; i < made.spans.size(); ++i) {
        const Span &a = read.spans[i], &b = made.spans[i];
        CHECK(a.kind == b.kind);
        CHECK(a.lane == b.lane);
        CHECK(a.name == b.name);
        CHECK(a.start_ns == b.start_ns);
        CHECK(a.end_ns == b.end_ns);
        CHECK(a.bytes == b.bytes);
        CHECK(a.correlation == b.correlation);
    }
}

std::vector<Json> events(const Json& trace, const std::string& phase) {
    std::vector<Json> found;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == phase) found.push_back(event);
    return found;
}

}  // namespace

TEST_CASE("what is written as a trace is read again as it was", "[timeline][results]") {
    Timeline other = one();
    other.name = "other";
    other.residual_ns.reset();
    const TestFolder folder;
    write_text(folder / "t.json", results::trace_text({one(), other}));
    const std::vector<Timeline> read = results::read_trace(folder / "t.json");
    REQUIRE(read.size() == 2);
    check_equal(read[0], one());
    check_equal(read[1], other);
    CHECK(Json::parse(results::trace_text({}))["traceEvents"].empty());
}

TEST_CASE("a trace has the form that its viewers want", "[timeline][results]") {
    Timeline other = one();
    other.name = "other";
    const Json trace = Json::parse(results::trace_text({one(), other}));
    std::set<std::string> processes;
    std::set<int> threads;
    for (const Json& event : events(trace, "M"))
        if (event["name"] == "process_name")
            processes.insert(event["args"]["name"].get<std::string>());
        else if (event["name"] == "thread_name")
            CHECK(threads.insert(event["tid"].get<int>()).second);
    CHECK(processes == std::set<std::string>{"made on cuda:0", "made on cuda:1", "other on cuda:0",
                                             "other on cuda:1"});
    CHECK(threads.size() == 12);
    const std::vector<Json> spans = events(trace, "X");
    REQUIRE(spans.size() == 10);
    CHECK(spans[2]["ts"] == 1.001);
    CHECK(spans[2]["dur"] == 1.002);
    CHECK(spans[2]["cat"] == "kernel");
    // Each piece of work of one call has an arrow from the call.
    const std::vector<Json> starts = events(trace, "s");
    const std::vector<Json> ends = events(trace, "f");
    REQUIRE(starts.size() == 4);
    REQUIRE(ends.size() == 4);
    CHECK(starts[0]["id"] != starts[1]["id"]);
    for (std::size_t i = 0; i < starts.size(); ++i) CHECK(starts[i]["id"] == ends[i]["id"]);
    CHECK(starts[0]["tid"] == spans[1]["tid"]);
    CHECK(starts[0]["ts"] == spans[1]["ts"]);
    CHECK(ends[0]["tid"] == spans[2]["tid"]);
    CHECK(ends[0]["ts"] == spans[2]["ts"]);
    CHECK(ends[0]["bp"] == "e");
}

TEST_CASE("a file that is no trace of camber's is refused in a sentence", "[timeline][results]") {
    const TestFolder folder;
    const std::string good = results::trace_text({one()});
    const auto replaced = [&](const std::string& what, const std::string& by) {
        std::string text = good;
        text.replace(text.find(what), what.size(), by);
        return text;
    };
    const auto [text, why] = GENERATE_REF(table<std::string, std::string>(
        {{"", "it is no JSON"},
         {"[1, 2]", "it does not say that camber wrote it"},
         {R"({"traceEvents": []})", "it does not say that camber wrote it"},
         {R"({"otherData": {"writer": "camber"}})", "a part of it is missing"},
         {replaced("\"cat\":\"kernel\"", "\"cat\":\"odd\""), "of an unknown kind or thread"},
         {replaced("\"ts\":1.001", "\"ts\":\"soon\""), "of another type"},
         {good.substr(0, good.size() / 2), "it is no JSON"}}));
    write_text(folder / "t.json", text);
    INFO(text);
    CHECK_THROWS_WITH(results::read_trace(folder / "t.json"),
                      contains("t.json\" is no trace of camber's") && contains(why));
    CHECK_THROWS_AS(results::read_trace(folder / "absent.json"), Error);
}

}  // namespace timeline_file_test
