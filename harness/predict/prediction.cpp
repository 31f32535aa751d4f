#include "harness/predict/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/board_extrapolation.hpp"

namespace camber {

namespace {

class Predictor {
  public:
    Predictor(const Variant& variant, const Problem& problem, const InitialData& initial,
              const Architecture& architecture, const PredictionLimits& limits)
        : variant_(variant),
          problem_(problem),
          limits_(limits),
          tracer_(variant, problem, initial, architecture.rules) {
        result_.variant = &variant;
        result_.problem = problem;
        result_.architecture = architecture;
        if (const auto reason = reason_not_to_model(variant, problem))
            throw Error(ExitCode::usage,
                        fmt::format("{} cannot be modelled: it {}", variant.info.name(), *reason));
    }

    Prediction predict() {
        if (!extrapolate()) {
            if (auto blocks = blocks_within_work())
                sample(std::move(*blocks));
            else if (problem_.size.cells() <= limits_.simulated_cells)
                simulate();
            else
                sample({});
        }
        const simt::SiteTable& table = tracer_.sites();
        for (simt::SiteId id = 0; id < table.size(); ++id)
            result_.sites.push_back({table.describe(id), table.describe_with_path(id),
                                     site_key(table, id), table[id].file, table[id].line,
                                     table[id].column});
        return std::move(result_);
    }

  private:
    // Returns false if the counts cannot be derived from small boards.
    bool extrapolate() {
        if (!limits_.may_extrapolate) return false;
        const BoardExtrapolation boards = extrapolate_boards(tracer_);
        result_.data_dependent = boards.data_dependent;
        if (!boards.small_board) return false;
        result_.method = Method::extrapolated;
        result_.small_board = boards.small_board;
        for (const TracedLaunch& launch : boards.launches) add_kernel(launch);
        return true;
    }

    void simulate() {
        result_.method = Method::simulated;
        for (const TracedLaunch& launch : tracer_.trace()) add_kernel(launch);
    }

    // Blocks that are not recorded run in all launches but the last one, whose output none reads.
    std::size_t count_launches() {
        return tracer_
            .trace([](std::size_t, const simt::Launch&) {
                return BlockChoice{BlockChoice::Kind::none, {}};
            })
            .size();
    }

    // Number of blocks of each launch whose recording takes a few seconds; nullopt if all blocks of
    // all launches may be recorded. A grid-stride kernel has few blocks, but each may process a
    // large part of the board.
    std::optional<std::vector<std::int64_t>> blocks_within_work() {
        if (variant_.file.empty() || !variant_.info.regions.empty()) return std::nullopt;
        const std::size_t count = count_launches();
        const auto launches = tracer_.trace([&](std::size_t number, const simt::Launch& launch) {
            const auto blocks = static_cast<std::int64_t>(launch.grid.count());
            const bool others_run = number + 1 != count;
            if (blocks < 4 || launch.cooperative)
                return BlockChoice{BlockChoice::Kind::none, {}, others_run};
            return BlockChoice{BlockChoice::Kind::some, {blocks / 2}, others_run};
        });
        std::vector<std::int64_t> chosen;
        bool any = false;
        for (const TracedLaunch& launch : launches) {
            const auto blocks = static_cast<std::int64_t>(launch.grid.count());
            chosen.push_back(blocks);
            if (launch.sampled_blocks.empty()) continue;
            const std::int64_t each =
                std::max<std::int64_t>(1, launch.sampled_blocks.front().counts.instructions());
            if (each <= limits_.recorded_instructions / blocks) continue;
            constexpr std::int64_t fewest = 4;  // for an interval
            chosen.back() =
                std::clamp(limits_.recorded_instructions / each, std::min(fewest, blocks), blocks);
            any = any || chosen.back() < blocks;
        }
        return any ? std::optional(std::move(chosen)) : std::nullopt;
    }

    // `most`: number of blocks to record of each launch; empty: as many as the limits say.
    void sample(const std::vector<std::int64_t>& most) {
        result_.method = Method::sampled;
        const std::size_t count = count_launches();
        const auto launches = tracer_.trace([&](std::size_t number, const simt::Launch& launch) {
            const auto blocks = static_cast<std::int64_t>(launch.grid.count());
            const std::int64_t sampled =
                std::min(limits_.sampled_blocks,
                         number < most.size() ? most[number] : limits_.sampled_blocks);
            if (blocks <= sampled || launch.cooperative) return BlockChoice{};
            return BlockChoice{BlockChoice::Kind::some,
                               sample_blocks(blocks, sampled, limits_.sampling_seed + number),
                               number + 1 != count};
        });
        for (const TracedLaunch& launch : launches) {
            if (launch.sampled_blocks.empty()) {
                add_kernel(launch);
                continue;
            }
            LaunchEstimate estimate = estimate_launch(
                launch.sampled_blocks, static_cast<std::int64_t>(launch.grid.count()));
            result_.kernels.push_back(
                {launch.kernel, launch.grid, launch.block, std::move(estimate.total),
                 static_cast<std::int64_t>(launch.sampled_blocks.size()), std::move(estimate.low),
                 std::move(estimate.high), launch.after, launch.spread, launch.cluster,
                 launch.locality});
        }
    }

    void add_kernel(const TracedLaunch& launch) {
        result_.kernels.push_back({launch.kernel,
                                   launch.grid,
                                   launch.block,
                                   launch.model,
                                   0,
                                   {},
                                   {},
                                   launch.after,
                                   launch.spread,
                                   launch.cluster,
                                   launch.locality});
    }

    const Variant& variant_;
    Problem problem_;
    PredictionLimits limits_;
    ProblemTracer tracer_;
    Prediction result_;
};

}  // namespace

std::optional<std::string> reason_not_to_model(const Variant& variant, const Problem& problem) {
    return reason_to_skip(variant, problem, variant.info.shape.generations,
                          simt::HostQueue(1).limits(), Backend::simt);
}

Prediction predict(const Variant& variant, const Problem& problem, const InitialData& initial,
                   const Architecture& architecture, const PredictionLimits& limits) {
    const CandidatePurpose purpose("model it");
    return Predictor(variant, problem, initial, architecture, limits).predict();
}

}  // namespace camber
