#include "harness/cli/common/kernel_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "analysis/profile/wording.hpp"
#include "harness/base/number_text.hpp"
#include "harness/cli/common/text_table.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

namespace {

using profile::KernelTraffic;

std::string name_of(const KernelTraffic& kernel) {
    return kernel.launches == 1 ? kernel.name
                                : fmt::format("{} ({} launches)", kernel.name, kernel.launches);
}

std::string verdict(const KernelTraffic& kernel) {
    if (kernel.comparisons.empty()) return "none";
    if (kernel.estimate) return "estimate";
    return all_agree(kernel.comparisons) ? "agrees" : "differs";
}

std::string counted(const KernelTraffic& kernel, const char* metric) {
    const auto found = kernel.counters.find(metric);
    return found == kernel.counters.end() ? "-" : fmt::format("{:.0f}", found->second);
}

std::vector<std::string> row_of(const KernelTraffic& kernel) {
    return {name_of(kernel),
            verdict(kernel),
            percent(kernel.share),
            kernel.dram_bytes ? profile::quantity(*kernel.dram_bytes) + "B" : "-",
            counted(kernel, metric::global_load_requests),
            counted(kernel, metric::global_load_sectors),
            counted(kernel, metric::global_store_requests),
            counted(kernel, metric::global_store_sectors)};
}

std::string indented(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += "  " + line + "\n";
    return result;
}

}  // namespace

std::string kernel_table(const std::vector<KernelTraffic>& kernels) {
    if (kernels.empty()) return "";
    TextTable table({"kernel", "model", "time", "DRAM", "loads", "sectors", "stores", "sectors"},
                    2);
    std::string differences;
    for (const KernelTraffic& kernel : kernels) {
        table.add(row_of(kernel));
        for (const CounterComparison& pair : kernel.comparisons) {
            if (pair.agrees || kernel.estimate) continue;
            std::string quantity = pair.quantity;
            std::ranges::replace(quantity, '_', ' ');
            differences += fmt::format("{}: {:.0f} {}, predicted {:.0f}\n", kernel.name,
                                       pair.measured, quantity, pair.predicted);
        }
    }
    return indented(table.plain() + differences);
}

std::string kernels_of_fastest(const results::Document& document) {
    const results::CaseRecord* fastest = nullptr;
    for (const results::CaseRecord& record : document.cases) {
        if (record.kernel_counters.size() < 2) continue;
        if (!fastest || record.real_time_ns < fastest->real_time_ns) fastest = &record;
    }
    if (!fastest) return "";
    return fmt::format("kernels of a launch of {}, by counters:\n{}", fastest->identity.variant,
                       kernel_table(profile::kernel_traffic(fastest->kernel_counters)));
}

}  // namespace camber
