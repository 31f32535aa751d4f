// Result files that cannot be written, and values that they cannot contain.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/record/document.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace results_file_errors_test {

namespace {

using namespace camber::results;
using namespace camber::results_test;

std::string sentence_for(const fs::path& path) {
    return sentence_of([&] { const ResultsFile file(path); });
}

// Returns the result of `action` in a child process, which may change its user or its limits.
std::string in_child(const std::function<std::string()>& action) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no child process");
    if (child == 0) {
        std::string answer;
        try {
            answer = action();
        } catch (const std::exception& error) {
            answer = std::string("exception: ") + error.what();
        }
        const bool sent =
            write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    std::string answer;
    char buffer[512];
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
        answer.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return answer;
}

// Stores a small case, then one too large for the disk, then a small one again, and reports the
// result: the sentence, the cases in memory and in the file, and the entries of the folder, one of
// which is the lock.
std::string fill_up(const fs::path& folder) {
    const fs::path path = folder / "out.json";
    ResultsFile file(path);
    add(file, benchmark(0));
    const std::string sentence = sentence_of([&] { add(file, benchmark(1, 100000)); });
    const auto kept = file.document().cases.size();
    const auto stored = Json::parse(text_of(path))["benchmarks"].size();
    const auto entries = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    add(file, benchmark(2));
    const auto after = Json::parse(text_of(path))["benchmarks"].size();
    return sentence + " | " + std::to_string(kept) + " kept, " + std::to_string(stored) +
           " stored, " + std::to_string(entries) + " entries, " + std::to_string(after) + " after";
}

}  // namespace

TEST_CASE("a path that cannot be written is refused before anything is measured", "[results]") {
    const TestFolder folder;
    write_text(folder / "file", "text");

    const std::string absent = sentence_for(folder / "absent/out.json");
    CHECK_THAT(absent, contains("No such file or directory"));
    CHECK_THAT(absent, contains("create the folder \"" + (folder / "absent").string() + "\""));
    CHECK_THAT(absent, contains("\"" + (folder / "absent/out.json").string() + "\""));

    CHECK_THAT(sentence_for(folder / "file/out.json"), contains("Not a directory"));
    CHECK_THAT(sentence_for(folder.path()), contains("Is a directory"));
    CHECK_THAT(sentence_for(folder / "new/"), contains("Is a directory"));
    CHECK_THAT(sentence_for(""), contains("empty"));
    CHECK_THAT(sentence_for(folder / std::string(300, 'x')), contains("File name too long"));

    fs::create_symlink("circle", folder / "circle");
    CHECK_THAT(sentence_for(folder / "circle"), contains("links form a circle"));

    CHECK_THAT(sentence_for("/dev/null"), contains("a device or a pipe"));
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(text_of(folder / "file") == "text");
    CHECK(folder.entries() == 2);
}

TEST_CASE("missing permissions are refused before anything is measured", "[results]") {
    const TestFolder folder;
    fs::permissions(folder.path(), fs::perms{0777});
    fs::create_directory(folder / "closed");
    fs::permissions(folder / "closed", fs::perms{0555});
    write_text(folder / "fixed.json", "old");
    fs::permissions(folder / "fixed.json", fs::perms{0444});

    const auto as_nobody = [](const fs::path& path) {
        return in_child([&] {
            // Permissions do not restrict root.
            constexpr uid_t nobody = 65534;
            if (geteuid() == 0 && setuid(nobody) != 0) return std::string("cannot leave root");
            return sentence_for(path);
        });
    };
    const std::string closed = as_nobody(folder / "closed/out.json");
    if (closed == "cannot leave root") camber::skip_test("this root user cannot become another");
    CHECK_THAT(closed, contains("Permission denied"));
    CHECK_THAT(closed, contains("may write to"));
    // Renaming over the file would succeed, but would ignore its owner's intention.
    CHECK_THAT(as_nobody(folder / "fixed.json"), contains("Permission denied"));
    CHECK(as_nobody(folder / "new.json") == "no error");
}

TEST_CASE("a full disk costs the new case only", "[results]") {
    const TestFolder folder;
    SECTION("file size limit") {
        const std::string answer = in_child([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{65536, 65536};
            if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return std::string("no limit");
            return fill_up(folder.path());
        });
        CHECK_THAT(answer, contains("File too large"));
        CHECK_THAT(answer, contains("free some space"));
        CHECK_THAT(answer, contains("| 1 kept, 1 stored, 2 entries, 2 after"));
    }
    SECTION("file system without space") {
        const std::string answer = in_child([&] {
            // A mount in a separate namespace ends with the child.
            if (unshare(CLONE_NEWNS) != 0 ||
                mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
                return std::string("cannot mount");
            }
            return fill_up(folder.path());
        });
        if (answer == "cannot mount") camber::skip_test("no right to mount a small file system");
        CHECK_THAT(answer, contains("No space left on device"));
        CHECK_THAT(answer, contains("free some space"));
        CHECK_THAT(answer, contains("| 1 kept, 1 stored, 2 entries, 2 after"));
    }
    SECTION("folder removed during the run") {
        fs::create_directory(folder / "short-lived");
        ResultsFile file(folder / "short-lived/out.json");
        fs::remove_all(folder / "short-lived");
        CHECK_THAT(sentence_of([&] { add(file, benchmark(0)); }), contains("No such file"));
        CHECK(file.document().cases.empty());
    }
}

TEST_CASE("a value that JSON cannot express is named by its place", "[results]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const TestFolder folder;
    const fs::path path = folder / "out.json";
    ResultsFile file(path);
    const auto load = [&](const std::vector<double>& values) {
        file.amend([&](Document& document) { document.context.load_avg = values; });
    };
    CHECK_THROWS_AS(load({nan}), std::logic_error);
    CHECK_THROWS_WITH(load({1, nan}), contains("/context/load_avg/1"));
    CHECK_FALSE(fs::exists(path));
    CHECK(file.document().context.load_avg.empty());

    add(file, benchmark(0));
    const std::string before = text_of(path);
    CaseRecord wrong = benchmark(1);
    wrong.counters["a/b"] = -infinity;
    CHECK_THROWS_AS(add(file, wrong), std::logic_error);
    CHECK_THROWS_WITH(add(file, wrong),
                      contains("/benchmarks/1/camber/counters/a~1b of the results is -inf"));
    CHECK(text_of(path) == before);
    CHECK(file.document().cases.size() == 1);
}

}  // namespace results_file_errors_test
