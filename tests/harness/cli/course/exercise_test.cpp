// Exercises are complete, their pages contain computed figures, and teachers' folders are read.
#include "harness/cli/course/exercise.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/base/error.hpp"
#include "harness/cli/course/quantities.hpp"
#include "harness/cli/course/trial.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "tests/sentence.hpp"

namespace camber::exercise_test {

namespace {

namespace fs = std::filesystem;
using namespace camber::course;
using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;

const fs::path own = fs::path(CAMBER_SOURCE_DIR) / "harness/cli/course/exercises";

// Message of the Error(usage) that reading this folder causes.
std::string message_of(const fs::path& folder) {
    try {
        exercises(folder);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the program has ten exercises", "[course]") {
    const std::vector<Exercise> all = exercises();
    REQUIRE(all.size() == 10);
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(all[i].name);
        CHECK(all[i].number == static_cast<int>(i) + 1);
        CHECK(&exercise_named(all, all[i].name) == &all[i]);
        CHECK(&exercise_named(all, std::to_string(i + 1)) == &all[i]);
        CHECK(exercise_of(all[i].start) == std::to_string(i + 1));
        CHECK(!forbidden_source(all[i].start));
        CHECK(all[i].goals.size() >= 2);
    }
    CHECK_THROWS_WITH(exercise_named(all, "11"), contains("there is no exercise '11': choose 1"));
}

TEST_CASE("pages contain computed figures and a picture", "[course]") {
    const std::vector<Exercise> all = exercises();
    for (const char* const name : {"coalescing", "bank-conflicts"}) {
        const std::string page = exercise_page(exercise_named(all, name));
        CHECK_THAT(page, contains("<svg") && contains(">kernel.cu:") && !contains("Remedy") &&
                             contains("<mark>") && contains("goal: at most"));
        CHECK_THAT(page, !contains("http://www.w3.org/1999/xhtml") && !contains("src="));
        // All placeholders are replaced.
        const std::string text = page.substr(page.find("<h1>"), page.find("<h2>Goal"));
        CHECK(text.substr(0, text.find("<h2>Goal")).find('{') == std::string::npos);
    }
    CHECK_THAT(exercise_page(all[0]), contains("32 sectors and uses 4 bytes of each") &&
                                          contains("<td class=\"number missed\">32</td>"));
}

TEST_CASE("exercises are read from a teacher's folder", "[course]") {
    const TestFolder folder;
    const fs::path one = folder.path() / "11-brighter";
    fs::create_directories(one);
    for (const char* const name : {"exercise.json", "text.html", "start.cu", "reference.cu"})
        fs::copy_file(own / "01-coalescing" / name, one / name);
    const std::string start = text_of(one / "start.cu");
    CHECK_THAT(message_of(folder.path()), contains("`// camber: exercise 11`"));
    write_text(one / "start.cu", changed(start, "exercise 1", "exercise 11"));
    const std::vector<Exercise> all = exercises(folder.path());
    REQUIRE(all.size() == 1);
    CHECK(all[0].number == 11);
    CHECK(all[0].name == "brighter");

    const std::string settings = text_of(one / "exercise.json");
    const auto with = [&](const std::string& from, const std::string& to) {
        write_text(one / "exercise.json", changed(settings, from, to));
        return message_of(folder.path());
    };
    CHECK_THAT(with("load_sectors_per_request", "luck"),
               contains("11-brighter/exercise.json: the quantity \"luck\" of a goal is unknown"));
    CHECK_THAT(with("256x128", "256"), contains("\"board\" must be COLUMNSxROWS"));
    CHECK_THAT(with("256x128", "99999x99999"), contains("\"board\" must be COLUMNSxROWS"));
    CHECK_THAT(with("\"title\"", "\"titel\""), contains("\"title\" is missing"));
    CHECK_THAT(with("\"most\": 4}", "\"most\": \"4\"}"), contains("\"most\" must be a number"));
    CHECK_THAT(with("301x129", "30x129"), contains("\"largest\" is smaller"));
    CHECK_THAT(with("{", ""), contains("11-brighter/exercise.json: "));
    write_text(one / "exercise.json", settings);
    fs::remove(one / "reference.cu");
    CHECK_THAT(message_of(folder.path()),
               contains("exercise 11-brighter has no file reference.cu"));
    CHECK_THAT(message_of(folder.path() / "none"), contains("cannot read the folder"));
    fs::remove_all(one);
    CHECK_THAT(message_of(folder.path()), contains("has no exercises"));
}

TEST_CASE("damaged settings of an exercise are refused or read", "[course]") {
    const TestFolder folder;
    const fs::path one = folder.path() / "1-brighter";
    fs::create_directories(one);
    for (const char* const name : {"exercise.json", "text.html", "start.cu", "reference.cu"})
        fs::copy_file(own / "01-coalescing" / name, one / name);
    const std::string settings = text_of(one / "exercise.json");
    for (std::size_t at = 0; at < settings.size(); ++at) {
        INFO("byte " << at);
        std::string changed = settings;
        changed[at] = "\"{}[]-9x\0"[at % 9];
        for (const std::string& text : {settings.substr(0, at), changed}) {
            write_text(one / "exercise.json", text);
            try {
                exercises(folder.path());
            } catch (const Error& error) {
                CHECK(error.code() == ExitCode::usage);
            }
        }
    }
}

TEST_CASE("damaged libraries are refused", "[course]") {
    std::string library(1 << 12, '\0');
    std::ifstream("/proc/self/exe", std::ios::binary).read(library.data(), 1 << 12);
    for (std::size_t size = 0; size < 200; ++size)
        CHECK_THROWS_AS(forbidden_symbols(library.substr(0, size)), std::exception);
    CHECK_THROWS_AS(forbidden_symbols("hello"), std::exception);
    CHECK_THROWS_AS(forbidden_symbols(std::string(100, 'x')), std::exception);
}

TEST_CASE("the line of an exercise is found anywhere", "[course]") {
    CHECK(exercise_of("int a;\n  //camber:exercise  bank-conflicts \r\n") == "bank-conflicts");
    CHECK(exercise_of("// camber: exercise 3") == "3");
    CHECK(!exercise_of("// camber: step(in, out) block=1\n// exercise 3\n"));
}

TEST_CASE("screening accepts ordinary kernels", "[course]") {
    CHECK(
        !forbidden_source("#include <cuda_runtime.h>\n#pragma unroll\n  #pragma unroll 4\n"
                          "#define SIDE 32\n// attribute of a gnus's basement\n"
                          "__shared__ __align__(16) float tile[SIDE][SIDE + 1];\n"));
    CHECK_THAT(forbidden_source("int a;\n#pragma GCC optimize(\"O3\")\n").value_or(""),
               contains("line 2 contains a #pragma other than unroll"));
    CHECK_THAT(forbidden_source("int a; \\\n\n__builtin_trap();").value_or(""),
               contains("line 3 contains `__builtin_trap`"));
    CHECK_THAT(forbidden_source("int a;\n# /* */ define bytes 4\n").value_or(""),
               contains("line 2 defines the macro bytes"));
    CHECK_THAT(forbidden_source("#include <fstream>\n").value_or(""), contains("<fstream>"));
}

}  // namespace camber::exercise_test
