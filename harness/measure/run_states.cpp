#include "harness/measure/long_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/record/context.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr const char* ground_origin = "ground";
constexpr const char* boundary_origin = "boundary";
constexpr const char* maker_origin = "by";

constexpr std::string_view on_cpu = "the CPU";

// Parameter of models whose emission follows the number of steps before the run, which a state of
// the run does not contain.
constexpr const char* steps_before_parameter = "first_step";

// States of long runs begin at multiples of this, so that they suit variants with several
// generations per launch and with lists that are sorted every few steps.
constexpr int usual_unit = 96;

// States are made in pieces of so many launches, between which the process can be stopped.
constexpr int piece = 960;

// Folders that nothing was written to for so long are removed.
constexpr auto longest_age = std::chrono::hours(24 * 30);

// Parameters of how devices share particles, which no state depends on.
bool determines_states(std::string_view parameter) {
    return parameter != "balance_threshold" && parameter != "divide_by" &&
           parameter != "divide_along";
}

std::string checksum_text(const State& state) {
    Checksum sum;
    for (const HostField& field : state.fields) sum.add(field.bytes());
    return fmt::format("{:016x}", sum.value());
}

fs::path cached_states() {
    if (const fs::path cache = CacheFolder::of_user().path(); !cache.empty())
        return cache / "states";
    throw Error(ExitCode::usage,
                "there is no cache folder for saved states, because neither HOME nor "
                "XDG_CACHE_HOME is set: give a folder with --states-in");
}

// Name that differs for runs that differ in anything that determines their states.
std::string folder_name(const Study& study, const std::string& ground) {
    std::string key = fmt::format("{} {} {}", info(study.problem.cell).name,
                                  name(study.problem.boundary), ground);
    for (const auto& [name, values] : study.problem.parameters.all()) {
        if (!determines_states(name)) continue;
        key += " " + name;
        for (const double value : values) key += fmt::format(" {:a}", value);
    }
    Checksum sum;
    for (const char byte : key) sum.add(static_cast<std::uint8_t>(byte));
    return fmt::format("{}-{}-{:016x}", study.workload->name(), info(study.problem.cell).name,
                       sum.value());
}

void remove_old_folders(const fs::path& among) {
    std::error_code ignored;
    const auto now = fs::file_time_type::clock::now();
    for (const fs::directory_entry& entry : fs::directory_iterator(among, ignored))
        if (const auto written = fs::last_write_time(entry, ignored);
            !ignored && now - written > longest_age)
            fs::remove_all(entry, ignored);
}

}  // namespace

std::vector<int> state_generations(int generations, int count) {
    if (generations < 2 * count)
        throw Error(ExitCode::usage,
                    fmt::format("{} saved states are too many for a run of {} generations: give "
                                "fewer --states, or more --generations",
                                count, generations));
    const int unit = generations / (2 * count) >= 10 * usual_unit ? usual_unit : 1;
    std::vector<int> numbers;
    for (std::int64_t k = 0; k < count; ++k)
        numbers.push_back(
            static_cast<int>(generations * (2 * k + 1) / (2 * count) / unit * unit));
    numbers.push_back(generations);
    return numbers;
}

RunStates::RunStates(const Study& study, const State& initial, std::vector<int> generations)
    : study_(study),
      ground_(checksum_text(initial)),
      generations_(std::move(generations)),
      folder_(study.state_folder) {
    // Particles resume from their state alone.
    const WorkloadCapabilities can = study.workload->capabilities();
    if (!can.parameter_start &&
        (!can.eruption || study.problem.parameters.all().contains(steps_before_parameter)))
        throw Error(ExitCode::usage,
                    fmt::format("the states of workload {} do not contain the time of its "
                                "emission, so that no run can begin with them: leave out "
                                "--states and --begin-at, or choose magflow, sciara_fv3 or, with "
                                "--begin-at, sph",
                                study.workload->name()));
    if (!folder_.empty()) return;
    const fs::path all = cached_states();
    remove_old_folders(all);
    folder_ = all / folder_name(study, ground_);
}

fs::path RunStates::path_of(std::size_t index) const {
    return folder_ / fmt::format("{:010}", generations_[index]);
}

bool RunStates::has(std::size_t index) const {
    std::error_code ignored;
    return fs::exists(state_path(path_of(index)), ignored);
}

void RunStates::check(const SavedHead& head, int generation) const {
    const auto refuse = [&](const std::string& what) {
        return Error(ExitCode::usage,
                     fmt::format("the saved state {} {}: delete it, and it is made again, or "
                                 "choose another folder with --states-in",
                                 head.file, what));
    };
    const auto origin = [&](const char* name) {
        const auto found = head.origin.find(name);
        return found == head.origin.end() ? std::string() : found->second;
    };
    if (head.origin.empty())
        throw refuse("is of the older format 1, which does not name its ground");
    if (head.workload != study_.workload->name())
        throw refuse(fmt::format("is of workload {}, not {}", head.workload,
                                 study_.workload->name()));
    if (head.cell != study_.problem.cell)
        throw refuse(fmt::format("is of {} cells, not {}", info(head.cell).name,
                                 info(study_.problem.cell).name));
    if (head.generations != generation)
        throw refuse(fmt::format("is of generation {}, not {}", head.generations, generation));
    if (origin(boundary_origin) != name(study_.problem.boundary))
        throw refuse(fmt::format("has boundary {}, not {}", origin(boundary_origin),
                                 name(study_.problem.boundary)));
    const auto& parameters = study_.problem.parameters.all();
    for (const auto& [name, values] : parameters) {
        if (!determines_states(name)) continue;
        const auto own = head.parameters.find(name);
        if (own == head.parameters.end() || own->second != values)
            throw refuse(fmt::format("is of a run with another parameter {}", name));
    }
    if (head.parameters.size() != parameters.size())
        throw refuse("is of a run with further parameters");
    if (origin(ground_origin) != ground_) throw refuse("belongs to another ground");
}

bool RunStates::has_all() const {
    for (std::size_t k = 0; k < generations_.size(); ++k)
        if (!has(k)) return false;
    return true;
}

void RunStates::check_all() const {
    for (std::size_t k = 0; k < generations_.size(); ++k)
        if (const auto head = read_saved_head(path_of(k))) check(*head, generations_[k]);
}

std::optional<RunStates::Saved> RunStates::read(std::size_t index) const {
    const fs::path path = path_of(index);
    const auto head = read_saved_head(path);
    if (!head) return std::nullopt;
    check(*head, generations_[index]);
    auto saved = read_saved_state(path);
    if (!saved) return std::nullopt;
    const Size size = saved->state.fields.front().size();
    if (size != study_.problem.size)
        throw damaged_state(saved->head.file, "its cells are of another board");
    const auto by = saved->head.origin.find(maker_origin);
    return Saved{std::move(saved->state),
                 by == saved->head.origin.end() ? std::string() : by->second};
}

void RunStates::write(std::size_t index, const State& state, const std::string& by) const {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot make the folder {} for saved states: {}; choose another "
                                "with --states-in",
                                folder_.string(), error.message()));
    SavedHead head{std::string(study_.workload->name()), study_.problem.cell, generations_[index],
                   study_.problem.parameters.all()};
    head.origin = {{ground_origin, ground_},
                   {boundary_origin, std::string(name(study_.problem.boundary))},
                   {maker_origin, by}};
    write_saved_state(state_path(path_of(index)), head, state);
}

State downloaded(const Study& study, Queue& queue, Execution& execution, const State& initial) {
    State state = initial;
    queue.synchronize();
    execution.download(state);
    const auto& account = study.workload->facts().account;
    if (account.size() != 1 || account.front().sign != 1) return state;
    const Flow flow =
        study.workload->capabilities().eruption->flow(state, study.problem.parameters);
    state.account[account.front().name] =
        flow.supplied - state.account.at(lava::initial_account);
    return state;
}

void make_states(const RunStates& states, const Study& study, Queue& queue, Execution& execution,
                 const Variant& variant, const State& initial) {
    const MarkedRange marked("make states");
    const std::string by = maker_text(study, variant);
    const int step = variant.info.shape.generations;
    std::optional<int> at;  // generation that the execution has reached
    for (std::size_t k = 0; k < states.generations().size(); ++k) {
        if (states.has(k)) continue;
        const int before = k > 0 ? states.generations()[k - 1] : 0;
        if (at != before) execution.upload(k > 0 ? states.read(k - 1)->state : initial);
        for (int left = states.generations()[k] - before; left > 0;) {
            check_stop();
            const int now = std::min(left, piece * step);
            if (now % step != 0)
                throw Unsupported(fmt::format("its launches compute {} generations each, which do "
                                              "not end at generation {}, where a state is saved",
                                              step, states.generations()[k]));
            execution.advance(now);
            queue.synchronize();
            left -= now;
        }
        at = states.generations()[k];
        State state = downloaded(study, queue, execution, initial);
        if (const auto own = state.account.find(sph::iterations_account);
            own != state.account.end())
            own->second = initial.account.at(sph::iterations_account) + *at;
        states.write(k, state, by);
    }
}

namespace {

// Generations of the states in `folder` that precede `generation`, in order.
std::vector<int> earlier_states(const fs::path& folder, int generation) {
    std::vector<int> numbers;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().stem().string();
        int number = 0;
        const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
        if (entry.path().extension() == ".state" && read.ec == std::errc() &&
            read.ptr == name.data() + name.size() && number > 0 && number < generation)
            numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

}  // namespace

State developed_state(const Study& study, Queue& queue, const State& initial) {
    const fs::path folder = RunStates(study, initial, {study.begin}).folder();
    std::vector<int> generations = earlier_states(folder, study.begin);
    // Only the last earlier state is needed.
    if (generations.size() > 1) generations.erase(generations.begin(), generations.end() - 1);
    generations.push_back(study.begin);
    const RunStates states(study, initial, generations);
    if (!states.has_all()) {
        const Variant& variant = *study.variants.front();
        const auto execution = variant.factories.at(study.backend)(queue, study.problem);
        make_states(states, study, queue, *execution, variant, initial);
    }
    return std::move(states.read(states.end())->state);
}

bool is_by_cpu(const std::string& maker) {
    return maker.find(fmt::format(" on {}", on_cpu)) != std::string::npos;
}

std::string maker_text(const Study& study, const Variant& variant) {
    std::string machine(on_cpu);
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& device : cuda_devices())
            if (device.index == study.device) machine = device.name;
    const std::string commit(build_info::git_commit);
    return fmt::format("{} on {}{}", variant.info.name(), machine,
                       commit.empty() ? "" : fmt::format(", commit {:.12}", commit));
}

}  // namespace camber
