// Picture of one warp's access, a page of `camber model`.
#include "harness/cli/model/page.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <set>

#include "analysis/memory/picture.hpp"
#include "harness/base/error.hpp"
#include "harness/predict/capture.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber {

namespace {

const CallSite& site_of(const Prediction& prediction, const SiteRow& row) {
    return prediction.sites.at(static_cast<std::size_t>(row.site));
}

// True if `place` names the row: by its number ("s3"), its line ("31") or its file and line.
bool means(const std::string& place, const SiteRow& row, const CallSite& site) {
    return place == fmt::format("s{}", row.number) || place == site.place ||
           place == std::to_string(site.line);
}

// Rows at `place`, in the order of the table: the most wasteful first.
std::vector<SiteRow> rows_at(const std::string& place, const Prediction& prediction) {
    std::vector<SiteRow> rows = site_rows(prediction);
    std::set<std::string> places;
    for (const SiteRow& row : rows) places.insert(site_of(prediction, row).place);
    const auto last = rows.empty() ? 0 : rows.back().number;
    std::erase_if(rows,
                  [&](const SiteRow& row) { return !means(place, row, site_of(prediction, row)); });
    std::set<std::string> files;
    for (const SiteRow& row : rows) files.insert(site_of(prediction, row).file);
    if (rows.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("{} has no memory access at '{}': choose {}, or a site from s1 to s{}",
                        prediction.variant->info.name(), place, fmt::join(places, ", "), last));
    if (files.size() > 1)
        throw Error(ExitCode::usage, fmt::format("line {} is in several files, {}: write FILE:{}",
                                                 place, fmt::join(files, " and "), place));
    return rows;
}

simt::Index3 parse_block(const std::string& text, const simt::Extent3& grid) {
    unsigned x = 0;
    unsigned y = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, x);
    bool valid = first.ec == std::errc() && first.ptr != end && *first.ptr == ',';
    if (valid) {
        const auto second = std::from_chars(first.ptr + 1, end, y);
        valid = second.ec == std::errc() && second.ptr == end;
    }
    if (!valid)
        throw Error(ExitCode::usage,
                    fmt::format("block '{}' is not X,Y: write for example --block 1,2", text));
    if (x >= grid.x || y >= grid.y)
        throw Error(ExitCode::usage, fmt::format("block {} does not exist: the grid has blocks 0,0 "
                                                 "to {},{}",
                                                 text, grid.x - 1, grid.y - 1));
    return {x, y, 0};
}

struct Found {
    SiteRow row;
    simt::Index3 block;
    CapturedRequest request;
    int further = 0;  // more requests of the same warp and site
};

// Request of the first of `rows` that the block executes, by the first such warp.
std::optional<Found> find_in(const CapturedBlock& block, const std::vector<SiteRow>& rows,
                             const Prediction& prediction, std::optional<int> warp) {
    for (const SiteRow& row : rows) {
        if (row.kernel != rows.front().kernel) continue;
        const std::string& key = site_of(prediction, row).key;
        std::optional<Found> found;
        for (const CapturedRequest& request : block.requests) {
            if (request.site_key != key || request.request.operation != row.operation ||
                (warp && request.warp != *warp))
                continue;
            if (!found)
                found = Found{row, block.block, request, 0};
            else if (request.warp == found->request.warp)
                ++found->further;
        }
        if (found) return found;
    }
    return std::nullopt;
}

Found find(const PictureRequest& wanted, const std::vector<SiteRow>& rows,
           const Prediction& prediction, const State& initial) {
    const std::size_t kernel = rows.front().kernel;
    const simt::Extent3& grid = prediction.kernels.at(kernel).grid;
    const auto warps = static_cast<int>(
        (prediction.kernels.at(kernel).block.count() + warp_lanes - 1) / warp_lanes);
    if (wanted.warp && (*wanted.warp < 0 || *wanted.warp >= warps))
        throw Error(ExitCode::usage,
                    fmt::format("warp {} does not exist: a block has warps 0 to {}", *wanted.warp,
                                warps - 1));
    const auto blocks = wanted.block.empty() ? characteristic_blocks(grid)
                                             : std::vector{parse_block(wanted.block, grid)};
    for (const simt::Index3& block : blocks) {
        const CapturedBlock captured =
            capture_block(*prediction.variant, prediction.problem, initial, kernel,
                          [&](const simt::Extent3&) { return block; });
        if (auto found = find_in(captured, rows, prediction, wanted.warp)) return *found;
    }
    throw Error(
        ExitCode::usage,
        fmt::format("no access at '{}' in {}{}: leave out --block and --warp, or choose others",
                    wanted.place, wanted.warp ? fmt::format("warp {} of ", *wanted.warp) : "",
                    wanted.block.empty() ? "the examined blocks" : "block " + wanted.block));
}

void write_svg(const std::string& path, const std::string& svg) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    if (file) file << svg << std::flush;
    if (!file)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot write the picture \"{}\": {}; choose another --svg file",
                                path, std::strerror(errno)));
}

}  // namespace

void show_picture(const PictureRequest& wanted, const Prediction& prediction,
                  const State& initial) {
    const std::vector<SiteRow> rows = rows_at(wanted.place, prediction);
    const Found found = find(wanted, rows, prediction, initial);
    const CallSite& site = site_of(prediction, found.row);
    std::string title =
        fmt::format("{}\ns{}, {} at {}\nblock ({},{}), warp {}", prediction.variant->info.name(),
                    found.row.number, kind(found.row), site.path, found.block.x, found.block.y,
                    found.request.warp);
    if (found.further > 0)
        title += fmt::format("; first of {} such accesses of this warp", found.further + 1);
    if (!found.request.field.empty())
        title +=
            fmt::format("; addresses relative to the start of field `{}`", found.request.field);
    const RuleSet rules = prediction.architecture.rules;
    fmt::print("{}", picture_text(found.request.request, rules, title, found.request.row_bytes));
    if (rows.size() > 1) {
        std::vector<std::string> numbers;
        for (const SiteRow& row : rows) numbers.push_back(fmt::format("s{}", row.number));
        fmt::print("\n{} has several accesses: {}; the picture shows s{}\n", wanted.place,
                   fmt::join(numbers, ", "), found.row.number);
    }
    if (wanted.svg.empty()) return;
    write_svg(wanted.svg,
              picture_svg(found.request.request, rules, title, found.request.row_bytes));
    fmt::print("picture: {}\n", wanted.svg);
}

}  // namespace camber
