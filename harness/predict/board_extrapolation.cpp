#include "harness/predict/board_extrapolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "analysis/memory/extrapolation.hpp"
#include "harness/base/layout.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

std::vector<TracedLaunch> ProblemTracer::trace_generated(simt::HostQueue& queue, Size size,
                                                         std::uint64_t seed, double density,
                                                         const ChooseBlocks& choose,
                                                         bool all_work) const {
    const InitialConditions conditions{
        .size = size, .cell = problem_.cell, .seed = seed, .density = density};
    Problem problem = problem_;
    problem.size = size;
    if (initial_.conditions.input) problem.parameters = parameters_for(conditions);
    if (!all_work)
        for (const ParameterInfo& parameter : initial_.workload->facts().parameters)
            if (parameter.repeats_work) problem.parameters.set(parameter.name, {0});
    return trace_launches(queue, variant_, problem, initial_.workload->initial(conditions), rules_,
                          choose);
}

// Parameters of a generated board, which determine its own vents, combined with the problem's
// other parameters.
ParameterSet ProblemTracer::parameters_for(const InitialConditions& conditions) const {
    const ParameterSet of_input = initial_.workload->parameters_for(initial_.conditions);
    ParameterSet result = initial_.workload->parameters_for(conditions);
    for (const auto& [name, values] : problem_.parameters.all())
        if (values != of_input.values(name) && values.size() == result.values(name).size())
            result.set(name, values);
    result.set_rule(problem_.parameters.rule());
    return result;
}

namespace {

// Size of the aligned pieces in Locality::pieces_of_block.
constexpr std::int64_t piece_bytes = 256;

unsigned blocks(int cells, int per_block) {
    return static_cast<unsigned>((cells + per_block - 1) / per_block);
}

class BoardExtrapolator {
  public:
    explicit BoardExtrapolator(ProblemTracer& tracer)
        : tracer_(tracer),
          variant_(tracer.variant()),
          problem_(tracer.problem()),
          cells_per_element_(problem_.cell == ElementType::bits ? bits_per_word : 1),
          target_{problem_.size.columns / cells_per_element_, problem_.size.rows} {}

    // Leaves `small_board` absent if the counts cannot be derived from small boards.
    BoardExtrapolation derive() {
        try {
            extrapolate_launches();
        } catch (const std::invalid_argument&) {
            result_.launches.clear();  // the counts are not bilinear after all
        }
        return std::move(result_);
    }

  private:
    // Size in cells; board plans count the elements in memory.
    Size size_of(BoardSize board) const {
        return {static_cast<int>(board.columns) * cells_per_element_, static_cast<int>(board.rows)};
    }

    void extrapolate_launches() {
        if (variant_.info.regions.empty() || problem_.size.columns % cells_per_element_ != 0)
            return;
        const auto full = plan(common_region());
        if (!full) return;
        reference_ = full->boards()[3];
        BoardPlan boards = plan_for_pitches(*full);
        auto first = tracer_.trace_generated(size_of(boards.boards()[0]), 1, 0.5);
        if (boards.period.rows % row_repeat_of(first) != 0 && !(boards.period == full->period)) {
            boards = *full;  // some block accesses a field of another pitch
            first = tracer_.trace_generated(size_of(boards.boards()[0]), 1, 0.5);
        }
        const Size smallest = size_of(boards.boards()[0]);
        // The grid of a cooperative launch depends on the device, not on the board.
        if (std::ranges::any_of(first, &TracedLaunch::cooperative)) return;
        std::vector<bool> tiling;
        for (const TracedLaunch& launch : first) {
            tiling.push_back(region_of(launch, smallest).has_value());
            if (!tiling.back()) line_block_ = std::lcm(line_block_, launch.block.count());
        }
        const auto one_trace = launches_of_one_trace(boards, tiling, first);
        result_.data_dependent =
            !one_trace && !std::ranges::equal(first, tracer_.trace_generated(smallest, 2, 0), {},
                                              &TracedLaunch::model, &TracedLaunch::model);
        if (*result_.data_dependent || std::ranges::any_of(first, [&](const TracedLaunch& launch) {
                return launch.locality.writers_of_sector > most_neighbours();
            }))
            return;
        const auto tiled =
            one_trace ? *one_trace : launches_on_boards(boards, tiling, true, &first);
        for (std::size_t i = 0; i < first.size(); ++i) {
            TracedLaunch& launch = result_.launches.emplace_back(
                tiling[i] ? continued(boards, tiled, i) : along_lines(tiling, i));
            launch.after.clear();  // those of a small board, as is the spread
            launch.spread = {};
        }
        result_.small_board = size_of(full->boards()[0]);
    }

    // Returns the region by which the blocks of a launch, or the clusters if they are stacked along
    // z, tile a board; nullopt if they do not.
    std::optional<Size> region_of(const TracedLaunch& launch, Size board) const {
        for (const Region region : variant_.info.regions)
            if (launch.grid.x == blocks(board.columns, region.columns) &&
                launch.grid.y == blocks(board.rows, region.rows) &&
                launch.grid.z == launch.cluster.z)
                return Size{region.columns, region.rows};
        return std::nullopt;
    }

    // Maximum number of blocks that write into one sector of a board: horizontal neighbors and, if
    // a row ends inside a sector, its last block and the first block of the next row. If more
    // blocks share a sector, they write into a list with one entry per block, whose sectors are not
    // proportional to the blocks of small boards.
    std::uint32_t most_neighbours() const {
        std::int64_t narrowest = sector_bytes;
        for (const Region region : variant_.info.regions)
            narrowest = std::min<std::int64_t>(
                narrowest, region.columns / cells_per_element_ * variant_.info.smallest_element);
        return static_cast<std::uint32_t>(2 + sector_bytes / std::max<std::int64_t>(1, narrowest));
    }

    // Smallest region that the blocks of all kernels divide.
    BoardSize common_region() const {
        BoardSize common{1, 1};
        for (const Region region : variant_.info.regions)
            common = {std::lcm(common.columns, std::int64_t{region.columns / cells_per_element_}),
                      std::lcm(common.rows, std::int64_t{region.rows})};
        return common;
    }

    std::optional<BoardPlan> plan(BoardSize region) const {
        const VariantInfo& info = variant_.info;
        return plan_boards(target_, region, info.smallest_element,
                           std::max(1, info.shape.alignment));
    }

    // Number of rows after which addresses repeat modulo `piece_bytes`, on all boards of a plan:
    // their pitches differ by whole lines. `launches`: on one of the boards.
    static std::int64_t row_repeat_of(const std::vector<TracedLaunch>& launches) {
        std::int64_t common = line_bytes;
        for (const TracedLaunch& launch : launches) common = std::gcd(common, launch.row_bytes);
        return piece_bytes / common;
    }

    // `full` with as few rows as suffice if addresses repeat after `row_repeat` rows, and blocks
    // access `reach` rows, above and below together, beyond those of their region.
    BoardPlan shortened(const BoardPlan& full, std::int64_t row_repeat, std::int64_t reach) const {
        const std::int64_t region = common_region().rows;
        const std::int64_t least =
            region * std::max<std::int64_t>(3, 2 + (reach + region - 1) / region);
        const AxisPlan rows = plan_axis(target_.rows, region, row_repeat, least);
        if (rows.sizes[0] == rows.sizes[1] || total_size(rows.sizes) >= total_size(full.rows))
            return full;
        return {full.columns, rows.sizes, {full.period.columns, rows.period}};
    }

    // Plan with fewer rows than `full`, which is right for any pitch, if the fields that a block
    // accesses have pitches that permit this, and all launches tile the board.
    BoardPlan plan_for_pitches(const BoardPlan& full) {
        if (!variant_.file.empty() ||
            shortened(full, piece_bytes / line_bytes, 0).period == full.period)
            return full;
        const Size size = size_of(full.boards()[0]);
        bool is_cooperative = false;
        std::size_t count = 0;  // launches
        // Traces the middle block of each of the first `traced` launches.
        const auto middle_blocks = [&](std::size_t traced) {
            simt::HostQueue queue(1);  // does not number the tracer's sites
            const auto choose = [&](std::size_t number, const simt::Launch& launch) {
                count = number + 1;
                is_cooperative = is_cooperative || launch.cooperative;
                if (is_cooperative || number >= traced)
                    return BlockChoice{BlockChoice::Kind::none, {}};
                const std::int64_t middle = launch.grid.x / 2 + launch.grid.y / 2 * launch.grid.x;
                return BlockChoice{BlockChoice::Kind::some, {middle}, number + 1 < traced};
            };
            return tracer_.trace_generated(queue, size, 1, 0.5, choose);
        };
        // Most steps are a single launch, after which no block reads what the others have written.
        auto launches = middle_blocks(1);
        if (count > 1 && !is_cooperative) launches = middle_blocks(count);
        if (is_cooperative) return full;
        std::int64_t reach = 0;
        for (const TracedLaunch& launch : launches) {
            const auto region = region_of(launch, size);
            if (!region) return full;
            reach = std::max(reach, launch.row_span - region->rows);
        }
        return shortened(full, row_repeat_of(launches), reach);
    }

    // Launches on the plan's boards, from a trace of the largest board with other data than
    // `first`, the launches on the smallest board. nullopt if the blocks that both boards have make
    // other accesses, because of the data or because of the board.
    std::optional<std::array<std::vector<TracedLaunch>, 4>> launches_of_one_trace(
        const BoardPlan& plan, const std::vector<bool>& tiling,
        const std::vector<TracedLaunch>& first) {
        // Blocks at the edges, and their neighbors, are on both boards.
        const auto inserted = [](unsigned small, unsigned large) {
            return std::array{(small + 1) / 2, (small + 1) / 2 + large - small};
        };
        const auto choose = [&](bool tiled) {
            return [&, tiled](std::size_t number, const simt::Launch& launch) {
                if (number >= first.size() || tiling[number] != tiled)
                    return BlockChoice{BlockChoice::Kind::none, {}};
                const simt::Extent3& small = first[number].grid;
                return BlockChoice{BlockChoice::Kind::all,
                                   {},
                                   false,
                                   InsertedBlocks{inserted(small.x, launch.grid.x),
                                                  inserted(small.y, launch.grid.y)}};
            };
        };
        const auto boards = plan.boards();
        const auto all = tracer_.trace_generated(size_of(boards[3]), 2, 0, choose(true));
        if (all.size() != first.size()) return std::nullopt;
        std::array<std::vector<TracedLaunch>, 4> launches{first, all, all, all};
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (!tiling[i]) continue;
            if (all[i].smaller[0].model != first[i].model) return std::nullopt;
            // Blocks with wide halos touch sectors in another order if blocks lie between them.
            const auto order = [](const Locality& locality) {
                return std::tie(locality.of_step, locality.touched_before, locality.read_beside);
            };
            if (order(all[i].smaller[0].locality) != order(first[i].locality)) return std::nullopt;
            for (const int board : {1, 2}) {
                launches[board][i].model = all[i].smaller[board].model;
                launches[board][i].locality = all[i].smaller[board].locality;
            }
        }
        if (std::ranges::all_of(tiling, std::identity())) return launches;
        const auto others = tracer_.trace_generated(size_of(boards[0]), 2, 0, choose(false));
        for (std::size_t i = 0; i < first.size(); ++i)
            if (!tiling[i] && others[i].model != first[i].model) return std::nullopt;
        return launches;
    }

    // Traces the plan's boards in order: the launches that tile the board if `tiled`, else the
    // other launches. `first`: all launches on the first board, if already traced.
    std::array<std::vector<TracedLaunch>, 4> launches_on_boards(
        const BoardPlan& plan, const std::vector<bool>& tiling, bool tiled,
        const std::vector<TracedLaunch>* first = nullptr) {
        std::array<std::vector<TracedLaunch>, 4> launches;
        const auto boards = plan.boards();
        for (std::size_t i = 0; i < boards.size(); ++i) {
            const auto same = std::find(boards.begin(), boards.begin() + i, boards[i]);
            if (same != boards.begin() + i)
                launches[i] = launches[same - boards.begin()];
            else if (i == 0 && first)
                launches[i] = *first;
            else
                launches[i] = trace_some(size_of(boards[i]), tiling, tiled);
        }
        return launches;
    }

    std::vector<TracedLaunch> trace_some(Size size, const std::vector<bool>& tiling, bool tiled) {
        const auto choose = [&](std::size_t number, const simt::Launch&) {
            const bool wanted = number < tiling.size() && tiling[number] == tiled;
            return BlockChoice{wanted ? BlockChoice::Kind::all : BlockChoice::Kind::none, {}};
        };
        auto launches = tracer_.trace_generated(size, 1, 0.5, choose, tiled);
        if (launches.size() != tiling.size())
            throw std::invalid_argument("boards of different size have different kernels");
        return launches;
    }

    TracedLaunch continued(const BoardPlan& plan,
                           const std::array<std::vector<TracedLaunch>, 4>& launches,
                           std::size_t i) const {
        TracedLaunch result = launches[0][i];
        result.model = extrapolate(plan,
                                   {launches[0][i].model, launches[1][i].model,
                                    launches[2][i].model, launches[3][i].model},
                                   target_);
        result.locality = locality_of(plan, launches, i, result.model.distinct_sectors);
        const Size region = *region_of(launches[0][i], size_of(plan.boards()[0]));
        result.grid.x = blocks(problem_.size.columns, region.columns);
        result.grid.y = blocks(problem_.size.rows, region.rows);
        return result;
    }

    // Extrapolates sectors like all counts. If some launch does not tile the board, it was
    // traced on the smallest board only; then the figures of the reference board are scaled by
    // the kernel's distinct sectors.
    Locality locality_of(const BoardPlan& plan,
                         const std::array<std::vector<TracedLaunch>, 4>& launches, std::size_t i,
                         std::int64_t sectors) const {
        Locality result = launches[3][i].locality;
        // Extrapolates numbers of a launch to a board.
        const auto at = [&](BoardSize board, auto&& numbers_of) {
            std::array<std::vector<std::int64_t>, 4> counts;
            for (std::size_t b = 0; b < 4; ++b) counts[b] = numbers_of(launches[b][i]);
            return extrapolate(plan, {counts[0], counts[1], counts[2], counts[3]}, board);
        };
        result.read_beside = at(target_, [](const TracedLaunch& launch) {
                                 return std::vector{launch.locality.read_beside};
                             }).front();
        if (launches[3][i].model.blocks > 0) {
            const auto pieces = at(reference_, [](const TracedLaunch& launch) {
                const std::int64_t pieces = std::llround(launch.locality.pieces_of_block *
                                                         static_cast<double>(launch.model.blocks));
                return std::vector{launch.model.blocks, pieces};
            });
            result.pieces_of_block =
                static_cast<double>(pieces[1]) / static_cast<double>(pieces[0]);
        }
        const auto step = [](const TracedLaunch& launch) {
            std::vector<std::int64_t> counts = launch.locality.touched_before;
            counts.push_back(launch.locality.of_step);
            counts.push_back(launch.model.distinct_sectors);
            return counts;
        };
        const auto traced = [](const TracedLaunch& launch) { return launch.model.blocks > 0; };
        const bool all_traced = std::ranges::all_of(launches[3], traced);
        std::vector<std::int64_t> counts = at(all_traced ? target_ : reference_, step);
        const auto own = std::max<std::int64_t>(1, counts.back());
        counts.pop_back();
        result.of_step = counts.back();
        counts.pop_back();
        result.touched_before = std::move(counts);
        if (all_traced) return result;
        const auto grown = [&](std::int64_t small) {
            return static_cast<std::int64_t>(static_cast<double>(small) *
                                             static_cast<double>(sectors) /
                                             static_cast<double>(own));
        };
        std::ranges::transform(result.touched_before, result.touched_before.begin(), grown);
        result.of_step = grown(result.of_step);
        return result;
    }

    // Extrapolates a kernel whose threads follow the board's sides. If the line of one side ends
    // and the next begins inside a block, sides that grow by whole blocks preserve the position of
    // that boundary. Boards for these lines are large.
    TracedLaunch along_lines(const std::vector<bool>& tiling, std::size_t i) {
        if (!lines_) {
            // Wide enough that no block spans two such boundaries.
            const auto threads = static_cast<std::int64_t>(line_block_);
            lines_plan_ = plan({threads, threads});
            if (lines_plan_)
                lines_ = launches_on_boards(*lines_plan_, tiling, false);
            else
                lines_.emplace()[0] = trace_some(problem_.size, tiling, false);
        }
        TracedLaunch result = (*lines_)[0][i];
        if (!lines_plan_) return result;
        const auto& all = *lines_;
        result.model = extrapolate(
            *lines_plan_, {all[0][i].model, all[1][i].model, all[2][i].model, all[3][i].model},
            target_);
        std::array<std::vector<std::int64_t>, 4> blocks;
        for (std::size_t b = 0; b < 4; ++b)
            blocks[b] = {static_cast<std::int64_t>(all[b][i].grid.count())};
        result.grid = {static_cast<unsigned>(
            extrapolate(*lines_plan_, {blocks[0], blocks[1], blocks[2], blocks[3]}, target_)[0])};
        return result;
    }
    ProblemTracer& tracer_;
    const Variant& variant_;
    const Problem& problem_;
    int cells_per_element_;
    BoardSize target_;
    BoardSize reference_;  // determines the averages over all blocks of a launch
    BoardExtrapolation result_;
    // State of along_lines().
    std::uint64_t line_block_ = 1;  // threads: a multiple of every such kernel's block size
    std::optional<BoardPlan> lines_plan_;
    std::optional<std::array<std::vector<TracedLaunch>, 4>> lines_;
};

}  // namespace

BoardExtrapolation extrapolate_boards(ProblemTracer& tracer) {
    try {
        return BoardExtrapolator(tracer).derive();
    } catch (const simt::KernelFault&) {
        // A kernel from a file may run only on boards of its own size.
        if (tracer.variant().file.empty()) throw;
        return {};
    }
}

}  // namespace camber
