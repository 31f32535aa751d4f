#include "harness/measure/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {

ConfidenceRule::ConfidenceRule(const ConfidenceParameters& parameters) : parameters_(parameters) {
    if (!(parameters.relative_half_width > 0) || !(parameters.budget_seconds > 0)) {
        throw std::invalid_argument("a stopping rule needs a positive width and time budget");
    }
    if (parameters.minimum_samples == 0 ||
        parameters.maximum_samples < parameters.minimum_samples) {
        throw std::invalid_argument("a stopping rule needs 1 <= minimum <= maximum samples");
    }
}

bool ConfidenceRule::converged(std::span<const double> samples) const {
    if (samples.size() < parameters_.minimum_samples) return false;
    const SampleStatistics statistics = summarize(samples, parameters_.seed);
    const double half_width = (statistics.ci95_high - statistics.ci95_low) / 2;
    return half_width <= parameters_.relative_half_width * std::abs(statistics.median);
}

std::optional<std::string> ConfidenceRule::verdict(std::span<const double> samples,
                                                   double elapsed_seconds) {
    const std::size_t n = samples.size();
    if (n == 0) return std::nullopt;
    if (n <= last_checked_) last_checked_ = 0;

    const bool out_of_samples = n >= parameters_.maximum_samples;
    const bool out_of_time = elapsed_seconds >= parameters_.budget_seconds;
    // Each check sorts all samples. Checking whenever n has grown by a tenth limits the cost of all
    // checks to a small multiple of the last one.
    const bool due = n > last_checked_ + last_checked_ / 10;
    if (n >= parameters_.minimum_samples && (due || out_of_samples || out_of_time)) {
        last_checked_ = n;
        if (converged(samples)) return "converged";
    }
    if (out_of_time) return "time budget";
    if (out_of_samples) return "sample limit";
    return std::nullopt;
}

std::string baseline_name(const Workload& workload, const Registry& registry) {
    const Variant* baseline = baseline_of(registry, workload.name());
    return baseline ? baseline->info.name() : "";
}

bool is_divided(const Study& study) {
    return !study.variants.empty() && study.variants.front()->info.group;
}

Communicator* ranks_of(const Study& study) {
    return is_divided(study) ? study.variants.front()->info.group->ranks : nullptr;
}

std::vector<Case> cases_of(const Study& study) {
    std::vector<Case> cases;
    for (const Variant* variant : study.variants)
        for (const Conditions& conditions : study.conditions)
            cases.push_back({variant, conditions});
    return cases;
}

std::vector<Case> order_of_round(const Study& study, int round) {
    std::vector<Case> cases = cases_of(study);
    if (!study.time) return cases;
    // Fisher-Yates shuffle, written out because the standard does not define the result of
    // std::shuffle.
    const std::uint64_t stream = mix(study.order_seed, study.process) ^ mix(round, 0);
    for (std::size_t i = cases.size(); i > 1; --i)
        std::swap(cases[i - 1], cases[mix(stream, i) % i]);
    // Whole runs save the states that the other cases start from.
    std::ranges::stable_partition(
        cases, [&](const Case& chosen) { return study.is_whole(*chosen.variant); });
    return cases;
}

namespace {

// "/gpus:2/copies/overlap" or "/ranks:2/mpi/overlap", with the settings of the division that differ
// from the default.
std::string name_of(const GroupChoice& group) {
    std::string name =
        fmt::format("/{}:{}/{}{}", group.ranks ? "ranks" : "gpus", group.places(),
                    camber::name(group.exchange.path), group.exchange.overlap ? "/overlap" : "");
    if (group.exchange.buffers == BorderBuffers::one) name += "/buffers:1";
    if (group.exchange.host_wait != HostWait::driver)
        name += fmt::format("/wait:{}", camber::name(group.exchange.host_wait));
    if (group.exchange.minimum == Minimum::lagged) name += "/minimum:lagged";
    const Division& division = group.division;
    const Division usual;
    if (division.partition != usual.partition)
        name += fmt::format("/{}", camber::name(division.partition));
    if (std::ranges::any_of(division.weights, [](int weight) { return weight != 1; }))
        name += fmt::format("/weights:{}", fmt::join(division.weights, ":"));
    const Balancing& balancing = division.balancing;
    if (balancing.rule != BalanceRule::none)
        name += fmt::format("/balance:{}:{}:{}", camber::name(balancing.rule), balancing.every,
                            balancing.rows);
    else if (division.start.progressive)
        name += fmt::format("/progressive:{}", division.start.blocks_per_multiprocessor);
    else if (division.allocation == Allocation::whole)
        name += "/whole";
    if (division.halo_depth != 1) name += fmt::format("/depth:{}", division.halo_depth);
    if (division.edge_share != usual.edge_share)
        name +=
            division.edge_share == 0 ? "/edge:sent" : fmt::format("/edge:{}", division.edge_share);
    return name;
}

}  // namespace

std::string case_name(const Study& study, const Case& chosen) {
    const std::string place =
        study.place ? fmt::format("/{}:{}", key(study.place->unit), study.place->units) : "";
    // A slash separates the parts of a case name.
    std::string rule = study.problem.parameters.rule();
    std::erase(rule, '/');
    return fmt::format("{}/{}x{}/{}/{}{}{}{}{}{}{}{}{}", chosen.variant->info.name(),
                       study.problem.size.columns, study.problem.size.rows,
                       info(study.problem.cell).name, name(study.backend),
                       rule.empty() ? "" : "/rule:" + rule,
                       study.problem.boundary == Boundary::torus ? "/torus" : "",
                       chosen.conditions.cache == CacheState::cold ? "/cold" : "",
                       chosen.conditions.submission == Submission::graph ? "/graph" : "",
                       study.from_start ? "/from_start" : "",
                       study.begin > 0 ? fmt::format("/begin:{}", study.begin) : "", place,
                       chosen.variant->info.group ? name_of(*chosen.variant->info.group) : "");
}

int thread_count(int requested) {
    return requested > 0 ? requested : omp_get_num_procs();
}

std::size_t board_bytes(const Study& study) {
    return static_cast<std::size_t>(static_cast<double>(study.problem.size.cells()) *
                                    study.workload->facts().stored.bytes(study.problem.cell));
}

void check_memory(const Study& study, const Queue& queue) {
    // Host: initial, expected and actual state, the reference's second buffer and a state to save.
    // Device: two buffers.
    const std::size_t field = board_bytes(study);
    const auto host_field =
        static_cast<std::size_t>(static_cast<double>(study.problem.size.cells()) *
                                 study.workload->facts().stored.host_bytes(study.problem.cell));
    const std::string board = fmt::format("a board of {}x{} {} cells", study.problem.size.columns,
                                          study.problem.size.rows, info(study.problem.cell).name);
    const bool on_device = study.backend == Backend::cuda;
    const std::size_t host_needed = ((on_device ? 4 : 6) + (study.saves ? 1 : 0)) * host_field;
    if (const std::size_t free = available_host_memory(); host_needed > free)
        report_memory_shortage(board + " on the host", host_needed, free);
    // Each device of a group stores only a part of the board, whose size is determined when it
    // allocates the memory.
    if (const std::size_t free = queue.limits().available_memory;
        on_device && !is_divided(study) && 2 * field > free)
        report_memory_shortage(board + " on the device", 2 * field, free);
}

}  // namespace camber
