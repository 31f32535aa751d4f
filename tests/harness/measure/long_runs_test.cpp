// Long runs: saved states, their sum as the duration of the whole run, and what they refuse.
#include "harness/measure/long_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "harness/machine/queue/host_memory.hpp"
#include "harness/measure/session.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::long_runs_test {
namespace {

namespace fs = std::filesystem;
using results_test::TestFolder;
using run_test::violations;

// Duration of a generation that depends on its number, ns.
using Cost = double (*)(double generation);

std::vector<results::StateTimes> times_of(Cost cost, int generations, int states, int timed) {
    std::vector<results::StateTimes> times;
    const std::vector<int> numbers = state_generations(generations, states);
    for (int k = 0; k < states; ++k) {
        double ns = 0;
        for (int g = 0; g < timed; ++g) ns += cost(numbers[static_cast<std::size_t>(k)] + g);
        times.push_back({numbers[static_cast<std::size_t>(k)], timed, {ns, ns, ns}, {}});
    }
    return times;
}

double whole(Cost cost, int generations) {
    double ns = 0;
    for (int g = 0; g < generations; ++g) ns += cost(g);
    return ns;
}

// An eruption on a small plane, by references on the CPU.
struct Eruption : run_test::Fixture {
    explicit Eruption(const fs::path& states, const char* workload = "magflow",
                      ElementType cell = ElementType::float32)
        : Fixture(workload, cell) {
        study.initial.density = 0;
        study.generations = 480;
        study.from_start = true;
        study.states = 4;
        study.state_folder = states;
        study.sampling.budget_seconds = 0.01;
        add("first");
        add("second");
        study.whole = {study.variants[0], study.variants[1]};
    }
    const results::Document& run() {
        SessionObserver observer;
        Session session(study, observer);
        session.run(results, {"camber", "run"});
        return results.document();
    }
    State start() const {
        return start_of(*study.workload, study.initial, study.problem.parameters);
    }
    // The saved state of the run's end.
    State end() const {
        const RunStates states(study, start(), state_generations(study.generations, study.states));
        return states.read(states.end())->state;
    }
    // The reference's state after all generations, without a stop.
    State uninterrupted() const {
        return expected_state(*study.workload, start(), study.problem.cell,
                              {study.problem.boundary, study.problem.parameters, 0, 1},
                              study.generations);
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(study.state_folder))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
};

std::string refusal(Eruption& eruption) {
    try {
        eruption.run();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

void check_equal(const State& a, const State& b) {
    for (const HostField& field : a.fields) {
        CAPTURE(field.name());
        CHECK(std::ranges::equal(field.bytes(), b.field(field.name()).bytes()));
    }
}

}  // namespace

TEST_CASE("states are in the middle of equal shares of the run", "[portable][run][states]") {
    CHECK(state_generations(480, 4) == std::vector{60, 180, 300, 420, 480});
    // States of long runs suit variants that sort their lists every few steps.
    for (const int number : state_generations(1900000, 12))
        if (number < 1900000) CHECK(number % 96 == 0);
    CHECK_THROWS_AS(state_generations(23, 12), Error);
}

TEST_CASE("the sum over states equals the whole run", "[portable][run][states]") {
    constexpr int generations = 120000;
    for (const Cost cost : {Cost([](double) { return 7.0; }),
                            Cost([](double g) { return 10 + g / 1e4; }),
                            Cost([](double g) { return 10 + (g / 4e4) * (g / 4e4); }),
                            Cost([](double g) { return g < 3e4 ? 10 : 10 + (g - 3e4) / 1e4; })}) {
        const results::SummedRun sum = sum_of(times_of(cost, generations, 12, 96), generations, 1);
        const double exact = whole(cost, generations);
        CHECK(sum.ns == Approx(exact).epsilon(0.01));
        CHECK(sum.low_ns <= exact * 1.002);
        CHECK(sum.high_ns >= exact * 0.998);
    }
}

TEST_CASE("the interval of a sum contains the spread of the samples", "[portable][run][states]") {
    std::vector<results::StateTimes> times;
    for (int k = 0; k < 12; ++k) times.push_back({100 * k, 10, {90, 95, 100, 105, 110}, {}});
    const results::SummedRun sum = sum_of(times, 1200, 1);
    CHECK(sum.ns == Approx(12000));
    CHECK(sum.low_ns < 12000);
    CHECK(sum.high_ns > 12000);
}

TEST_CASE("a whole run saves states, and ends are compared", "[portable][run][states]") {
    const TestFolder folder;
    for (const char* const workload : {"magflow", "sciara_fv3"}) {
        CAPTURE(workload);
        Eruption eruption(folder / workload, workload);
        eruption.study.reference_generations = 48;
        const results::Document& document = eruption.run();
        CHECK(violations(document) == std::vector<std::string>{});
        REQUIRE(document.cases.size() == 2);
        CHECK(eruption.files() ==
              std::vector<std::string>{"0000000060.state", "0000000180.state", "0000000300.state",
                                       "0000000420.state", "0000000480.state"});
        int compared = 0;
        for (const results::CaseRecord& record : document.cases) {
            REQUIRE(record.status == results::Status::ok);
            CHECK(record.verification->generations == 48);
            CHECK(record.intervals.size() == 5);
            CHECK(record.intervals.back().last == 480);
            REQUIRE(record.summed);
            CHECK(record.summed->states.size() == 4);
            CHECK(record.summed->verification->passed());
            CHECK(record.summed->verification->compared_cells ==
                  4 * record.verification->compared_cells);
            REQUIRE(record.end);
            CHECK(record.end->mass_error.value() < 1e-3);
            compared += record.end->found.has_value();
            if (record.end->found) CHECK(record.end->found->differing_cells == 0);
        }
        CHECK(compared == 1);
        check_equal(eruption.end(), eruption.uninterrupted());
    }
}

TEST_CASE("single kernels are timed from each state", "[portable][run][states]") {
    // Reports two launches of a kernel, one of a library, and one of a copy.
    struct Clock final : counters::KernelClock {
        std::vector<counters::KernelTime> time(const std::function<void()>& work) override {
            work();
            return {{"own", 1000}, {"_ZN3cub6KernelE", 500}, {"own", 2000}, {"copy", 50}};
        }
    };
    const TestFolder folder;
    Eruption eruption(folder / "states");
    results::CaseRecord record = eruption.run().cases.front();
    REQUIRE(record.summed);
    for (const results::StateTimes& state : record.summed->states) CHECK(state.kernels.empty());
    results::Kernel& flux = record.kernels.emplace_back();
    flux.name = "flux";
    flux.symbol = "own";
    HostMemoryQueue queue;
    const State start = eruption.start();
    LongRuns runs(eruption.study, queue, start);
    const auto execution =
        eruption.study.variants.front()->factories.at(Backend::cpu)(queue, eruption.study.problem);
    Clock clock;
    runs.time_kernels(*execution, 1, clock, record);
    for (const results::StateTimes& state : record.summed->states) {
        const double generations = std::min(state.generations, 96);
        REQUIRE(state.kernels.size() == 3);
        CHECK(state.kernels[0].name == "flux");
        CHECK(state.kernels[0].ns_per_generation == Approx(3000 / generations));
        CHECK(state.kernels[1].name == "library");
        CHECK(state.kernels[1].ns_per_generation == Approx(500 / generations));
        CHECK(state.kernels[2].name == "copy");
    }
    // The last clocked run began with the last state.
    State last = start;
    execution->download(last);
    const State wanted =
        expected_state(*eruption.study.workload, start, eruption.study.problem.cell,
                       {eruption.study.problem.boundary, eruption.study.problem.parameters, 0, 1},
                       420 + std::min(record.summed->states.back().generations, 96));
    check_equal(last, wanted);
    // The times survive the file.
    results::Document document = eruption.results.document();
    document.cases.front().summed = record.summed;
    CHECK(violations(document) == std::vector<std::string>{});
    const results::Document read = results::parse_document(results::to_text(document), "a.json");
    CHECK(read.cases.front().summed->states[2].kernels[0].ns_per_generation ==
          Approx(record.summed->states[2].kernels[0].ns_per_generation));
}

TEST_CASE("resuming from the states that exist equals an uninterrupted run",
          "[portable][run][states]") {
    const TestFolder folder;
    for (const char* const workload : {"magflow", "sciara_fv3"}) {
        CAPTURE(workload);
        const fs::path states_in = folder / workload;
        Eruption first(states_in, workload);
        first.study.whole.clear();
        first.run();
        const State whole = first.uninterrupted();
        // After an interruption, some states are missing.
        fs::remove(states_in / "0000000180.state");
        fs::remove(states_in / "0000000420.state");
        fs::remove(states_in / "0000000480.state");
        Eruption second(states_in, workload);
        second.study.whole.clear();
        const results::Document& document = second.run();
        CHECK(document.cases.front().status == results::Status::ok);
        CHECK(second.files().size() == 5);
        check_equal(second.end(), whole);
    }
}

TEST_CASE("a run that begins with a developed state equals the rest of a whole one",
          "[portable][run][states]") {
    const TestFolder folder;
    for (const char* const workload : {"magflow", "sciara_fv3"}) {
        CAPTURE(workload);
        for (int time = 0; time < 2; ++time) {  // makes the state, then reads it
            Eruption rest(folder / workload, workload);
            rest.study.states = 0;
            rest.study.whole.clear();
            rest.study.begin = 200;
            rest.study.generations = 280;
            const results::Document& document = rest.run();
            REQUIRE(document.cases.size() == 2);
            CHECK(rest.files() == std::vector<std::string>{"0000000200.state"});
            const State whole = [&] {
                Eruption all(folder / workload, workload);
                return all.uninterrupted();
            }();
            for (const results::CaseRecord& record : document.cases) {
                REQUIRE(record.status == results::Status::ok);
                CHECK(record.identity.begin == 200);
                CHECK(record.final->checksum ==
                      rest.study.workload->final_state(whole).checksum);
            }
            CHECK(violations(document) == std::vector<std::string>{});
        }
    }
}

TEST_CASE("states of another run are refused with a remedy", "[portable][run][states]") {
    const TestFolder folder;
    const fs::path states_in = folder / "states";
    Eruption(states_in).run();
    const auto remedy = contains("delete it, and it is made again, or choose another folder");
    {
        Eruption other(states_in);
        other.study.initial.seed = 4;
        CHECK_THAT(refusal(other), contains("belongs to another ground") && remedy);
    }
    {
        Eruption other(states_in);
        other.study.problem.parameters.set("pulse", {5});
        CHECK_THAT(refusal(other), contains("another parameter pulse") && remedy);
    }
    {
        Eruption other(states_in, "magflow", ElementType::float64);
        CHECK_THAT(refusal(other), contains("is of float32 cells, not float64") && remedy);
    }
    {
        Eruption other(states_in, "sciara_fv3");
        CHECK_THAT(refusal(other), contains("is of workload magflow") && remedy);
    }
    const fs::path state = states_in / "0000000180.state";
    const std::string text = results_test::text_of(state);
    const auto with_first_line = [&](const std::string& line) {
        std::ofstream(state, std::ios::binary) << line << text.substr(text.find('\n'));
        Eruption same(states_in);
        return refusal(same);
    };
    CHECK_THAT(with_first_line("camber state 7"), contains("has format '7'"));
    // Format 1 has no lines that name the run.
    std::string old = "camber state 1";
    for (std::size_t at = text.find('\n'), next; at < text.size(); at = next) {
        next = std::min(text.find('\n', at + 1), text.size());
        if (text.compare(at, 8, "\norigin ") == 0) continue;
        old += text.substr(at, next - at);
        if (text.compare(at, 6, "\ncells") == 0) {
            old += text.substr(next);
            break;
        }
    }
    std::ofstream(state, std::ios::binary) << old;
    Eruption same(states_in);
    CHECK_THAT(refusal(same), contains("older format 1") && remedy);
}

TEST_CASE("models whose emission counts steps have no states", "[portable][run][states]") {
    const TestFolder folder;
    Eruption eruption(folder / "states", "sciara_fv2", ElementType::float64);
    CHECK_THAT(refusal(eruption), contains("leave out --states"));
}

}  // namespace camber::long_runs_test
