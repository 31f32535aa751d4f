#include "harness/cli/course/grading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/record/context.hpp"

namespace camber::course {

namespace {

std::string board_name(const Trial& trial) {
    return fmt::format("{}x{}", trial.board.columns, trial.board.rows);
}

// Adds the sentence, unless it is there already, with a full stop and, if it does not begin with a
// file's name, a capital letter.
void add_sentence(std::vector<std::string>& to_do, std::string sentence) {
    if (sentence.empty()) return;
    const std::string first = sentence.substr(0, sentence.find(' '));
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    if (std::ranges::all_of(first.substr(0, first.find_last_not_of(",:") + 1), is_letter))
        sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    if (sentence.back() != '.' && sentence.find('\n') == sentence.npos) sentence += '.';
    if (std::ranges::find(to_do, sentence) == to_do.end()) to_do.push_back(std::move(sentence));
}

Verdict verdict_of(const Grade& grade, const Observation& seen) {
    if (!seen.rejected.empty()) return Verdict::rejected;
    if (!seen.not_compiled.empty()) return Verdict::not_compiled;
    if (!seen.ended.empty()) return Verdict::failed;
    const auto any = [&](const auto& test) { return std::ranges::any_of(seen.boards, test); };
    if (any([](const BoardRun& run) { return run.race; })) return Verdict::race;
    if (any([](const BoardRun& run) { return !run.fault.empty(); })) return Verdict::failed;
    if (!std::ranges::all_of(grade.boards, &BoardResult::right)) return Verdict::wrong;
    if (!grade.findings.empty()) return Verdict::failed;
    return std::ranges::all_of(grade.goals, &GoalResult::reached) ? Verdict::passed
                                                                  : Verdict::goal_missed;
}

void add_missed_goals(Grade& grade, const Observation& seen) {
    std::set<std::string> explained;
    for (const GoalResult& result : grade.goals) {
        if (result.reached() || !result.value) continue;
        const Quantity& quantity = *find_quantity(result.goal.quantity);
        std::string sentence =
            fmt::format(fmt::runtime(quantity.missed), number_text(*result.value),
                        number_text(result.goal.most));
        if (const auto cause = seen.explanations.find(quantity.cause);
            cause != seen.explanations.end() && explained.insert(cause->second).second)
            sentence += fmt::format(" ({})", cause->second);
        add_sentence(grade.to_do, std::move(sentence));
    }
}

}  // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
        case Verdict::passed:
            return "passed";
        case Verdict::goal_missed:
            return "goal_missed";
        case Verdict::race:
            return "race";
        case Verdict::wrong:
            return "wrong";
        case Verdict::failed:
            return "failed";
        case Verdict::not_compiled:
            return "not_compiled";
        case Verdict::rejected:
            break;
    }
    return "rejected";
}

bool GoalResult::reached() const {
    // Counts are exact; their quotients may have rounding errors.
    return value && *value <= goal.most * (1 + 1e-9) + 1e-12;
}

int Grade::score() const {
    if (verdict == Verdict::passed) return 100;
    if (verdict != Verdict::goal_missed) return 0;
    int all = 0;
    int reached = 0;
    int divisor = 1;
    for (const GoalResult& result : goals) {
        if (result.goal.guard) {
            if (!result.reached()) divisor *= 2;
        } else {
            ++all;
            reached += int{result.reached()};
        }
    }
    // Without other goals, correctness is the goal.
    return (all == 0 ? 100 : 100 * reached / all) / divisor;
}

std::unique_ptr<OwnWorkload> reference_of(const Exercise& exercise) {
    // Compiled in an own folder, because the workload is named after the file.
    const TemporaryFolder folder("compile the reference of an exercise");
    OwnProblem problem;
    problem.reference = folder.write("reference.cu", exercise.reference);
    problem.tolerance = exercise.tolerance;
    return OwnWorkload::make(problem);
}

Grader::Grader(const Exercise& exercise, std::uint64_t seed, const Limits& limits)
    : exercise_(exercise),
      seed_(seed),
      limits_(limits),
      trials_(trials(exercise, seed)),
      workload_(reference_of(exercise)),
      expected_(trials_.size()) {}

// Computed after the submission has ended, so that no memory of its process contains it.
const State& Grader::expected(std::size_t trial) {
    if (expected_[trial]) return *expected_[trial];
    InitialConditions conditions;
    conditions.size = trials_[trial].board;
    conditions.cell = workload_->facts().cell_types.front();
    conditions.seed = trials_[trial].seed;
    State state = workload_->initial(conditions);
    advance(*workload_, state, {}, exercise_.generations);
    return expected_[trial].emplace(std::move(state));
}

BoardResult Grader::judge(const BoardRun& run, std::size_t trial) {
    BoardResult result;
    result.trial = trials_[trial];
    if (!run.skipped.empty()) {
        result.problem = fmt::format("the kernel does not accept a board of {}: it {}",
                                     board_name(result.trial), run.skipped);
        return result;
    }
    if (!run.fault.empty()) {
        result.problem = run.fault;
        return result;
    }
    const State& right = expected(trial);
    State actual = right;
    for (HostField& field : actual.fields) {
        if (!workload_->writes(field.name())) continue;
        const auto found = run.results.find(field.name());
        if (found == run.results.end() || found->second.size() != field.bytes().size()) {
            result.problem =
                fmt::format("the result on {} is incomplete", board_name(result.trial));
            return result;
        }
        std::memcpy(field.bytes().data(), found->second.data(), found->second.size());
    }
    const Tolerance tolerance{.absolute = exercise_.tolerance, .relative = exercise_.tolerance};
    const Verification found = compare(right, actual, tolerance, exercise_.generations, 1);
    result.right = found.passed();
    result.differing_cells = found.differing_cells;
    if (!found.passed())
        result.problem = fmt::format("on {}, {}", board_name(result.trial), describe(found));
    return result;
}

Grade Grader::grade(const std::filesystem::path& file) {
    const auto start = std::chrono::steady_clock::now();
    Grade grade;
    grade.file = file.string();
    grade.exercise = exercise_.number;
    grade.title = exercise_.title;
    grade.seed = seed_;
    const Observation seen = observe(file, exercise_, *workload_, trials_, limits_);
    for (std::size_t i = 0; i < seen.boards.size(); ++i) {
        grade.boards.push_back(judge(seen.boards[i], i));
        for (const std::string& finding : seen.boards[i].findings)
            if (std::ranges::find(grade.findings, finding) == grade.findings.end())
                grade.findings.push_back(finding);
    }
    for (const Goal& goal : exercise_.goals) {
        const auto value = seen.values.find(goal.quantity);
        grade.goals.push_back(
            {goal, value == seen.values.end() ? std::nullopt : std::optional(value->second)});
    }
    grade.verdict = verdict_of(grade, seen);
    for (const std::string* sentence : {&seen.rejected, &seen.not_compiled, &seen.ended})
        add_sentence(grade.to_do, *sentence);
    // Findings of the first board with any; others repeat them.
    const auto with_findings = std::ranges::find_if(
        seen.boards, [](const BoardRun& run) { return !run.findings.empty(); });
    if (with_findings != seen.boards.end())
        for (const std::string& finding : with_findings->findings)
            add_sentence(grade.to_do, finding);
    const auto wrong = std::ranges::find(grade.boards, false, &BoardResult::right);
    if (wrong != grade.boards.end()) add_sentence(grade.to_do, wrong->problem);
    add_missed_goals(grade, seen);
    if (!seen.not_counted.empty())
        add_sentence(grade.to_do,
                     fmt::format("its accesses cannot be counted: {}", seen.not_counted));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    grade.seconds = taken.count();
    return grade;
}

// ---- pages

namespace {

// List item with the first line wrapped; further lines, a compiler's messages, keep their form.
std::string list_item(const std::string& sentence) {
    const std::string text = printable(sentence, 2 * longest_sentence, LineFeeds::kept);
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string item = wrapped(text.substr(0, end), page_width(), 2);
    item[0] = '-';
    return item + (end < text.size() ? text.substr(end + 1) + "\n" : "");
}

}  // namespace

std::string page_of(const Grade& grade) {
    std::string text =
        fmt::format("{}: exercise {}, {}\n", printable(grade.file), grade.exercise, grade.title);
    if (!grade.boards.empty()) {
        std::vector<std::string> boards;
        for (const BoardResult& board : grade.boards) boards.push_back(board_name(board.trial));
        text +=
            fmt::format("boards {}; --seed {} repeats them\n", fmt::join(boards, ", "), grade.seed);
        TextTable table({"check", "goal", "now", ""}, 1);
        const auto right = std::ranges::count(grade.boards, true, &BoardResult::right);
        const bool all_right = right == std::ssize(grade.boards);
        const auto mark = [](bool reached) { return reached ? "yes" : "NO"; };
        table.add({"boards on which every cell is right", std::to_string(grade.boards.size()),
                   std::to_string(right), mark(all_right)});
        const bool free = grade.findings.empty() && grade.verdict != Verdict::failed;
        table.add({"races and faults", "0", std::to_string(grade.findings.size()), mark(free)});
        for (const GoalResult& result : grade.goals)
            table.add({std::string(find_quantity(result.goal.quantity)->phrase),
                       "<= " + number_text(result.goal.most),
                       result.value ? number_text(*result.value) : "-", mark(result.reached())});
        text += "\n" + table.plain();
    }
    if (!grade.to_do.empty()) {
        text += "\nTo do:\n";
        for (const std::string& sentence : grade.to_do) text += list_item(sentence);
    }
    text += fmt::format("\n{}: {} of 100 points\n", grade.passed() ? "Passed" : "Not passed",
                        grade.score());
    return text;
}

std::string table_of(const std::vector<Grade>& grades) {
    TextTable table({"file", "exercise", "verdict", "points"}, 3);
    for (const Grade& grade : grades)
        table.add({printable(grade.file), fmt::format("{} {}", grade.exercise, grade.title),
                   std::string(name(grade.verdict)), std::to_string(grade.score())});
    return table.plain();
}

results::Json document_of(const std::vector<Grade>& grades) {
    using results::Json;
    Json document{{"schema_version", 1},
                  {"kind", "camber course"},
                  {"camber", std::string(build_info::version)}};
    document["submissions"] = Json::array();
    for (const Grade& grade : grades) {
        Json& one = document["submissions"].emplace_back();
        one = {{"file", grade.file},       {"exercise", grade.exercise},
               {"title", grade.title},     {"verdict", std::string(name(grade.verdict))},
               {"passed", grade.passed()}, {"score", grade.score()},
               {"seed", grade.seed}};
        one["boards"] = Json::array();
        for (const BoardResult& board : grade.boards)
            one["boards"].push_back({{"columns", board.trial.board.columns},
                                     {"rows", board.trial.board.rows},
                                     {"seed", board.trial.seed},
                                     {"right", board.right},
                                     {"differing_cells", board.differing_cells}});
        one["findings"] = grade.findings;
        one["goals"] = Json::array();
        for (const GoalResult& result : grade.goals)
            one["goals"].push_back({{"quantity", result.goal.quantity},
                                    {"most", result.goal.most},
                                    {"guard", result.goal.guard},
                                    {"value", result.value ? Json(*result.value) : Json(nullptr)},
                                    {"reached", result.reached()}});
        one["to_do"] = grade.to_do;
        one["seconds"] = grade.seconds;
    }
    return document;
}

}  // namespace camber::course
