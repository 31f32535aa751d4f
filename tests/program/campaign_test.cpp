// Whole campaigns on the executor: their folder, interruption and resumption.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "harness/base/files.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace campaign_test {

namespace {

using namespace camber::cli_test;
using camber::compressed;
using camber::is_json_file;
using camber::read_file;
using namespace std::chrono_literals;

const Arguments command{"campaign", "--out", "c", "--backend", "simt", "--quick"};

// A campaign with four parts, one with two of them, and one with a single part.
const Arguments campaign = with(command, {"--only", "life"});
const Arguments two_parts = with(command, {"--only", "life-uint8,life-torus"});
const Arguments small_one = with(command, {"--only", "life-uint8"});

// Current results files of a folder, by name.
std::map<std::string, Json> results_of(const fs::path& folder) {
    std::map<std::string, Json> results;
    if (!fs::exists(folder)) return results;
    for (const auto& entry : fs::directory_iterator(folder))
        if (is_json_file(entry.path()) && entry.path().filename() != "campaign.json")
            results[entry.path().filename().string()] =
                Json::parse(read_file(entry.path(), "results file", "a results file"));
    return results;
}

std::size_t cases_in(const fs::path& folder) {
    std::size_t cases = 0;
    for (const auto& [name, results] : results_of(folder)) cases += results["benchmarks"].size();
    return cases;
}

// Facts about every case that do not depend on time.
std::set<std::string> lasting(const fs::path& folder) {
    std::set<std::string> cases;
    for (const auto& [name, results] : results_of(folder))
        for (const Json& entry : results["benchmarks"]) {
            const Json& camber = entry["camber"];
            Json kept{{"file", name}, {"name", entry["name"]}};
            for (const char* key : {"status", "reason", "verification", "size", "final"})
                if (camber.contains(key)) kept[key] = camber[key];
            cases.insert(kept.dump());
        }
    return cases;
}

Json part_in(const fs::path& folder, const std::string& name) {
    const Json state = results_in(folder / "campaign.json");
    for (const Json& part : state["campaign"]["parts"])
        if (part["name"] == name) return part;
    return {};
}

// Processes that measure a part for the folder, which is their working directory.
std::vector<pid_t> parts_at_work(const fs::path& folder) {
    std::vector<pid_t> found;
    for (const auto& process : fs::directory_iterator("/proc")) {
        std::error_code ignored;
        if (fs::read_symlink(process.path() / "cwd", ignored) == folder)
            found.push_back(std::stoi(process.path().filename().string()));
    }
    return found;
}

void wait_for_cases(Program& program, const fs::path& folder, std::size_t cases) {
    while (program.running() && cases_in(folder) < cases) std::this_thread::sleep_for(2ms);
}

// Kills the campaign `two_parts` at random instants and resumes it: it has the cases of `whole`,
// the folder of one that was not interrupted.
void check_killed_and_resumed(const fs::path& whole) {
    const std::size_t all = cases_in(whole);
    const TestFolder folder;
    const fs::path made = folder / "c";
    const Arguments again = with(two_parts, {"--resume"});
    std::mt19937 random(11);
    for (int attempt = 0; attempt < 5; ++attempt) {
        const std::size_t before = cases_in(made);
        // More cases arrive while the results file is being written.
        const std::size_t until = before + 1 + random() % (all / 20);
        INFO("attempt " << attempt << ", killed after " << until << " of " << all << " cases");
        Program program(again, folder.path());
        wait_for_cases(program, made, until);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
        if (attempt == 2) {  // only the part's process; the others continue
            // On a busy machine, one part may have ended and the next one may not have started.
            std::vector<pid_t> parts;
            for (int wait = 0; wait < 500 && parts.empty(); ++wait) {
                parts = parts_at_work(made);
                if (parts.empty()) std::this_thread::sleep_for(10ms);
            }
            CHECK_FALSE(parts.empty());
            for (const pid_t part : parts) kill(part, SIGKILL);
            program.wait();
        } else {
            program.send(attempt == 4 ? SIGINT : SIGKILL);
            const Outcome outcome = program.wait();
            // On a busy machine, the campaign may end first.
            if (outcome.exit_code == 0 && attempt > 2) break;
            CHECK(outcome.exit_code == -1);
            for (int wait = 0; wait < 500 && !parts_at_work(made).empty(); ++wait)
                std::this_thread::sleep_for(10ms);
            CHECK(parts_at_work(made).empty());
        }
        for (const auto& [name, results] : results_of(made))
            CHECK(defects(results) == std::vector<std::string>{});
    }
    const Outcome last = run_program(again, folder.path());
    CHECK(last.exit_code == 0);
    CHECK(lasting(made) == lasting(whole));
    for (const auto& [name, results] : results_of(made))
        CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
}

// Measures both parts at once: they have the cases of `in_turn`.
void check_parts_at_once(const fs::path& in_turn) {
    const TestFolder folder;
    const fs::path made = folder / "c";
    Program program(with(two_parts, {"--at-once", "2"}), folder.path());
    std::size_t most = 0;
    while (program.running()) {
        most = std::max(most, parts_at_work(made).size());
        std::this_thread::sleep_for(2ms);
    }
    CHECK(most == 2);
    const Outcome outcome = program.wait();
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(lasting(made) == lasting(in_turn));
    const Json state = results_in(made / "campaign.json");
    CHECK(defects(state) == std::vector<std::string>{});
    CHECK(state["campaign"]["at_once"] == 2);
    for (const char* part : {"life-uint8", "life-torus"}) {
        CHECK(part_in(made, part)["status"] == "whole");
        CHECK(part_in(made, part)["seconds"] > 0);
    }
    CHECK_THAT(text_of(made / "README.md"),
               contains("up to 2 parts, each with an equal share of the processor's cores"));
}

}  // namespace

TEST_CASE(
    "a campaign fills a folder, which is the same if it is interrupted or measures parts at once",
    "[cli][portable][campaign][slow]") {
    const TestFolder folder;
    const Outcome outcome = run_program(campaign, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const fs::path made = folder / "c";
    for (const char* file :
         {"README.md", "tables.md", "questions.md", "report.html", "campaign.json", "life.json.zst",
          "life.txt", "life-uint8.json.zst", "life-torus.txt"})
        CHECK(fs::exists(made / file));
    for (const auto& [name, results] : results_of(made)) {
        INFO(name);
        CHECK(defects(results) == std::vector<std::string>{});
        CHECK_FALSE(results["context"]["camber"].contains("incomplete"));
    }
    CHECK(defects(results_in(made / "campaign.json")) == std::vector<std::string>{});
    const Json life = part_in(made, "life");
    CHECK(life["status"] == "whole");
    CHECK(life["cases"] == listed_variants("simt").size());
    CHECK(life["command"] == Json{"camber", "run", "--backend", "simt", "--quick"});
    CHECK(part_in(made, "life-counters")["status"] == "left out");
    CHECK(part_in(made, "blur")["status"] == "not started");
    CHECK_THAT(text_of(made / "README.md"),
               contains("[life](life.json.zst), [table](life.txt)") && contains("[tables.md]") &&
                   contains("./camber run --backend simt --quick\n") &&
                   contains("| hardware counters need a GPU | life-counters"));
    CHECK_THAT(text_of(made / "life.txt"), contains("after 8 generations: population") &&
                                               contains("\nresults: life.json.zst\n"));
    CHECK_THAT(text_of(made / "tables.md"), contains("balasalle-5.1"));
    // Nothing is left to measure, and the folder's results are unchanged.
    const std::string text = text_of(made / "life.json.zst");
    const Outcome again = run_program(with(campaign, {"--resume"}), folder.path());
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.out, contains("0 parts to measure on this CPU, nothing is left"));
    CHECK(text_of(made / "life.json.zst") == text);
    // Pages can be rebuilt without the GPU that was measured.
    fs::remove(made / "tables.md");
    fs::remove(made / "README.md");
    const Outcome pages = run_program({"campaign", "--out", "c", "--pages"}, folder.path());
    CHECK(pages.exit_code == 0);
    CHECK(pages.out == "c: README.md links all\n");
    CHECK_THAT(text_of(made / "tables.md"), contains("balasalle-5.1"));
    CHECK(fs::exists(made / "README.md"));
    CHECK(text_of(made / "life.json.zst") == text);
    // Reports accept all results files of the folder.
    CHECK(run_program({"report", "c/life.json.zst", "c/campaign.json", "--format", "csv"},
                      folder.path())
              .exit_code == 0);
    // The folder of `two_parts` remains.
    for (const auto& [name, results] : results_of(made))
        if (name != "life-uint8.json.zst" && name != "life-torus.json.zst") fs::remove(made / name);
    check_killed_and_resumed(made);
    check_parts_at_once(made);
}

TEST_CASE("what campaign.json does not know yet, the parts' files tell",
          "[cli][portable][campaign][slow]") {
    const TestFolder folder;
    REQUIRE(run_program(small_one, folder.path()).exit_code == 0);
    fs::remove(folder / "c" / "campaign.json");
    const std::string text = text_of(folder / "c" / "life-uint8.json.zst");
    const Outcome again = run_program(with(campaign, {"--resume", "--list"}), folder.path());
    CHECK(std::ranges::any_of(lines_of(again.out), [](const std::string& line) {
        return line.starts_with("life-uint8 ") && line.find(" whole ") != line.npos;
    }));
    CHECK(run_program(with(small_one, {"--resume"}), folder.path()).exit_code == 0);
    CHECK(text_of(folder / "c" / "life-uint8.json.zst") == text);
    CHECK(part_in(folder / "c", "life-uint8")["status"] == "whole");
    // The remaining parts use the settings with which the campaign began.
    const Outcome rest = run_program(
        {"campaign", "--out", "c", "--resume", "--only", "life-uint8,life-torus"}, folder.path());
    CHECK(rest.exit_code == 0);
    CHECK(part_in(folder / "c", "life-torus")["status"] == "whole");
}

TEST_CASE("a campaign that was begun for three GPUs goes on with a part for three",
          "[cli][portable][campaign]") {
    const TestFolder folder;
    REQUIRE(run_program(with(small_one, {"--gpus", "3"}), folder.path()).exit_code == 0);
    const Outcome rest =
        run_program({"campaign", "--out", "c", "--resume", "--only", "sph-dam-1m-3gpus", "--list"},
                    folder.path());
    CHECK(rest.exit_code == 0);
    CHECK_THAT(rest.out, contains("sph-dam-1m-3gpus"));
}

TEST_CASE("a campaign ends by its budget", "[cli][portable][campaign]") {
    const TestFolder folder;
    const Arguments long_one{"campaign",           "--out",    "c", "--backend", "simt", "--only",
                             "life,surface_water", "--budget", "3s"};
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = run_program(long_one, folder.path());
    CHECK(std::chrono::steady_clock::now() - start < 60s);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("budget 3s") &&
                                contains("parts are not whole: camber campaign --out c --resume "
                                         "goes on"));
    CHECK(fs::exists(folder / "c" / "README.md"));
    for (const auto& [name, results] : results_of(folder / "c"))
        CHECK(defects(results) == std::vector<std::string>{});
}

TEST_CASE("a plan is printed, and nothing else done", "[cli][portable][campaign]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"campaign", "--list", "--backend", "simt", "--only", "magflow,ceilings", "--budget", "5m"},
        folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("magflow-dense") && contains("unknown") &&
                                contains("left out, because it measures a GPU: ceilings") &&
                                contains("its terrain is no part of camber: give --etna2001") &&
                                contains("how long it takes is unknown; budget 5m"));
    CHECK(folder.entries() == 0);
}

TEST_CASE("a folder of another commit, card or command is refused", "[cli][portable][campaign]") {
    const TestFolder folder;
    REQUIRE(run_program(small_one, folder.path()).exit_code == 0);
    const fs::path file = folder / "c" / "life-uint8.json.zst";
    const std::string text = read_file(file, "results file", "a results file");
    const auto refused = [&](const Arguments& more, const std::string& why) {
        const Outcome outcome = run_program(with(small_one, more), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains(why));
        CHECK(lines_of(outcome.err).size() == 1);
    };
    refused({},
            "camber: c holds files already: go on with its campaign by --resume, or choose "
            "another --out");
    Json results = of_another_commit(Json::parse(text));
    write_text(file, compressed(results.dump()));
    refused({"--resume"}, "c/life-uint8.json.zst was measured elsewhere, commit 0123456789ab against ");
    results = of_another_card(Json::parse(text));
    write_text(file, compressed(results.dump()));
    refused({"--resume"},
            "c/life-uint8.json.zst was measured elsewhere, NVIDIA H100 against no GPU: one folder is "
            "of one card and one commit; choose another --out");
    // A file that belongs to no part counts as well: the folder would mix results of two devices.
    write_text(file, compressed(text));
    write_text(folder / "c" / "other.json", results.dump());
    refused({"--resume"}, "c/other.json was measured elsewhere, NVIDIA H100");
    fs::remove(folder / "c" / "other.json");
    results = Json::parse(text);
    results["context"]["camber"]["command"] = {"camber", "run", "--cell", "uint8"};
    write_text(file, compressed(results.dump()));
    refused({"--resume"},
            "c/life-uint8.json.zst is of another command, camber run --cell uint8: go on "
            "with the options that the campaign began with");
}

TEST_CASE("a summary of a campaign has the same cases in less space", "[cli][portable][campaign]") {
    const TestFolder folder;
    const std::string whole = (source_folder / "results/experiments/h100-edges").string();
    const Outcome outcome =
        run_program({"campaign", "--out", whole, "--summary", "s"}, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("s: 12 results files"));
    const auto table = [&](const std::string& of) {
        return run_program({"report", of, "--format", "csv"}, folder.path()).out;
    };
    CHECK(table("s") == table(whole));
    CHECK(lines_of(table("s")).size() > 8);
    const auto bytes = [](const fs::path& in) {
        std::uintmax_t sum = 0;
        for (const auto& entry : fs::directory_iterator(in))
            if (is_json_file(entry.path())) sum += fs::file_size(entry.path());
        return sum;
    };
    CHECK(2 * bytes(folder / "s") < 3 * bytes(whole) / 2);
    for (const auto& [arguments, part] :
         {std::pair{Arguments{"--out", whole, "--summary", whole}, "campaign's own folder"},
          std::pair{Arguments{"--out", "nowhere", "--summary", "t"}, "nowhere"},
          std::pair{Arguments{"--out", "s", "--summary", "t", "--pages"}, "--pages"}}) {
        const Outcome refused = run_program(with({"campaign"}, arguments), folder.path());
        CHECK(refused.exit_code == 2);
        CHECK_THAT(refused.err, contains(part));
    }
}

TEST_CASE("campaigns name what is wrong", "[cli][portable][campaign]") {
    const TestFolder folder;
    const auto complaint = [&](const Arguments& arguments, int code = 2) {
        const Outcome outcome = run_program(with({"campaign"}, arguments), folder.path());
        CHECK(outcome.exit_code == code);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
        return outcome.err;
    };
    CHECK_THAT(complaint({}), contains("a campaign needs a folder to go to: give --out FOLDER"));
    CHECK_THAT(complaint({"--out", "c"}, 5),
               contains("a campaign measures a GPU, and ") &&
                   contains("--backend simt verifies all kernels on the CPU"));
    for (const Arguments& cuda :
         {Arguments{"--backend", "cuda"}, Arguments{"--backend", "cuda", "--resume"}, {"--resume"}})
        CHECK_THAT(complaint(with({"--out", "c"}, cuda), 5), contains("a GPU"));
    CHECK_THAT(complaint({"--out", "c", "--backend", "cpu", "--at-once", "2"}),
               contains("times of the CPU would disturb each other"));
    CHECK(folder.entries() == 0);
    for (const char* budget : {"0", "abc", ""})
        CHECK_THAT(complaint({"--out", "c", "--backend", "simt", "--budget", budget}),
                   contains("is no length of time from one second to a thousand hours"));
    CHECK_THAT(complaint({"--out", "c", "--pages"}), contains("c has no campaign.json"));
    CHECK_THAT(complaint({"--list", "--backend", "simt", "--only", "lfe"}),
               contains("'lfe' is no part of a campaign and no workload: did you mean life"));
    CHECK_THAT(complaint({"--list", "--backend", "simt", "--only", "xyzzyx"}),
               contains("camber campaign --list names all"));
    CHECK_THAT(complaint({"--list", "--etna2001", "nowhere"}), contains("--etna2001: "));
    write_text(folder / "file", "text");
    CHECK_THAT(complaint({"--out", "file", "--backend", "simt"}),
               contains("--out file is a file: give the name of a folder"));
    CHECK_THAT(complaint({"--out", "file/c", "--backend", "simt"}, 5),
               contains("cannot make the folder file/c: "));
    CHECK_THAT(complaint({"--out", "/proc/c", "--backend", "simt"}, 5),
               contains("cannot make the folder /proc/c: "));
    CHECK(folder.entries() == 1);
}

}  // namespace campaign_test
