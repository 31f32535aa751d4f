#include "workloads/lava/active_cells.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace camber::lava {
namespace {

std::int64_t cells(const Box& box) {
    return box.empty() ? 0 : std::int64_t{box.rows()} * box.columns();
}

Box nothing(Size size) {
    return {size.rows, 0, size.columns, 0};
}

// Bounding box of two boxes; an empty box has no effect.
Box united(const Box& a, const Box& b) {
    return {std::min(a.first_row, b.first_row), std::max(a.end_row, b.end_row),
            std::min(a.first_column, b.first_column), std::max(a.end_column, b.end_column)};
}

struct Cut {
    std::int64_t saved = 0;  // cells that the cut saves
    Part first, second;
};

// Finds the cut between two lines of a part that saves most cells. `lines` are the bounding boxes
// of the part's rows, or of its columns; areas(i) returns the two areas that a cut before line i
// separates.
template <class Areas>
void try_cuts(const std::vector<Box>& lines, const Box& whole, Size size, const Areas& areas,
              Cut& best) {
    std::vector<Box> behind(lines.size() + 1, nothing(size));  // bounding box of lines i and later
    for (std::size_t i = lines.size(); i-- > 0;) behind[i] = united(lines[i], behind[i + 1]);
    Box before = nothing(size);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        before = united(before, lines[i - 1]);
        const std::int64_t saved = cells(whole) - cells(before) - cells(behind[i]);
        if (saved <= best.saved) continue;
        const auto [first, second] = areas(static_cast<int>(i));
        best = {saved, {first, before}, {second, behind[i]}};
    }
}

Cut best_cut(const Mask& mask, Size size, const Part& part) {
    const Box& area = part.area;
    std::vector<Box> rows(static_cast<std::size_t>(area.rows()), nothing(size));
    std::vector<Box> columns(static_cast<std::size_t>(area.columns()), nothing(size));
    for (int row = area.first_row; row < area.end_row; ++row)
        for (int column = area.first_column; column < area.end_column; ++column)
            if (mask[static_cast<std::size_t>(row) * size.columns + column] != 0) {
                rows[row - area.first_row].include(row, column);
                columns[column - area.first_column].include(row, column);
            }
    Cut best;
    try_cuts(
        rows, part.box, size,
        [&](int i) {
            Box above = area, below = area;
            above.end_row = below.first_row = area.first_row + i;
            return std::pair(above, below);
        },
        best);
    try_cuts(
        columns, part.box, size,
        [&](int i) {
            Box left = area, right = area;
            left.end_column = right.first_column = area.first_column + i;
            return std::pair(left, right);
        },
        best);
    return best;
}

}  // namespace

Mask with_ring(const Mask& mask, Size size) {
    Mask result(mask.size(), 0);
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            if (mask[static_cast<std::size_t>(row) * size.columns + column] == 0) continue;
            const Box ring = Box{row, row + 1, column, column + 1}.grown(size);
            for (int r = ring.first_row; r < ring.end_row; ++r)
                for (int c = ring.first_column; c < ring.end_column; ++c)
                    result[static_cast<std::size_t>(r) * size.columns + c] = 1;
        }
    return result;
}

Box box_in(const Mask& mask, Size size, const Box& part) {
    Box box = nothing(size);
    for (int row = part.first_row; row < part.end_row; ++row)
        for (int column = part.first_column; column < part.end_column; ++column)
            if (mask[static_cast<std::size_t>(row) * size.columns + column] != 0)
                box.include(row, column);
    return box;
}

std::vector<Part> guillotine(const Mask& mask, Size size, int most) {
    const Box board{0, size.rows, 0, size.columns};
    std::vector<Part> parts{{board, box_in(mask, size, board)}};
    std::vector<Cut> cuts{best_cut(mask, size, parts[0])};  // best cut of each part
    while (static_cast<int>(parts.size()) < most) {
        const auto best = std::max_element(
            cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.saved < b.saved; });
        if (best->saved == 0) break;
        const Cut cut = *best;
        const auto place = best - cuts.begin();
        parts[place] = cut.first;
        cuts[place] = best_cut(mask, size, cut.first);
        parts.push_back(cut.second);
        cuts.push_back(best_cut(mask, size, cut.second));
    }
    return parts;
}

std::vector<int> in_order_of_arrival(Mask set, const Mask& vents, Size size) {
    std::vector<int> cells;
    const auto add_around = [&](int cell) {
        const int row = cell / size.columns, column = cell % size.columns;
        for (int r = std::max(0, row - 1); r <= std::min(size.rows - 1, row + 1); ++r)
            for (int c = std::max(0, column - 1); c <= std::min(size.columns - 1, column + 1); ++c) {
                const int neighbor = r * size.columns + c;
                if (std::exchange(set[neighbor], 0) != 0) cells.push_back(neighbor);
            }
    };
    for (std::size_t i = 0; i < vents.size(); ++i)
        if (vents[i] != 0) add_around(static_cast<int>(i));
    for (std::size_t at = 0; at < cells.size(); ++at) add_around(cells[at]);
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] != 0) cells.push_back(static_cast<int>(i));
    return cells;
}

}  // namespace camber::lava
