// JSON and JUnit output of `camber compare`, for programs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

// Keys of `camber compare --format json`.

namespace {

using namespace comparison;
using Json = nlohmann::ordered_json;

std::string_view word(Effect effect) {
    switch (effect) {
        case Effect::regression:
            return "regression";
        case Effect::improvement:
            return "improvement";
        case Effect::information:
            break;
    }
    return "information";
}

Json to_json(const ProcessSpread& spread) {
    return {
        {"processes", spread.processes}, {"between", spread.between}, {"within", spread.within}};
}

Json to_json(const TimeComparison& time) {
    Json json{{"verdict", name(time.verdict)},
              {"base_ns", time.base_ns},
              {"new_ns", time.new_ns},
              {"ratio", time.time.ratio},
              {"interval", {time.time.interval.low, time.time.interval.high}},
              {"between_processes_known", time.time.between_processes_known},
              {"widened", time.time.widened},
              {"cycles_ratio", time.cycles_ratio ? Json(*time.cycles_ratio) : Json(nullptr)},
              {"base_spread", to_json(time.base_spread)},
              {"new_spread", to_json(time.new_spread)}};
    if (!time.reason.empty()) json["reason"] = time.reason;
    if (time.advice != Advice::none) json["advice"] = advice_of(time);
    return json;
}

Json to_json(const CaseComparison& one) {
    Json json{{"name", one.name}, {"state", name(one.standing)}, {"regressed", one.regressed()}};
    if (!one.reason.empty()) json["reason"] = one.reason;
    if (one.standing != Standing::compared) return json;
    json["compared_quantities"] = Json::object();
    for (const auto& [family, compared] : one.quantities.compared)
        json["compared_quantities"][std::string(name(family))] = compared;
    json["changes"] = Json::array();
    for (const Change& change : one.quantities.changes)
        json["changes"].push_back({{"family", name(change.family)},
                                   {"quantity", change.quantity},
                                   {"base", change.base},
                                   {"new", change.changed},
                                   {"effect", word(change.effect)}});
    json["time"] = one.time ? to_json(*one.time) : Json(nullptr);
    return json;
}

Json to_json(const PredictedTimeOf& time) {
    return {{"seconds", time.seconds},
            {"interval", {time.low, time.high}},
            {"binding", time.binding},
            {"uncertain", time.uncertain}};
}

Json to_json(const PredictedTimes& times) {
    Json json{{"base_device", times.base_gpu},
              {"new_device", times.changed_gpu},
              {"cases", Json::array()}};
    for (const PredictedPair& pair : times.pairs)
        json["cases"].push_back({{"name", pair.name},
                                 {"base", to_json(pair.base)},
                                 {"new", to_json(pair.changed)},
                                 {"ratio", pair.ratio()}});
    return json;
}

// Invalid UTF-8 is replaced by U+FFFD.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
    const Counts& counts = comparison.counts;
    Json json{{"base", comparison.base},
              {"new", comparison.changed},
              {"threshold", comparison.threshold},
              {"exit_code", static_cast<int>(comparison.exit_code())},
              {"summary", comparison.summary()},
              {"counts",
               {{"cases", counts.cases},
                {"regressed", counts.regressed},
                {"slower", counts.slower},
                {"faster", counts.faster},
                {"same", counts.same},
                {"undecided", counts.undecided},
                {"quantities", counts.quantities},
                {"worse", counts.more},
                {"better", counts.fewer},
                {"information", counts.information},
                {"wrong", counts.wrong},
                {"broken", counts.broken},
                {"lost", counts.lost},
                {"missing", counts.missing},
                {"added", counts.added}}},
              {"differences", comparison.differences},
              {"notes", notes_on(comparison)},
              {"cases", Json::array()}};
    for (const CaseComparison& one : comparison.cases) json["cases"].push_back(to_json(one));
    if (!comparison.predicted.empty()) json["predicted_times"] = to_json(comparison.predicted);
    return text_of(json);
}

std::string self_test_json(const SelfTest& test) {
    Json json{{"threshold", test.threshold},
              {"cases", test.cases},
              {"comparisons", test.pairs.size()},
              {"alarms", test.alarms},
              {"undecided", test.undecided},
              {"effect",
               {{"median", test.median},
                {"p90", test.p90},
                {"p95", test.p95},
                {"p99", test.p99},
                {"largest", test.largest}}},
              {"threshold_without_alarm", test.threshold_without_alarm},
              {"threshold_one_in_50",
               test.threshold_one_in_50 ? Json(*test.threshold_one_in_50) : Json(nullptr)},
              {"summary", test.summary()},
              {"pairs", Json::array()}};
    for (const SelfPair& pair : test.pairs)
        json["pairs"].push_back(
            {{"name", pair.name},
             {"halves_of", pair.split},
             {"verdict", name(pair.comparison.verdict)},
             {"ratio", pair.comparison.time.ratio},
             {"interval",
              {pair.comparison.time.interval.low, pair.comparison.time.interval.high}}});
    return text_of(json);
}

namespace {

using namespace comparison;

using TestCase = JunitCase;

std::string class_of(const CaseComparison& one) {
    return one.workload.empty() ? "camber" : "camber." + one.workload;
}

TestCase family_test(const CaseComparison& one, QuantityFamily family) {
    TestCase test{fmt::format("{}: {}", one.name, name(family)), class_of(one), "", "", ""};
    for (const Change& change : one.quantities.changes) {
        if (change.family != family) continue;
        std::string& into = change.effect == Effect::regression ? test.failure : test.output;
        into += fmt::format("{}{} {:.15g} -> {:.15g}", into.empty() ? "" : "; ", change.quantity,
                            change.base, change.changed);
    }
    return test;
}

TestCase time_test(const CaseComparison& one, bool fail_on_undecided) {
    const TimeComparison& time = *one.time;
    TestCase test{one.name + ": time", class_of(one), "", "", ""};
    const std::string figures =
        fmt::format("{}: ratio {:.4f}, interval {:.4f} to {:.4f}", name(time.verdict),
                    time.time.ratio, time.time.interval.low, time.time.interval.high);
    const std::string why =
        time.reason.empty() ? figures : fmt::format("{}; {}", figures, reason_of(time));
    if (time.verdict == Verdict::slower ||
        (time.verdict == Verdict::undecided && fail_on_undecided))
        test.failure = why;
    else if (time.verdict == Verdict::undecided)
        test.skipped = why;
    else
        test.output = why;
    return test;
}

std::vector<TestCase> tests_of(const Comparison& comparison) {
    std::vector<TestCase> tests;
    for (const CaseComparison& one : comparison.cases) {
        if (one.standing != Standing::compared) {
            TestCase test{one.name, class_of(one), "", "", ""};
            (one.regressed() ? test.failure : test.skipped) = one.reason;
            tests.push_back(std::move(test));
            continue;
        }
        for (const auto& [family, compared] : one.quantities.compared)
            tests.push_back(family_test(one, family));
        if (one.time) tests.push_back(time_test(one, comparison.fail_on_undecided));
    }
    return tests;
}

// Start of `text`: a non-ASCII character, or bytes that are not valid UTF-8 (RFC 3629, section 4).
struct Utf8Start {
    std::size_t bytes = 1;
    bool valid = false;
};

Utf8Start utf8_start(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned first = byte(0);
    const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                               : first >= 0xE0 && first <= 0xEF ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    // Excludes overlong forms, surrogates, and everything beyond U+10FFFF.
    unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    std::size_t bytes = 1;
    while (bytes < std::min(length, text.size()) && byte(bytes) >= least && byte(bytes) <= most) {
        ++bytes;
        least = 0x80;
        most = 0xBF;
    }
    return {bytes, bytes == length};
}

}  // namespace

std::string xml_escaped(const std::string& text) {
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            const Utf8Start start = utf8_start(std::string_view(text).substr(at));
            escaped += start.valid ? text.substr(at, start.bytes) : "\uFFFD";
            at += start.bytes - 1;
        } else if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else if (c == '\'')
            escaped += "&apos;";
        else if (c == '\n' || c == '\t' || c == '\r')
            escaped += fmt::format("&#{};", byte);
        else if (byte < 0x20)
            escaped += "\uFFFD";
        else
            escaped += c;
    }
    return escaped;
}

std::string junit_text(const std::vector<JunitCase>& tests, const std::string& suite,
                       const std::string& summary) {
    std::size_t failures = 0;
    std::size_t skipped = 0;
    for (const JunitCase& test : tests) {
        failures += !test.failure.empty();
        skipped += !test.skipped.empty();
    }
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<testsuites name=\"camber compare\" tests=\"{0}\" failures=\"{1}\" "
                   "skipped=\"{2}\" errors=\"0\">\n"
                   "  <testsuite name=\"{3}\" tests=\"{0}\" failures=\"{1}\" skipped=\"{2}\" "
                   "errors=\"0\">\n",
                   tests.size(), failures, skipped,
                   xml_escaped(suite));
    for (const JunitCase& test : tests) {
        fmt::format_to(to, "    <testcase name=\"{}\" classname=\"{}\"", xml_escaped(test.name),
                       xml_escaped(test.class_name));
        if (test.failure.empty() && test.skipped.empty() && test.output.empty()) {
            out += "/>\n";
            continue;
        }
        out += ">\n";
        if (!test.failure.empty())
            fmt::format_to(to, "      <failure message=\"{}\"/>\n", xml_escaped(test.failure));
        if (!test.skipped.empty())
            fmt::format_to(to, "      <skipped message=\"{}\"/>\n", xml_escaped(test.skipped));
        if (!test.output.empty())
            fmt::format_to(to, "      <system-out>{}</system-out>\n", xml_escaped(test.output));
        out += "    </testcase>\n";
    }
    fmt::format_to(to,
                   "    <system-out>{}</system-out>\n"
                   "  </testsuite>\n</testsuites>\n",
                   xml_escaped(summary));
    return out;
}

std::string comparison_junit(const Comparison& comparison) {
    return junit_text(tests_of(comparison), comparison.base + " and " + comparison.changed,
                      comparison.summary());
}

}  // namespace camber
