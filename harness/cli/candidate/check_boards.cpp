#include "harness/cli/candidate/check_boards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/cli/common/candidates.hpp"

namespace camber {

namespace {

constexpr std::int64_t most_checked_cells = 1 << 18;  // some seconds on one CPU core
constexpr const char* odd_board = "70x50";            // no usual block divides it
constexpr const char* even_board = "768x48";          // most blocks divide it

bool divide(const std::vector<Region>& regions, Size size) {
    return std::ranges::all_of(regions, [&](const Region& region) {
        return size.columns % region.columns == 0 && size.rows % region.rows == 0;
    });
}

std::int64_t common_multiple(const std::vector<Region>& regions, int Region::*extent) {
    constexpr std::int64_t most = 1 << 16;
    std::int64_t multiple = 1;
    for (const Region& region : regions)
        if (region.*extent > 0)
            multiple = std::min(std::lcm(multiple, std::int64_t{region.*extent}), most);
    return multiple;
}

// The largest number up to `most` that is `extent` less a multiple of `step`; at least the smallest
// such number that is positive.
int reduced(int extent, std::int64_t step, std::int64_t most) {
    if (extent <= most) return extent;
    const std::int64_t steps = (extent - std::max<std::int64_t>(most, 1) + step - 1) / step;
    const std::int64_t smaller = extent - steps * step;
    return static_cast<int>(smaller > 0 ? smaller : smaller + step);
}

// The problem that a file of run.candidates says it is for.
struct SaidOfFile {
    std::string file;
    SaidProblem said;
};
std::vector<SaidOfFile> said_of_files(const RunOptions& run) {
    std::vector<SaidOfFile> all;
    for (const CandidatePoint& point : candidate_points(run))
        if (all.empty() || all.back().file != point.file.string())
            all.push_back({point.file.string(), problem_said_by(point.file, point.settings)});
    return all;
}

}  // namespace

Size board_like(Size size, const std::vector<Region>& regions, std::int64_t most_cells) {
    if (size.cells() <= most_cells) return size;
    const std::int64_t columns = common_multiple(regions, &Region::columns);
    const std::int64_t rows = common_multiple(regions, &Region::rows);
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most_cells)));
    // A board that is wide or high stays so.
    Size board;
    board.rows = reduced(size.rows, rows, std::max(side, most_cells / size.columns));
    board.columns = reduced(size.columns, columns, most_cells / board.rows);
    board.rows = reduced(size.rows, rows, most_cells / board.columns);
    return board;
}

std::vector<RunOptions> checks_after(const RunOptions& run, Size verified,
                                     const std::vector<Region>& regions) {
    const Size board = board_like(verified, regions, most_checked_cells);
    const std::string size = fmt::format("{}x{}", board.columns, board.rows);
    RunOptions checked = run;
    checked.variants.clear();
    checked.backend = name(Backend::simt);
    checked.size = size;
    checked.input.clear();
    checked.generations = 0;
    // Kernels may treat boards that their blocks divide in another way.
    RunOptions other = checked;
    other.size = divide(regions, board) ? odd_board : even_board;
    other.candidates.clear();
    std::vector<std::string> outputs;
    for (const SaidOfFile& one : said_of_files(run)) {
        if (one.said.takes_any_size) other.candidates.push_back(one.file);
        for (const std::string& output : one.said.outputs)
            if (std::ranges::find(outputs, output) == outputs.end()) outputs.push_back(output);
    }
    fmt::print("boards: {}", size);
    if (board == verified)
        fmt::print(", as verified");
    else
        fmt::print(" in place of {}x{}, which takes too long here; blocks fit both alike",
                   verified.columns, verified.rows);
    if (!other.candidates.empty())
        fmt::print("; {} (overhang=yes)", other.size);
    else
        fmt::print("; no other one, because no line says overhang=yes");
    if (outputs.empty())
        fmt::print("\noutputs before a launch: undefined\n");
    else
        fmt::print("\noutputs before a launch: {}\n", fmt::join(outputs, ", "));
    std::vector<RunOptions> checks{checked};
    if (!other.candidates.empty() && size != other.size) checks.push_back(other);
    return checks;
}

std::string sizes_to_check(const RunOptions& run) {
    if (run.candidates.empty()) return "";
    for (const SaidOfFile& one : said_of_files(run))
        if (!one.said.takes_any_size) return even_board;
    return "";
}

}  // namespace camber
