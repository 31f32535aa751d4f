// Writing and replacing of result files, and recovery after a kill.
#include "harness/record/document.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>

#include "harness/record/fields.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace results_file_test {

namespace {

using namespace camber::results;
using namespace camber::results_test;

mode_t mode_of(const fs::path& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

}  // namespace

TEST_CASE("cases are appended, in order, and each is in the file at once", "[results]") {
    const TestFolder folder;
    const fs::path path = folder / "out.json";
    ResultsFile file(path);
    CHECK_FALSE(fs::exists(path));
    for (int i = 0; i < 3; ++i) {
        file.amend([&](Document& document) {
            document.context.date = "today";
            document.cases.push_back(benchmark(i));
        });
        CHECK(text_of(path) == to_text(file.document()));
        const Json read = Json::parse(text_of(path));
        CHECK(read["context"]["date"] == "today");
        REQUIRE(read["benchmarks"].size() == static_cast<std::size_t>(i) + 1);
        CHECK(read["benchmarks"].back()["repetition_index"] == i);
        CHECK(folder.entries() == 2);  // including the lock
    }
}

TEST_CASE("changes that can wait cost a fiftieth of the time, and none is lost", "[results]") {
    const TestFolder folder;
    const fs::path path = folder / "out.json";
    const auto add_in_time = [](ResultsFile& file, int i) {
        file.amend_in_time([i](Document& document) { document.cases.push_back(benchmark(i)); });
    };
    const auto stored = [&path] { return Json::parse(text_of(path))["benchmarks"].size(); };
    {
        ResultsFile file(path);
        add_in_time(file, 0);
        CHECK(stored() == 1);
        int i = 1;
        const auto start = std::chrono::steady_clock::now();
        while (stored() < 3) {
            add_in_time(file, i++);
            REQUIRE(file.document().cases.size() == static_cast<std::size_t>(i));
            REQUIRE(std::chrono::steady_clock::now() - start < std::chrono::minutes(1));
        }
        CHECK(i > 3);
        add_in_time(file, i++);
        file.amend([](Document& document) { document.context.date = "today"; });
        CHECK(text_of(path) == to_text(file.document()));
        add_in_time(file, i);
    }
    CHECK(Json::parse(text_of(path))["benchmarks"].back()["repetition_index"] != 0);
    CHECK(stored() > 4);
}

TEST_CASE("short objects of plain values take one line", "[results]") {
    const Json json{{"size", {{"columns", 3}, {"rows", 4}}},
                    {"points", {{{"bytes", 1.5}, {"rate", nullptr}}}},
                    {"nested", {{"inner", {1, 2}}}},
                    {"long", {{"text", std::string(100, 'x')}}}};
    CHECK(to_text(json) == R"({
  "size": {"columns": 3, "rows": 4},
  "points": [
    {"bytes": 1.5, "rate": null}
  ],
  "nested": {
    "inner": [1,2]
  },
  "long": {
    "text": ")" + std::string(100, 'x') +
                               "\"\n  }\n}\n");
}

TEST_CASE("lists of plain values take one line each, all else a line per value", "[results]") {
    const TestFolder folder;
    ResultsFile file(folder / "out.json");
    file.amend([](Document& document) {
        document.context.date = "today";
        document.context.load_avg = {0.5, 1};
        CaseRecord failed;
        failed.name = "case";
        failed.status = Status::failed;
        failed.reason = "wrong";
        document.cases = {failed};
        Aggregate& aggregate = document.aggregates.emplace_back();
        aggregate.case_name = "case";
        aggregate.name = "cv";
        aggregate.percentage = true;
    });
    CHECK(text_of(folder / "out.json") == R"({
  "context": {
    "date": "today",
    "host_name": "",
    "executable": "",
    "num_cpus": 0,
    "mhz_per_cpu": 0,
    "caches": [],
    "load_avg": [0.5,1.0],
    "library_build_type": ""
  },
  "benchmarks": [
    {
      "name": "case",
      "run_name": "case",
      "run_type": "iteration",
      "repetitions": 1,
      "repetition_index": 0,
      "threads": 1,
      "iterations": 0,
      "real_time": 0.0,
      "cpu_time": 0.0,
      "time_unit": "ns",
      "error_occurred": true,
      "error_message": "wrong",
      "camber": {
        "workload": "",
        "technique": "",
        "variant": "",
        "parameters": {},
        "size": {"columns": 0, "rows": 0},
        "cell": "",
        "generations": 0,
        "seed": null,
        "status": "failed",
        "reason": "wrong"
      }
    },
    {
      "name": "case_cv",
      "run_name": "case",
      "run_type": "aggregate",
      "repetitions": 0,
      "threads": 1,
      "aggregate_name": "cv",
      "aggregate_unit": "percentage",
      "iterations": 0,
      "real_time": 0.0,
      "cpu_time": 0.0,
      "time_unit": "ns"
    }
  ]
}
)");
}

TEST_CASE("an old file stays until the first case is stored", "[results]") {
    const TestFolder folder;
    const fs::path path = folder / "out.json";
    write_text(path, "old");
    {
        const ResultsFile file(path);
        CHECK(text_of(path) == "old");
    }
    CHECK(text_of(path) == "old");
    store(path);
    CHECK(Json::parse(text_of(path))["benchmarks"].size() == 1);
    CHECK(folder.entries() == 1);
}

TEST_CASE("permissions are kept, and those of a new file follow the umask", "[results]") {
    const TestFolder folder;
    write_text(folder / "old.json", "old");
    fs::permissions(folder / "old.json", fs::perms{0640});
    store(folder / "old.json");
    CHECK(mode_of(folder / "old.json") == 0640);

    const mode_t umask_before = umask(027);
    store(folder / "new.json");
    umask(umask_before);
    CHECK(mode_of(folder / "new.json") == 0640);
}

TEST_CASE("a symbolic link stays, and the file that it points to is replaced", "[results]") {
    const TestFolder folder;
    fs::create_directory(folder / "far");
    write_text(folder / "far/target.json", "old");
    fs::create_symlink("far/target.json", folder / "near.json");
    fs::create_symlink(folder / "near.json", folder / "chain.json");
    fs::create_symlink("far/absent.json", folder / "dangling.json");

    store(folder / "chain.json");
    CHECK(fs::is_symlink(folder / "chain.json"));
    CHECK(fs::is_symlink(folder / "near.json"));
    CHECK_FALSE(fs::is_symlink(folder / "far/target.json"));
    CHECK(Json::parse(text_of(folder / "far/target.json"))["benchmarks"].size() == 1);

    store(folder / "dangling.json");
    CHECK(fs::is_symlink(folder / "dangling.json"));
    CHECK(Json::parse(text_of(folder / "far/absent.json"))["benchmarks"].size() == 1);
}

TEST_CASE("a relative path does not move with the working folder", "[results]") {
    const TestFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    ResultsFile file("out.json");
    fs::current_path(before);
    add(file, benchmark(0));
    CHECK(fs::exists(folder / "out.json"));
}

TEST_CASE("text that is not UTF-8 does not spoil the file", "[results]") {
    const TestFolder folder;
    ResultsFile file(folder / "out.json");
    file.amend([](Document& document) {
        document.context.host_name = "caf\xe9";
        document.cases.push_back(benchmark(0));
        document.cases[0].counters["\xff"] = 1;
    });
    const Json read = Json::parse(text_of(folder / "out.json"));
    CHECK(read["context"]["host_name"] == "caf\xef\xbf\xbd");
    CHECK(read["benchmarks"][0]["camber"]["counters"]["\xef\xbf\xbd"] == 1);
}

TEST_CASE("leftovers of killed runs are removed, those of living ones are not", "[results]") {
    const TestFolder folder;
    const fs::path dead = folder / ".out.json.12345-0.camber-tmp";
    const fs::path alive = folder / ".out.json.12346-0.camber-tmp";
    const fs::path unrelated = folder / ".other.json.12345-0.camber-tmp";
    for (const fs::path& path : {dead, alive, unrelated}) write_text(path, "{");
    const int lock = open(alive.c_str(), O_RDONLY);
    REQUIRE(flock(lock, LOCK_EX) == 0);
    const ResultsFile file(folder / "out.json");
    CHECK_FALSE(fs::exists(dead));
    CHECK(fs::exists(alive));
    CHECK(fs::exists(unrelated));
    close(lock);
}

TEST_CASE("a killed run keeps every case that it has stored", "[results]") {
    const TestFolder folder;
    const fs::path path = folder / "out.json";
    std::mt19937 engine(1);
    std::uniform_int_distribution<std::size_t> wanted_cases(0, 6);
    std::uniform_int_distribution<int> microseconds(0, 4000);
    std::size_t acknowledged_in_all = 0;
    std::size_t stored_before = 0;
    for (int round = 1; round <= 60; ++round) {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t child = fork();
        REQUIRE(child >= 0);  // kill(-1) would reach every process
        if (child == 0) {
            try {
                ResultsFile file(path);
                for (int i = 0;; ++i) {
                    file.amend([&](Document& document) {
                        document.context.num_cpus = round;
                        document.cases.push_back(benchmark(i, 500));
                    });
                    if (write(ends[1], "+", 1) != 1) _exit(1);
                }
            } catch (...) {
                _exit(2);
            }
        }
        close(ends[1]);
        // The kill comes at a random moment after a random number of cases, however slow the disk
        // is.
        std::size_t acknowledged = 0;
        const auto await_sign = [&] {
            char sign = 0;
            const bool received = read(ends[0], &sign, 1) == 1;
            acknowledged += received ? 1 : 0;
            return received;
        };
        for (std::size_t wanted = wanted_cases(engine); acknowledged < wanted && await_sign();) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds(engine)));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
        while (await_sign()) {
        }
        close(ends[0]);

        INFO("round " << round << ", acknowledged " << acknowledged);
        if (!fs::exists(path)) {
            CHECK(acknowledged == 0);
            continue;
        }
        Document read;
        REQUIRE_NOTHROW(read = read_document(path));
        const std::size_t stored = read.cases.size();
        for (std::size_t i = 0; i < stored; ++i) {
            CHECK(to_json(read.cases[i]) == to_json(benchmark(static_cast<int>(i), 500)));
        }
        if (read.context.num_cpus == round) {
            // The kill may happen between the rename and the acknowledgement.
            CHECK((stored == acknowledged || stored == acknowledged + 1));
        } else {
            CHECK(acknowledged == 0);
            CHECK(stored == stored_before);
        }
        stored_before = stored;
        acknowledged_in_all += acknowledged;
    }
    CHECK(acknowledged_in_all >= 60);
    ResultsFile{path};  // removes leftovers of the last kill
    CHECK(folder.entries() == 1);
}

}  // namespace results_file_test
