#include "harness/cli/inspect/inspected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/text/text.hpp"

namespace camber {
namespace {

using results::CodeInspection;
using results::CompiledKernel;

template <class T>
std::string cell(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "-";
}

std::string spills_of(const CompiledKernel& kernel) {
    if (!kernel.local_loads || !kernel.local_stores) return "-";
    return fmt::format("{}/{}", *kernel.local_loads, *kernel.local_stores);
}

std::string constants_of(const CompiledKernel& kernel) {
    if (kernel.is_ptx()) return "-";
    std::int64_t bytes = 0;
    for (const auto& [bank, size] : kernel.constant_bytes) bytes += size;
    return fmt::format("{}", bytes);
}

std::string occupancy_text(const CompiledKernel& kernel, int threads) {
    for (const results::BlockOccupancy& at : kernel.occupancy)
        if (at.threads == threads) return fmt::format("{:.0f} %", 100 * at.occupancy);
    return "-";
}

// Columns with figures, aligned to the right, and the name after them.
class FigureTable {
  public:
    explicit FigureTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

    // `below`: a line under the row, or "".
    void add(std::vector<std::string> row, std::string below) {
        rows_.push_back(std::move(row));
        below_.resize(rows_.size());
        below_.back() = std::move(below);
    }

    std::string text() const {
        const std::size_t figures = rows_.front().size() - 1;
        std::vector<std::size_t> widths(figures, 0);
        for (const auto& row : rows_)
            for (std::size_t k = 0; k < figures; ++k)
                widths[k] = std::max(widths[k], row[k].size());
        std::string out;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t k = 0; k < figures; ++k)
                out += fmt::format("{:>{}}  ", rows_[r][k], widths[k]);
            out += rows_[r].back() + "\n";
            if (r < below_.size() && !below_[r].empty())
                out += fmt::format("      {}\n", below_[r]);
        }
        return out;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::string> below_;
};

struct Totals {
    std::size_t kernels = 0, functions = 0, spilling = 0;
    std::int64_t bytes = 0;
};

std::string plural(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string name_of(const CompiledKernel& kernel) {
    std::string name = printable(kernel.name);
    if (kernel.kind == results::CodeKind::function) name += " (device function)";
    if (kernel.copies > 1) name += fmt::format(" ({} copies)", kernel.copies);
    return name;
}

// The block sizes of any kernel in the list.
std::vector<int> blocks_in(const std::vector<const CompiledKernel*>& kernels) {
    std::map<int, std::size_t> blocks;
    for (const CompiledKernel* kernel : kernels)
        for (const results::BlockOccupancy& at : kernel->occupancy) ++blocks[at.threads];
    // Sizes from launch bounds of few kernels would add a column each.
    constexpr std::size_t most = 6;
    while (blocks.size() > most)
        blocks.erase(std::ranges::min_element(
            blocks, [](const auto& a, const auto& b) { return a.second < b.second; }));
    std::vector<int> sizes;
    for (const auto& [threads, count] : blocks) sizes.push_back(threads);
    return sizes;
}

std::string table_of(const std::vector<const CompiledKernel*>& kernels, bool mix) {
    const std::vector<int> blocks = blocks_in(kernels);
    std::vector<std::string> header{"regs",  "stack", "ldl/stl", "shared",
                                    "const", "instr", "bytes"};
    for (const int threads : blocks) header.push_back(fmt::format("occ {}", threads));
    header.insert(header.end(), {"hash", "kernel"});
    FigureTable table(header);
    for (const CompiledKernel* kernel : kernels) {
        std::vector<std::string> row{cell(kernel->registers), cell(kernel->stack_bytes),
                                     spills_of(*kernel),      cell(kernel->shared_bytes),
                                     constants_of(*kernel),   cell(kernel->instructions),
                                     cell(kernel->code_bytes)};
        for (const int threads : blocks) row.push_back(occupancy_text(*kernel, threads));
        constexpr std::size_t digits = 8;
        row.push_back(printable(kernel->hash.substr(0, digits)));
        row.push_back(name_of(*kernel));
        table.add(std::move(row), mix ? mix_text(*kernel) : "");
    }
    return table.text();
}

}  // namespace

std::string mix_text(const CompiledKernel& kernel) {
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const auto& [name, count] : kernel.mix) counts.emplace_back(-count, name);
    std::ranges::sort(counts);
    std::string text;
    for (const auto& [count, name] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", -count, printable(name));
    return text;
}

std::string inspection_table(const CodeInspection& inspection, bool mix) {
    std::string out;
    const auto to = std::back_inserter(out);
    std::vector<std::pair<std::string, std::vector<const CompiledKernel*>>> groups;
    for (const CompiledKernel& kernel : inspection.kernels) {
        if (groups.empty() || groups.back().first != kernel.architecture)
            groups.emplace_back(kernel.architecture, std::vector<const CompiledKernel*>());
        groups.back().second.push_back(&kernel);
    }
    for (const auto& [architecture, kernels] : groups) {
        Totals totals;
        for (const CompiledKernel* kernel : kernels) {
            ++(kernel->kind == results::CodeKind::kernel ? totals.kernels : totals.functions);
            totals.spilling += kernel->local_stores.value_or(0) > 0;
            totals.bytes += kernel->code_bytes.value_or(0) * kernel->copies;
        }
        fmt::format_to(to, "{}: {}", printable(architecture), plural(totals.kernels, "kernel"));
        if (totals.functions > 0)
            fmt::format_to(to, ", {}", plural(totals.functions, "device function"));
        if (!kernels.front()->is_ptx())
            fmt::format_to(to, ", {} bytes of code, {} with local stores", totals.bytes,
                           totals.spilling);
        fmt::format_to(to, "\n{}\n", table_of(kernels, mix));
    }
    fmt::format_to(to, "{}: {}, {}", printable(inspection.file),
                   plural(static_cast<std::size_t>(inspection.cubins), "cubin"),
                   plural(static_cast<std::size_t>(inspection.ptx_modules), "PTX module"));
    if (inspection.intermediate_modules > 0)
        fmt::format_to(to, ", {} for link-time optimization without machine code",
                       plural(static_cast<std::size_t>(inspection.intermediate_modules), "module"));
    out += '\n';
    for (const std::string& note : inspection.notes)
        fmt::format_to(to, "note: {}\n", printable(note));
    return out;
}

}  // namespace camber
