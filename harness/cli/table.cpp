#include "harness/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace camber {

namespace {

std::string duration(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3f} ms", seconds * 1e3);
    return fmt::format("{:.3f} s", seconds);
}

std::string percent(const std::optional<double>& share) {
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string times(const std::optional<double>& speedup) {
    return speedup ? fmt::format("{:.2f}x", *speedup) : "-";
}

std::string verdict(const CaseResult& result) {
    return result.verification && result.verification->passed() ? "yes" : "no";
}

std::size_t name_width(const std::vector<TableRow>& rows) {
    std::size_t width = 7;
    for (const TableRow& row : rows)
        width = std::max(width, row.result->variant->info.name().size());
    return width;
}

}  // namespace

std::string ranking(const Study& study, const std::vector<TableRow>& rows,
                    const Ceilings& ceilings) {
    std::string out;
    const auto line = std::back_inserter(out);
    const std::size_t width = name_width(rows);
    std::vector<TableRow> ok;
    std::ranges::copy_if(rows, std::back_inserter(ok),
                         [](const TableRow& row) { return row.result->status == Status::ok; });
    const bool timed = study.backend != Backend::simt;

    if (timed && !ok.empty()) {
        std::ranges::stable_sort(
            ok, {}, [](const TableRow& row) { return row.result->seconds_per_generation(); });
        fmt::format_to(line, "{:>4}  {:<{}}  {:>12}  {:>9}  {:>9}  {:>7}  {:>8}  {}\n", "rank",
                       "variant", width, "time/gen", "Gcell/s", "app GB/s", "of copy", "speedup",
                       "verified");
        int rank = 0;
        for (const TableRow& row : ok)
            fmt::format_to(line, "{:>4}  {:<{}}  {:>12}  {:>9.2f}  {:>9.1f}  {:>7}  {:>8}  {}\n",
                           ++rank, row.result->variant->info.name(), width,
                           duration(row.result->seconds_per_generation()),
                           row.derived->cells_per_second * 1e-9,
                           row.derived->application_bandwidth * 1e-9,
                           percent(row.derived->share_of_copy), times(row.derived->speedup),
                           verdict(*row.result));
        for (const TableRow& row : ok)
            if (row.result->clock_fall)
                fmt::format_to(line, "slowed while measured: {}: {}\n",
                               row.result->variant->info.name(), *row.result->clock_fall);
        if (ceilings.copy_bytes_per_second)
            fmt::format_to(line, "copy bandwidth of this device: {:.1f} GB/s (read + written)\n",
                           *ceilings.copy_bytes_per_second * 1e-9);
    } else if (!ok.empty()) {
        fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", "variant", width, "gen/run",
                       "cells compared", "verified");
        for (const TableRow& row : ok)
            fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", row.result->variant->info.name(),
                           width, row.result->variant->info.generations_per_launch,
                           row.result->verification->compared_cells, verdict(*row.result));
        fmt::format_to(
            line,
            "The simt backend executes kernels thread by thread on the CPU to check them: "
            "its times say nothing about a GPU and are not shown.\n");
    }
    for (const auto& [status, heading] :
         {std::pair(Status::failed, "FAILED"), std::pair(Status::skipped, "skipped")})
        for (const TableRow& row : rows)
            if (row.result->status == status)
                fmt::format_to(line, "{} {}: {}\n", heading, row.result->variant->info.name(),
                               row.result->reason);
    return out;
}

}  // namespace camber
