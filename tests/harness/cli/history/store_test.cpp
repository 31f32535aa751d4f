// Folder of results by commit and machine: what is added comes back, and damage is one sentence.
#include "harness/cli/history/store.hpp"

#include <filesystem>
#include <string>

#include "harness/cli/history/trend_text.hpp"
#include "tests/analysis/compare/plain_document.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "tests/sentence.hpp"

namespace camber::store_test {

namespace {

namespace fs = std::filesystem;
using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;

HistoryEntry entry_of(const std::string& digit, const std::string& machine = "GPU A",
                      const std::string& hardware = "GPU A, 132 SMs") {
    std::string hash;
    while (hash.size() < 40) hash += digit;
    return {{hash, false, 1000, "commit", "subject"},
            {machine, hardware},
            "2026-01-01T00:00:00Z",
            "now.json",
            {}};
}

const std::string results_text =
    text_of(fs::path(CAMBER_SOURCE_DIR) / "results/measurement/kernel-4.json");

HistoryFolder created(const TestFolder& folder) {
    return HistoryFolder(folder / "history", HistoryFolder::Missing::created);
}

}  // namespace

TEST_CASE("an entry comes back with its commit, machine and results", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    const auto added = history.add(entry_of("a"), results_text);
    CHECK(added.is_new);
    CHECK(fs::file_size(added.file) < results_text.size() / 2);
    const auto entries = HistoryFolder(folder / "history").entries();
    REQUIRE(entries.size() == 1);
    const HistoryEntry& entry = entries[0];
    CHECK(entry.commit == entry_of("a").commit);
    CHECK(entry.commit.time == 1000);
    CHECK(entry.commit.time_of == "commit");
    CHECK(entry.commit.subject == "subject");
    CHECK(entry.machine == entry_of("a").machine);
    CHECK(entry.added == "2026-01-01T00:00:00Z");
    CHECK(entry.source == "now.json");
    const auto document = HistoryFolder::document(entry);
    REQUIRE(document.cases.size() == 1);
    CHECK(document.cases[0].name == "life/global/16x16/16384x16384/uint32/cuda");
    CHECK(document.gpu() == "NVIDIA H200");
}

TEST_CASE("the same results are stored once, others of the same commit as well", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    CHECK(history.add(entry_of("a"), results_text).is_new);
    CHECK_FALSE(history.add(entry_of("a"), results_text).is_new);
    CHECK(history.add(entry_of("a"), results_text + " ").is_new);
    CHECK(history.add(entry_of("b"), results_text).is_new);
    CHECK(history.entries().size() == 3);
    const auto machines = by_machine(history.entries(), nullptr);
    REQUIRE(machines.size() == 1);
    REQUIRE(machines[0].commits.size() == 2);
    CHECK(machines[0].commits[0].entries.size() == 2);
}

TEST_CASE("without a repository, commits are in the order of their times", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    int time = 3000;
    for (const char* digit : {"a", "b", "c"}) {
        HistoryEntry entry = entry_of(digit);
        entry.commit.time = time -= 1000;
        history.add(entry, results_text);
    }
    HistoryEntry dirty = entry_of("b");
    dirty.commit.dirty = true;
    history.add(dirty, results_text);
    const auto machines = by_machine(history.entries(), nullptr);
    std::string order;
    for (const auto& commit : machines.at(0).commits)
        order += commit.commit.text().substr(0, 1) + (commit.commit.dirty ? "*" : "");
    CHECK(order == "cbb*a");
}

TEST_CASE("two machines in one series are refused", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    history.add(entry_of("a"), results_text);
    CHECK_THROWS_AS(history.add(entry_of("b", "GPU A", "GPU B, 84 SMs"), results_text), Error);
    CHECK_THAT(
        sentence_of([&] { history.add(entry_of("b", "GPU A", "GPU B, 84 SMs"), "x"); }),
        contains("two machines in one series are not comparable, so give --machine another"));
    history.add(entry_of("b", "GPU B", "GPU B, 84 SMs"), results_text);
    CHECK(by_machine(history.entries(), nullptr).size() == 2);
    CHECK_THAT(sentence_of([&] { machine_named(by_machine(history.entries(), nullptr), "", "h"); }),
               contains("2 machines") && contains("--machine") && contains("'GPU A', 'GPU B'"));
    CHECK_THAT(
        sentence_of([&] { machine_named(by_machine(history.entries(), nullptr), "C", "h"); }),
        contains("no machine 'C'"));
}

TEST_CASE("a folder that is no history is refused", "[history]") {
    const TestFolder folder;
    const auto open = [&](const fs::path& path, HistoryFolder::Missing missing) {
        return sentence_of([&] { HistoryFolder(path, missing); });
    };
    using enum HistoryFolder::Missing;
    CHECK_THAT(open(folder / "missing", refused), contains("is no history"));
    CHECK_FALSE(fs::exists(folder / "missing"));
    fs::create_directory(folder / "empty");
    CHECK_THAT(open(folder / "empty", refused), contains("is no history"));
    CHECK(open(folder / "empty", created).empty());
    fs::create_directory(folder / "other");
    write_text(folder / "other/notes.txt", "notes");
    CHECK_THAT(open(folder / "other", created), contains("has other files"));
    write_text(folder / "file", "");
    CHECK_THAT(open(folder / "file", created), contains("is a file"));
}

TEST_CASE("a history of another schema is refused", "[history]") {
    const TestFolder folder;
    created(folder).add(entry_of("a"), results_text);
    write_text(folder / "history/camber-history.json", "{\"schema_version\": 2}\n");
    CHECK_THAT(sentence_of([&] { HistoryFolder(folder / "history"); }),
               contains("has schema version 2, and this camber reads version 1"));
    for (const char* text : {"", "{}", "[1]", "{\"schema_version\": \"1\"}"}) {
        write_text(folder / "history/camber-history.json", text);
        CHECK_THAT(sentence_of([&] { HistoryFolder(folder / "history"); }),
                   contains("restore it from a copy"));
    }
}

TEST_CASE("a damaged entry is one sentence with its path", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    const fs::path file = history.add(entry_of("a"), results_text).file;
    const std::string whole = text_of(file);
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{20}}) {
        write_text(file, whole.substr(0, length));
        CHECK_THAT(sentence_of([&] { history.entries(); }), contains(file.filename().string()));
    }
    // The first line is intact, and the results are not.
    write_text(file, whole.substr(0, whole.size() - 9));
    CHECK_THAT(sentence_of([&] {
                   for (const auto& entry : history.entries()) HistoryFolder::document(entry);
               }),
               contains("is damaged or cut off") && contains("restore it from a copy"));
    write_text(file, "no gzip file");
    CHECK_THAT(sentence_of([&] { history.entries(); }), contains("is damaged or cut off"));
}

TEST_CASE("the machine of results is its GPU, processor or model", "[history]") {
    results::Document document = compare_test::plain();
    CHECK(machine_of(document).name == "GPU A");
    CHECK(machine_of(document).hardware == "GPU A, 132 SMs, compute capability 9.0");
    document.context.run->gpu.reset();
    document.context.run->cpu.emplace().model = "Processor";
    CHECK(machine_of(document).name == "Processor");
    document.context.run.reset();
    document.context.host_name = "host";
    CHECK(machine_of(document).name == "host");
    results::ModelEntry& model = document.models.emplace_back();
    model.model.arch = "9.0";
    CHECK(machine_of(document).name == "model 9.0");
}

TEST_CASE("any name of a machine stays within the folder", "[history]") {
    const TestFolder folder;
    const HistoryFolder history = created(folder);
    for (const char* name : {"..", "../../elsewhere", "/tmp", "a b", "a_b", "µ\n"}) {
        const auto added = history.add(entry_of("a", name, name), results_text);
        CHECK(added.is_new);
        CHECK(fs::canonical(added.file)
                  .string()
                  .starts_with(fs::canonical(folder / "history").string()));
    }
    CHECK(history.entries().size() == 6);
    CHECK(by_machine(history.entries(), nullptr).size() == 6);
}

TEST_CASE("values are drawn as blocks", "[history]") {
    CHECK(blocks({1.0, 1.0, 1.0}) == "▁▁▁");
    CHECK(blocks({1.0, std::nullopt, 8.0}) == "▁·█");
    CHECK(blocks({0.0, 3.5, 7.0}) == "▁▅█");
    CHECK(blocks(std::vector<std::optional<double>>(50, 1.0)).starts_with("…"));
}

}  // namespace camber::store_test
