// `camber history`: results over commits are stored, shown and judged.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace history_program_test {

namespace {

using namespace camber::cli_test;

const fs::path measured = source_folder / "results/measurement/aa-small.json";
const fs::path schemas = source_folder / "results/schema";

Outcome history(Arguments arguments, const fs::path& folder) {
    arguments.insert(arguments.begin(), "history");
    return run_program(arguments, folder);
}

Outcome shell(const std::string& command, const fs::path& folder) {
    return run_program({"-c", command}, folder, "/bin/sh");
}

std::string hash_of(char digit) {
    return std::string(40, digit);
}

// Measured results as if of another commit, day and speed.
void write_results(const fs::path& file, char digit, int day, double factor, double sectors = 0) {
    Json document = results_in(measured);
    Json& run = document["context"]["camber"];
    run["git"] = {{"commit", hash_of(digit)}, {"dirty", false}};
    run["date"] = "2026-11-" + std::to_string(10 + day) + "T12:00:00+0000";
    for (Json& benchmark : document["benchmarks"]) {
        benchmark["real_time"] = benchmark["real_time"].get<double>() * factor;
        for (Json& sample : benchmark["camber"]["samples_ns"])
            sample = sample.get<double>() * factor;
        if (sectors > 0)
            benchmark["camber"]["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] =
                sectors;
    }
    write_text(file, document.dump());
}

// A history of commits "111...", "222...", ... whose times have these factors.
void write_history(const TestFolder& folder, const std::vector<double>& factors) {
    for (std::size_t k = 0; k < factors.size(); ++k) {
        const char digit = "123456789abcdef"[k];
        write_results(folder / "now.json", digit, static_cast<int>(k), factors[k],
                      1000 + (k + 1 == factors.size() ? 1 : 0));
        const Outcome added = history({"add", "now.json", "--to", "history"}, folder.path());
        CAPTURE(added.err);
        REQUIRE(added.exit_code == 0);
    }
}

// A repository with a file in each of `count` commits; skips the test without git.
void make_repository(const fs::path& folder, int count) {
    if (shell("command -v git", folder).exit_code != 0) camber::skip_test("there is no git");
    const std::string commit =
        "git -c user.name=A -c user.email=a@b.c -c commit.gpgsign=false commit -q";
    REQUIRE(shell("git init -q .", folder).exit_code == 0);
    for (int k = 0; k < count; ++k)
        REQUIRE(shell("echo " + std::to_string(k) +
                          " > file && git add file && GIT_COMMITTER_DATE='" +
                          // Later commits have earlier dates: only the history orders them.
                          std::to_string(1700000000 - 1000 * k) + " +0000' " + commit +
                          " -m 'Change " + std::to_string(k) + "'",
                      folder)
                    .exit_code == 0);
}

}  // namespace

TEST_CASE("results are added by commit and machine, once", "[cli][portable][history]") {
    const TestFolder folder;
    write_results(folder / "now.json", 'a', 1, 1);
    const Outcome first = history({"add", "now.json", "--to", "h"}, folder.path());
    CHECK(first.exit_code == 0);
    CHECK_THAT(first.out, contains("added: ") && contains("of aaaaaaaaaaaa on NVIDIA H200"));
    const Outcome again = history({"add", "now.json", "--to", "h"}, folder.path());
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.out, contains("already in the history"));
    CHECK(std::distance(fs::directory_iterator(folder / "h/NVIDIA_H200"),
                        fs::directory_iterator()) == 1);
    // An entry is a line of JSON and the file as it was.
    if (shell("command -v zcat", folder.path()).exit_code == 0) {
        const Outcome header = shell("zcat h/NVIDIA_H200/*.gz | head -n 1", folder.path());
        CHECK(camber::schema_violations(Json::parse(header.out),
                                        schemas / "camber-history-entry.schema.json") ==
              std::vector<std::string>());
        CHECK(shell("zcat h/NVIDIA_H200/*.gz | tail -n +2 | cmp - now.json", folder.path())
                  .exit_code == 0);
    }
}

TEST_CASE("many jobs may add at the same time", "[cli][portable][history]") {
    const TestFolder folder;
    constexpr int jobs = 12;
    for (int k = 0; k < jobs; ++k)
        write_results(folder / (std::to_string(k) + ".json"), "0123456789ab"[k], k, 1);
    std::vector<std::unique_ptr<Program>> programs;
    for (int k = 0; k < jobs; ++k)
        for (int twice = 0; twice < 2; ++twice)
            programs.push_back(std::make_unique<Program>(
                Arguments{"history", "add", std::to_string(k) + ".json", "--to", "h"},
                folder.path()));
    for (const auto& program : programs) {
        const Outcome outcome = program->wait();
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
    }
    const Outcome shown = history({"show", "h"}, folder.path());
    CHECK_THAT(shown.out, contains(": 12 commits"));
    // Nothing unfinished remains.
    CHECK(shell("find h -type f | wc -l", folder.path()).out == "13\n");
}

TEST_CASE("a change is shown with its commit, and the newest commit is judged",
          "[cli][portable][history]") {
    const TestFolder folder;
    write_history(folder, {1, 1.001, 0.999, 1, 1.2, 1.201, 1.199, 1.2});
    const Outcome shown = history({"show", "history"}, folder.path());
    CAPTURE(shown.err);
    CHECK(shown.exit_code == 0);
    CHECK_THAT(shown.out, contains("NVIDIA H200") && contains("8 commits") &&
                              contains("WORSE +0.10 % at 888888888888") && contains("▁▁▁▁▁▁▁█") &&
                              contains("SLOWER") && contains("at 555555555555") &&
                              contains("Matteson and James 2014"));
    // Deterministic quantities come first.
    CHECK(shown.out.find("WORSE") < shown.out.find("SLOWER"));
    const Outcome json = history({"show", "history", "--format", "json"}, folder.path());
    CHECK(
        camber::schema_violations(Json::parse(json.out), schemas / "camber-history.schema.json") ==
        std::vector<std::string>());
    CHECK(Json::parse(json.out)["machines"][0]["cases"][0]["change_points"][0]["commit"] == 4);

    const Outcome gate = history({"gate", "history"}, folder.path());
    CHECK(gate.exit_code == 1);
    CHECK_THAT(gate.out, contains("BASE 777777777777 and 6 commits before it") &&
                             contains("NEW  888888888888") && contains("REGRESSION") &&
                             contains("1000 -> 1001") && contains("0 SLOWER"));
    CHECK(history({"gate", "history", "--allow", "counters"}, folder.path()).exit_code == 0);
    CHECK(history({"gate", "history", "--only", "time"}, folder.path()).exit_code == 0);
    // Commits before the change point are not its base, unless they are named.
    const Outcome against =
        history({"gate", "history", "--only", "time", "--against", "1111111"}, folder.path());
    CHECK(against.exit_code == 1);
    CHECK_THAT(against.out, contains("SLOWER"));
    CHECK(history({"gate", "history", "--only", "time", "--commit", "5555555"}, folder.path())
              .exit_code == 1);
    CHECK(history({"gate", "history", "--only", "time", "--commit", "3333333"}, folder.path())
              .exit_code == 0);
}

TEST_CASE("a gate has the formats of compare", "[cli][portable][history]") {
    const TestFolder folder;
    write_history(folder, {1, 1.3});
    const auto file = [&](const char* format) {
        const Outcome outcome =
            history({"gate", "history", "--format", format, "--out", "page"}, folder.path());
        CHECK(outcome.exit_code == 1);
        CHECK_THAT(outcome.out, contains("REGRESSION"));
        return text_of(folder / "page");
    };
    CHECK_THAT(file("markdown"), contains("| case | time | ratio |"));
    CHECK_THAT(file("junit"), contains("<testsuites"));
    CHECK(camber::schema_violations(Json::parse(file("json")),
                                    schemas / "camber-comparison.schema.json") ==
          std::vector<std::string>());
}

TEST_CASE("the history of a repository orders commits, not their dates",
          "[cli][portable][history]") {
    const TestFolder folder;
    make_repository(folder.path(), 4);
    write_text(folder / "base.json", text_of(source_folder / "tests/program/history_model.json"));
    for (const char* revision : {"HEAD", "HEAD~2", "HEAD~1", "HEAD~3"}) {
        const Outcome added =
            history({"add", "base.json", "--to", "h", "--commit", revision, "--repository", "."},
                    folder.path());
        CAPTURE(added.err);
        REQUIRE(added.exit_code == 0);
    }
    const auto subjects = [&](const Arguments& more) {
        const Outcome shown = history(with({"show", "h", "--format", "json"}, more), folder.path());
        REQUIRE(shown.exit_code == 0);
        std::string all;
        const Json json = Json::parse(shown.out);
        for (const Json& commit : json["machines"][0]["commits"])
            all += commit["subject"].get<std::string>().back();
        return all;
    };
    CHECK(subjects({"--repository", "."}) == "0123");
    CHECK(subjects({}) == "3210");
    CHECK(subjects({"--repository", ".", "--last", "2"}) == "23");
    const Outcome gate = history({"gate", "h", "--repository", "."}, folder.path());
    CHECK(gate.exit_code == 0);
    // Only ancestors of a commit are its base.
    REQUIRE(
        shell("git checkout -q HEAD~3 && echo x > file && git -c user.name=A -c user.email=a@b.c "
              "commit -q -a -m Branch",
              folder.path())
            .exit_code == 0);
    REQUIRE(
        history({"add", "base.json", "--to", "h", "--commit", "HEAD"}, folder.path()).exit_code ==
        0);
    const Outcome branch =
        history({"gate", "h", "--repository", ".", "--commit", "HEAD"}, folder.path());
    CHECK(branch.exit_code == 0);
    CHECK(branch.out.find("before it") == std::string::npos);
}

TEST_CASE("a dirty tree and a missing commit are refused", "[cli][portable][history]") {
    const TestFolder folder;
    make_repository(folder.path(), 2);
    write_text(folder / "base.json", text_of(source_folder / "tests/program/history_model.json"));
    const auto refused = [&](const Arguments& more, const std::string& sentence) {
        const Outcome outcome =
            history(with({"add", "base.json", "--to", "h"}, more), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, contains(sentence));
        CHECK_FALSE(fs::exists(folder / "h"));
    };
    refused({}, "does not state the commit that it measured: name it with --commit");
    refused({"--commit", "nowhere"}, "commit 'nowhere' cannot be looked up");
    refused({"--commit", hash_of('e'), "--repository", "."}, "is not in the repository '.'");
    refused({"--commit", "HEAD", "--repository", "/"}, "--repository is '/'");
    write_text(folder / "file", "changed");
    refused({"--commit", "HEAD"}, "with uncommitted changes");
    const Outcome told =
        history({"add", "base.json", "--to", "h", "--commit", "HEAD", "--dirty"}, folder.path());
    CHECK(told.exit_code == 0);
    CHECK_THAT(told.out, contains("(dirty)"));
    // An older commit is not affected by the working tree.
    CHECK(
        history({"add", "base.json", "--to", "h", "--commit", "HEAD~1"}, folder.path()).exit_code ==
        0);
    // Results that were measured with uncommitted changes.
    Json document = results_in(measured);
    document["context"]["camber"]["git"]["dirty"] = true;
    write_text(folder / "dirty.json", document.dump());
    CHECK(history({"add", "dirty.json", "--to", "h"}, folder.path()).exit_code == 2);
    // A commit of the history that the repository does not have.
    REQUIRE(history({"add", measured.string(), "--to", "h"}, folder.path()).exit_code == 0);
    const Outcome shown = history({"show", "h", "--repository", "."}, folder.path());
    CHECK(shown.exit_code == 2);
    CHECK_THAT(shown.err, contains("is not in the repository") && contains("git fetch"));
}

TEST_CASE("two machines are never one series", "[cli][portable][history]") {
    const TestFolder folder;
    write_history(folder, {1, 1});
    Json other = Json::parse(text_of(folder / "now.json"));
    other["context"]["camber"]["gpu"]["name"] = "NVIDIA H100";
    write_text(folder / "other.json", other.dump());
    const Outcome mixed = history(
        {"add", "other.json", "--to", "history", "--machine", "NVIDIA H200"}, folder.path());
    CHECK(mixed.exit_code == 3);
    CHECK_THAT(mixed.err, contains("two machines in one series are not comparable"));
    REQUIRE(history({"add", "other.json", "--to", "history"}, folder.path()).exit_code == 0);
    const Outcome shown = history({"show", "history"}, folder.path());
    CHECK_THAT(shown.out, contains("NVIDIA H100 (") && contains("NVIDIA H200 (") &&
                              contains("2 machines: each has series of its own"));
    const Outcome gate = history({"gate", "history"}, folder.path());
    CHECK(gate.exit_code == 2);
    CHECK_THAT(gate.err, contains("judged apart: name one with --machine, of 'NVIDIA H100', "
                                  "'NVIDIA H200'"));
    CHECK(history({"gate", "history", "--machine", "NVIDIA H200", "--allow", "counters"},
                  folder.path())
              .exit_code == 0);
    const Outcome alone = history({"gate", "history", "--machine", "NVIDIA H100"}, folder.path());
    CHECK(alone.exit_code == 3);
    CHECK_THAT(alone.err, contains("no results on NVIDIA H100 before commit"));
}

TEST_CASE("bad input of a history is one sentence", "[cli][portable][history]") {
    const TestFolder folder;
    write_history(folder, {1, 1});
    const auto refused = [&](const Arguments& arguments, const std::string& sentence) {
        const Outcome outcome = history(arguments, folder.path());
        CAPTURE(arguments);
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({}, "no command is given: choose add or show or gate");
    refused({"shwo"}, "'shwo' is no command: choose add or show or gate");
    refused({"show", "nowhere"}, "is no history");
    refused({"show", "history", "--case", "none"}, "matches no case");
    refused({"show", "history", "--machine", "none"}, "has no machine 'none'");
    refused({"show", "history", "--format", "xml"}, "--format does not know 'xml'");
    refused({"show", "history", "--threshold", "-1"}, "--threshold is '-1'");
    refused({"gate", "history", "--commit", hash_of('f')}, "of which the history has no results");
    refused({"gate", "history", "--against", "v1"}, "--against is 'v1'");
    refused({"gate", "history", "--last", "0"}, "--last");
    refused({"gate", "history", "--allow", "cheese"}, "--allow does not know 'cheese'");
    refused({"add", "now.json"}, "--to is required");
    refused({"add", "missing.json", "--to", "h"}, "cannot read the results file");
    write_text(folder / "text.json", "no JSON");
    refused({"add", "text.json", "--to", "h"}, "is not a JSON document");
    write_text(folder / "empty.json", R"({"context": {}, "benchmarks": []})");
    refused({"add", "empty.json", "--to", "h"}, "has no cases");
    CHECK_FALSE(fs::exists(folder / "h"));
    write_text(folder / "history/camber-history.json", R"({"schema_version": 7})");
    for (const char* verb : {"show", "gate"})
        refused({verb, "history"}, "has schema version 7, and this camber reads version 1");
    refused({"add", "now.json", "--to", "history"}, "has schema version 7");
}

TEST_CASE("a report draws a history, alone or beside results", "[cli][portable][history][report]") {
    const TestFolder folder;
    write_history(folder, {1, 1, 1, 1, 1.2, 1.2, 1.2, 1.2});
    const auto report = [&](const Arguments& more) {
        return run_program(with({"report"}, more), folder.path());
    };
    const Outcome alone = report({"--history", "history", "-o", "page.html"});
    if (alone.err.find("libjs-vega") != std::string::npos) camber::skip_test("there is no Vega");
    CAPTURE(alone.err);
    CHECK(alone.exit_code == 0);
    CHECK_THAT(text_of(folder / "page.html"), contains("<title>camber history</title>") &&
                                                  contains("8 commits with results of 1 machine."));
    CHECK(report({"now.json", "--history", "history", "-o", "page.html"}).exit_code == 0);
    CHECK(report({"-o", "page.html"}).exit_code == 2);
    CHECK(report({"now.json", "--history", "history", "--format", "csv"}).exit_code == 2);
    CHECK(report({"now.json", "--repository", ".", "-o", "page.html"}).exit_code == 2);
    CHECK(report({"--history", "nowhere", "-o", "page.html"}).exit_code == 2);
}

TEST_CASE("results are exported to tracking services", "[cli][portable][report]") {
    const TestFolder folder;
    write_results(folder / "now.json", 'a', 1, 1);
    const auto exported = [&](const std::string& format, const std::string& file) {
        const Outcome outcome = run_program({"report", file, "--format", format}, folder.path());
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return Json::parse(outcome.out);
    };
    const std::string model = (source_folder / "tests/program/history_model.json").string();
    const Json source = Json::parse(text_of(folder / "now.json"));
    const Json bencher = exported("bencher", "now.json");
    CHECK(bencher.size() == source["benchmarks"].size());
    for (const auto& [name, measures] : bencher.items()) {
        const Json& latency = measures.at("latency");
        CHECK(latency.at("lower_value") <= latency.at("value"));
        CHECK(latency.at("value") <= latency.at("upper_value"));
        for (const auto& [measure, metric] : measures.items()) {
            CHECK(measure.size() <= 64);
            CHECK(measure.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
                  std::string::npos);
            CHECK(metric.at("value").is_number());
        }
    }
    const Json modeled = exported("bencher", model);
    CHECK(modeled.begin().value().at("global-load-sectors").at("value").is_number_integer());
    std::size_t times = 0;
    for (const Json& one : exported("github-action-benchmark", "now.json")) {
        CHECK(one.at("name").is_string());
        CHECK(one.at("value").is_number());
        times += one.at("unit") == "ns/generation";
    }
    CHECK(times == source["benchmarks"].size());
    const Json counts = exported("github-action-benchmark", model);
    CHECK(counts.at(0).at("name").get<std::string>().find(": ") != std::string::npos);
    write_text(folder / "simt.json", R"({"context": {}, "benchmarks": []})");
    CHECK(run_program({"report", "simt.json", "--format", "bencher"}, folder.path()).exit_code ==
          2);
}

}  // namespace history_program_test
