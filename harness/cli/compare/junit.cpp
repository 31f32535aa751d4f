#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

namespace {

using namespace compare;

// One <testcase>.
struct TestCase {
    std::string name;
    std::string class_name;
    std::string failure;  // "": none
    std::string skipped;  // "": not
    std::string output;   // "": none
};

std::string class_of(const CaseComparison& one) {
    return one.workload.empty() ? "camber" : "camber." + one.workload;
}

TestCase family_test(const CaseComparison& one, Family family) {
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

// What `text` begins with, beyond ASCII: a character, or the bytes that are none (RFC 3629, section
// 4).
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
    // No overlong forms, no surrogates, nothing beyond U+10FFFF.
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

std::string comparison_junit(const Comparison& comparison) {
    const std::vector<TestCase> tests = tests_of(comparison);
    std::size_t failures = 0;
    std::size_t skipped = 0;
    for (const TestCase& test : tests) {
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
                   xml_escaped(comparison.base + " and " + comparison.changed));
    for (const TestCase& test : tests) {
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
                   xml_escaped(comparison.summary()));
    return out;
}

}  // namespace camber
