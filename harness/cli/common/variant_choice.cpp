#include "harness/cli/common/variant_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/common/composition.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

std::vector<const Variant*> chosen_variants(const std::vector<std::string>& globs,
                                            const Workload& workload, Backend backend,
                                            ElementType cell) {
    std::vector<const Variant*> candidates;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == workload.name() && variant.info.cell == cell &&
            variant.factories.contains(backend))
            candidates.push_back(&variant);
    if (candidates.empty() && backend == Backend::cuda && cuda_devices().empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("no CUDA device can be used: {}", why_no_cuda()),
                    Remedy::host_backend);
    if (candidates.empty())
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has no variant for {} cells on backend {}: camber "
                                "list variants shows which backend has one",
                                workload.name(), info(cell).name, name(backend)));
    if (globs.empty()) return candidates;

    const auto short_name = [](const Variant& variant) {
        return variant.info.name().substr(variant.info.workload.size() + 1);
    };
    std::vector<const Variant*> chosen;
    for (const std::string& glob : globs) {
        bool found = false;
        for (const Variant* variant : candidates) {
            const std::string full = variant->info.name();
            const std::string brief = short_name(*variant);
            if (!matches_glob(glob, full) && !matches_glob(glob, brief)) continue;
            found = true;
            if (std::ranges::find(chosen, variant) == chosen.end()) chosen.push_back(variant);
        }
        if (!found) {
            const std::string workload_part = fmt::format("{}/", workload.name());
            const auto brief_glob =
                glob.substr(glob.starts_with(workload_part) ? workload_part.size() : 0);
            std::vector<std::string> names;
            for (const Variant* variant : candidates) {
                names.push_back(short_name(*variant));
                names.push_back(fmt::format("{}/*", variant->info.technique.name));
            }
            throw Error(
                ExitCode::usage,
                fmt::format("no {} variant on backend {} matches '{}' (camber list "
                            "variants shows all){}",
                            workload.name(), name(backend), glob, suggestion(brief_glob, names)));
        }
    }
    return chosen;
}

std::vector<std::shared_ptr<const Variant>> composed_variants(
    const std::vector<std::string>& compositions, const Workload& workload, Backend backend,
    ElementType cell) {
    std::vector<std::shared_ptr<const Variant>> composed;
    for (const std::string& text : compositions) {
        auto variant = std::make_shared<const Variant>(
            composed_variant(registry(), text, workload, backend, cell));
        const auto same = [&](const auto& other) {
            return other->info.name() == variant->info.name();
        };
        if (std::ranges::none_of(composed, same)) composed.push_back(std::move(variant));
    }
    return composed;
}

}  // namespace camber
